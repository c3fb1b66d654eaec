"""Paths in values: `replace_at`, and strings as paths of `span` and `raw`."""

from datetime import datetime, timezone
from pathlib import Path
from typing import Annotated, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.pages import example

import derlib
from derlib import (
    Choice,
    ConstraintError,
    DefinedBy,
    Deviation,
    Explicit,
    GeneralizedTime,
    IA5String,
    Implicit,
    ObjectIdentifier,
    OpenTypes,
    Sequence,
    SequenceOf,
    SetOf,
    Size,
    UTCTime,
    pem,
)
from derlib._paths import parse_path
from derlib.schemas.cms import CertificateChoices, CertificateSet
from derlib.schemas.x509 import BasicConstraints, Certificate
from derlib.strategies import values

TABLE = OpenTypes("TABLE", {"2.999.1": int}, on_mismatch="opaque")


class Leaf(Sequence):
    number: int
    text: Annotated[str, Size(0, 5)] = ""


class Arms(Choice):
    leaf: Leaf
    leaves: Annotated[SequenceOf[Leaf], Implicit(3)]
    flag: bool


class Whole(Sequence):
    name: IA5String | str
    leaves: SequenceOf[Leaf]
    rows: SequenceOf[SetOf[int]]
    arms: Annotated[Arms, Explicit(0)]
    times: SequenceOf[UTCTime | GeneralizedTime]
    words: SequenceOf[IA5String | str]
    kind: ObjectIdentifier
    contents: SequenceOf[Annotated[Any, DefinedBy("kind", TABLE)]]
    default: Annotated[Leaf, Explicit(2)] = Leaf(number=7)
    absent: Annotated[Leaf, Explicit(1)] | None = None


WHOLE = Whole(
    name="a",
    leaves=[Leaf(number=number) for number in range(40)],
    rows=[[1, 2], [3]],
    arms={"leaves": [{"number": 5}]},
    times=["260101000000Z", "20260101000000Z", "00000101000000Z"],
    words=["\u00e9", "a"],
    kind="2.999.1",
    contents=[5, {"$opaque": bytes.fromhex("0500")}, 6],
)


def certificate() -> Certificate:
    return Certificate.decode(pem.one(example("server.pem")))


def part_at(value: Any, path: tuple[str | int, ...]) -> Any:
    """Return the part at a path, read step by step."""
    for step in path:
        value = value[step] if isinstance(step, int) else getattr(value, step)
    return value


def paths_in(value: Any) -> list[tuple[str | int, ...]]:
    """Return the path of each part that is present."""
    found: list[tuple[str | int, ...]] = []
    if isinstance(value, derlib.ListView):
        steps: list[Any] = list(range(len(value)))
    elif isinstance(value, derlib.ChoiceView):
        steps = [value.alternative]
    elif isinstance(value, derlib.SequenceView):
        steps = [field.name for field in derlib.fields(type(value)) if getattr(value, field.name) is not None]
    else:
        return []
    for step in steps:
        found.append((step,))
        found += [(step, *rest) for rest in paths_in(part_at(value, (step,)))]
    return found


@pytest.mark.parametrize(
    ("path", "new"),
    [
        ("name", "b"),
        ("leaves[17].number", -1),
        ("leaves[39]", Leaf(number=1, text="x")),
        ("leaves[39].text", "x"),
        ("leaves[-1].text", "x"),
        ("rows[-1][-1]", 9),
        ("leaves", SequenceOf[Leaf]([])),
        ("rows[1][0]", 9),
        ("arms.leaves[0].text", "x"),
        ("arms.flag", True),
        ("times[1]", datetime(2027, 1, 1, tzinfo=timezone.utc)),
        ("words[1]", "b"),
        ("contents[2]", 7),
        ("default.text", "y"),
        ("absent", Leaf(number=3)),
    ],
)
def test_one_part_changes_and_nothing_else(path: str, new: Any) -> None:
    made = WHOLE.replace_at(path, new)
    steps = parse_path(path, False, True)
    assert type(made) is Whole
    assert part_at(made, steps) == new
    assert Whole.decode(made.encode()) == made
    assert WHOLE.replace_at(steps, new) == made
    for field in derlib.fields(Whole):
        if field.name != steps[0]:
            assert made.span(field.name) is None or made.raw(field.name) == WHOLE.raw(field.name)
    assert WHOLE.span(path) == WHOLE.span(*steps)
    # The other elements of a list keep the alternatives, contents and times that their values do not show.
    if len(steps) == 2 and isinstance(steps[1], int):
        for index in range(len(part_at(WHOLE, steps[:1]))):
            if index != steps[1]:
                assert made.raw(steps[0], index) == WHOLE.raw(steps[0], index)


