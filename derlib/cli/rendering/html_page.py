"""The HTML page of `derlib view`: one file that shows documents as a tree beside their bytes.

The page has the documents as base64. Its script (page/*.js) parses the visible part only, so a CRL of 8 MiB opens
without delay; in BER, it first reads all headers, to find the ends of indefinite lengths. Nothing in a file becomes
markup: this module escapes the text of the page, the script inserts values as text, and the content security policy
allows no other scripts.
"""

from __future__ import annotations

import base64
import hashlib
import html
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from importlib.resources import files
from itertools import chain, islice
from typing import Any, NamedTuple

import derlib
from derlib import ASN1Error, DecodeError, LimitError, ObjectIdentifier, ber, inspect, oids
from derlib._document_types import DOCUMENT_TYPES
from derlib.cli.deviations import ALL_DEVIATIONS, deviation_name
from derlib.cli.documents.contents import contents_in
from derlib.cli.documents.document_types import DER, candidates, type_of
from derlib.cli.documents.files import Document
from derlib.cli.documents.labels import Labels
from derlib.cli.documents.notes import name_of
from derlib.cli.documents.secret_parts import SecretParts, secret_parts
from derlib.cli.output.escapes import clip, visible
from derlib.cli.rendering import json_text
from derlib.oids import ATTRIBUTE_SHORT_NAMES

__all__ = ["BEGINNING", "Fault", "page"]

_HEAD = (
    '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta name="generator" content="derlib">\n'
)

#: The first bytes of each page, by which derlib knows a page that it wrote.
BEGINNING = _HEAD.encode()

#: The scripts; each uses only those before it.
_SCRIPTS = (
    "der.js",
    "tree.js",
    "rows.js",
    "labels.js",
    "views.js",
    "details.js",
    "search.js",
    "divider.js",
    "page.js",
)

#: The longest name of a document in the list of documents.
_MAX_NAME = 80

#: The longest message about a document that is not valid.
_MAX_ERROR = 300

#: The page shows at most this many faults of a document.
_MAX_FAULTS = 10_000


class Fault(NamedTuple):
    """Why a document is not valid: the offset in its bytes, the rule of the standard if it is one, and the message."""

    offset: int
    kind: str | None
    rule: str | None
    message: str

    def __str__(self) -> str:
        return self.message


#: The changes from BER that the script finds.
_FORMS = frozenset({"length-indefinite", "length-not-minimal", "string-constructed"})

