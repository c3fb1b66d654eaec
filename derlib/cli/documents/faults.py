"""All faults of a document, for `derlib lint`: the record of a decoding that tolerates every deviation.

And what `decode` accepts: the extensions that a certificate or request has more than once, and a PEM label of another
type.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import derlib
from derlib import ASN1Error, DecodeError, Deviation, LimitError
from derlib._ber_rules import HINTS
from derlib.cli.deviations import ALL_DEVIATIONS
from derlib.cli.documents.contents import contents_in
from derlib.cli.documents.document_types import DocumentType, command_hint, type_of_label
from derlib.cli.documents.files import NO_MEMORY, Document, offsets_in_file
from derlib.cli.documents.other_formats import not_asn1
from derlib.cli.documents.paths import Path, PathFinder, root_item

__all__ = ["MESSAGES", "Fault", "Report", "find_faults", "label_fault"]

#: The message for each deviation.
MESSAGES = {
    Deviation.DEFAULT_ENCODED: "a component with its DEFAULT value is encoded",
    Deviation.SET_OF_ORDER: "the elements of a SET OF are out of order",
    Deviation.SET_ORDER: "the components of a SET are out of order",
    Deviation.NAMED_BITS: "named bits end in zero bits",
    Deviation.UNUSED_BITS: "unused bits are not zero",
    Deviation.INTEGER_PADDING: "an INTEGER or ENUMERATED has redundant bytes",
    Deviation.LENGTH_FORM: "a length has redundant bytes",
    Deviation.BOOLEAN_TRUE: "TRUE is not encoded as ff",
    Deviation.STRING_ALPHABET: "a string has characters outside of the alphabet of its type",
    Deviation.STRING_ENCODING: "a string is not in the encoding of its type",
    Deviation.UTC_TIME_FORM: "a UTCTime has no seconds, or has a time offset",
    Deviation.GENERALIZED_TIME_FORM:
        "a GeneralizedTime lacks seconds or minutes, or has a time offset, a comma or redundant zeros",
    Deviation.EMPTY_LIST: "a list is empty, although SIZE requires elements",
    Deviation.OPEN_TYPE: "a value does not have the type that its identifier selects",
    Deviation.TRAILING_DATA: "bytes follow the value",
}


class Fault(NamedTuple):
    """A fault of a document; `deviation` is the deviation that tolerates it, None also if `decode` accepts it."""

    offset: int
    path: Path
    message: str
    rule: str | None
    kind: str | None
    deviation: Deviation | None


class Report(NamedTuple):
    """The faults of a document.

    Attributes:
        type: the type that the document was decoded as.
        faults: the faults that a deviation tolerates, and those that `decode` accepts, by offset.
        end: the fault that no deviation tolerates, or None; the bytes after it were not validated.
    """

    type: DocumentType
    faults: list[Fault]
    end: Fault | None


def find_faults(document: Document, type_: DocumentType, hidden: Deviation, *, is_chosen: bool = False) -> Report:
    """Return the faults of a document, decoded as `type_`, except those that `hidden` tolerates.

    Raises ASN1Error for data that are not ASN.1, and if the user has chosen the type for data of another known type:
    where these differ is not a fault.
    """
    der = document.der
    end = None
    try:
        with offsets_in_file(document):
            value = type_.decode(der, ALL_DEVIATIONS)
    except (ASN1Error, MemoryError) as error:
        if not_asn1(der) or (is_chosen and command_hint(der, type_.name)):
            raise
        is_ber = document.converted is not None
        end = _fault_of_error(error, is_ber)
        faults = _faults_before_end(der, type_, is_ber)
    else:
        if any(one.deviation & Deviation.TRAILING_DATA and not one.path for one in value.deviations):
            _raise_if_not_asn1(der, type_, hidden)
        open_types = _OpenTypeFaults(value)
        faults = [open_types.fault_of(one) for one in value.deviations]
        faults += _content_faults(value)
        if type_.class_name == "Certificate":
            extensions = value.tbs_certificate.extensions or ()
            faults += _repeated_extensions(extensions, ("tbs_certificate", "extensions"), "certificate", "extensions")
        elif type_.class_name == "CertificationRequest":
            faults += _repeated_in_request(value)
    shown = {
        (one.offset, one.deviation): one._replace(offset=document.place(one.offset))
        for one in faults
        if one.deviation is None or not hidden & one.deviation
    }
    return Report(type_, sorted(shown.values(), key=lambda one: one.offset), end)


def label_fault(document: Document, type_: DocumentType) -> Fault | None:
    """Return the fault of a document of this type if its PEM label is that of another type; None if it is not."""
    labelled = type_of_label(document)
    if labelled is None or document.label in type_.labels:
        return None
    message = f"the PEM label {document.label} is that of {labelled.title}, but the block is {type_.title}"
    return Fault(0, (), message, "RFC 7468 2", "pem-label", None)


def _raise_if_not_asn1(der: bytes, type_: DocumentType, hidden: Deviation) -> None:
    """Raise the error of decoding `der`, whose beginning looks like an element, if they are not ASN.1."""
    if not_asn1(der):
        type_.decode(der, hidden or None)


def _faults_before_end(der: bytes, type_: DocumentType, is_ber: bool) -> list[Fault]:
    """Return the faults that can be found in a document that does not decode; a failed decoding has no record.

    These are the first fault of each deviation before the failure, and all faults that decoding without a schema
    tolerates, if it succeeds.
    """
    found: list[Fault] = []
    tolerated = Deviation(0)
    for _ in Deviation:
        try:
            type_.decode(der, tolerated or None)
        except ASN1Error as error:
            deviation: Deviation | None = getattr(error, "deviation", None)
            if deviation is None or tolerated & deviation:
                break
            found.append(_fault_of_error(error, is_ber))
            tolerated |= deviation
        except MemoryError:
            break
    try:
        record: Iterable[derlib.Tolerated] = derlib.parse(der, tolerate=ALL_DEVIATIONS).deviations
    except (ASN1Error, MemoryError):
        record = ()
    known = {(one.offset, one.deviation) for one in found}
    return found + [one for one in map(_fault_of_deviation, record) if (one.offset, one.deviation) not in known]


def _repeated_extensions(extensions: Iterable[Any], path: Path, owner: str, name: str) -> Iterator[Fault]:
    """Yield a fault for each extension that has the OBJECT IDENTIFIER of an earlier one.

    `path` is that of the extensions. The messages call them `name`, and what has them `owner`.
    """
    indexes: dict[derlib.ObjectIdentifier, int] = {}
    for index, extension in enumerate(extensions):
        oid = extension.extn_id
        first = indexes.setdefault(oid, index)
        if first != index:
            message = f"the {owner} has the extension {oid.name or oid.dotted} already, as {name}[{first}]"
            yield Fault(extension.span().offset, (*path, index), message, "RFC 5280 4.2", "extension-repeated", None)


def _repeated_in_request(request: Any) -> Iterator[Fault]:
    """Yield the faults of requested extensions, and one for each value of extensionRequest after the first."""
    from derlib.schemas.csr import Extensions, id_extension_request

    info = request.certification_request_info
    first = None
    for index, attribute in enumerate(info.attributes):
        for place, value in enumerate(attribute.values):
            path = ("certification_request_info", "attributes", index, "values", place)
            name = f"attributes[{index}].values[{place}]"
            if attribute.type == id_extension_request:
                if first is not None:
                    message = f"the request has a value of extensionRequest already, as {first}"
                    offset = attribute.span(f"values[{place}]").offset
                    yield Fault(offset, path, message, "RFC 2985 5.4.2", "attribute-repeated", None)
                first = first or name
            if isinstance(value, Extensions):
                yield from _repeated_extensions(value, path, "request", name)


def _content_faults(value: Any) -> Iterator[Fault]:
    """Yield the faults of the contents of strings; BER is not a fault there."""
    for contents in contents_in(value):
        if contents.error is not None:
            found = [_fault_of_error(contents.error)]
        else:
            open_types = _OpenTypeFaults(contents.value)
            found = [open_types.fault_of(one) for one in contents.value.deviations]
        for fault in found:
            yield fault._replace(path=(*contents.path, *fault.path), offset=contents.place(fault.offset))


class _OpenTypeFaults:
    """Finds the reason why values of open types do not match. Decodes a value that encloses several of them once."""

    def __init__(self, value: Any) -> None:
        self._finder = PathFinder(root_item(value))
        self._value = value
        self._known: dict[Path, Fault | None] = {}

    def fault_of(self, tolerated: derlib.Tolerated) -> Fault:
        """Return the fault that was tolerated; for a type mismatch, with the reason."""
        fault = _fault_of_deviation(tolerated)
        if not tolerated.deviation & Deviation.OPEN_TYPE:
            return fault
        # The component that selects the type is beside the value, or deeper.
        path = tolerated.path[:-1]
        if path not in self._known:
            self._known[path] = self._first_mismatch(path)
        mismatch = self._known[path]
        if mismatch is None:
            return fault
        return mismatch._replace(message=f"{fault.message}: {mismatch.message}", deviation=Deviation.OPEN_TYPE)

    def _first_mismatch(self, path: Path) -> Fault | None:
        """Return the first fault in the value at `path` if type mismatches are not tolerated."""
        item = self._finder.find(path)
        assert item is not None
        try:
            type(item.value).decode(item.value.encode(), tolerate=ALL_DEVIATIONS & ~Deviation.OPEN_TYPE)
        except ASN1Error as error:
            fault = _fault_of_error(error)
            offset = item.span.offset + fault.offset
            origin = self._value.origin
            if origin is not None:
                offset = origin.origin(offset)
            return fault._replace(offset=offset, path=(*path, *fault.path))
        return None


def _fault_of_deviation(tolerated: derlib.Tolerated) -> Fault:
    message = MESSAGES[tolerated.deviation]
    return Fault(tolerated.offset, tolerated.path, message, tolerated.rule, tolerated.kind, tolerated.deviation)


def _fault_of_error(error: Exception, is_ber: bool = False) -> Fault:
    """Return the fault that an error reports, with the option for BER unless `is_ber`."""
    if isinstance(error, (DecodeError, LimitError)):
        hint = error.hint or ""
        if hint in HINTS:
            hint = "" if is_ber else HINTS[hint]
        elif not hint.startswith("the input is"):
            # The other hints name functions of Python.
            hint = ""
        message = f"{error.detail}; {hint}" if hint else error.detail
        return Fault(error.offset, error.path, message, error.rule, error.kind, error.deviation)
    return Fault(0, (), str(error) or NO_MEMORY, None, None, None)