class Tolerant(Sequence):
    number: int
    flag: bool = False
    times: SequenceOf[UTCTime]
    numbers: SetOf[int]
    texts: SequenceOf[IA5String]
    leaf: Annotated[Leaf, Implicit(0)] | None = None


def tolerant(text: str) -> Tolerant:
    """Decode a number, followed by the other fields in hexadecimal, with every deviation."""
    contents = bytes.fromhex("020101" + text)
    return Tolerant.decode(bytes([0x30, len(contents)]) + contents, tolerate=~Deviation(0))


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("3000 3100 3000 a005 020101 0c00", "X.690 11.5"),
        ("010101 3000 3100 3000", "X.690 11.1"),
        ("300d170b" + b"2611230900Z".hex() + "3100 3000", "X.690 11.8"),
        ("3000 3106 020102 020101 3000", "X.690 11.6"),
    ],
)
def test_the_error_for_a_part_with_a_deviation_says_how_to_build_it_as_der(text: str, rule: str) -> None:
    value = tolerant(text)
    hint = "it was decoded with a deviation: value.from_native(value.to_native()) builds the value as DER"
    for error in (error_of(lambda: value.replace_at("number", 2)), error_of(lambda: value.replace(number=2))):
        assert error.hint == hint
        assert rule in str(error)
        assert str(error).endswith(f"; {hint}")
    assert Tolerant.decode(value.from_native(value.to_native()).replace_at("number", 2).encode()).number == 2


def test_the_error_for_a_signed_part_says_that_its_bytes_would_change() -> None:
    certificate = Certificate.decode(
        Path("docs/examples/tpm.cer").read_bytes(), tolerate=Deviation.DEFAULT_ENCODED | Deviation.NAMED_BITS
    )
    built_as_der = certificate.from_native(certificate.to_native())
    assert built_as_der.tbs_certificate.der != certificate.tbs_certificate.der
    for error in (
        error_of(lambda: CertificateSet([CertificateChoices(certificate=certificate)])),
        error_of(lambda: SequenceOf[Certificate]([certificate])),
    ):
        assert (error.hint or "").endswith("as DER, but changes the bytes that a signature covers")
    # The caller changes the certificate, and signs it again.
    assert (error_of(lambda: certificate.tbs_certificate.replace(serial_number=2)).hint or "").endswith("as DER")


def test_the_error_for_a_value_without_an_encoding_has_no_such_hint() -> None:
    # This is not a value of IA5String.
    value = tolerant("3000 3100 3005 1603 61c3a4")
    assert error_of(lambda: value.replace_at("number", 2)).hint is None
    with pytest.raises(ConstraintError):
        value.from_native(value.to_native())
    # This is in the value of the caller.
    value = tolerant("010101 3000 3100 3000")
    assert error_of(lambda: value.replace(flag=True, times=["2611230900Z"])).hint is None


def error_of(call: Any) -> ConstraintError:
    with pytest.raises(ConstraintError) as caught:
        call()
    return caught.value


def test_none_removes_a_field() -> None:
    made = WHOLE.replace_at("absent", Leaf(number=3))
    assert made.replace_at("absent", None) == WHOLE
    assert WHOLE.replace_at("leaves[0].text", "x").replace_at("leaves[0].text", None) == WHOLE


