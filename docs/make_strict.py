"""Write the tables of docs/strict.md: `python -m docs.make_strict`.

Decodes every certificate and CRL of certifi and cryptography_vectors with derlib, cryptography and asn1crypto, and
reads everything. `tests/corpus/test_strict_page.py` fails if a table does not have these results.
"""

from __future__ import annotations

import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

PAGE = Path(__file__).with_name("strict.md")
TESTS = Path(__file__).resolve().parent.parent / "tests"
sys.path.insert(0, str(TESTS))

from corpus.compare import compare  # noqa: E402 - needs the path
from corpus.disagreements import DISAGREEMENTS  # noqa: E402
from corpus.files import Item, corpus, schema_of  # noqa: E402

from derlib import ASN1Error, Deviation  # noqa: E402

LIBRARIES = ("derlib", "cryptography", "asn1crypto")
PACKAGES = ("certifi", "cryptography_vectors", "cryptography", "asn1crypto")
SETS = {
    "certifi": "root certificates of certifi",
    "pkits": "NIST PKITS, in cryptography_vectors",
    "vectors": "other files of cryptography_vectors",
}


def set_of(item: Item) -> str | None:
    """Return the set of an item, None for files that no package has."""
    if item.name.startswith("certifi/"):
        return "certifi"
    if not item.name.startswith("vectors/"):
        return None
    return "pkits" if "/PKITS_data/" in item.name else "vectors"


def asn1crypto_error(item: Item) -> Exception | None:
    """Read an item completely with asn1crypto; return its error."""
    from asn1crypto import crl, x509

    type_: Any = x509.Certificate if item.kind == "certificate" else crl.CertificateList
    try:
        _ = type_.load(item.der, strict=True).native
    except Exception as error:  # asn1crypto raises ValueError, KeyError, TypeError and others
        return error
    return None


def results() -> Iterator[tuple[Item, dict[str, Exception | None]]]:
    """Yield each item with the errors of the libraries, None for each that accepts it."""
    for item in corpus():
        if set_of(item):
            verdict = compare(item)
            yield item, dict(zip(LIBRARIES, (verdict.ours, verdict.theirs, asn1crypto_error(item)), strict=True))


def remedy(item: Item) -> str:
    """Return the deviations that are needed to read an item that derlib rejects."""
    try:
        value: Any = schema_of(item).decode(item.der, tolerate=~Deviation(0))
    except ASN1Error:
        return ""
    return ", ".join(f"`{name}`" for name in dict.fromkeys(found.deviation.name for found in value.deviations))


def tables() -> dict[str, str]:
    """Return the tables of the page, by name."""
    accepted: Counter[tuple[str, str]] = Counter()
    total: Counter[str] = Counter()
    rejected: list[tuple[str, ...]] = []
    others: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for item, errors in results():
        here = str(set_of(item))
        readers = [library for library in LIBRARIES if errors[library] is None]
        total[here] += 1
        accepted.update((here, library) for library in readers)
        name = item.name.rpartition("/")[2]
        ours = errors["derlib"]
        if isinstance(ours, ASN1Error):
            path = ".".join(step for step in ours.path if isinstance(step, str))
            rejected.append((name, f"`{path}`", ours.rule, remedy(item), ", ".join(readers)))
            continue
        for library in LIBRARIES[1:]:
            if library not in readers:
                others[library, reason(item, library, errors[library])].append(name)
    return {
        "versions": ", ".join(f"{package} {version(package)}" for package in PACKAGES) + ".",
        "accepted": table(
            ("files", "number", *LIBRARIES),
            [(SETS[key], total[key], *(accepted[key, library] for library in LIBRARIES)) for key in SETS],
        ),
        "rejected": table(("file", "place of the fault", "clause", "`tolerate=`", "read by"), sorted(rejected)),
        "read": table(
            ("rejected by", "why", "files"),
            [(library, why, ", ".join(sorted(names))) for (library, why), names in sorted(others.items())],
        ),
    }


def reason(item: Item, library: str, error: Exception | None) -> str:
    """Return why derlib reads what another library rejects."""
    if library == "cryptography":
        row = DISAGREEMENTS[item.name]
        return f"{row.reason} ({row.clause})"
    return f"`{type(error).__name__}` when the values are read"


def table(head: tuple[str, ...], rows: Iterable[tuple[object, ...]]) -> str:
    """Return a table in Markdown."""
    lines = [head, ("---",) * len(head), *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


def page(text: str, made: dict[str, str]) -> str:
    """Return the page with these tables."""
    return re.sub(
        r"(<!-- (\w+) -->\n).*?(<!-- end -->)",
        lambda found: f"{found[1]}{made[found[2]]}\n{found[3]}",
        text,
        flags=re.DOTALL,
    )


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8"), tables()), encoding="utf-8")
