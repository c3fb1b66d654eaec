"""Lines that no test runs, each with its reason: the file, and the line as it stands.

`make coverage` fails for a line that was not run and has no reason here, for a reason whose line is gone, and for one
whose line a test does run.
"""

from typing import NamedTuple


class Reason(NamedTuple):
    """Why lines are not run, and whether they may be run all the same: by chance, or on another machine."""

    why: str
    may_run: bool = False


CHANGED = 'raise fault_error(FAULT_BUFFER_CHANGED, b"")'

REASONS = {
    "memory": Reason("memory that cannot be had; the test that lets it end is not traced"),
    "machine": Reason("an input of 4 GiB, or a machine whose words have 32 bits", may_run=True),
    "race": Reason("two threads made the same at once, and this one came second", may_run=True),
    "proved": Reason("the octets were proved or written a moment ago, and only a thread could change them between"),
    "guard": Reason("the schema language never leaves a plan so, and nothing else makes plans"),
    "lost": Reason("the process that runs it is interrupted there, and its count may be lost", may_run=True),
    "build": Reason("a build that does not fit together: with another Cython"),
}

GAPS: dict[str, dict[str, list[str]]] = {
    "memory": {
        "derlib/core/check_open.pxi": ["return False"],
        "derlib/core/lists.pxi": ["raise MemoryError"],
        "derlib/core/sequence.pxi": ["raise MemoryError"],
        "derlib/core/source.pxi": ["raise MemoryError"],
        "derlib/core/values.pxi": ["raise MemoryError"],
        "derlib/core/writer.pxi": ["raise MemoryError"],
        "derlib/core/tolerance.pxi": ["record.exhausted = True", "return False"],
    },
    "machine": {
        "derlib/core/lookup.pxi": [
            "raise MemoryError",
            'raise _errors.EncodeError("a list of 4 GiB or more has no look-up table")',
        ],
    },
    "race": {
        "derlib/core/lists.pxi": [
            "PyMem_Free(<void *>index)",
            "index = <const uint8_t **>look_pointer(<void **>&self.index_)",
        ],
        "derlib/core/sequence.pxi": [
            "cells_free(cells, view.plan.node.count)",
            "cells = <cell_t *>look_pointer(<void **>&view.cells)",
        ],
        "derlib/core/views.pxi": [
            "Py_XDECREF(<PyObject *>value)",
            "return <object>look_pointer(<void **>cell)",
        ],
    },
    "proved": {
        "derlib/core/constraint.pxi": ["return fail(c, FAULT_CONSTRAINT, h.start, node)"],
        "derlib/core/extension.pxi": [CHANGED],
        "derlib/core/lookup.pxi": [CHANGED],
        "derlib/core/native.pxi": [CHANGED],
        "derlib/core/values.pxi": [CHANGED],
        "derlib/core/writer_choice.pxi": ["return False  # the octets changed"],
        "derlib/core/writer_whole.pxi": [CHANGED],
    },
    "lost": {
        "derlib/cli/pager.py": [
            "except KeyboardInterrupt:",
            "continue  # It is the pager's, which has it from the terminal too.",
        ],
    },
    "guard": {
        "derlib/core/check.pxi": ["return FAULT_UNEXPECTED_TAG"],
        "derlib/core/values.pxi": [
            'raise _errors.SchemaError(f"{plan_of(node).name} was used before it was complete")'
        ],
    },
    "build": {
        "derlib/core/sequence.pxi": [
            'raise SystemError("derlib was built with a Cython that lays out classes in another way")'
        ],
    },
}
