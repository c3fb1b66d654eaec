"""Write docs/rules.md, the table of the rules that decoding enforces: `python -m docs.make_rules`.

Clauses, kinds and exceptions come from the core's table of faults. The tests come from the rows of `tests/rules`: each
invalid row is decoded, and the kind of its error is the rule that it tests. The text of each rule is in `RULES`. The
column "in BER" comes from `derlib/_ber_rules.py`.
`tests/rules/test_coverage.py` fails if a kind has no row or no text, or if the page is out of date.
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
from derlib._ber_rules import IN_BER

PAGE = Path(__file__).with_name("rules.md")
COMMAND = "python -m docs.make_rules"

# No input alone can cause these, so this names the test.
NAMED_TESTS = {
    "buffer-changed": "test_changing_buffer.py",
    "input-limit": "test_limits.py",
    "element-limit": "test_limits.py",
    # Only reading BER can cause these.
    "end-of-contents-missing": "test_ber.py",
    "end-of-contents-stray": "test_ber.py",
    "indefinite-primitive": "test_ber.py",
    "segment-type": "test_ber.py",
    "segment-bits": "test_ber.py",
    "time-local": "test_ber.py",
    "signed-not-der": "test_ber.py",
}

# By section of the page: the rule for each kind of fault, in the order of the core's table.
RULES: dict[str, dict[str, str]] = {
    "Identifier and length octets": {
        "identifier-truncated": "The identifier octets are complete.",
        "tag-not-minimal": "A tag has its shortest form: one octet up to number 30, no leading zero bits above that.",
        "tag-limit": "A tag number is below 2^60 (a limit of derlib, not of DER).",
        "tag-reserved": "Universal tag 0 does not occur, because DER has no end-of-contents octets.",
        "length-truncated": "The length octets are complete.",
        "length-indefinite": "A length has the definite form.",
        "length-reserved": "The initial length octet is not `ff`.",
        "length-not-minimal": "A length has its shortest form.",
        "content-truncated": "An element ends within the input or the element that contains it.",
    },
    "Structure": {
        "trailing-data": "Nothing follows the value.",
        "depth-limit": "Constructed elements are nested at most 100 levels deep (a limit of derlib, not of DER).",
        "unexpected-tag": "An element has the tag of its type in the schema.",
        "string-constructed": "Strings and times have the primitive form.",
        "not-primitive": "Elements of a primitive type have the primitive form.",
        "not-constructed": "Elements of a constructed type have the constructed form.",
        "component-missing": "Each component of a SEQUENCE is present, unless it is OPTIONAL or has a DEFAULT.",
        "component-extra": "A SEQUENCE contains only its components, in the order of the schema.",
        "reference-missing": "An EXTERNAL has a direct reference, an indirect reference, or both.",
        "member-missing": "Each member of a SET is present, unless it is OPTIONAL or has a DEFAULT.",
        "member-extra": "A SET contains only its members, each of them once.",
        "set-order": "The members of a SET are in the order of their tags.",
        "set-of-order": "Elements of a SET OF are in ascending order of their encodings; equal elements are allowed.",
        "any-set-order": "Without a schema, the elements of a SET are in the order of a SET or of a SET OF.",
        "alternative": "The element is an alternative of the CHOICE.",
        "explicit-empty": "An explicit tag contains an element.",
        "explicit-extra": "An explicit tag contains only one element.",
        "contained-extra": "Nothing follows the value inside an OCTET STRING or BIT STRING that contains an encoding.",
        "contained-bits": "A BIT STRING that contains an encoding does not have unused bits.",
        "default-encoded": "A component that equals its DEFAULT is omitted.",
    },
    "Contents octets": {
        "boolean-length": "A BOOLEAN has one contents octet.",
        "boolean-true": "TRUE is `ff`, FALSE is `00`.",
        "integer-empty": "An INTEGER or ENUMERATED has at least one contents octet.",
        "integer-not-minimal": "The first nine bits of an INTEGER or ENUMERATED are not all equal.",
        "enumerated-unknown": "An ENUMERATED is one of the items of its type.",
        "null-contents": "A NULL is empty.",
        "oid-empty": "An OBJECT IDENTIFIER or RELATIVE-OID is not empty.",
        "oid-not-minimal": "An arc does not begin with `80`.",
        "oid-unfinished": "The last arc is complete.",
        "oid-arc-limit": "An arc has at most 20 octets, 140 bits (a limit of derlib, not of DER).",
        "bits-empty": "A BIT STRING has its initial octet, the number of unused bits.",
        "bits-unused": "The number of unused bits is at most 7.",
        "bits-unused-empty": "The number of unused bits of an empty BIT STRING is 0.",
        "bits-padding": "Unused bits are zero.",
        "bits-named": "A BIT STRING with named bits does not end in a zero bit.",
        "utf8": "A UTF8String is UTF-8: shortest forms, no surrogates, at most U+10FFFF.",
        "numeric": "A NumericString consists of digits and spaces.",
        "printable": "A PrintableString consists of letters, digits, spaces and `' ( ) + , - . / : = ?`.",
        "ia5": "An IA5String consists of octets `00` to `7f`.",
        "visible": "A VisibleString consists of octets `20` to `7e`.",
        "bmp": "A BMPString consists of characters of two octets, without surrogates.",
        "universal": "A UniversalString consists of characters of four octets up to U+10FFFF, without surrogates.",
        "utc-form": "A UTCTime has the form `YYMMDDhhmmssZ`.",
        "utc-range": "A UTCTime is a calendar date with hours to 23, minutes and seconds to 59.",
        "generalized-form": "A GeneralizedTime has the form `YYYYMMDDhhmmssZ` or `YYYYMMDDhhmmss.fZ`.",
        "generalized-fraction": "The fraction of a GeneralizedTime has digits and does not end in 0.",
        "generalized-range": "A GeneralizedTime is a calendar date with a time up to 23:59:59, or a leap second.",
    },
    "Contents octets of REAL, OID-IRI and the ISO 8601 times": {
        "real-special": "A REAL that begins with `40` to `43` is one octet long; `44` to `7f` do not occur.",
        "real-unfinished": "The exponent of a binary REAL is complete and followed by a mantissa.",
        "real-binary": "A binary REAL has base 2 and no scaling factor.",
        "real-exponent": "The exponent of a binary REAL has the fewest octets, in the shortest format for them.",
        "real-mantissa": "The mantissa of a binary REAL is odd and has the fewest octets.",
        "real-decimal": "A decimal REAL is `03` and a numeral such as `-15.E-1`, whose mantissa has no outer zeros.",
        "real-limit": "An exponent has up to 8 octets or 17 digits, a decimal mantissa 600 digits (limits of derlib).",
        "iri-utf8": "An OID-IRI or RELATIVE-OID-IRI is UTF-8.",
        "iri-form": "An OID-IRI consists of arcs, each after a slash; a RELATIVE-OID-IRI begins without the slash.",
        "iri-label": "An arc is a number without leading zeros, or a label of letters, digits, `- . _ ~` and the like.",
        "time-form": "A TIME is a time, duration or interval of ISO 8601 in its extended format and shortest form.",
        "date-form": "A DATE has the form `YYYYMMDD`.",
        "time-of-day-form": "A TIME-OF-DAY has the form `hhmmss`.",
        "date-time-form": "A DATE-TIME has the form `YYYYMMDDhhmmss`.",
        "duration-form": "A DURATION is like `1Y2M3DT4H5M6.7S` or `8W`, with no zero before its last component.",
        "iso-range": "Years of these types begin at 1582; hours end at 23 or `240000`, minutes at 59, seconds at 60.",
    },
    "Constraints": {
        "size": "The number of characters, bits, octets or elements is within SIZE.",
        "range": "An INTEGER is within its value range.",
        "alphabet": "A character string contains only characters of its permitted alphabet.",
        "single-value": "A value is one of the single values of its type.",
        "constraint": "A value is in the union of its type's constraint, and not in a part that EXCEPT excludes.",
        "component-required": "A component or alternative that an inner type constraint requires is present.",
        "component-forbidden": "A component or alternative that an inner type constraint forbids is absent.",
    },
    "Only in BER": {
        "end-of-contents-missing": "An element of indefinite length ends with end-of-contents octets.",
        "end-of-contents-stray": "End-of-contents octets end an element of indefinite length.",
        "indefinite-primitive": "Only constructed elements have an indefinite length.",
        "segment-type": "The segments of a BIT STRING are BIT STRINGs, those of other strings are OCTET STRINGs.",
        "segment-bits": "Only the last segment of a BIT STRING has unused bits.",
        "time-local": "A GeneralizedTime is not local time, which has no DER encoding.",
        "signed-not-der": "Signed and authenticated attributes are DER, because their DER encoding is signed.",
    },
    "Limits that a caller sets": {
        "input-limit": "The input has at most `Limits.size` bytes.",
        "element-limit": "Lists, ANY and values of open types have at most `Limits.elements` elements in total.",
    },
    "Shared buffers": {
        "buffer-changed": "A buffer decoded with `copy=False` still has the structure that was validated.",
    },
}

HEAD = """\
# The rules that decoding enforces

