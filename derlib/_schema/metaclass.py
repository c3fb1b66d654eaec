"""The metaclass of schema classes, which makes and compiles a class, and the classes for type arguments.

The metaclass compiles the annotated fields of a class and replaces each by a descriptor of the core. Instances are
views of the core: they have no attribute dictionary and are immutable.
"""

from __future__ import annotations

import contextlib
import copyreg
import enum
import functools
import operator
import sys
import types
import typing
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ForwardRef, TypeVar

from derlib import _core
from derlib._brief import got
from derlib._core import COMPILE_LOCK, Kind, OpenTable, Plan
from derlib._missing import missing_class_attribute, missing_item
from derlib._schema.annotations import is_annotated, own_annotations, spelling
from derlib._schema.compiler import SchemaLocation, Session, class_tag, compile_at_first_use, compile_class, tagged
from derlib._schema.constraints import Size
from derlib._schema.fields import has_fields, read_field_list
from derlib._schema.tracebacks import at_program
from derlib._schema.types import MISSING, Containing, DefinedBy, Explicit, Field, Implicit
from derlib.errors import SchemaError

if TYPE_CHECKING:
    import inspect

__all__ = ["LISTS", "SchemaType", "specialise"]

#: The base classes of lists.
LISTS = ("SequenceOf", "SetOf")


def _ends_at_statement(make: Callable[..., SchemaType]) -> Callable[..., SchemaType]:
    """Return a function that makes a class, and shows the class statement last in the traceback of a SchemaError."""

    @functools.wraps(make)
    def made(*args: Any, **keywords: Any) -> SchemaType:
        try:
            return make(*args, **keywords)
        except SchemaError as error:
            statement = _caller()
            raise error.with_traceback(
                types.TracebackType(None, statement, statement.f_lasti, statement.f_lineno)
            ) from error.__cause__

    return made


