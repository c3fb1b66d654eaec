"""`derlib view`: one page of HTML that shows a file as a tree beside its octets, and needs nothing else.

The octets stand in the page as base64; its script (page/*.js) reads the DER of them where it is looked at, so that
opening a CRL of 8 MiB makes no more than what is in sight. Nothing of a file becomes markup: what goes into the page
as text is escaped here, what the script shows it sets as text, and the policy of the page lets no other script run.
"""

from __future__ import annotations

import base64
import hashlib
import html
import os
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from importlib.resources import files as resources

import click

import derlib
from derlib import ASN1Error, Deviation, ObjectIdentifier, oids
from derlib.cli import jsonout, kinds, options
from derlib.cli.exits import FAULT, run_one
from derlib.cli.fieldnames import field_names
from derlib.cli.inputs import Document, Unreadable, documents
from derlib.cli.output import printable, report_error, visible
from derlib.cli.sink import Sink
from derlib.cli.tolerance import message, tolerated

__all__ = ["command", "page"]

#: The scripts in the order that they need one another in.
_SCRIPTS = ("der.js", "tree.js", "rows.js", "page.js")

_BODY = """<header>
<h1>{title}</h1><span>{size}</span>
<select id="documents" aria-label="Block of the file" hidden></select>
<form role="search">
<input id="query" type="search" placeholder="Search: text, OID, name, 0x octets" aria-label="Search" spellcheck="false">
<select id="kind" aria-label="What to search for"><option value="any">anything</option>
<option value="text">text</option><option value="oid">OID</option><option value="hex">octets</option></select>
<button id="previous" type="button" title="Previous (N)" aria-label="Previous match">‹</button>
<button id="next" type="button" title="Next (n)" aria-label="Next match">›</button>
<output id="matches"></output>
</form>
<select id="colours" aria-label="Colours"><option value="">as the system</option><option value="light">light</option>
<option value="dark">dark</option></select>
<button id="keys" type="button" aria-label="Keys">?</button>
</header>
<noscript><p>This page needs JavaScript, which is part of it: nothing is loaded.</p></noscript>
<main><section id="tree" role="tree" tabindex="0" aria-label="Elements"></section>
<section id="octets" tabindex="0" aria-label="Octets"></section></main>
<footer><div id="told" hidden><ol id="path"></ol><div id="where"></div><pre id="value"></pre></div></footer>
<dialog id="help"><h2>Mouse and keys</h2><dl>
<dt>hover</dt><dd>lights up an element and its octets: identifier, length, contents</dd>
<dt>click</dt><dd>keeps it; a second click lets it go</dd>
<dt>↑ ↓ PgUp PgDn Home End</dt><dd>move in the tree</dd>
<dt>→ ← Enter</dt><dd>open and close</dd>
<dt>*</dt><dd>opens all below, up to 2,000 rows</dd>
<dt>/</dt><dd>search; Enter, n and N go on and back</dd>
<dt>Esc</dt><dd>lets go</dd>
</dl><form method="dialog"><button>Close</button></form></dialog>
"""


def page(title: str, shown: list[Document]) -> Iterator[str]:
    """The page in pieces. Whatever `title` and the documents say, it runs no script but its own."""
    style, script = _resource("page.css"), "".join(map(_resource, _SCRIPTS))
    size = sum(len(document.der) for document in shown)
    titles = [replace(document, file=title).title for document in shown]
    facts = {"documents": titles, "names": _names(shown), "fields": [_fields(document) for document in shown]}
    policy = (
        f"default-src 'none'; script-src {_digest(script)}; style-src {_digest(style)}; "
        "base-uri 'none'; form-action 'none'"
    )
    escaped = html.escape(visible(title))
    yield (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escaped}</title>\n<style>{style}</style>\n</head>\n<body>\n"
    )
    yield _BODY.format(title=escaped, size=f"{size:,} octets")
    for index, document in enumerate(shown):
        yield f'<script type="text/plain" id="document-{index}">{base64.b64encode(document.der).decode()}</script>\n'
    # Within a script element HTML knows no escapes; those of JSON leave it nothing to act on.
    data = jsonout.flat(facts).replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
    yield f'<script type="application/json" id="facts">{data}</script>\n<script>{script}</script>\n</body>\n</html>\n'


