"""How the pages are built: MyST, executed examples, MathJax carried along, so that they read offline."""

from glaswerk import __version__

project = "Glaswerk"
author = "the Glaswerk founders"
copyright = "the Glaswerk founders"
version = release = __version__

extensions = ["myst_parser", "sphinx-mathjax-offline"]
myst_enable_extensions = ["dollarmath", "colon_fence", "deflist"]
myst_heading_anchors = 3
exclude_patterns = ["_build", "case", "scale_table.md"]

html_theme = "pydata_sphinx_theme"
html_title = "Glaswerk"
html_show_sourcelink = False
html_theme_options = {"show_prev_next": True, "navbar_end": ["theme-switcher"], "secondary_sidebar_items": ["page-toc"]}
