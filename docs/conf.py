"""The settings of Sphinx for `make site`. The pages are the Markdown files of the checkout.

The source folder is the whole checkout, so that links between pages, including those out of docs/, work on the site, in
a checkout and on a web site that hosts the repository. The order of the pages is here, not in the pages.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

from sphinx.addnodes import desc_signature, pending_xref

ROOT = Path(__file__).resolve().parent.parent

project = "derlib"
author = "The derlib authors"
release = re.findall(r'__version__ = "(.+?)"', (ROOT / "derlib" / "__init__.py").read_text(encoding="utf-8"))[0]

# For docs/schema_pages.py.
sys.path.insert(0, str(ROOT))

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.napoleon",
    "sphinx_copybutton",
]
root_doc = "docs/index"
include_patterns = [
    "docs/**.md",
    "docs/reference/schemas/*.rst",
    "examples/*.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "SECURITY.md",
]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
templates_path = [str(ROOT / "docs" / "site" / "templates")]
myst_heading_anchors = 4
highlight_language = "text"
default_role = "literal"

html_theme = "furo"
html_title = f"derlib {release}"
html_static_path = ["site"]
exclude_patterns = ["templates/**"]  # in html_static_path
html_css_files = ["pages.css"]
html_additional_pages = {"search": "search.jinja"}
html_copy_source = False
html_show_sourcelink = False
html_show_copyright = False

# Copy the input of an example without its prompts and its output.
copybutton_prompt_text = r">>> |\.\.\.(?: |$)|\$ "
copybutton_prompt_is_regexp = True

autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 100
napoleon_google_docstring = True
napoleon_numpy_docstring = False

# The modules besides derlib and derlib.schemas.
MODULES = ("pem", "oids", "ber", "stream", "json", "inspect", "asn1", "cache", "strategies", "arrow", "cluster")

# The sidebar: headings, and the pages below them. A page in none of these lists is a warning, and so an error.
PAGES = {
    "Start": ["tutorial", "moving", "/examples/README", "ported"],
    "Read files": ["x509", "cms", "requests-and-status", "ber", "deviations", "strict", "cli"],
    "Write files": ["build-and-sign", "native-and-json"],
    "Define structures": ["schema-language", "asn1", "testing"],
    "Work with much data": [
        "large-crls",
        "streaming",
        "lookup-and-pickle",
        "columns",
        "tables",
        "clusters",
        "scale",
        "cache",
    ],
    "Reference": [
        "errors",
        "rules",
        *(f"reference/{name}" for name in ("types", "values", "calls", "errors")),
        "reference/schemas",
        *(f"reference/{name}" for name in MODULES),
    ],
    "Project": [
        "benchmark",
        "security",
        "/SECURITY",
        "architecture",
        "/CONTRIBUTING",
        "/CHANGELOG",
    ],
}


def prepare(_: object, page: str, content: list[str]) -> None:
    """Change a page for the site: remove links to folders, and add the tree of pages to the first page.

    Also remove the blank line at the end of an example, which only doctest needs.
    """
    content[0] = re.sub(r"^(```pycon$.*?)\n+```$", r"\1\n```", content[0], flags=re.MULTILINE | re.DOTALL)
    folder = (ROOT / page).parent
    content[0] = re.sub(
        r"\[([^\]]+)\]\(([\w./]+)\)",
        lambda link: link[1] if (folder / link[2]).is_dir() else link[0],
        content[0],
    )
    if page == root_doc:
        for caption, names in PAGES.items():
            listed = "\n".join(names)
            content[0] += f"\n\n```{{toctree}}\n:hidden:\n:caption: {caption}\n\n{listed}\n```\n"


def link_exactly(_: object, document: Any) -> None:
    """Link the names of types in signatures only if they name one class.

    Otherwise Sphinx would take any class or field whose last name is the same, such as a field `type` for `type[T]`.
    """
    for signature in document.findall(desc_signature):
        for link in signature.findall(pending_xref):
            link.attributes.pop("refspecific", None)


def without_index(app: Any) -> None:
    """Leave out the index of Sphinx: the page of the search has its own (site/search.js)."""
    app.builder.search = False


def add_start(app: Any, error: Exception | None) -> None:
    """Write the index of the site, which redirects to its first page."""
    if error is None and app.builder.format == "html":
        Path(app.outdir, "index.html").write_text(
            f'<!doctype html><meta http-equiv="refresh" content="0; url={root_doc}.html"><title>{project}</title>\n'
            f'<a href="{root_doc}.html">The documentation of {project}</a>\n',
            encoding="utf-8",
        )


def setup(app: Any) -> None:
    """Called by Sphinx."""
    from docs import schema_pages, search_pages

    app.connect("autodoc-process-docstring", schema_pages.add_tables)
    app.connect("autodoc-process-signature", schema_pages.without_types)
    app.connect("autodoc-skip-member", schema_pages.skip_fields)
    app.connect("source-read", prepare)
    app.connect("doctree-read", link_exactly)
    app.connect("doctree-read", search_pages.collect)
    app.connect("builder-inited", without_index)
    app.connect("build-finished", search_pages.write)
    app.connect("build-finished", add_start)
