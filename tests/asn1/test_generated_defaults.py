"""The defaults and the names that the compiler writes: of recursive types, and next to names that clash."""

import ast
from itertools import permutations

import pytest
from asn1.modules import errors, load, module

import derlib
from derlib import asn1


@pytest.mark.parametrize("name", ["mro", "find"])
@pytest.mark.parametrize("kind", ["SEQUENCE", "SET", "CHOICE"])
def test_reserved_names_get_an_underscore(kind: str, name: str) -> None:
    made = load(f"A ::= {kind} {{ {name} INTEGER, b NULL }}")
    assert [field.name for field in derlib.fields(made.A)] == [f"{name}_", "b"]


INNER = "C ::= CHOICE { value INTEGER, alternative NULL }"


@pytest.mark.parametrize(
    ("notation", "valid", "invalid"),
    [
        ("C (WITH COMPONENTS { ..., value PRESENT })", {"value_": 1}, {"alternative_": derlib.NULL}),
        ("C (WITH COMPONENTS { value (0..9) })", {"value_": 1}, {"value_": 10}),
        ("SEQUENCE (WITH COMPONENT (WITH COMPONENTS { value (0..9) })) OF C", [{"value_": 1}], [{"value_": 10}]),
        (
            "P (WITH COMPONENTS { value (WITH COMPONENTS { value (0..9) }) })",
            {"value": {"value_": 1}},
            {"value": {"value_": 10}},
        ),
    ],
)
def test_constraints_on_alternatives_that_get_an_underscore(notation: str, valid: object, invalid: object) -> None:
    made = load(f"A ::= {notation}\nP ::= SEQUENCE {{ value C }}\n{INNER}")
    derlib.encode(valid, made.A)
    with pytest.raises(derlib.ConstraintError):
        derlib.encode(invalid, made.A)


@pytest.mark.parametrize(
    "name", ["a" * 84 + "\\x" * 9, "a" * 85 + "\\x" * 9, "a\0b", 'a"""b', "\udc80" * 50, 'a"""' * 40 + "\\"]
)
def test_names_of_files(name: str) -> None:
    text = module("A ::= SEQUENCE { b SEQUENCE { c INTEGER } }")
    python, _ = asn1.compile_sources([asn1.Source(f"{name}.asn", text)])
    ast.parse(python)


@pytest.mark.parametrize("notation", ["SEQUENCE { a T }", "SEQUENCE OF T", "OCTET STRING (CONTAINING T)"])
def test_long_texts_are_not_repeated(notation: str) -> None:
    """The output was as long as the text of a parametrised type times the number of its uses."""
    remark = "-- " + "remark " * 10_000 + "--"
    uses = "".join(f"a{number} [{number}] P {{INTEGER (0..{number})}}, " for number in range(30))
    text = module(f"P {{T}} ::= {remark} {notation}\nA ::= SEQUENCE {{ {uses} z NULL }}")
    python, _ = asn1.compile_sources([asn1.Source("test.asn", text)])
    assert python.count(remark) == 1
    assert python.count("P with its parameters (test.asn, line 2)") == 29


def test_short_texts_are_repeated() -> None:
    text = module("P {T} ::= SEQUENCE { a T }\nA ::= SEQUENCE { a P {INTEGER}, b P {NULL} }")
    python, _ = asn1.compile_sources([asn1.Source("test.asn", text)])
    assert python.count("P {T} ::= SEQUENCE { a T }") == 2


NAMED = """
N ::= INTEGER { x(1) }
Other ::= INTEGER { y(2) }
Moved ::= INTEGER { y(2), x(3) }
Same ::= INTEGER { x(1), y(2) }
Bits ::= BIT STRING { x(1), z(3) }
OtherBits ::= BIT STRING { y(2) }
SameBits ::= BIT STRING { z(3), y(2), x(1) }
n N ::= x
again Other ::= n
bits Bits ::= { z, x }
none Bits ::= {}
"""
COMPATIBLE = [
    ("Other DEFAULT n", 1),
    ("Moved DEFAULT n", 1),
    ("Same DEFAULT n", 1),
    ("N DEFAULT again", 1),
    ("INTEGER DEFAULT n", 1),
    ("OtherBits DEFAULT bits", [1, 3]),
    ("SameBits DEFAULT bits", [1, 3]),
    ("BIT STRING DEFAULT bits", "0101"),
    ("BIT STRING DEFAULT none", ""),
    ("OtherBits DEFAULT none", []),
    ("SEQUENCE OF Other DEFAULT { n, y }", [1, 2]),
]


@pytest.mark.parametrize(("notation", "value"), COMPATIBLE, ids=[row[0] for row in COMPATIBLE])
def test_values_of_types_with_other_names(notation: str, value: object) -> None:
    """INTEGER types are compatible whatever numbers they name, and so are BIT STRING types."""
    made = load(f"S ::= SEQUENCE {{ a {notation} }}\n{NAMED}")
    assert made.S(a=value).encode() == made.S().encode() == bytes.fromhex("3000")


