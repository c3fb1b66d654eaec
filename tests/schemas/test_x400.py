"""Extension attributes of X.400 addresses: a number selects their type, so they are decoded on access."""

import pytest

import derlib
from derlib.schemas import x400


def attribute_of(number, value):
    built = x400.ExtensionAttribute(extension_attribute_type=number, extension_attribute_value=derlib.parse(value))
    return x400.ExtensionAttribute.decode(built.encode())


@pytest.mark.parametrize(
    ("number", "value", "read"),
    [
        (1, b"\x13\x04name", "name"),
        (2, b"\x14\x04name", "name"),
        (5, b"\x30\x08\x14\x02h1\x14\x02h2", x400.TeletexOrganizationalUnitNames(["h1", "h2"])),
        (8, b"\x13\x02de", x400.PhysicalDeliveryCountryName(iso_3166_alpha2_code="de")),
        (8, b"\x12\x03276", x400.PhysicalDeliveryCountryName(x121_dcc_code="276")),
        (10, b"\x31\x03\x13\x01A", x400.PDSParameter(printable_string="A")),
        (23, b"\x02\x01\x07", x400.TerminalType.ia5_terminal),
        (23, b"\x02\x01\x09", x400.TerminalType(9)),
        (24, b"\x02\x01\x07", derlib.parse(b"\x02\x01\x07")),
    ],
)
def test_an_extension_attribute_is_read_as_its_number_says(number, value, read):
    found = attribute_of(number, value).read_value()
    assert (found, type(found)) == (read, type(read))


@pytest.mark.parametrize(
    ("number", "value", "error", "message"),
    [
        (1, b"\x14\x04name", derlib.StructureError, "at offset 0: expected PrintableString, found TeletexString"),
        (1, b"\x13\x00", derlib.ConstraintViolation, "at offset 0: PrintableString has size 0"),
        (5, b"\x30\x00", derlib.ConstraintViolation, "at offset 0: TeletexOrganizationalUnitNames has size 0"),
        (5, b"\x30\x02\x14\x00", derlib.ConstraintViolation, "[0] at offset 2: TeletexString has size 0"),
        (8, b"\x14\x02de", derlib.StructureError, "at offset 0: TeletexString is not an alternative of Physical"),
        (23, b"\x02\x01\xff", derlib.ConstraintViolation, "at offset 0: TerminalType -1 is outside (0..MAX)"),
    ],
)
def test_an_extension_attribute_that_is_not_of_its_type_is_rejected_when_it_is_read(number, value, error, message):
    attribute = attribute_of(number, value)
    with pytest.raises(error) as caught:
        attribute.read_value()
    assert str(caught.value).startswith(message)
