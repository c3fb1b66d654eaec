"""Errors and tolerated deviations in the words of the command line: `--tolerate boolean-true`, not Python names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from derlib import DecodeError, LimitError, PEMError, Tolerated, fields
from derlib._ber_rules import HINTS
from derlib.cli.deviations import deviation_name
from derlib.cli.documents.document_types import TYPES, command_hint
from derlib.cli.documents.files import NO_MEMORY, Document
from derlib.cli.documents.other_formats import not_asn1
from derlib.errors import format_path

__all__ = ["changes_text", "error_json", "error_text", "explained", "signed_text", "tolerated_json", "tolerated_text"]


def error_text(
    error: Exception, is_ber: bool = False, tolerates: bool | None = None, data: bytes = b""
) -> str:
    """Return the message of `error`, with the options that accept it: `--tolerate` and `--ber`.

    If the input is empty or not ASN.1, the message says so, and no option makes it DER. Other hints name arguments of
    Python functions.

    Args:
        error: the error.
        is_ber: whether BER is read already.
        tolerates: whether `--tolerate` has an effect. By default it has none on BER, whose conversion failed.
        data: the document; empty if it is unknown.
    """
    tolerates = not is_ber if tolerates is None else tolerates
    if not isinstance(error, (DecodeError, LimitError)):
        return str(error) or NO_MEMORY
    rule = f" ({error.rule})" if error.rule else ""
    found = not_asn1(data)
    if found:
        return f"{found}; {_position(error.path, error.offset)}: {error.detail}{rule}"
    is_text = error.hint is not None and error.hint.startswith("the input is")
    hint = f"; {error.hint}" if is_text else ""
    remedy = ""
    if error.deviation and not is_text and tolerates:
        remedy = f"; --tolerate {deviation_name(error.deviation)} accepts it"
    if error.hint in HINTS and not is_ber:
        remedy += f"; {HINTS[error.hint]}"
    return f"{_position(error.path, error.offset)}: {error.detail}{hint}{rule}{remedy}"


def explained(
    error: Exception, data: bytes, name: str | None = None, is_ber: bool = False, tolerates: bool | None = None
) -> str:
    """Return the message of an error in `data`; if they are of another type than expected, what they are.

    Args:
        error: the error.
        data: the document or, if it has no block that is wanted, the file; empty if they are unknown.
        name: the name of the type that was expected, if there is one.
        is_ber, tolerates: as for `error_text`.
    """
    text = error_text(error, is_ber, tolerates, data)
    is_of_data = isinstance(error, (DecodeError, LimitError, PEMError))
    hint = command_hint(data, name) if name and data and is_of_data else ""
    if not hint:
        return text
    # Where another structure differs from a known one does not matter. A type of a module can be meant for these data.
    return f"{text}; {hint}" if isinstance(error, PEMError) or name not in TYPES else hint


def error_json(
    error: Exception, is_ber: bool = False, tolerates: bool | None = None, data: bytes = b""
) -> dict[str, object]:
    """Return the members of `error` in JSON: its message, and those of path, offset, rule, kind and line it has."""
    found: dict[str, object] = {"message": error_text(error, is_ber, tolerates, data)}
    for name in ("path", "offset", "rule", "kind", "line"):
        value = getattr(error, name, None)
        if value is not None:
            found[name] = value
    return found


def tolerated_text(tolerated: Tolerated) -> str:
    """Return the line that reports a tolerated deviation."""
    position = _position(tolerated.path, tolerated.offset)
    return f"tolerated {position}: {deviation_name(tolerated.deviation)} ({tolerated.rule})"


def tolerated_json(tolerated: Tolerated) -> dict[str, object]:
    """Return the members of a tolerated deviation in JSON."""
    return {**tolerated._asdict(), "deviation": deviation_name(tolerated.deviation)}


def changes_text(document: Document, schema: Any, only_checked: bool) -> Iterator[str]:
    """Yield the lines that report the changes in a document that was BER, and what is not DER or not certain in it.

    `schema` is the type of the document. If the document was `only_checked`, nothing is written.
    """
    converted = document.converted
    assert converted is not None
    verb = "would convert" if only_checked else "converted"
    for change in converted.changes:
        position = _position(change.path, document.offset + change.input.offset)
        yield f"{verb} {position}: {change.kind} ({change.rule})"
    yield from signed_text(document, schema)
    for kept in converted.kept:
        if kept.error is not None:
            position = _position(kept.path, document.offset + kept.input.offset)
            yield f"kept {position}, although it is not DER: {kept.error.detail} ({kept.error.rule})"
    for span in converted.ambiguous:
        position = _position((), document.offset + span.offset)
        yield f"ambiguous {position}: this can be a string in segments; without a type, it stays constructed"


def signed_text(document: Document, schema: Any) -> Iterator[str]:
    """Yield a line if the signed bytes of a document that was BER have changed. `schema` is its type."""
    if document.converted is not None and getattr(schema, "__ber__", None) == "keep":
        signed = fields(schema)[0].name
        if any(change.path[:1] == (signed,) for change in document.converted.changes):
            yield f"the signature covers {signed}: after these changes, it is valid only if it was made for DER"


def _position(path: tuple[str | int, ...], offset: int) -> str:
    return f"{format_path(path)} at offset {offset}" if path else f"at offset {offset}"