def test_an_item_of_another_enumeration() -> None:
    body = "A ::= ENUMERATED { x, y }\nv A ::= y\nB ::= ENUMERATED { z, y }\nb B ::= v"
    assert load(body).b.name == "y"
    assert errors(module(f"{body}\nC ::= ENUMERATED {{ c, d }}\nd C ::= v")) == [
        "7:9: v is y, an item of another type; expected one of c, d"
    ]


OTHER_DEFAULTS = """
A ::= SEQUENCE { x INTEGER DEFAULT 5, y BOOLEAN OPTIONAL }
B ::= SEQUENCE { x INTEGER DEFAULT 6, y BOOLEAN OPTIONAL }
C ::= SEQUENCE { x INTEGER, y BOOLEAN OPTIONAL }
E ::= SEQUENCE { x INTEGER { five(5) } DEFAULT five, y BOOLEAN OPTIONAL }
F ::= SEQUENCE { a A DEFAULT {y TRUE} }
G ::= SEQUENCE { a B DEFAULT {y TRUE} }
v A ::= {}
w F ::= {}
"""


@pytest.mark.parametrize(
    ("notation", "value"),
    [
        ("A DEFAULT v", {}),
        ("B DEFAULT v", {"x": 5}),
        ("C DEFAULT v", {"x": 5}),
        ("E DEFAULT v", {}),
        ("SEQUENCE OF B DEFAULT {v, {}}", [{"x": 5}, {"x": 6}]),
        ("CHOICE { b B } DEFAULT b : v", {"b": {"x": 5}}),
        ("G DEFAULT w", {"a": {"x": 5, "y": True}}),
    ],
)
def test_values_of_types_with_other_defaults(notation: str, value: object) -> None:
    """A value means what its own type says: a component that it lacks has the DEFAULT of this type."""
    made = load(f"S ::= SEQUENCE {{ a {notation} }}\n{OTHER_DEFAULTS}")
    assert made.S(a=value).encode() == made.S().encode() == bytes.fromhex("3000")


HIDDEN = [
    ("float REAL DEFAULT 1.5, b [1] REAL DEFAULT PLUS-INFINITY", float("inf")),
    ("float REAL DEFAULT 1.5, b [1] REAL DEFAULT { mantissa 3, base 2, exponent -1 }", 1.5),
    ("int INTEGER DEFAULT 4, b [1] SEQUENCE OF INTEGER DEFAULT {1,2}", [1, 2]),
    ("int INTEGER DEFAULT 4, b [1] INTEGER (0..9) DEFAULT 1", 1),
    ("bool BOOLEAN DEFAULT TRUE, b [1] SET OF BOOLEAN DEFAULT {TRUE}", [True]),
    ("parse INTEGER DEFAULT 4, b [1] ANY DEFAULT INTEGER : 7", derlib.parse(b"\2\1\7")),
    ("encode INTEGER DEFAULT 4, b [1] ANY DEFAULT INTEGER : 7", derlib.parse(b"\2\1\7")),
    ("int INTEGER DEFAULT 4, b [1] ANY DEFAULT INTEGER : 7", derlib.parse(b"\2\1\7")),
]


@pytest.mark.parametrize(("components", "value"), HIDDEN, ids=[row[0] for row in HIDDEN])
def test_components_that_hide_names_of_python(components: str, value: object) -> None:
    made = load(f"A ::= SEQUENCE {{ {components} }}\nB ::= SEQUENCE {{ c INTEGER, d BOOLEAN }}")
    assert made.A(b=value).encode() == made.A().encode() == bytes.fromhex("3000")
    assert [field.type for field in derlib.fields(made.B)] == [int, bool]