class SchemaType(type):
    """The metaclass of schema classes.

    Class keywords: `tag` (an `Implicit` or `Explicit` tag of the type itself), `size` (a `Size`, for lists), `fields`
    (a list of `Field`, the dynamic form of annotations), `extensible` (whether the type has an extension marker "...";
    or the name of the field at which the root continues after a second marker), `automatic_tags` (whether untagged
    fields get the tags [0], [1], ...; derived classes inherit it), `ber` ("keep" or "refuse": what `derlib.ber` does
    with values of the class inside other values; inherited).
    """

    # The compiler reads these attributes of each schema class.
    __asn1__: str                   # the name of the public base class
    __root__: type                  # the public base class
    __plan__: Plan                  # the plan of the type with its tags
    __body__: Plan                  # the plan without the explicit tag
    __state__: str                  # "abstract", "new", "filling" or "complete"
    __why_abstract__: str
    __fields__: tuple[Field, ...]
    __own_fields__: tuple[Field, ...]   # of the dynamic form
    __size__: Size | None
    __extensible__: bool            # whether it has an extension marker
    __after_marker__: str | None    # the field after the second extension marker
    __one_of__: int                 # how many optional components it begins with, of which one must be present; or 0
    __automatic__: bool             # whether it has automatic tags
    __has_chosen_tables__: bool     # whether `with_open_types` made the class
    __ber__: str | None             # what the conversion of BER does with its values inside others; None: converts them
    __tag_mark__: Implicit | Explicit | None
    __element__: Any                # the element type of a list
    __arguments__: dict[Any, Any]   # type variables of a generic class to their values
    __made_from__: tuple[Any, tuple[Any, ...]] | None  # the generic class and its type arguments
    __specialised__: dict[tuple[Any, ...], Any]    # classes for type arguments that live as long as this class
    __namespace__: dict[str, Any] | None    # local names around the class statement, until it is compiled
    __hints__: dict[str, Any]       # its annotations, evaluated
    __declared__: dict[str, Any]    # what the class body assigned to its annotated names

    @_ends_at_statement
    def __new__(
        mcs,
        name: str,
        bases: tuple[type, ...],
        namespace: dict[str, Any],
        *,
        tag: Implicit | Explicit | None = None,
        size: Size | None = None,
        fields: list[Any] | None = None,
        extensible: bool | str | None = None,
        automatic_tags: bool | None = None,
        ber: str | None = None,
        root: str | None = None,
        element: Any = MISSING,
        arguments: dict[Any, Any] | None = None,
        **extra: Any,
    ) -> SchemaType:
        _check_extra(name, bases, extra)
        after_marker = extensible if isinstance(extensible, str) else None
        extensible = True if isinstance(extensible, str) else extensible
        _check_keywords(name, tag, size, fields, ber, extensible=extensible, automatic_tags=automatic_tags)
        # Views have no attribute dictionary. They cannot be part of reference cycles.
        namespace.setdefault("__slots__", ())
        if "__module__" not in namespace:  # from types.new_class, which has no class body
            namespace["__module__"] = _caller().f_globals.get("__name__", __name__)
        cls = super().__new__(mcs, name, bases, namespace, **extra)
        _core.prepare_class(cls)
        if root is not None:
            _make_root(cls, root)
            return cls
        cls.__declared__ = dict(namespace)
        if cls.__asn1__ in LISTS:
            _check_list_keywords(cls, fields=fields, extensible=extensible, automatic_tags=automatic_tags)
        if element is not MISSING:
            cls.__element__ = element
        if arguments is not None:
            cls.__arguments__ = arguments
        if fields is not None:
            cls.__own_fields__, has_marker, cls.__after_marker__ = read_field_list(fields)
            extensible = has_marker or extensible
        if extensible is not None:
            cls.__extensible__ = extensible
        if after_marker is not None:
            cls.__after_marker__ = after_marker
        if automatic_tags is not None:
            cls.__automatic__ = automatic_tags
        cls.__made_from__ = None
        statement = _caller()
        cls.__namespace__ = _local_names(statement)
        cls.__size__ = size if size is not None else cls.__size__
        cls.__ber__ = ber if ber is not None else cls.__ber__
        cls.__tag_mark__ = tag if tag is not None else cls.__tag_mark__
        # derlib's own schema modules set this: tests compile their classes, and importing them should take little time.
        _prepare(cls, at_first_use=statement.f_globals.get("_COMPILE_AT_FIRST_USE", False))
        return cls

    # Type checkers would accept every name.
    if not TYPE_CHECKING:

        def __getattr__(cls, name):
            # The fields of a class of derlib.schemas are its attributes when it is compiled, at its first use.
            if not name.startswith("_") and _compile_if_new(cls):
                with contextlib.suppress(AttributeError):
                    return type.__getattribute__(cls, name)
            raise missing_class_attribute(cls, name)

    def __dir__(cls) -> list[str]:
        """Return the names that `help` and editors show: without those for the compiler, and those of every object."""
        _compile_if_new(cls)
        own = {name for base in cls.__mro__ if isinstance(base, SchemaType) for name in vars(base)}
        absent = {name for name in ("__getitem__", "__iter__") if getattr(cls, name, None) in (None, missing_item)}
        if not cls.__extensible__ and cls is not cls.__root__:
            absent.add("unknown_additions")  # always empty
        return [
            name
            for name in super().__dir__()
            if name not in _INTERNAL and name not in absent and (name not in _COMMON or name in own)
        ]

    def __init__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any], **_: Any) -> None:
        super().__init__(name, bases, namespace)

    @property
    def __signature__(cls) -> inspect.Signature:
        """The parameters of a class, for `help` and editors. A Choice takes one of them."""
        from derlib._schema.signatures import signature_of

        known = None
        if cls.__asn1__ not in LISTS:
            with contextlib.suppress(SchemaError):  # a name that is not defined yet, or no fields
                cls.__plan__.ready()
                known = cls.__fields__
        return signature_of(cls.__asn1__, known, cls.__body__.plans)


_INTERNAL = frozenset(SchemaType.__annotations__) | {
    "__annotate__",
    "__annotate_func__",
    "__annotations__",
    "__annotations_cache__",
    "__class_getitem__",
    "__firstlineno__",
    "__orig_bases__",
    "__parameters__",
    "__slotnames__",
    "__slots__",
    "__static_attributes__",
}
# Special methods that the core defines for what every object can do.
_COMMON = frozenset(vars(object)) - {"__init__"} | {
    "__bytes__",
    "__copy__",
    "__deepcopy__",
    "__replace__",
    "__rich_repr__",
}


def _check_keywords(name: str, tag: object, size: object, fields: object, ber: object, **switches: object) -> None:
    """Raise SchemaError if a class keyword has the wrong type."""
    if tag is not None and not isinstance(tag, (Implicit, Explicit)):
        raise SchemaError(f"{name}: tag: expected Implicit(...) or Explicit(...), got {got(tag)}")
    if size is not None and not isinstance(size, Size):
        raise SchemaError(f"{name}: size: expected Size(...), got {got(size)}")
    if ber not in (None, "keep", "refuse"):
        raise SchemaError(f"{name}: ber: expected 'keep' or 'refuse', got {got(ber)}")
    for switch, value in switches.items():
        if value is not None and value is not True and value is not False:
            or_name = ", or the name of a field" if switch == "extensible" else ""
            raise SchemaError(f"{name}: {switch}: expected True or False{or_name}, got {got(value)}")
    if fields is not None and not (
        isinstance(fields, (list, tuple)) and all(isinstance(item, Field) or item is ... for item in fields)
    ):
        raise SchemaError(f"{name}: fields: expected a list [Field(name, type), ...], got {got(fields)}")


