"""The compiler of the schema language: it makes a plan, which the core executes, of each class and type expression.

- `session`: the state of one run of the compiler, and the location of an expression for error messages.
- `tagging`: explicit, implicit and automatic tags.
- `ambiguity`: whether tags identify each component and alternative.
- `constraints`: which constraints apply to which types.
- `open_types`: `DefinedBy` and `Containing`.
- `simple_types`: types without components: Python's own, enumerations, named bits.
- `components`: the components of SEQUENCE and SET, the alternatives of CHOICE.
- `compile`: type expressions and classes, and the order of a run.
"""

from derlib._schema.compiler.compile import compile_at_first_use, compile_class, plan_of
from derlib._schema.compiler.session import SchemaLocation, Session
from derlib._schema.compiler.simple_types import class_tag
from derlib._schema.compiler.tagging import tagged

__all__ = ["SchemaLocation", "Session", "class_tag", "compile_at_first_use", "compile_class", "plan_of", "tagged"]
