"""The report: one HTML page from facts and figures. The door to Jinja2."""
