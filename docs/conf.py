"""The site: `sphinx-build -W --keep-going docs build/docs`, with the package installed."""

import sys
from pathlib import Path

import armlet

DOCS = Path(__file__).resolve().parent
sys.path.insert(0, str(DOCS))  # for generators

project = "armlet"
author = "the armlet authors"
copyright = author  # noqa: A001  # so Sphinx calls it
version = release = armlet.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "generators"]
exclude_patterns = ["ci"]
html_theme = "furo"
html_title = f"{project} {version}"
html_static_path = ["static"]
html_copy_source = False

myst_enable_extensions = ["attrs_inline", "deflist"]
myst_heading_anchors = 4

autodoc_typehints = "signature"
add_module_names = False
smartquotes = False  # -- is an option here, and quotes are code
nitpicky = True
# Python's own names have no page here, and nothing is downloaded to link to one.
nitpick_ignore_regex = [("py:.*", r"(?!armlet\.).*")]
