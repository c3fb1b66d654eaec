"""Write docs/rules.md, the table of the rules that decoding enforces: `python -m docs.make_rules`.

The clauses, kinds and exceptions come from the core's table of faults, the tests from the rows of `tests/rules`:
each refusing row is decoded, and the kind of its error is the rule that it tests. What a rule demands is said
here, in `DEMANDS`. `tests/rules/test_coverage.py` fails when a kind has no row, no demand, or a stale page.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
from collections import Counter, defaultdict
from pathlib import Path
from types import ModuleType
from typing import Any

import derlib
from derlib import _core

PAGE = Path(__file__).with_name("rules.md")
COMMAND = "python -m docs.make_rules"

# No input octets can cause these by themselves; the test is named instead of a row.
NAMED_TESTS = {
    "buffer-changed": "test_changing_buffer.py",
    "input-limit": "test_limits.py",
    "element-limit": "test_limits.py",
}

# By section of the page: what each kind of fault demands of the octets, in the order of the core's table.
DEMANDS: dict[str, dict[str, str]] = {
    "Identifier and length octets": {
        "identifier-truncated": "Identifier octets are complete.",
        "tag-not-minimal": "A tag has its shortest form: up to 30 one octet, above that no leading zero bits.",
        "tag-limit": "A tag number is below 2^60 (a limit of derlib, not of DER).",
        "tag-reserved": "Universal tag 0 does not occur: DER has no end-of-contents octets.",
        "length-truncated": "Length octets are complete.",
        "length-indefinite": "A length has a definite form.",
        "length-reserved": "The initial length octet is not `ff`.",
        "length-not-minimal": "A length has its shortest form.",
        "content-truncated": "Contents octets end within what holds them.",
    },
    "Structure": {
        "trailing-data": "Nothing follows the value.",
        "depth-limit": "Constructed elements are nested at most 100 levels deep (a limit of derlib, not of DER).",
        "unexpected-tag": "An element has the tag of the type that the schema asks for.",
        "string-constructed": "Strings and times have the primitive form.",
        "not-primitive": "A type with the primitive form only has it.",
        "not-constructed": "A type with the constructed form only has it.",
        "component-missing": "Each component of a SEQUENCE is there, unless it is OPTIONAL or has a DEFAULT.",
        "component-extra": "A SEQUENCE has only the components that it defines, in their order.",
        "reference-missing": "An EXTERNAL has a direct reference, an indirect one, or both.",
        "member-missing": "Each member of a SET is there, unless it is OPTIONAL or has a DEFAULT.",
        "member-extra": "A SET has only the members that it defines, each once.",
        "set-order": "Members of a SET stand in the order of their tags.",
        "set-of-order": "Elements of a SET OF stand in ascending order of their encodings; equal ones may repeat.",
        "any-set-order": "Without a schema, elements of a SET are in one of the two orders above.",
        "alternative": "The element is an alternative of the CHOICE.",
        "explicit-empty": "An explicit tag holds an element.",
        "explicit-extra": "An explicit tag holds one element only.",
        "contained-extra": "Nothing follows the value that an OCTET STRING or BIT STRING contains.",
        "contained-bits": "A BIT STRING that contains a value has no unused bits.",
        "default-encoded": "A component that equals its DEFAULT is left out.",
    },
    "Contents octets": {
        "boolean-length": "A BOOLEAN has one octet.",
        "boolean-true": "TRUE is `ff`, FALSE is `00`.",
        "integer-empty": "An INTEGER or ENUMERATED has contents octets.",
        "integer-not-minimal": "Its first nine bits are not all equal.",
        "enumerated-unknown": "An ENUMERATED is one of the items of its type.",
        "null-contents": "NULL has no contents octets.",
        "oid-empty": "An OBJECT IDENTIFIER has contents octets.",
        "oid-not-minimal": "An arc does not begin with `80`.",
        "oid-unfinished": "The last octet ends an arc.",
        "oid-arc-limit": "An arc has at most 20 octets, 140 bits (a limit of derlib, not of DER).",
        "bits-empty": "A BIT STRING has its initial octet.",
        "bits-unused": "That octet is 0 to 7.",
        "bits-unused-empty": "It is 0 where no octet follows.",
        "bits-padding": "Unused bits are zero.",
        "bits-named": "Named bits do not end in a zero bit.",
        "utf8": "A UTF8String is UTF-8: shortest forms, no surrogates, at most U+10FFFF.",
        "numeric": "A NumericString is made of digits and spaces.",
        "printable": "A PrintableString is made of letters, digits, space and `' ( ) + , - . / : = ?`.",
        "ia5": "An IA5String is made of octets `00` to `7f`.",
        "visible": "A VisibleString is made of octets `20` to `7e`.",
        "bmp": "A BMPString is made of two-octet characters without surrogates.",
        "universal": "A UniversalString is made of four-octet characters up to U+10FFFF without surrogates.",
        "utc-form": "A UTCTime is `YYMMDDhhmmssZ`.",
        "utc-range": "It is a date of the calendar, hours to 23, minutes and seconds to 59.",
        "generalized-form": "A GeneralizedTime is `YYYYMMDDhhmmssZ` or `YYYYMMDDhhmmss.fZ`.",
        "generalized-fraction": "Its fraction has digits and does not end in 0.",
        "generalized-range": "It is a date of the calendar, hours to 23, minutes and seconds to 59, or a leap second.",
    },
    "Contents octets of rare types": {
        "real-special": "A REAL whose first octet is `40` to `7f` is that octet alone, at most `43`.",
        "real-unfinished": "A binary REAL has all octets of its exponent, and a mantissa.",
        "real-binary": "A binary REAL has base 2 and no scaling factor.",
        "real-exponent": "Its exponent has the fewest octets, and the shortest format for them.",
        "real-mantissa": "Its mantissa is odd and has the fewest octets.",
        "real-decimal": "A decimal REAL is `03` and a numeral such as `-15.E-1`, its mantissa without outer zeros.",
        "real-limit": "An exponent has up to 8 octets or 17 digits, a decimal mantissa 600 digits (limits of derlib).",
        "iri-utf8": "An OID-IRI or RELATIVE-OID-IRI is UTF-8.",
        "iri-form": "It is a row of arcs, each behind a slash; the first of a RELATIVE-OID-IRI has none.",
        "iri-label": "An arc is a number without leading zeros, or a label of letters, digits, `- . _ ~` and the like.",
        "time-form": "A TIME is a time, duration or interval of ISO 8601 in its extended format and shortest form.",
        "date-form": "A DATE is `YYYYMMDD`.",
        "time-of-day-form": "A TIME-OF-DAY is `hhmmss`.",
        "date-time-form": "A DATE-TIME is `YYYYMMDDhhmmss`.",
        "duration-form": "A DURATION is such as `1Y2M3DT4H5M6.7S` or `8W`, with no zero before its last component.",
        "iso-range": "These are dates from 1582 on, hours to 23 or `240000`, minutes to 59, seconds to 60.",
    },
    "Constraints": {
        "size": "The number of characters, bits, octets or elements is within SIZE.",
        "range": "An INTEGER is within its value range.",
        "alphabet": "A character string has characters of its permitted alphabet only.",
        "single-value": "A value is one of the single values of its type.",
        "constraint": "A value is in the union, and not in what is excluded from it, that its type says.",
        "component-required": "A component, or alternative, is there that an inner type constraint demands.",
        "component-forbidden": "One is not there that it forbids.",
    },
    "Limits that a caller sets": {
        "input-limit": "The input has at most `Limits.size` octets.",
        "element-limit": "Lists, ANY and values of open types have at most `Limits.elements` elements, all together.",
    },
    "Shared buffers": {
        "buffer-changed": "A buffer decoded with `copy=False` still has the structure that was checked.",
    },
}

HEAD = """\
# The rules that decoding enforces