RECURSIVE = [
    ("list of itself", "Node ::= SEQUENCE { v INTEGER, kids SEQUENCE OF Node DEFAULT {} }", "kids", []),
    (
        "class that leads back",
        "Node ::= SEQUENCE { v INTEGER, b B DEFAULT {c TRUE} }\nB ::= SEQUENCE { c BOOLEAN, a Node OPTIONAL }",
        "b",
        {"c": True},
    ),
    (
        "alternative",
        "Node ::= SEQUENCE { v INTEGER, a CHOICE {a Node, b NULL} DEFAULT b : NULL }",
        "a",
        {"b": derlib.NULL},
    ),
    ("other list", "Node ::= SEQUENCE { v INTEGER, a Nodes DEFAULT {} }\nNodes ::= SEQUENCE OF Node", "a", []),
    (
        "name that is hidden",
        "Node ::= SEQUENCE { v INTEGER, cast [0] NULL OPTIONAL, a SET OF Node DEFAULT {} }",
        "a",
        [],
    ),
    (
        "value with the name of a function",
        "Node ::= SEQUENCE { v INTEGER, a SET OF Node DEFAULT {} }\ncast INTEGER ::= 5",
        "a",
        [],
    ),
    (
        "items and bits",
        "Node ::= SEQUENCE { v INTEGER, a A DEFAULT { e two, bits '011'B, more {x}, number 7 } }\n"
        "A ::= SEQUENCE { e ENUMERATED { one(1), two(2) }, bits BIT STRING { x(1) }, more BIT STRING { x(1) }, "
        "number INTEGER { x(1) }, node Node OPTIONAL }",
        "a",
        {"e": 2, "bits": [1, 2], "more": ["x"], "number": 7},
    ),
    (
        "both ways",
        "Node ::= SEQUENCE { v INTEGER, b B DEFAULT {c TRUE} }\n"
        "B ::= SEQUENCE { c BOOLEAN, a [1] C DEFAULT x : {} }\nC ::= CHOICE { x SEQUENCE OF Node, y [1] Node }",
        "b",
        {"c": True, "a": {"x": []}},
    ),
]


@pytest.mark.parametrize(("body", "field", "value"), [row[1:] for row in RECURSIVE], ids=[row[0] for row in RECURSIVE])
def test_defaults_of_recursive_types(body: str, field: str, value: object) -> None:
    made = load(body)
    assert made.Node(v=5, **{field: value}).encode() == made.Node(v=5).encode() == bytes.fromhex("3003020105")
    inner = getattr(made.Node(v=5), field)
    outer = made.Node(v=6, **{field: inner})
    assert getattr(made.Node.decode(outer.encode()), field) == inner
    assert made.Node(v=6, **{field: value}) == outer


# Modules that refer to each other: the names of a file are not complete while a file that it needs runs. The module
# First has a class W with a default, and a value w.
CIRCLES = {
    "the file itself": {
        "First": [
            "IMPORTS T FROM Second; U ::= INTEGER {x(5)}",
            "W ::= SEQUENCE { t T DEFAULT {u 5} }",
            "w T ::= {u 5}",
        ],
        "Second": ["IMPORTS U FROM First; T ::= SEQUENCE { u U }"],
    },
    "a file after it": {
        "First": ["IMPORTS T FROM Second;", "W ::= SEQUENCE { t T DEFAULT {u {}} }", "w T ::= {u {}}"],
        "Second": ["IMPORTS U FROM Third; T ::= SEQUENCE { u U }"],
        "Third": ["IMPORTS W FROM First T FROM Second; U ::= SEQUENCE OF [1] W  X ::= SEQUENCE { t T OPTIONAL }"],
    },
    "a list": {
        "First": ["IMPORTS T FROM Second; U ::= INTEGER (0..9)", "W ::= SEQUENCE { t T DEFAULT {5} }", "w T ::= {5}"],
        "Second": ["IMPORTS U FROM First; T ::= SEQUENCE OF U"],
    },
}


@pytest.mark.parametrize(
    ("case", "order"), [(case, order) for case in CIRCLES for order in permutations(CIRCLES[case])]
)
def test_defaults_and_values_in_modules_that_refer_to_each_other(case: str, order: tuple[str, ...]) -> None:
    lines = CIRCLES[case]
    made = asn1.load(*(module("\n".join(lines[name]), name=name) for name in order))
    assert made.first.W(t=made.first.w).encode() == made.first.W().encode() == bytes.fromhex("3000")
    made = asn1.load(*(module("\n".join(lines[name][:2]), name=name) for name in order))
    assert made.first.W.decode(made.first.W().encode()).t == made.first.W().t


def test_modules_stay_apart_if_a_value_can_be_created() -> None:
    """Outer needs a class whose module refers to another one, but Outer runs when these two are complete."""
    bodies = {
        "First": "IMPORTS T FROM Second; D ::= SEQUENCE { n INTEGER, t T OPTIONAL }",
        "Second": "IMPORTS D FROM First; T ::= SEQUENCE { d D OPTIONAL }",
        "Outer": "IMPORTS T FROM Second; W ::= SEQUENCE { t T DEFAULT {d {n 1}} } w T ::= {d {n 1}}",
    }
    files, _ = asn1.compile_package([asn1.Source("text", module(body, name=name)) for name, body in bodies.items()])
    assert sorted(files) == ["__init__.py", "first.py", "outer.py", "second.py"]
    assert "t: T = T(d=D(n=1))" in files["outer.py"]