`decode` enforces all of these rules, at every depth, before it returns. A violation raises the exception in the table;
`kind` and `clause` are its attributes `kind` and `rule`. Clauses are those of X.690, X.680 and X.682 of 2021, and RFCs.
The clause `none` marks a limit of derlib itself, or a buffer that changed.

`deviation` is the member of `Deviation` that tolerates the violation: `decode(..., tolerate=...)` (see [Deviations and
limits](deviations.md)). `OPEN_TYPE` tolerates any violation inside the value of an open type, and leaves the value
opaque.

`in BER` is what [`rules="ber"`](ber.md) does about the violation: it is converted to DER if BER allows that form, or it
is an error. `test` is the module in `tests/rules/` with the most invalid encodings for the rule, and also valid ones.

`{command}` generates this page. Do not edit it.
"""


TABLE = (
    "| clause | rule | kind | exception | deviation | in BER | test |\n"
    "| --- | --- | --- | --- | --- | --- | --- |\n"
)


def row_modules(package: ModuleType) -> list[ModuleType]:
    """Return the modules of tables in the package `tests/rules`."""
    names = sorted(info.name for info in pkgutil.iter_modules(package.__path__) if info.name.startswith("test_"))
    return [importlib.import_module(f"{package.__name__}.{name}") for name in names if name != "test_coverage"]


def invalid_rows(module: ModuleType) -> list[tuple[Any, str]]:
    """Return every invalid row of a module, and how it is tested: decoded, in a field, in a list, or parsed."""
    return [
        parameters.values
        for function in vars(module).values()
        for mark in getattr(function, "pytestmark", ())
        if mark.name == "parametrize" and mark.args[0] == ("row", "place")
        for parameters in mark.args[1]
        if hasattr(parameters.values[0], "error")
    ]


def error_of(row: Any, place: str) -> tuple[str, str | None]:
    """Return the kind of the error that a row causes, and the deviation that tolerates it."""
    try:
        if place == "parsed":
            derlib.parse(row.octets)
        else:
            derlib.decode(row.type, row.octets)
    except (derlib.DecodeError, derlib.LimitError) as error:
        return error.kind, error.deviation.name if error.deviation is not None else None
    return "", None


def tests_by_kind(package: ModuleType) -> dict[str, Counter[str]]:
    """Return the number of invalid rows in each test module, by kind."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for module in row_modules(package):
        for row, place in invalid_rows(module):
            found[error_of(row, place)[0]][f"{module.__name__.rpartition('.')[2]}.py"] += 1
    return found


