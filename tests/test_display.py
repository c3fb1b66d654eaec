"""Values as people see them: `pretty`, notebooks, rich, `repr` and `help`, and the tracebacks of schema errors."""

import importlib
import pydoc
import re
import rlcompleter
import subprocess
import sys
import traceback
from html.parser import HTMLParser
from typing import Annotated, Any

import certifi
import pytest

import derlib
from derlib import ASN1Error, Choice, Implicit, SchemaError, Sequence, SequenceOf
from derlib.cli.rendering.certificate import certificate_text
from derlib.schemas.crl import CertificateList
from derlib.schemas.keys import OneAsymmetricKey
from derlib.schemas.x509 import Certificate, GeneralName, Name, TBSCertificate


class Reading(Sequence):
    name: str
    values: SequenceOf[int]
    time: derlib.GeneralizedTime | None = None


class Either(Choice, extensible=True):
    text: Annotated[str, Implicit(0)]
    reading: Annotated[Reading, Implicit(1)]


class Later(Sequence, extensible=True):
    number: int


def certificate() -> Certificate:
    with open(certifi.where(), encoding="ascii") as file:
        return Certificate.decode(next(iter(derlib.pem.blocks(file.read()))).der)


def crl(count: int) -> CertificateList:
    entries = [{"user_certificate": n, "revocation_date": "200101000000Z"} for n in range(1, count + 1)]
    algorithm = {"algorithm": "1.2.840.10045.4.3.2"}
    tbs = {
        "version": "v2",
        "signature": algorithm,
        "issuer": {"rdn_sequence": [[{"type": "2.5.4.3", "value": "Example"}]]},
        "this_update": "200101000000Z",
        "revoked_certificates": entries,
    }
    return CertificateList(tbs_cert_list=tbs, signature_algorithm=algorithm, signature_value=b"")  # type: ignore[arg-type]


class Tree(HTMLParser):
    """The elements of an HTML text, and the text of each; every element is closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()
        self.attributes: set[str] = set()
        self.texts: list[str] = []
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)
        self.seen.add(tag)
        self.attributes.update(name for name, _ in attrs)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


class Lines(list[str]):
    line = list.append

    def style(self, text: str, name: str) -> str:
        return text

    def remark(self, option: str) -> str:
        return f" ({option})"


def test_a_certificate_is_shown_as_the_command_line_shows_it() -> None:
    value = certificate()
    shown: Any = Lines()
    certificate_text(shown, value)
    assert derlib.pretty(value).splitlines() == [line[2:] for line in shown]
    assert "subject:        CN=" in derlib.pretty(value)


def test_a_crl_is_shown_with_its_first_entries() -> None:
    text = derlib.pretty(crl(30), elements=3)
    assert "issuer:         CN=Example" in text
    assert text.endswith("and 27 more")
    assert len(derlib.pretty(crl(30)).splitlines()) == len(text.splitlines()) + 7


def test_other_values_are_shown_with_their_fields() -> None:
    assert derlib.pretty(Reading(name="a", values=[1, 2])) == "name: a\nvalues:\n  - 1\n  - 2"
    assert derlib.pretty(Reading(name="a", values=[], time="00000101000000Z")).endswith("time: 00000101000000Z")
    assert derlib.pretty(SequenceOf[int](range(5000))).endswith("\n- 999\nand more")


@pytest.mark.parametrize("show", [derlib.pretty, lambda value: value._repr_html_()])
def test_private_keys_are_hidden(show: Any) -> None:
    key = OneAsymmetricKey(
        version="v1",  # type: ignore[arg-type]
        private_key_algorithm={"algorithm": "1.3.101.112"},  # type: ignore[arg-type]
        private_key=bytes.fromhex("0420") + b"\xab" * 32,
    )
    assert "ab:ab" not in show(key)
    assert "private_key: (hidden)" in show(key)
    later = OneAsymmetricKey.from_native({**key.to_native(), "$additions": [b"\x89\2\xab\xab"]})
    assert "ab:ab" not in show(later)
    assert "unknown_additions: (hidden)" in show(later)


@pytest.mark.parametrize("show", [derlib.pretty, lambda value: value._repr_html_()])
def test_elements_of_a_later_version_are_shown(show: Any) -> None:
    value = Later.decode(bytes.fromhex("3008 020105 890100 8a00"))
    assert all(text in show(value) for text in ("number: 5", "unknown_additions:", "- (opaque) 89:01:00", "8a:00"))
    assert "[5]: (opaque) 85:00" in show(Either.decode(b"\x85\0"))


@pytest.mark.parametrize(
    "value",
    [
        certificate(),
        crl(30),
        Reading(name="<script>alert('&')</script>", values=[1]),
        Reading(name="a\nb", values=[], time="00000101000000Z"),
        SequenceOf[Reading]([{"name": "x", "values": [1]}] * 3),
        Either(text="<b>"),
        GeneralName(dns_name="example.org"),
        SequenceOf[int](),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_notebook_shows_a_tree_with_the_text_of_pretty(value: Any) -> None:
    tree = Tree(value._repr_html_())
    assert tree.seen <= {"details", "summary", "div"}
    assert tree.attributes <= {"open", "style"}
    assert tree.texts == [type(value).__name__, *(line.strip() for line in derlib.pretty(value).splitlines())]


def test_the_parts_of_a_value_for_rich() -> None:
    def parts(value: Any) -> list[Any]:
        return list(value.__rich_repr__())

    reading = Reading(name="a", values=[1, 2], time="00000101000000Z")
    assert parts(reading) == [("name", "a"), ("values", reading.values), ("time", "00000101000000Z")]
    assert parts(reading.values) == [1, 2]
    assert parts(SequenceOf[int](range(12))) == [*range(10), ("more", 2)]
    assert parts(Either(text="x")) == [("text", "x")]
    [unknown] = parts(Either.decode(b"\x85\x00"))
    assert isinstance(unknown, derlib.TLV)


def test_a_long_repr_is_short() -> None:
    assert len(repr(certificate())) < 1000
    assert len(repr(SequenceOf[Reading]([{"name": "x" * 90, "values": range(500)}] * 100))) < 2000


def test_pretty_needs_no_click_and_imports_no_schema_module() -> None:
    code = """
