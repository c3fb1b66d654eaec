"""The column program of a type and paths. Programs are kept, because the readers of files need one again and again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from derlib._brief import got
from derlib._columns.cells import Column, add
from derlib._core import ColumnProgram, Plan, registration_count
from derlib._options import Deviation
from derlib.oids import names_state

__all__ = ["program_of"]

#: The programs that were compiled last, and the most of them.
_programs: dict[Any, ColumnProgram] = {}
_MAX_PROGRAMS = 16


def program_of(
    plan: Plan, paths: Mapping[str, str | Column], own: Sequence[tuple[str, int]], tolerate: Deviation | None
) -> ColumnProgram:
    """Return the program of the columns `paths`, and of columns of their own, which have a name and a leaf."""
    # A path leads through the types that are registered, and text can have the names of OBJECT IDENTIFIERs. Both are
    # read first, so that a registration meanwhile makes the next call compile again.
    state = registration_count(), names_state()
    key = plan, state, tolerate, tuple(own), tuple((name, _key(column)) for name, column in paths.items())
    try:
        program = _programs.get(key)
    except TypeError:
        # A column that is not valid can be unhashable; to compile it raises the error.
        return _compiled(plan, paths, own, tolerate)
    if program is None:
        program = _compiled(plan, paths, own, tolerate)
        if len(_programs) >= _MAX_PROGRAMS:
            _programs.clear()
        _programs[key] = program
    return program


def _key(column: Any) -> Any:
    """Return an equal key for equal columns: the words of a column can be a dict, which can change."""
    if not isinstance(column, Column):
        return column
    path, type_, words, width = column
    inner = tuple(map(_key, path)) if isinstance(path, tuple) else path
    # True is not a width, although it equals 1.
    return inner, type_, words and tuple(words.items()), width, type(width)


def _compiled(
    plan: Plan, paths: Mapping[str, str | Column], own: Sequence[tuple[str, int]], tolerate: Deviation | None
) -> ColumnProgram:
    program = ColumnProgram(plan)
    names = list(paths)
    for name, wanted in paths.items():
        if not isinstance(name, str) or "\0" in name:
            raise TypeError(f"expected the name of a column, got {got(name)}")
        column = wanted if isinstance(wanted, Column) else Column(wanted)
        try:
            add(program, name, column, tolerate)
        except (KeyError, ValueError) as error:
            message = error.args[0] if error.args else ""
            raise error.__class__(f"column {name!r}: {message}") from None
    for name, leaf in own:
        if name in names:
            raise ValueError(f"there are two columns with the name {name!r}")
        names.append(name)
        program.add(name, leaf, ())
    program.close()
    return program