def deviations_by_kind(package: ModuleType) -> dict[str, set[str]]:
    """Return the deviations that tolerate a row, by kind; without OPEN_TYPE, which tolerates any rule."""
    found: dict[str, set[str]] = defaultdict(set)
    for module in row_modules(package):
        for row, place in invalid_rows(module):
            kind, deviation = error_of(row, place)
            if deviation is not None and deviation != "OPEN_TYPE":
                found[kind].add(deviation)
    return found


def render(package: ModuleType) -> str:
    """Return the whole page."""
    faults = {kind: (exception.__name__, clause) for kind, exception, clause in _core.fault_kinds()}
    tests = tests_by_kind(package)
    deviations = deviations_by_kind(package)
    parts = [HEAD.format(command=COMMAND)]
    for section, rules in RULES.items():
        parts.append(f"\n## {section}\n\n{TABLE}")
        for kind, rule in rules.items():
            exception, clause = faults[kind]
            counts = tests[kind]
            module = NAMED_TESTS.get(kind) or min(counts, key=lambda name: (-counts[name], name), default="none")
            names = ", ".join(f"`{name}`" for name in sorted(deviations[kind])) or "none"
            in_ber = IN_BER.get(kind, "error")
            cells = (clause or "none", rule, f"`{kind}`", f"`{exception}`", names, in_ber, f"`{module}`")
            parts.append(f"| {' | '.join(cells)} |\n")
    return "".join(parts)


def main() -> None:
    """Write the page."""
    sys.path.insert(0, str(PAGE.parent.parent))
    PAGE.write_text(render(importlib.import_module("tests.rules")), encoding="utf-8")
    print(f"wrote {PAGE.name}")


if __name__ == "__main__":
    main()