`decode` checks all of these, at every depth, before it returns. A breach raises the exception in the table, with
`kind` in its attribute `.kind` and the clause in `.rule`. Clauses are those of X.690, X.680 and X.682 of 2021;
`none` is a limit of derlib itself, or a buffer that changed.

`deviation` names what tolerates a breach where a caller asks for it (`decode(..., tolerate=...)`, see `Deviation`);
`OPEN_TYPE` tolerates any breach of the type that an open type has, and leaves the value opaque. `test` names the module
in `tests/rules/` that has the most rows of octets which break the rule. Rows of good octets stand beside them.

This page is written by `{command}`. Do not edit it by hand.
"""


TABLE = (
    "| clause | what it demands | kind | exception | deviation | test |\n"
    "| --- | --- | --- | --- | --- | --- |\n"
)


def row_modules(package: ModuleType) -> list[ModuleType]:
    """The modules of tables in the package `tests/rules`."""
    names = sorted(info.name for info in pkgutil.iter_modules(package.__path__) if info.name.startswith("test_"))
    return [importlib.import_module(f"{package.__name__}.{name}") for name in names if name != "test_coverage"]


def refusing_rows(module: ModuleType) -> list[tuple[Any, str]]:
    """Every refusing row of a module with its place."""
    return [
        parameters.values
        for function in vars(module).values()
        for mark in getattr(function, "pytestmark", ())
        if mark.name == "parametrize" and mark.args[0] == ("row", "place")
        for parameters in mark.args[1]
        if hasattr(parameters.values[0], "error")
    ]


def refusal_of(row: Any, place: str) -> tuple[str, str | None]:
    """The kind of the error that a row causes, and the deviation that tolerates it."""
    try:
        if place == "parsed":
            derlib.parse(row.octets)
        else:
            derlib.decode(row.type, row.octets)
    except (derlib.DecodeError, derlib.LimitError) as error:
        return error.kind, error.deviation.name if error.deviation is not None else None
    return "", None


def tests_by_kind(package: ModuleType) -> dict[str, Counter[str]]:
    """For each kind, how many refusing rows each test module has."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for module in row_modules(package):
        for row, place in refusing_rows(module):
            found[refusal_of(row, place)[0]][f"{module.__name__.rpartition('.')[2]}.py"] += 1
    return found