_BODY = """<header>
<h1>{title}</h1><span>{size}</span>
<select id="documents" aria-label="Block or value of the file" hidden></select>
<label>Theme <select id="colours"><option value="">system</option><option value="light">light</option>
<option value="dark">dark</option></select></label>
<button id="keys" type="button" title="Mouse and keys (?)" aria-label="Mouse and keys">?</button>
<form role="search"><output id="matches"></output>
<input id="query" type="search" placeholder="Text, number, date, field, OID, 0x bytes" aria-label="Search"
 spellcheck="false" autocomplete="off">
<select id="kind" aria-label="Kind of search"><option value="any">all</option>
<option value="text">text</option><option value="number">number, date</option><option value="field">field, type</option>
<option value="oid">OID</option><option value="hex">bytes</option></select>
<button id="previous" type="button" title="Previous (N)" aria-label="Previous match">‹</button>
<button id="next" type="button" title="Next (n)" aria-label="Next match">›</button>
</form>
</header>
<noscript><p>This page needs JavaScript. It contains its script and loads nothing.</p></noscript>
<main id="main">
<div id="first" class="pane"><div class="heading"><h2 id="elements">Elements</h2>
<span class="columns" aria-hidden="true">offset + size</span></div>
<section id="tree" role="tree" tabindex="0" aria-labelledby="elements"></section></div>
<div id="divider" role="separator" tabindex="0" aria-label="Divider of elements and bytes" aria-controls="first"
 aria-valuemin="15" aria-valuemax="85" aria-valuenow="50" title="Drag, or use the arrow keys; Enter resets"></div>
<div class="pane"><div class="heading"><h2 id="dump">Bytes</h2>
<span class="columns" aria-hidden="true"><b class="tag">identifier</b> <b class="length">length</b> contents</span>
</div>
<section id="bytes" tabindex="0" aria-labelledby="dump"></section></div>
</main>
<footer aria-label="Selected element"><p id="hint">Select an element to see its path and value.
<span class="mouse">Hover over it to see its bytes.</span>
<span id="secrets" hidden>Private keys are hidden: derlib view --secrets shows them.</span>
<span id="faults"></span></p>
<div id="details" hidden><div id="about"><ol id="steps"></ol><div id="where"></div>
<div class="actions"><code id="path" title="The path or offset for derlib extract"></code>
<span>Copy</span>
<button id="copy-path" type="button" title="Copy the path for derlib extract (c)" aria-label="Copy path">path</button>
<button id="copy-value" type="button" title="Copy the value as it is shown (v)" aria-label="Copy value">value</button>
<button id="copy-hex" type="button" title="Copy the element in hexadecimal (h)" aria-label="Copy hex">hex</button>
<button id="copy-base64" type="button" title="Copy the element in base64, a certificate or another file as PEM (b)"
 aria-label="Copy base64 or PEM">base64</button>
<button id="save" type="button" title="Save the element as a file (s)">Save DER</button></div></div>
<pre id="value" role="region" tabindex="0" aria-label="Value"></pre></div><output id="done"></output></footer>
<dialog id="help" aria-labelledby="about-keys"><h2 id="about-keys">Mouse and keys</h2><dl>
<dt class="mouse">hover</dt><dd class="mouse">highlight an element and its bytes: identifier, length, contents</dd>
<dt>click</dt><dd>select an element; click again to clear the selection</dd>
<dt>↑ ↓ PgUp PgDn Home End</dt><dd>move in the tree</dd>
<dt>→ ← Enter</dt><dd>open and close an element</dd>
<dt>*</dt><dd>open all elements inside, up to 2,000 rows</dd>
<dt>c v h b s</dt><dd>copy the path, the value, or the element in hexadecimal or base64; save the element as DER</dd>
<dt>/</dt><dd>search; Enter or n: next match, N: previous match; a path or #1234 goes to the element</dd>
<dt>Esc</dt><dd>clear the selection</dd>
</dl><form method="dialog"><button>Close</button></form></dialog>
"""


def page(
    title: str,
    shown: list[Document],
    is_ber: bool = False,
    schema: Any = None,
    *,
    secrets: bool = True,
    errors: dict[int, Fault] | None = None,
) -> Iterator[str]:
    """Yield the page in pieces. `title` and the documents can have any contents, including markup and scripts.

    With `is_ber`, the documents are BER. `schema` is their type; with None, the types that derlib knows are tried.
    Without `secrets`, the page has other bytes in place of private keys. `errors` has the documents that are not valid,
    by index.
    """
    style, script = _resource("page.css"), _universal_types() + "".join(map(_resource, _SCRIPTS))
    size = sum(len(document.der) for document in shown)
    # The heading has the name of the file.
    titles = [replace(document, file=title).title.removeprefix(f"{title}: ") for document in shown]
    labels = Labels()
    hidden = [SecretParts() if secrets else secret_parts(document, is_ber) for document in shown]
    blanked = [parts.blanked(document.der) for parts, document in zip(hidden, shown, strict=True)]
    names = _names(blanked)
    fields = [
        _damaged(errors[index]) if errors and index in errors else _fields(document, labels, is_ber, schema)
        for index, document in enumerate(shown)
    ]
    facts = {
        "documents": titles,
        "names": names,
        "short": {dotted: short for dotted, short in ATTRIBUTE_SHORT_NAMES.items() if dotted in names},
        "errors": {index: clip(str(error), _MAX_ERROR) for index, error in (errors or {}).items()},
        "fields": [_outside(found, parts) for found, parts in zip(fields, hidden, strict=True)],
        "hidden": [[(part.start, part.stop) for part in parts] for parts in hidden],
        "schema": schema is not None,
        # The first type of a class has the label of RFC 7468.
        "pem": {type_.class_name: type_.labels[0] for type_ in reversed(DOCUMENT_TYPES) if type_.labels},
        "types": labels.types(),
        "offsets": [document.offset for document in shown],
        "values": any(document.value for document in shown),
        "ber": is_ber,
    }
    policy = (
        f"default-src 'none'; script-src {_digest(script)}; style-src {_digest(style)}; "
        "base-uri 'none'; form-action 'none'"
    )
    escaped = html.escape(visible(title))
    yield (
        f'{_HEAD}<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escaped}</title>\n<style>{style}</style>\n</head>\n<body>\n"
    )
    yield _BODY.format(title=escaped, size=f"{size:,} byte{'' if size == 1 else 's'}")
    for index, octets in enumerate(blanked):
        yield f'<script type="text/plain" id="document-{index}">{base64.b64encode(octets).decode()}</script>\n'
    # HTML has no escapes inside a script element, so JSON escapes the characters of markup.
    data = json_text.flat(facts).replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
    yield f'<script type="application/json" id="facts">{data}</script>\n<script>{script}</script>\n</body>\n</html>\n'


