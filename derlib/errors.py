"""The exceptions of derlib. Every error about data or schemas is an `ASN1Error`.

A `DecodeError` has the path, the offset, what was expected and found, and the clause of the standard. Its subclasses
distinguish the kinds of faults, so that a caller can catch one kind.
"""

from __future__ import annotations

from derlib._options import Deviation

__all__ = [
    "ASN1Error",
    "ConstraintError",
    "ConstraintViolation",
    "ContentsError",
    "DecodeError",
    "DefaultError",
    "EncodeError",
    "EncryptedKeyError",
    "IdentifierError",
    "LengthError",
    "LimitError",
    "OrderError",
    "PEMError",
    "SchemaError",
    "StructureError",
    "TrailingDataError",
    "TruncatedError",
    "UnrepresentableError",
]


def format_path(path: tuple[str | int, ...]) -> str:
    """Return a path as text: names joined by dots, indexes in brackets.

    >>> format_path(("tbs_cert_list", "revoked_certificates", 17, "user_certificate"))
    'tbs_cert_list.revoked_certificates[17].user_certificate'
    """
    text = ""
    for step in path:
        if isinstance(step, int):
            text += f"[{step}]"
        else:
            text += f".{step}" if text else step
    return text


class ASN1Error(ValueError):
    """The base class of all errors about ASN.1 data, values and schemas.

    Decoding raises only an `ASN1Error` for invalid input. A wrong call, such as an argument that is not a buffer,
    raises `TypeError`.

    Attributes:
        hint: what to do about the error, if derlib can say so; or None. The message includes it.
    """

    hint: str | None = None


class _Located(ASN1Error):
    """An error with a position in the input; the base of `DecodeError` and `LimitError`."""

    path: tuple[str | int, ...]
    offset: int
    rule: str
    kind: str
    expected: str
    found: str
    deviation: Deviation | None
    detail: str

    def __init__(
        self,
        detail: str,
        path: tuple[str | int, ...] = (),
        offset: int = 0,
        rule: str = "",
        kind: str = "",
        expected: str = "",
        found: str = "",
        deviation: Deviation | None = None,
        hint: str | None = None,
    ) -> None:
        super().__init__(detail, path, offset, rule, kind, expected, found, deviation, hint)
        self.detail = detail
        self.path = path
        self.offset = offset
        self.rule = rule
        self.kind = kind
        self.expected = expected
        self.found = found
        self.deviation = deviation
        self.hint = hint

    def __str__(self) -> str:
        where = format_path(self.path)
        place = f"{where} at offset {self.offset}" if where else f"at offset {self.offset}"
        hint = f"; {self.hint}" if self.hint else ""
        clause = f" ({self.rule})" if self.rule else ""
        remedy = f"; Deviation.{self.deviation.name} tolerates it" if self.deviation else ""
        return f"{place}: {self.detail}{hint}{clause}{remedy}"


class DecodeError(_Located):
    """The input is not a DER encoding of the type.

    Attributes:
        path: field names and indexes from the outermost type to the element, for example
            ``("tbs_cert_list", "revoked_certificates", 17)``; an ``int`` is an index.
        offset: the byte offset of the element in the decoded input.
        rule: the clause that the input violates, for example ``"X.690 8.3.2"``; empty if no standard demands it.
        kind: a short stable name of the fault, for example ``"integer-not-minimal"``.
        expected, found: what the schema requires at this position, and what the input contains.
        deviation: the `Deviation` that tolerates the fault, for the argument ``tolerate``; or None.
        detail: the message without position, clause and hint.
        hint: what to do if the input is empty, is text, may be BER or may have another type, for example ``"the input
            is PEM text: decode it with pem.one first"``; or the argument of the call that accepts the input;
            otherwise None.

    >>> import derlib
    >>> try:
    ...     derlib.decode(int, bytes.fromhex("0202007f"))
    ... except derlib.DecodeError as error:
    ...     print(error)
    at offset 0: INTEGER 00 7f is not minimal (X.690 8.3.2); Deviation.INTEGER_PADDING tolerates it
    """


class TruncatedError(DecodeError):
    """An element extends beyond the end of the input or of its parent (X.690 8.1.3)."""


