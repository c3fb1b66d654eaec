"""Public names: each has a docstring with an example, a signature, and works with the tools of Python."""

import contextlib
import doctest
import enum
import importlib
import inspect
import pickle
import pydoc
import types
from typing import Any

import pytest

import derlib
from derlib import _core, ber, cache, errors, json, oids, pem, stream
from derlib import inspect as type_inspect

MODULES = [derlib, ber, pem, oids, json, stream, cache, type_inspect]
with contextlib.suppress(ModuleNotFoundError):
    MODULES.append(importlib.import_module("derlib.strategies"))
NAMED = {
    f"{module.__name__}.{name}": getattr(module, name)
    for module in MODULES
    for name in module.__all__
    if not isinstance(getattr(module, name), types.ModuleType)
}
# Names for annotations, which are other types of Python at run time (docs/reference/types.md has them).
ALIASES = {name for name, one in NAMED.items() if hasattr(one, "__metadata__")}
OURS = {name: one for name, one in NAMED.items() if name not in ALIASES}
VALUES = {name: one for name, one in OURS.items() if not isinstance(one, type) and not callable(one)}
CALLED = {name: one for name, one in OURS.items() if name not in VALUES}
# The classes of the core, under the names by which users know them.
CORE_MODULES = ("derlib", "derlib._core")
# Created by other functions, never by a call of the class.
NOT_CALLED = {
    *("derlib.TLV", "derlib.Lookup", "derlib.Null", "derlib.ber.Converted", "derlib.ber.Element"),
    *("derlib.View", "derlib.SequenceView", "derlib.ListView", "derlib.ChoiceView"),
}
# The name of a subclass of DecodeError is all that it adds to DecodeError.
KINDS = {name for name, one in OURS.items() if isinstance(one, type) and issubclass(one, errors.DecodeError)}
PLAIN = {"derlib.ASN1Error", "derlib.EncodeError", "derlib.SchemaError", "derlib.oids.HasDotted"}


def test_the_aliases_are_the_types_of_the_schema_language():
    assert {"derlib.OctetString", "derlib.UTCTime", "derlib.ISOTime"} <= ALIASES
    assert sorted(VALUES) == ["derlib.Absent", "derlib.MISSING", "derlib.NULL", "derlib.Present", "derlib.RFC5280_TIME"]


@pytest.mark.parametrize("name", CALLED)
def test_each_public_name_has_a_docstring_with_an_example(name):
    text = inspect.getdoc(CALLED[name])
    assert text
    assert not isinstance(CALLED[name], type) or vars(CALLED[name]).get("__doc__"), "the docstring is that of a base"
    if name not in KINDS - {"derlib.DecodeError"} | PLAIN:
        assert ">>>" in text, f"{name} has no example"


@pytest.mark.parametrize("name", CALLED)
def test_each_public_attribute_has_a_docstring(name):
    cls: Any = CALLED[name]
    if not isinstance(cls, type):
        return
    for attribute, one in dict(vars(cls)).items():
        if attribute.startswith("_") or isinstance(one, (int, str, tuple, type(None))):
            continue
        if attribute in getattr(cls, "__annotations__", ()) or attribute in getattr(cls, "_fields", ()):
            assert f"{attribute}" in cls.__doc__, f"{name} does not say what {attribute} is"
        else:
            assert inspect.getdoc(one) or name == "derlib.oids.HasDotted", f"{name}.{attribute} has no docstring"


# The schema modules whose classes and functions all have an example.
WITH_EXAMPLES = ("crl", "crl_extensions", "csr", "general", "ocsp")
DEFINED = {
    f"{module.__name__}.{name}": one
    for module in (importlib.import_module(f"derlib.schemas.{name}") for name in WITH_EXAMPLES)
    for name, one in vars(module).items()
    if not name.startswith("_") and getattr(one, "__module__", None) == module.__name__ and callable(one)
}


@pytest.mark.parametrize("name", DEFINED)
def test_each_class_of_a_schema_module_has_an_example(name):
    assert ">>>" in (DEFINED[name].__doc__ or "")


@pytest.mark.parametrize("name", CALLED)
def test_each_public_name_has_a_signature(name):
    one = CALLED[name]
    if name in NOT_CALLED or (isinstance(one, type) and issubclass(one, errors.ASN1Error)):
        return
    assert inspect.signature(one).parameters is not None


def test_signatures_of_functions():
    class Contact(derlib.Choice):
        mail: derlib.IA5String
        number: int

    shown = {
        derlib.ObjectIdentifier: "(value)",
        derlib.RelativeOID: "(value)",
        derlib.BitString: "(octets=b'', unused_bits=0)",
        derlib.Span: "(offset, header_length, content_length)",
        derlib.Tag: "(number, tag_class='context', constructed=False)",
        derlib.Sequence: "(**values)",
        derlib.SequenceOf[int]: "(elements=(), /)",
        Contact: "(*, mail: 'IA5String' = ..., number: int = ...)",
    }
    assert {one: str(inspect.signature(one)) for one in shown} == shown
    # The signature is not part of the docstring.
    assert inspect.getdoc(derlib.Tag).startswith("A tag: number, class,")


METHODS = {
    f"{cls.__name__}.{name}": getattr(cls, name)
    for cls in vars(_core).values()
    if isinstance(cls, type) and cls.__module__ in CORE_MODULES and not issubclass(cls, enum.Enum)
    for name, one in vars(cls).items()
    if (inspect.ismethoddescriptor(one) or isinstance(one, staticmethod)) and not name.startswith("_")
}
FUNCTIONS = {
    name: one
    for name, one in vars(_core).items()
    if getattr(one, "__module__", None) == "derlib._core" and inspect.isroutine(one)
}