def _resource(name: str) -> str:
    return (files("derlib.cli.rendering") / "page" / name).read_text(encoding="utf-8")


def _universal_types() -> str:
    """Return the script that der.js needs before it."""
    return f'"use strict";\nconst UNIVERSAL = {json_text.flat(inspect.universal_types())};\n'


def _digest(text: str) -> str:
    """Return the source expression that allows one inline script or style (Content Security Policy 3, 2.3.1)."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _names(shown: list[bytes]) -> dict[str, str]:
    """Return the names of the object identifiers in the documents, by dotted form.

    This searches the bytes for the encodings of all named identifiers, because walking the elements would be slow.
    Bytes that look like an identifier by chance only add a name to the page.
    """
    known, candidates = _known(oids.registered())
    found: set[bytes] = set()
    for octets in shown:
        found.update(candidates.findall(octets))
    return {dotted: oids.name_of(dotted) for encoding, dotted in known.items() if encoding in found}


@lru_cache(maxsize=1)
def _known(registered: tuple[str, ...]) -> tuple[dict[bytes, str], re.Pattern[bytes]]:
    """Return the dotted forms by length octet and contents octets, and a pattern that finds candidates for them.

    The pattern has an alternative for each length, with the set of bytes that occur at each position. So a file that is
    full of other identifiers has few matches.
    """
    contents = {dotted: ObjectIdentifier(dotted).content for dotted in registered}
    # The identifiers that derlib knows are short, but a program can register longer ones.
    known = {bytes([len(content)]) + content: dotted for dotted, content in contents.items() if len(content) < 0x80}
    alternatives = []
    for length in sorted(set(map(len, known))):
        positions = zip(*(encoding for encoding in known if len(encoding) == length), strict=True)
        alternatives.append(b"".join(b"[%b]" % re.escape(bytes(set(position))) for position in positions))
    return known, re.compile(b"\x06(?=(%b))" % b"|".join(alternatives), re.DOTALL)


def _fields(document: Document, labels: Labels, is_ber: bool, schema: Any) -> dict[str, object]:
    """Return the labels and faults of a document; in BER those of its conversion to DER, at the offsets in the BER.

    A document that does not decode has none.
    """
    value, converted = _decoded(document, is_ber, schema)
    changes = _changes(converted) if converted is not None else _element_changes(document.der) if is_ber else {}
    if value is None:
        return changes
    if converted is None:
        found = {} if isinstance(value, derlib.TLV) else _described(value, labels.of(value, document.der))
        return {**found, **_faults(value, int)}
    changed = (change.output.offset for change in converted.changes)
    found = _described(value, labels.of(value, converted.der, converted.origin, changed))
    if any(change.kind == "default-encoded" for change in converted.changes):
        # The elements of a list have other indexes than in DER, so a table does not fit.
        found["tables"] = {}
    return {**found, **changes, **_faults(value, converted.origin)}


def _damaged(error: Fault) -> dict[str, object]:
    """Return the fault of a document that is not valid."""
    return {"faults": {error.offset: _kind_and_rule(error)}}


def _kind_and_rule(error: Fault | DecodeError | LimitError) -> str:
    return f"{error.kind or 'fault'}{f', {error.rule}' if error.rule else ''}"


def _outside(found: dict[str, object], hidden: SecretParts) -> dict[str, object]:
    """Return the labels, notes and faults of a document without those inside hidden contents."""
    return {
        name: {at: one for at, one in part.items() if not hidden.touch(at, at + 1)} if isinstance(part, dict) else part
        for name, part in found.items()
    }


def _described(value: Any, found: dict[str, object]) -> dict[str, object]:
    """Add the name of a document to its labels, if it has one."""
    name = name_of(value)
    return {**found, "name": clip(name, _MAX_NAME)} if name else found


def _decoded(document: Document, is_ber: bool, schema: Any) -> tuple[Any, ber.Converted | None]:
    """Return the value of a document, and its conversion from BER; None for a document of no known type."""
    if not is_ber:
        with suppress(ASN1Error, MemoryError):
            if schema is None:
                return type_of(document).decode(document.der, ALL_DEVIATIONS), None
            return _structure(derlib.decode(schema, document.der, tolerate=ALL_DEVIATIONS)), None
        return None, None
    schemas = [type_.schema for type_ in candidates(document, None) if type_ is not DER] if schema is None else [schema]
    for one in schemas:
        with suppress(ASN1Error, MemoryError):
            converted = ber.convert(document.der, one, signed_attributes="convert")
            return _structure(derlib.decode(one, converted.der, tolerate=ALL_DEVIATIONS)), converted
    with suppress(ASN1Error, MemoryError):
        return None, ber.convert(document.der)
    return None, None


def _structure(value: Any) -> Any:
    """Return a value with parts; None for another, such as a number, which needs no labels."""
    return value if hasattr(value, "span") else None


def _changes(converted: ber.Converted) -> dict[str, object]:
    """Return what the conversion to DER changes, by offset: the violated rule, and with its clause. Empty for nothing.

    The script finds the forms of lengths and strings itself, because there can be many.
    """
    changes: dict[int, list[tuple[str, str]]] = {}
    others = (one for one in converted.changes if one.kind not in _FORMS)
    for one in islice(others, _MAX_FAULTS):
        changes.setdefault(one.input.offset, []).append((one.kind, f"{one.kind}, {one.rule}"))
    return {"changes": changes} if changes else {}


def _element_changes(octets: bytes) -> dict[str, object]:
    """Return the changes of the primitive elements of BER that as a whole has no DER, and its faults."""
    changes: dict[int, list[tuple[str, str]]] = {}
    pending = [iter((derlib.parse_ber(octets),))]
    for _ in range(_MAX_FAULTS):
        while pending and (element := next(pending[-1], None)) is None:
            pending.pop()
        if not pending or element is None:
            break
        if element.tag.constructed:
            pending.append(iter(element))
            continue
        try:
            found = [(one.kind, one.rule) for one in ber.convert(element.encoded).changes if one.kind not in _FORMS]
        except (DecodeError, LimitError) as error:
            found = [(error.kind or "fault", error.rule or "")]
        if found:
            changes[element.span.offset] = [(kind, f"{kind}, {rule}".removesuffix(", ")) for kind, rule in found]
    return {"changes": changes} if changes else {}


def _faults(value: Any, origin: Callable[[int], int]) -> dict[str, object]:
    """Return the faults of a document by offset: the deviation that tolerates each, and the clause. Empty for none.

    Those of the contents of its strings are among them; one that no deviation tolerates has its kind.
    """
    faults: dict[int, str] = {}
    contents = tuple(contents_in(value))
    inside = (one for each in contents for one in each.tolerated())
    for one in islice(chain(value.deviations, inside), _MAX_FAULTS):
        faults.setdefault(origin(one.offset), f"{deviation_name(one.deviation)}, {one.rule}")
    for each in contents:
        if isinstance(each.error, (DecodeError, LimitError)):
            faults.setdefault(origin(each.place(each.error.offset)), _kind_and_rule(each.error))
    return {"faults": faults} if faults else {}
