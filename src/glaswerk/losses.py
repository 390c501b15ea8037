"""Losses: value, gradient, curvature, link."""