import sys
sys.modules["click"] = None
import derlib
from derlib.schemas.x509 import Validity
before = {name for name in sys.modules if "schemas" in name}
value = Validity(not_before="200101000000Z", not_after="300101000000Z")
assert derlib.pretty(value) and value._repr_html_()
assert {name for name in sys.modules if "schemas" in name} == before
"""
    subprocess.run([sys.executable, "-c", code], check=True)


INTERNALS = (
    *("_core", "__pyx_vtable__", "__plan__", "__body__", "__hints__", "__annotations__", "__state__", "specialise"),
    *("<Plan", "__reduce_ex__", "__eq__", "__class__", "__iter__ = None", "missing_item", "__slots__"),
)


@pytest.mark.parametrize("cls", [Certificate, CertificateList, TBSCertificate, GeneralName, Name, Reading])
def test_help_shows_fields_and_the_text_of_the_standard_and_no_internals(cls: Any) -> None:
    text = pydoc.render_doc(cls, renderer=pydoc.plaintext)  # type: ignore[attr-defined]
    for field in derlib.fields(cls):
        assert re.search(rf"^ \|  {field.name}$", text, re.MULTILINE), field.name
        assert f"`{field.name}` of {cls.__name__}: " in text
    for internal in INTERNALS:
        assert internal not in text, internal
    for method in ("decode(data, *", "encode(self, /)", "to_json(self, /", "__init__(...)"):
        assert f" |  {method}" in text, method
    if cls is Certificate:
        assert "tbsCertificate       TBSCertificate," in text
    assert {"decode", "encode", "replace", *(field.name for field in derlib.fields(cls))} <= set(dir(cls))


@pytest.mark.parametrize("module", ["derlib", "derlib.schemas.crl"])
def test_help_of_a_module_names_no_attribute_of_the_core(module: str) -> None:
    text = pydoc.render_doc(importlib.import_module(module), renderer=pydoc.plaintext)  # type: ignore[attr-defined]
    for internal in ("__pyx_vtable__", "__plan__", "__hints__", "<Plan", "missing_item"):
        assert internal not in text, internal
    # The base of OpenTypes has no public name.
    assert set(re.findall(r"derlib\._core\.\w+", text)) <= {"derlib._core.OpenTable"}


def test_dir_has_the_public_names_and_the_special_methods_of_a_class() -> None:
    value = certificate()
    names = {name for name in dir(Certificate) if name.startswith("__")}
    assert names <= {"__bytes__", "__doc__", "__init__", "__module__", "__qualname__"}
    assert dir(value) == dir(Certificate)
    assert {"subject", "tbs_certificate", "decode", "encode", "to_json"} <= set(dir(value))
    assert {"__len__", "__getitem__", "__iter__", "__contains__"} <= set(dir(SequenceOf[int]))
    assert {"__getitem__", "__str__"} <= set(dir(Name))
    assert "__iter__" not in dir(Name)


def test_a_shell_completes_public_names() -> None:
    completer = rlcompleter.Completer({"certificate": certificate(), "Certificate": Certificate})
    for start in ("certificate.", "Certificate."):
        found = []
        while (match := completer.complete(start, len(found))) is not None:
            found.append(match.removeprefix(start).rstrip("()"))
        assert {"subject", "dns_names", "tbs_certificate", "decode", "encode"} <= set(found)
        assert not [name for name in found if name.startswith("_")]


def wrong_field() -> None:
    class Wrong(Sequence):
        field: "Annotated[int, derlib.Size(1)]"


def wrong_keyword() -> None:
    class Wrong(Sequence, extensible=5):  # type: ignore[call-arg]
        field: int


def wrong_default() -> None:
    class Wrong(Sequence):
        field: int = "x"  # type: ignore[assignment]


def wrong_element() -> None:
    class Wrong(Sequence, fields=[derlib.Field("x", SequenceOf[Annotated[derlib.TLV, Implicit(0)]])]): ...


@pytest.mark.parametrize("action", [wrong_field, wrong_keyword, wrong_default, wrong_element])
def test_the_traceback_of_a_schema_error_ends_at_the_class_statement(action: Any) -> None:
    with pytest.raises(SchemaError) as caught:
        action()
    frames = traceback.extract_tb(caught.value.__traceback__)
    assert frames[-1].filename == __file__
    assert frames[-1].name == action.__name__
    assert frames[-1].line is not None
    assert frames[-1].line.startswith("class Wrong(Sequence")
    assert len(frames) <= 4


def wrong_name() -> None:
    class Wrong(Sequence):
        field: "Unknown"  # type: ignore[name-defined]  # noqa: F821

    Wrong(field=1)


def wrong_fields() -> None:
    Reading(name=1, values=["a"])  # type: ignore[arg-type]


def wrong_elements() -> None:
    SequenceOf[Reading]([{"name": "x", "values": [1]}, {"name": "x", "values": [None]}])


def wrong_value_of_encode() -> None:
    derlib.encode([1, "x"], SequenceOf[int])


def wrong_change() -> None:
    Reading(name="x", values=[]).replace(values=5)


def wrong_native_value() -> None:
    Reading.from_native({"name": "x"})


def wrong_alternative() -> None:
    GeneralName(dns_name=5)


def wrong_json() -> None:
    Reading.from_json('{"name": 1, "values": [{}]}')


def wrong_bytes() -> None:
    Reading.decode(bytes.fromhex("3006 0c0161 30010c"))


def wrong_identifier() -> None:
    derlib.ObjectIdentifier("1.x")


def wrong_element_tree() -> None:
    derlib.parse(b"\x30\x01")


@pytest.mark.parametrize(
    "action",
    [
        *(wrong_name, wrong_fields, wrong_elements, wrong_value_of_encode, wrong_change, wrong_native_value),
        *(wrong_alternative, wrong_json, wrong_bytes, wrong_identifier, wrong_element_tree),
    ],
)
def test_the_traceback_of_an_error_about_data_has_one_frame_of_derlib_at_most(action: Any) -> None:
    with pytest.raises(ASN1Error) as caught:
        action()
    frames = traceback.extract_tb(caught.value.__traceback__)
    assert [frame.name for frame in frames[1:]].count(action.__name__) >= 1
    assert sum(frame.filename != __file__ for frame in frames) <= 1


def test_the_traceback_of_another_error_has_the_frames_of_the_core() -> None:
    with pytest.raises(TypeError) as caught:
        Reading.decode("text")  # type: ignore[arg-type]
    assert any("derlib._core." in frame.name for frame in traceback.extract_tb(caught.value.__traceback__))