@pytest.mark.parametrize(
    ("path", "error", "message"),
    [
        ("leafs[0].number", KeyError, "'leafs' is not a field of Whole; did you mean 'leaves'?"),
        ("leaves[0].numbr", KeyError, "'numbr' is not a field of Leaf; did you mean 'number'?"),
        ("leaves[0].numbr.x", KeyError, "'numbr' is not a field of Leaf; did you mean 'number'?"),
        ("arms.leave", KeyError, "'leave' is not an alternative of Arms; did you mean 'leaves'?"),
        ("arms.leave.x", KeyError, "'leave' is not an alternative of Arms; did you mean 'leaves'?"),
        ("arms.leaf.number", KeyError, "arms.leaf is absent; replace it as a whole"),
        ("absent.number", KeyError, "absent is absent; replace it as a whole"),
        ("leaves.number", KeyError, "'number' is not an index of SequenceOf[Leaf]"),
        ("leaves[0].number.x", KeyError, "'x' is not a part of int, which has no fields or elements"),
        ("leaves[40].number", IndexError, "SequenceOf[Leaf] index out of range"),
        ("leaves[40]", IndexError, "SequenceOf[Leaf] index out of range"),
        ("leaves[-41]", IndexError, "SequenceOf[Leaf] index out of range"),
        ("leaves[--1]", ValueError, "expected a string such as"),
        ("leaves[*]", TypeError, "expected a name or an index"),
        ("leaves['x'].number", ValueError, "an element is selected by its index, not by a key"),
        (["leaves", 0], TypeError, "write the steps as a tuple"),
        ("number", KeyError, "'number' is not a field of Whole; did you mean 'default.number'?"),
        ("", ValueError, "expected a string such as"),
        ((), ValueError, "expected at least one step"),
        (5.0, TypeError, "expected a name or an index"),
        (("leaves",) * 1000, KeyError, "'leaves' is not an index of SequenceOf[Leaf]"),
    ],
)
def test_a_path_that_does_not_exist_is_an_error_with_the_step(path: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error) as caught:
        WHOLE.replace_at(path, 5)
    assert message in str(caught.value.args[0])


@pytest.mark.parametrize(
    ("path", "new", "full", "message"),
    [
        ("leaves[3].number", "x", ("leaves", 3, "number"), "expected int for INTEGER, got str"),
        ("leaves[3].text", "too long", ("leaves", 3, "text"), "SIZE"),
        ("leaves[3]", {"number": "x"}, ("leaves", 3, "number"), "expected int"),
        ("leaves[3]", None, ("leaves", 3), "got NoneType"),
        ("arms.leaves[0].number", 1.5, ("arms", "leaves", 0, "number"), "expected int"),
        ("kind", "x", ("kind",), "dotted"),
    ],
)
def test_an_invalid_value_is_an_error_with_the_whole_path(path: str, new: Any, full: Any, message: str) -> None:
    with pytest.raises(ConstraintError, match=message) as caught:
        WHOLE.replace_at(path, new)
    assert caught.value.path == full


def test_parts_of_open_types_are_replaced_and_signatures_are_kept() -> None:
    value = certificate()
    index = next(i for i, one in enumerate(value.extensions or ()) if isinstance(one.extn_value, BasicConstraints))
    path = f"tbs_certificate.extensions[{index}].extn_value.ca"
    old = part_at(value, parse_path(path))
    made = value.replace_at(path, not old)
    assert made.is_ca is not value.is_ca
    assert made.signature_value == value.signature_value
    assert made.replace_at(path, old) == value
    assert made.replace_at(path, old).encode() == value.encode()


@given(values(Whole), st.data())
def test_a_part_replaced_by_itself_is_the_same_value(whole: Whole, data: st.DataObject) -> None:
    path = data.draw(st.sampled_from(paths_in(whole)))
    try:
        part = part_at(whole, path)
    except derlib.UnrepresentableError:
        return
    if isinstance(part, derlib.TLV):
        part = {"$opaque": part.encode()}
    made = whole.replace_at(path, part)
    other = made if type(part) is dict else part_at(made, path)
    assert other == (whole if type(part) is dict else part)
    # A value does not show which alternative of a transparent CHOICE it came from.
    if "words" not in path and "times" not in path and "name" not in path:
        assert made.encode() == whole.encode()


def test_span_and_raw_take_the_path_of_an_error_as_it_is_printed() -> None:
    assert WHOLE.span("leaves[17].number") == WHOLE.span("leaves", 17, "number")
    assert WHOLE.raw("arms.leaves[0].number") == WHOLE.raw("arms", "leaves", 0, "number")
    assert WHOLE.span("arms.leaves", 0, "number") == WHOLE.span("arms", "leaves", 0, "number")
    assert WHOLE.leaves.span("[3]") == WHOLE.leaves.span(3)
    assert WHOLE.span("leaves[0].text") is None
    with pytest.raises(KeyError, match="'numbr' is not a field of Leaf; did you mean 'number'"):
        WHOLE.span("leaves[17].numbr")
    with pytest.raises(ValueError, match="expected a string such as"):
        WHOLE.raw("leaves[17]..number")
    with pytest.raises(TypeError, match="a name or an index"):
        WHOLE.raw("leaves[*].number")