class TrailingDataError(DecodeError):
    """Bytes follow a complete value."""


class IdentifierError(DecodeError):
    """Invalid identifier octets, or the wrong primitive or constructed form (X.690 8.1.2, 10.2)."""


class LengthError(DecodeError):
    """Length octets are indefinite, reserved or not minimal (X.690 8.1.3, 10.1)."""


class ContentsError(DecodeError):
    """The contents octets violate a rule of their type."""


class OrderError(DecodeError):
    """A SET or SET OF is not sorted (X.690 10.3, 11.6)."""


class DefaultError(DecodeError):
    """A component with its DEFAULT value is encoded (X.690 11.5)."""


class StructureError(DecodeError):
    """An element has an unexpected tag, is missing, or is not allowed."""


class ConstraintError(ASN1Error):
    """A Python value is not a value of its type: it violates a constraint, or a field is missing or unknown.

    Attributes:
        path: field names and indexes from the outermost type to the invalid value, as in `DecodeError`.

    >>> import derlib
    >>> try:
    ...     derlib.encode([1, "two"], derlib.SequenceOf[int])
    ... except derlib.ConstraintError as error:
    ...     print(error.path, error)
    (1,) [1]: expected int for INTEGER, got str
    """

    path: tuple[str | int, ...] = ()

    def __str__(self) -> str:
        where = format_path(self.path)
        return f"{where}: {super().__str__()}" if where else super().__str__()


class ConstraintViolation(DecodeError, ConstraintError):
    """A decoded value violates a constraint of its type. This is a `DecodeError` and a `ConstraintError`."""


class LimitError(_Located):
    """The input exceeds one of the `Limits` or a fixed limit of derlib. It can be valid DER.

    It has the same attributes as `DecodeError`.

    >>> import derlib
    >>> try:
    ...     derlib.parse(bytes.fromhex("30 02 30 00"), limits=derlib.Limits(depth=1))
    ... except derlib.LimitError as error:
    ...     print(error.kind, error.offset)
    depth-limit 2
    """


class EncodeError(ASN1Error):
    """A value has no encoding, for example because it is nested too deeply."""


class SchemaError(ASN1Error):
    """A schema class or type expression is wrong; the message names the class, the field and the remedy."""


class PEMError(ASN1Error):
    """The text is not valid PEM (RFC 7468), or has no block with the requested label.

    Attributes:
        line: the line at fault, counted from 1; 0 for the text as a whole.
        detail: the message without its line.

    >>> from derlib import PEMError, pem
    >>> try:
    ...     pem.decode("-----BEGIN X-----\\nMAA\\n-----END X-----")
    ... except PEMError as error:
    ...     print(error)
    line 2: the base64 ends in the middle of a group of four, or is padded wrongly
    """

    def __init__(self, detail: str, line: int) -> None:
        super().__init__(detail, line)
        self.detail = detail
        self.line = line

    def __str__(self) -> str:
        return f"line {self.line}: {self.detail}" if self.line else self.detail


class EncryptedKeyError(ASN1Error):
    """A private key is encrypted with a password. derlib does not decrypt it.

    >>> import derlib
    >>> from derlib.schemas.keys import PrivateKeyInfo
    >>> try:
    ...     PrivateKeyInfo.read(bytes.fromhex("3013 300d 06092a864886f70d01050d 0500 0402abcd"))
    ... except derlib.EncryptedKeyError as error:
    ...     print(error)
    the private key is encrypted; EncryptedPrivateKeyInfo reads it, but does not decrypt it
    """


class UnrepresentableError(ASN1Error):
    """A valid time that `datetime` cannot represent, such as year 0000 or a fraction below a microsecond.

    Reading an attribute of a decoded value raises no other error, unless a buffer that was decoded with
    ``copy=False`` changed. ``raw()`` returns the text of the time.

    >>> import derlib
    >>> class Event(derlib.Sequence):
    ...     when: derlib.GeneralizedTime
    >>> event = Event.decode(bytes.fromhex("3011 180f") + b"00000101000000Z")
    >>> try:
    ...     event.when
    ... except derlib.UnrepresentableError:
    ...     print(bytes(event.raw("when")))
    b'00000101000000Z'
    """
