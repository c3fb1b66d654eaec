"""`derlib dump --schema`: show documents as values of a type in an ASN.1 module."""

from __future__ import annotations

from typing import Any

import derlib
from derlib.cli.commands.base import INVALID, DocumentCommand
from derlib.cli.documents.ber import converted
from derlib.cli.documents.files import Document
from derlib.cli.documents.schema_files import type_in_files
from derlib.cli.output.standard_output import Output
from derlib.cli.rendering import json_text
from derlib.cli.rendering.values import lines

__all__ = ["TypedDump"]


class TypedDump(DocumentCommand[Any]):
    """Shows documents as values of a type. `dump` uses it; it is not a command of its own."""

    json_member = "decoded"

    def __init__(self, schema_files: tuple[str, ...], name: str, **common: Any) -> None:
        super().__init__(**common)
        self._schema_files = schema_files
        self.type_name = self._name = name
        self._type: Any = None

    def run(self, out: Output) -> int:
        self._type = type_in_files(self._schema_files, self._name)
        return INVALID if self._type is None else super().run(out)

    def to_der(self, document: Document) -> Document:
        return converted(document, self._type)

    def decode(self, document: Document) -> Any:
        return derlib.decode(self._type, document.der, tolerate=self.tolerate)

    def write_text(self, document: Document, result: Any, out: Output) -> None:
        """Write a line for each field and element."""
        self.write_heading(document, out)
        for line in lines(result, text=True):
            out.line(line)

    def write_json(self, document: Document, result: Any, out: Output) -> None:
        """Write the value as JSON."""
        json_text.write(out, result)