def _resource(name: str) -> str:
    return (resources("derlib.cli") / "page" / name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    """How a Content-Security-Policy allows one inline script or style (CSP 3, 2.3.1)."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _names(shown: list[Document]) -> dict[str, str]:
    """The names of the object identifiers that may stand in the documents, by dotted form.

    Whatever looks like one that has a name is looked up: identifier octet, length, contents. Walking the elements would
    take long.
    """
    known, candidates = _known(oids.registered())
    found: set[bytes] = set()
    for document in shown:
        found.update(candidates.findall(document.der))
    return {dotted: oids.name_of(dotted) for octets, dotted in known.items() if octets in found}


@lru_cache(maxsize=1)
def _known(registered: tuple[str, ...]) -> tuple[dict[bytes, str], re.Pattern[bytes]]:
    """The dotted forms by length and contents octets; and a pattern for what may be one of these.

    It finds what has the length of one of them, and only octets that such have there: a file may look like identifiers
    all over, so no step of Python is made for what is none.
    """
    contents = {dotted: ObjectIdentifier(dotted).content for dotted in registered}
    # Those that are known from the start are short, but a name can be given to any.
    known = {bytes([len(octets)]) + octets: dotted for dotted, octets in contents.items() if len(octets) < 0x80}
    forms = []
    for length in sorted(set(map(len, known))):
        places = zip(*(octets for octets in known if len(octets) == length), strict=True)
        forms.append(b"".join(b"[%b]" % re.escape(bytes(set(place))) for place in places))
    return known, re.compile(b"\x06(?=(%b))" % b"|".join(forms), re.DOTALL)


def _fields(document: Document) -> dict[str, object]:
    """The names of the fields of a certificate or a CRL; of none for others, also where they only claim to be one."""
    kind = kinds.kind_of(document)
    try:
        value = kind.decode(document.der, kinds.EVERYTHING)
    except (ASN1Error, MemoryError):
        return {}
    return {} if kind is kinds.ANY else field_names(value, document.der)


def _checked(file: str, tolerate: Deviation) -> tuple[list[Document], bool]:
    """The sound documents of `file`; and whether all were."""
    sound: list[Document] = []
    faults: list[tuple[str, Exception]] = []
    try:
        for document in documents(file):
            try:
                derlib.parse(document.der, tolerate=tolerate or None)
                sound.append(document)
            except (ASN1Error, MemoryError) as error:
                faults.append((document.title, error))
    except (Unreadable, ASN1Error) as error:
        faults.append((file, error))
    for place, fault in faults:
        report_error(place, message(fault))
    return sound, not faults


@click.command("view")
@options.one_file("file")
@click.option(
    "-o",
    "--output",
    metavar="OUT.html",
    type=click.Path(allow_dash=True),
    help="Write the page there, - for standard output. Otherwise it is FILE.html in this folder, which must not exist.",
)
@click.option("--open", "launch", is_flag=True, help="Open the page in the browser.")
@options.tolerate
def command(file: str, output: str | None, launch: bool, tolerate: tuple[str, ...]) -> None:
    """Make a page of HTML: the tree beside the octets.

    The page is one file of HTML that needs no network: keep it, send it, open it in any browser. Hovering over
    an element lights up its octets, and the other way round; a click keeps it. Search takes text, object identifiers
    by number or name, and octets. It is about four thirds as large as FILE, and large files are no trouble.
    OUT.html#1234 opens it at octet 1234. Of a PEM file, all blocks are in it.

    \b
    Examples:
      derlib view server.pem --open
      derlib view revoke.crl -o revoke.html
    """
    if output is None and file == "-":
        raise click.UsageError("-o has to say where the page of standard input goes")
    path = output or f"{os.path.basename(file)}.html"
    if launch and path == "-":
        raise click.UsageError("--open needs a file to open")

    def body(sink: Sink) -> int:
        shown, all_sound = _checked(file, tolerated(tolerate))
        if not shown:
            return FAULT
        text = "".join(page("standard input" if file == "-" else os.path.basename(file), shown))
        try:
            sink.octets(text.encode())
        except FileExistsError:
            return sink.fault(path, "exists already; -o says where the page goes, also in its place", FAULT)
        if sink.path is not None:
            click.echo(printable(sink.path))
            if launch:
                click.launch(sink.path)
        return 0 if all_sound else FAULT

    run_one(file, path, body, new=output is None)