@pytest.mark.parametrize("name", [*METHODS, *FUNCTIONS])
def test_each_function_of_the_core_has_a_signature_and_pickles_by_its_name(name):
    one = {**METHODS, **FUNCTIONS}[name]
    assert list(inspect.signature(one).parameters) is not None
    assert "--" not in (inspect.getdoc(one) or "").splitlines()[:2], "the signature is part of the docstring"
    assert pickle.loads(pickle.dumps(one)) == one


def test_signatures_of_methods():
    shown = {
        "View.decode": "(data, *, copy=True, tolerate=None, limits=None, rules='der', open_types=None)",
        "View.encode": "(self, /)",
        "View.span": "(self, /, *path, outer=False)",
        "View.to_json": "(self, /, *, indent=None, names=False)",
        "View.from_json": "(text)",
        "SequenceView.replace": "(self, /, **changes)",
        "ListView.index": "(self, /, value, start=0, stop=None)",
        "TLV.decode": "(self, /, type, *, copy=True, tolerate=None, limits=None)",
        "ObjectIdentifier.from_content": "(content)",
        "parse": "(data, *, copy=True, tolerate=None, limits=None)",
        "encode": "(value, type=None)",
        "restore": "(cls, octets, tolerate=None, limits=None)",
    }
    assert {name: str(inspect.signature({**METHODS, **FUNCTIONS}[name])) for name in shown} == shown
    page = pydoc.plain(pydoc.render_doc(_core.View))
    assert "decode(data, *, copy=True, tolerate=None, limits=None, rules='der', open_types=None)" in page
    assert "span(self, /, *path, outer=False)" in page


@pytest.mark.parametrize("name", VALUES)
def test_constants_are_the_same_object_in_each_pickle(name):
    one = VALUES[name]
    assert repr(one) == name.removeprefix("derlib.")
    assert pickle.loads(pickle.dumps(one)) == one
    if name in ("derlib.NULL", "derlib.MISSING"):
        assert pickle.loads(pickle.dumps(one)) is one


def test_constraints_are_shown_as_they_are_written():
    from derlib import Absent, Alphabet, OneOf, Present, Range, Size, WithComponent, WithComponents

    names = {name: getattr(derlib, name) for name in derlib.__all__}
    for one in (
        OneOf(1, "a", b"b"),
        Range(0, 5) | Range(10, None) & ~OneOf(12),
        Size(1, 2) - Size(2),
        WithComponents(x=Present & Range(0, 9), y=Absent),
        WithComponents.only(x=None, y=Present),
        WithComponent(Size(3)),
        Alphabet("A-Z"),
    ):
        assert eval(repr(one), names) == one


def test_a_table_of_open_types_is_asked_with_a_text_or_an_identifier():
    table = derlib.OpenTypes("TABLE", {"2.999.1": int})
    assert "2.999.1" in table
    assert derlib.ObjectIdentifier("2.999.1") in table
    assert "2.999.2" not in table
    assert 5 not in table
    with pytest.raises(derlib.EncodeError):
        _ = "no-such-name" in table


def test_the_repr_of_a_cache_has_its_store_and_not_its_secret(tmp_path):
    assert repr(cache.Cache({})) == "<Cache over dict>"
    assert repr(cache.Cache(cache.DirectoryStore(tmp_path))) == f"<Cache over DirectoryStore({str(tmp_path)!r})>"
    pytest.importorskip("blake2signer")
    assert repr(cache.Cache({}, "a secret of enough octets")) == "<Cache over dict, signed>"


def examples_of_the_core():
    """Each docstring of the core that has examples, and what it is of: pytest looks in sources of Python only."""
    for name, one in vars(_core).items():
        if getattr(one, "__module__", None) not in CORE_MODULES:
            continue
        documented = {name: one}
        if isinstance(one, type):
            # The docstring of a classmethod itself may be that of its type.
            documented |= {
                f"{name}.{attribute}": getattr(one, attribute) if isinstance(part, classmethod) else part
                for attribute, part in vars(one).items()
            }
        for place, part in documented.items():
            text = getattr(part, "__doc__", None)
            if isinstance(text, str) and ">>>" in text:
                yield pytest.param(place, text, id=place)


@pytest.mark.parametrize(("name", "text"), list(examples_of_the_core()))
def test_the_examples_of_the_core_run(name, text):
    test = doctest.DocTestParser().get_doctest(text, {}, name, None, 0)
    runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    said = []
    assert test.examples
    assert runner.run(test, out=said.append).failed == 0, "".join(said)


def test_examples_of_the_core_are_found():
    found = {case.id for case in examples_of_the_core()}
    assert {"parse", "encode", "Tag", "View.decode", "View.deviations", "ListView.index_by", "TLV.decode"} <= found


def test_classes_have_the_public_module():
    classes = [getattr(derlib, name) for name in derlib.__all__ if isinstance(getattr(derlib, name), type)]
    # Column and Columns are imported when they are used.
    private = {cls.__name__ for cls in classes if cls.__module__ not in ("derlib", "derlib.errors")}
    assert private == {"Column", "Columns"}
    assert len(classes) > 50
    for cls in classes:
        assert pickle.loads(pickle.dumps(cls)) is cls