def test_an_open_type_with_a_recursive_value_is_an_error() -> None:
    body = "A ::= SEQUENCE { n INTEGER, t ANY DEFAULT A : { n 5 } }"
    message = "the default of t has an open type with a value whose type is recursive: this is not supported"
    assert errors(module(body)) == [f"2:29: {message}"]
    assert errors(module("A ::= SEQUENCE { n INTEGER, b B DEFAULT { t A : { n 5 } } }\nB ::= SEQUENCE { t ANY }"))
    open_type = "B ::= SEQUENCE { t ANY, a A OPTIONAL }\nA ::= SEQUENCE { n INTEGER, b B DEFAULT { t BOOLEAN : TRUE } }"
    assert load(open_type).A(n=5).b.t == derlib.parse(bytes.fromhex("0101ff"))


PARTS = """
Names ::= SEQUENCE OF N
names Names ::= { x, 7 }
Pair ::= SEQUENCE { a N, b Bits }
pair Pair ::= { a x, b { x } }
Either ::= CHOICE { a N, b NULL }
either Either ::= a : x
"""
PARTS_OF_OTHER_TYPES = [
    ("SEQUENCE OF Other DEFAULT names", [1, 7]),
    ("SET OF INTEGER DEFAULT names", [1, 7]),
    ("SEQUENCE { a Other, b BIT STRING } DEFAULT pair", {"a": 1, "b": "01"}),
    ("SEQUENCE { a [0] INTEGER, b OtherBits, c NULL OPTIONAL } DEFAULT pair", {"a": 1, "b": [1]}),
    ("CHOICE { a Other, c BOOLEAN } DEFAULT either", {"a": 1}),
]


@pytest.mark.parametrize(("notation", "value"), PARTS_OF_OTHER_TYPES, ids=[row[0] for row in PARTS_OF_OTHER_TYPES])
def test_parts_of_values_of_types_with_other_names(notation: str, value: object) -> None:
    made = load(f"S ::= SEQUENCE {{ a {notation} }}\n{NAMED}{PARTS}")
    assert made.S(a=value).encode() == made.S().encode() == bytes.fromhex("3000")


@pytest.mark.parametrize(
    ("notation", "message"),
    [
        ("SEQUENCE { a Other } DEFAULT pair", "pair is a value of another type: it has b; expected one of a"),
        ("SEQUENCE OF BOOLEAN DEFAULT names", "names is a value of another type: it has a part that is not BOOLEAN"),
        ("CHOICE { c BOOLEAN } DEFAULT either", "either is a value of another type: it has a; expected one of c"),
        ("CHOICE { a BOOLEAN } DEFAULT pair", "expected a value of CHOICE"),
    ],
)
def test_values_of_types_that_are_not_compatible(notation: str, message: str) -> None:
    [error] = errors(module(f"S ::= SEQUENCE {{ a {notation} }}\n{NAMED}{PARTS}"))
    assert error.endswith(message)


@pytest.mark.parametrize("order", list(permutations(["First", "Second", "Third"])), ids="-".join)
def test_an_alias_of_a_class_with_a_default_of_the_alias(order: tuple[str, ...]) -> None:
    """The alias was the quoted name of the class, which the module Third does not know."""
    bodies = {
        "First": "IMPORTS Alias FROM Second; T ::= SEQUENCE { n INTEGER OPTIONAL, t [0] SEQUENCE OF Alias DEFAULT {} }",
        "Second": "IMPORTS T FROM First; Alias ::= T",
        "Third": "IMPORTS Alias FROM Second; X ::= SEQUENCE { a Alias OPTIONAL }",
    }
    made = asn1.load(*(module(bodies[name], name=name) for name in order))
    assert made.third.X(a={}).encode().hex() == "30023000"
    assert list(made.first.T().t) == []


def test_a_default_that_contains_itself_is_refused_at_the_first_use() -> None:
    """Its value would have no end."""
    made = load("Node ::= SEQUENCE { v INTEGER, a [1] Node DEFAULT {v 1} }")
    with pytest.raises(derlib.SchemaError, match="the default of a of Node contains itself"):
        made.Node(v=5)


def test_values_of_objects_have_the_names_of_their_place() -> None:
    body = """
        C ::= CLASS { &value A, &id INTEGER UNIQUE } WITH SYNTAX { &value &id }
        A ::= INTEGER { x(1) }
        B ::= INTEGER { y(2) }
        o C ::= { x 5 }
        S ::= SEQUENCE { a A DEFAULT o.&value, b B DEFAULT o.&value, c INTEGER DEFAULT o.&value }
    """
    made = load(body, tags="AUTOMATIC TAGS")
    assert (made.S().a, made.S().b, made.S().c) == (made.A.x, 1, 1)


def test_single_values_of_named_bits() -> None:
    made = load("A ::= BIT STRING { x(1) } ('01'B | { })")
    assert derlib.encode(["x"], made.A).hex() == "03020640"
    assert derlib.encode([], made.A).hex() == "030100"
    with pytest.raises(derlib.ConstraintError):
        derlib.encode(5, made.A)
