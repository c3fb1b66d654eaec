"""The schema language: Python annotations in, plans of the core out. Users import its names from `derlib`.

Each module uses only those above it:

- `constraints`: `Size`, `Range` and the other constraints, with their operators.
- `open_types`: `OpenTypes`, the tables of open types.
- `enumerations`: `Enumerated`, `NamedInteger`, `NamedBits`.
- `types`: the string and time types, tags, `DefinedBy`, `Containing`, `Field`.
- `annotations`: evaluates annotations: forward references, type variables, unions.
- `fields`: reads the fields of a class.
- `compiler`: compiles type expressions and classes to plans.
- `metaclass`: the metaclass of schema classes.
- `classes`: `Sequence`, `Set`, `SequenceOf`, `SetOf` and `Choice`.
- `chosen_tables`: `with_open_types`, imported at first use.
- `associated_types`: `External`, `EmbeddedPDV`, `CharacterString`.
"""