def _check_list_keywords(cls: SchemaType, **keywords: object) -> None:
    """Raise SchemaError if a list class has a class keyword for fields."""
    for name, value in keywords.items():
        if value is not None:
            raise SchemaError(
                f"{cls.__name__}: {name} does not apply to {cls.__asn1__}, which has elements and no fields"
            )


def _check_extra(name: str, bases: tuple[type, ...], extra: dict[str, Any]) -> None:
    """Raise SchemaError for an unknown class keyword, unless an `__init_subclass__` of a base class may accept it."""
    if not extra:
        return
    ancestors = {ancestor for base in bases for ancestor in base.__mro__} - {object}
    if not any("__init_subclass__" in vars(ancestor) for ancestor in ancestors):
        known = "tag, size, fields, extensible, automatic_tags or ber"
        raise SchemaError(f"{name}: {next(iter(extra))!r} is not a class keyword; expected {known}")


def _caller() -> types.FrameType:
    """Return the frame of the class statement, or of the call, that makes a class."""
    frame = sys._getframe(2)
    while frame.f_back is not None and frame.f_globals in (globals(), vars(types)):
        frame = frame.f_back
    return frame


def _local_names(frame: types.FrameType) -> dict[str, Any] | None:
    """Return the local names around a class statement: those of a function or of an `exec`."""
    if frame.f_locals is not frame.f_globals:
        return dict(frame.f_locals)
    module = sys.modules.get(frame.f_globals.get("__name__", ""))
    if module is None or vars(module) is not frame.f_globals:
        # Code that runs in its own namespace, as doctests do. Names that are defined later are found there, too.
        return frame.f_globals
    return None


def _make_abstract(cls: SchemaType, why: str) -> None:
    """Give a class that has no values a plan that raises SchemaError when it is used."""
    cls.__state__ = "abstract"
    cls.__why_abstract__ = f"{cls.__name__} {why}"
    cls.__plan__ = cls.__body__ = Plan(Kind.KIND_EMPTY, cls.__name__)

    def fail(_: Plan) -> None:
        raise SchemaError(cls.__why_abstract__)

    cls.__plan__.compiler = fail


def _make_root(cls: SchemaType, asn1: str) -> None:
    """Set the attributes of a public base class, from which derived classes inherit them."""
    cls.__asn1__ = asn1
    cls.__root__ = cls
    cls.__arguments__ = {}
    cls.__element__ = MISSING
    cls.__size__ = None
    cls.__extensible__ = False
    cls.__after_marker__ = None
    cls.__one_of__ = 0
    cls.__automatic__ = False
    cls.__tag_mark__ = None
    cls.__ber__ = None
    cls.__has_chosen_tables__ = False
    cls.__made_from__ = None
    remedy = ", or give it an element type" if asn1 in LISTS else ""
    _make_abstract(cls, f"is a base class; derive a class from it{remedy}")


def _prepare(cls: Any, *, at_first_use: bool) -> None:
    """Give a schema class an empty plan, and compile it, unless `at_first_use` is true or a name is not defined yet."""
    if getattr(cls, "__parameters__", ()):
        _make_abstract(cls, "is generic; use it with type arguments")
        return
    if cls.__asn1__ in LISTS:
        if own_annotations(cls):
            raise SchemaError(f"{cls.__qualname__}: a list has no fields; make its elements a Sequence that has them")
        for base in vars(cls).get("__orig_bases__", ()):
            if isinstance(base, types.GenericAlias) and issubclass(typing.get_origin(base), _core.ListView):
                cls.__element__ = typing.get_args(base)[0]
        if cls.__element__ is MISSING:
            _make_abstract(cls, "has no element type; derive it from SequenceOf[...] or SetOf[...]")
            return
    if cls.__asn1__ == "Choice" and (cls.__automatic__ or cls.__extensible__) and not has_fields(cls):
        _make_abstract(cls, "has no alternatives; derive a class from it")
        return
    tag = class_tag(cls.__asn1__)
    mark = cls.__tag_mark__
    if isinstance(mark, Implicit):
        tag = tagged(Plan(Kind.KIND_EMPTY, cls.__name__, tag), mark, SchemaLocation(Session(), cls)).tag
    cls.__body__ = Plan(Kind.KIND_EMPTY, cls.__name__, tag, cls)
    cls.__plan__ = cls.__body__
    if isinstance(mark, Explicit):
        cls.__plan__ = tagged(cls.__body__, mark, SchemaLocation(Session(), cls))
    cls.__state__ = "new"
    cls.__plan__.compiler = functools.partial(compile_at_first_use, cls)
    if not at_first_use:
        compile_class(cls)


