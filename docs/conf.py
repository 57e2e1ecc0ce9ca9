"""Sphinx settings; `bash scripts/docs` builds the site into build/docs."""

from __future__ import annotations

import sys
from pathlib import Path

import reactio

sys.path.insert(0, str(Path(__file__).parent))

project = "Reactio"
author = "the Reactio authors"
release = reactio.__version__
extensions = ["myst_parser", "reactio_docs.extension"]
exclude_patterns = ["reactio_docs", "snippets"]
html_theme = "furo"
html_static_path = ["static"]
html_css_files = ["reactio.css"]
html_title = f"Reactio {release}"
html_show_sourcelink = False
html_show_copyright = False

nitpicky = True
# Types in signatures that belong to Python, NumPy and SciPy; names of the package must resolve.
nitpick_ignore_regex = [("py:(class|obj)", r"(?!reactio).*")]
python_maximum_signature_line_length = 100
python_use_unqualified_type_names = True

myst_heading_anchors = 4
myst_links_external_new_tab = True
pygments_style = "friendly"
pygments_dark_style = "monokai"
