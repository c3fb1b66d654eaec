"""The texts that site/search.js searches. conf.py connects these functions.

Each section of a page and each name of the reference is an entry of its own, so that a result links to the place.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.addnodes import desc, desc_content, desc_signature, pending_xref_condition

# Blocks with text of their own. The text of other nodes is in one of them.
BLOCKS = (nodes.paragraph, nodes.literal_block, nodes.term, nodes.field_name)
# How much a page counts. All others are guides, which count 1.
WEIGHTS = {
    "docs/reference/schemas/": 0.3,
    "docs/reference/": 0.4,
    "docs/index": 0.5,
    "docs/architecture": 0.3,
    "docs/benchmark": 0.3,
    "CHANGELOG": 0.2,
    "CONTRIBUTING": 0.2,
}


def words_of(node: nodes.Node) -> str:
    """Return the text of a block. A link to a type has it twice, once for the case that the type is found."""
    if isinstance(node, pending_xref_condition) and node["condition"] == "resolved":
        return ""
    return node.astext() if isinstance(node, nodes.Text) else "".join(map(words_of, node.children))


def text_of(node: nodes.Node) -> str:
    """Return the text of a node without its sections and names. The cells of a row are separated by bars."""
    if isinstance(node, BLOCKS):
        return " ".join(words_of(node).split())
    inner = [text_of(child) for child in node.children if not isinstance(child, (nodes.section, desc, nodes.title))]
    return (" | " if isinstance(node, nodes.row) else "\n").join(filter(None, inner))


def entries(document: nodes.document) -> Iterator[tuple[str, str, str]]:
    """Yield the identifier, the heading and the text of each section and each name."""
    for section in document.findall(nodes.section):
        yield section["ids"][0], section.next_node(nodes.title).astext(), text_of(section)
    for name in document.findall(desc):
        signature, content = name.next_node(desc_signature), name.next_node(desc_content)
        if signature["ids"]:
            yield signature["ids"][0], signature["ids"][0].removeprefix("derlib."), text_of(content)


def collect(app: Any, document: nodes.document) -> None:
    """Store the entries of a page that was read."""
    if not hasattr(app.env, "search_pages"):
        app.env.search_pages = {}
    app.env.search_pages[app.env.docname] = list(entries(document))


def write(app: Any, error: Exception | None) -> None:
    """Write all entries as a script, because a browser does not let a page that was opened as a file fetch others."""
    if error is None and app.builder.format == "html":
        pages = [
            {
                "name": name,
                "weight": next((weight for start, weight in WEIGHTS.items() if name.startswith(start)), 1),
                "sections": app.env.search_pages[name],
            }
            for name in sorted(app.env.found_docs)
        ]
        script = f"const PAGES = {json.dumps(pages, ensure_ascii=False)};\n"
        Path(app.outdir, "_static", "search-pages.js").write_text(script, encoding="utf-8")