def deviations_by_kind(package: ModuleType) -> dict[str, set[str]]:
    """For each kind, the deviations that tolerate some rows; a mismatch of an open type says nothing of the rule."""
    found: dict[str, set[str]] = defaultdict(set)
    for module in row_modules(package):
        for row, place in refusing_rows(module):
            kind, deviation = refusal_of(row, place)
            if deviation is not None and deviation != "OPEN_TYPE":
                found[kind].add(deviation)
    return found


def render(package: ModuleType) -> str:
    """The whole page."""
    faults = {kind: (exception.__name__, clause) for kind, exception, clause in _core.fault_kinds()}
    tests = tests_by_kind(package)
    deviations = deviations_by_kind(package)
    parts = [HEAD.format(command=COMMAND)]
    for section, demands in DEMANDS.items():
        parts.append(f"\n## {section}\n\n{TABLE}")
        for kind, demand in demands.items():
            exception, clause = faults[kind]
            counts = tests[kind]
            module = NAMED_TESTS.get(kind) or min(counts, key=lambda name: (-counts[name], name), default="none")
            names = ", ".join(f"`{name}`" for name in sorted(deviations[kind])) or "none"
            parts.append(f"| {clause or 'none'} | {demand} | `{kind}` | `{exception}` | {names} | `{module}` |\n")
    return "".join(parts)


def main() -> None:
    """Write the page."""
    sys.path.insert(0, str(PAGE.parent.parent))
    PAGE.write_text(render(importlib.import_module("tests.rules")), encoding="utf-8")
    print(f"wrote {PAGE.name}")


if __name__ == "__main__":
    main()