def _compile_if_new(cls: Any) -> bool:
    """Compile a class that was not used yet, and return whether this was done.

    A class that refers to a name that is not defined yet, or has no fields, is not compiled.
    """
    if vars(cls).get("__state__") != "new":
        return False
    with contextlib.suppress(SchemaError):
        cls.__plan__.ready()
    return bool(vars(cls)["__state__"] == "complete")


def _is_unresolved(hint: Any) -> bool:
    """Return whether a type argument contains a name or a type variable without a value."""
    if isinstance(hint, (str, ForwardRef, TypeVar)):
        return True
    inner = typing.get_args(hint)
    if is_annotated(hint):
        inner = inner[:1]
    return any(_is_unresolved(argument) for argument in inner)


def _specialised_with(cls: Any, given: tuple[Any, ...]) -> dict[tuple[Any, ...], Any]:
    """Return the classes for type arguments that are kept with one of these arguments, or with the generic class.

    One table of all would keep every class that was ever an argument, and everything that it refers to.
    """
    owner = cls
    waiting = list(given)
    while waiting:
        hint = waiting.pop()
        if isinstance(hint, (SchemaType, enum.EnumMeta, OpenTable)):
            owner = hint
            break
        if isinstance(hint, DefinedBy):
            waiting.append(hint.table)
        elif isinstance(hint, Containing):
            waiting.append(hint.type)
        else:
            waiting += typing.get_args(hint)
    with COMPILE_LOCK:
        kept: dict[tuple[Any, ...], Any] | None = vars(owner).get("__specialised__")
        if kept is None:
            kept = owner.__specialised__ = {}
    return kept


def specialise(cls: Any, arguments: Any) -> Any:
    """Return the class for type arguments, such as ``SequenceOf[int]``. It is made once."""
    # Not `ends_at_program`: `_caller` skips the frames of this module only.
    try:
        return _specialised(cls, arguments)
    except SchemaError as error:
        raise at_program(error) from error.__cause__


def _specialised(cls: Any, arguments: Any) -> Any:
    given = arguments if isinstance(arguments, tuple) else (arguments,)
    if any(_is_unresolved(argument) for argument in given):
        return types.GenericAlias(cls, given)
    key = (cls, *map(spelling, given))
    kept = _specialised_with(cls, given)
    try:
        known = kept.get(key)
    except TypeError:
        known = None  # an argument is not hashable, so the class is made each time
    if known is not None:
        return known
    name = f"{cls.__name__}[{', '.join(_short_name(argument) for argument in given)}]"
    parameters = getattr(cls, "__parameters__", ())
    keywords: dict[str, Any] = {}
    if parameters:
        if len(parameters) != len(given):
            raise _wrong_count(cls, len(parameters), len(given))
        keywords["arguments"] = {**cls.__arguments__, **dict(zip(parameters, given, strict=True))}
    elif cls.__asn1__ in LISTS and cls.__element__ is MISSING and len(given) == 1:
        keywords["element"] = given[0]
    else:
        if cls.__asn1__ in LISTS and cls.__element__ is MISSING:
            raise _wrong_count(cls, 1, len(given))
        raise SchemaError(f"{cls.__name__} takes no type arguments")
    made = SchemaType(name, (cls,), {"__module__": cls.__module__, "__doc__": cls.__doc__}, **keywords)
    made.__made_from__ = (cls, given)
    with contextlib.suppress(TypeError):
        made = kept.setdefault(key, made)
    return made


def _wrong_count(cls: Any, expected: int, given: int) -> SchemaError:
    plural = "" if expected == 1 else "s"
    return SchemaError(f"{cls.__name__}: expected {expected} type argument{plural}, got {given}")


def _short_name(hint: Any) -> str:
    if is_annotated(hint):
        return _short_name(hint.__origin__)
    return getattr(hint, "__name__", None) or str(hint)


def _reduce_class(cls: SchemaType) -> str | tuple[Any, ...]:
    """Pickle a class by its name; a class with type arguments as the subscription that makes it."""
    if cls.__has_chosen_tables__:
        raise TypeError(f"cannot pickle {cls.__name__} with other open types: tables cannot be pickled; pickle the DER")
    if cls.__made_from__ is not None:
        return operator.getitem, cls.__made_from__
    return cls.__qualname__


copyreg.pickle(SchemaType, _reduce_class)
