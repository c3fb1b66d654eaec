"""`derlib table`: write certificates or the entries of CRLs as a table, for Parquet, Arrow, CSV and JSON."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from ipaddress import ip_address
from itertools import chain, groupby, islice
from typing import TYPE_CHECKING, Any, cast

import click

from derlib import ASN1Error, Column, DecodeError, Deviation
from derlib.cli import options
from derlib.cli.commands import base
from derlib.cli.documents.ber import as_der
from derlib.cli.documents.document_types import DER, TYPES, DocumentType, command_hint, type_of
from derlib.cli.documents.elements import tree_of
from derlib.cli.documents.files import Document, offsets_in_file
from derlib.cli.documents.other_formats import not_asn1
from derlib.cli.documents.secret_parts import hide_key
from derlib.cli.documents.suggestions import suggestion
from derlib.cli.output.escapes import printable
from derlib.cli.output.standard_output import Output, report_error
from derlib.cli.rendering.errors import error_text, explained
from derlib.cli.rendering.values import hexadecimal, json_leaf

if TYPE_CHECKING:
    import pyarrow as pa

    from derlib.arrow import Reader
    from derlib.cli.documents.table_rows import Pending

__all__ = ["Command"]

_FORMATS = ("parquet", "arrow", "csv", "jsonl")
#: What the rows of each table are.
_TABLES = {"cert": "certificates", "crl": "entries of CRLs"}


def _number(contents: bytes) -> str:
    """Return the contents octets of an INTEGER as a hexadecimal number."""
    return hexadecimal(int.from_bytes(contents, "big", signed=True))


def _address(octets: bytes) -> str:
    """Return an iPAddress; in hexadecimal if its length is not that of an address (RFC 5280 section 4.2.1.6)."""
    return str(ip_address(octets)) if len(octets) in (4, 16) else octets.hex()


def _bit_names(usage: int) -> object:
    """Return the bits of keyUsage as `derlib cert --json` has them."""
    from derlib.schemas.x509 import KeyUsage

    return json_leaf(KeyUsage(usage))


#: The columns of the ready-made tables whose values CSV and JSON have in another form than Arrow.
_TEXTS: dict[str, Callable[[Any], object]] = {
    "serial_number": _number,
    "crl_number": _number,
    "base_crl_number": _number,
    "ip_addresses": _address,
    "key_usage": _bit_names,
}

#: The columns that are not read from the encodings.
_ERRORS = ("error", "error_offset", "error_rule")
_FRAME = ("file", "block", "fingerprint", *_ERRORS)

#: The number of documents that are searched for one that chooses the table.
_LOOKED_AT = 20


def _split(names: str) -> list[str]:
    """Return the names of columns in the value of an option."""
    return [name.strip() for name in names.split(",") if name.strip()]


def _complete(_ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    """Return the names that the last one of a list of columns can have, after the others."""
    from derlib.schemas.tables import CERTIFICATE_COLUMNS, CRL_ENTRY_COLUMNS, with_display_names

    before, comma, last = incomplete.rpartition(",")
    own = _FRAME if parameter.name == "without" else ()
    names = dict.fromkeys((*own, *with_display_names(CERTIFICATE_COLUMNS), *with_display_names(CRL_ENTRY_COLUMNS)))
    return [f"{before}{comma}{name}" for name in names if name.startswith(last) and name not in before.split(",")]


class Command(base.Command):
    """Writes the documents of many files as rows of one table."""

    help = """Write certificates, or the entries of CRLs, as a table.

    Each FILE is DER, PEM or a folder, whose files are read in the order of their names. Each certificate is a row, or
    each entry of a CRL, also of those in a .p7b file or another CMS SignedData, and in a .pfx file that is not
    encrypted. Without --columns, the table has the columns that "Ready-made tables" in the documentation describes:
    issuer and subject are the names in the form of RFC 4514, issuer_display and subject_display are for reading. Before
    them are the columns file and block, and for certificates fingerprint, the SHA-256 hash. After them are error,
    error_offset and error_rule.

    Memory use depends on the largest file, not on the number of files. Input that is not valid DER is a row in which
    only file, block, fingerprint and the error have values; it is reported on standard error, too, and the exit status
    is 1. A file that cannot be opened, or is named and has only PEM blocks of other types, is reported only. With
    --without error, so is all input that is not valid.

    In a folder, the files that are read have PEM or begin as DER of a structure, are mails with such an object, or
    their names end in .cer, .crl, .crt, .der, .p12, .p7b, .p7c, .pem or .pfx. The others are skipped, and so are valid
    objects of another type, such as keys; a note says how many files.

    In CSV and JSON, bytes are hexadecimal, and times are those of ISO 8601, in UTC. Serial numbers and reasons are
    written as by `derlib crl`, IP addresses as 192.0.2.1, and key_usage has the names of its bits, as `derlib cert
    --json` has them. Lists and structs in CSV are JSON. This command needs pyarrow: pip install pyarrow.

    \b
    Examples:
      derlib table certificates/ -o certificates.parquet
      derlib table *.crl -o revoked.csv --columns serial_number,reason
      derlib table *.pem -o names.csv --columns subject_alt_names --without block
      derlib table *.pem --columns not_after --column signed=tbs_certificate
    """
    parameters = (
        options.FILES,
        click.Option(
            ["--output", "-o"],
            type=click.Path(allow_dash=True),
            metavar="FILE",
            help="The file to write, whose ending is the format; standard output by default.",
        ),
        click.Option(
            ["--to", "form"],
            type=click.Choice(_FORMATS),
            help="The format. The default is the ending of the output file, or csv.",
        ),
        click.Option(
            ["--type", "type_name"],
            type=click.Choice(list(_TABLES)),
            help="What the files contain. By default the first certificate or CRL decides, which must be among the "
            f"first {_LOOKED_AT} objects.",
        ),
        click.Option(
            ["--columns"],
            metavar="NAME,...",
            shell_complete=_complete,
            help="The columns of the ready-made table to write; all by default.",
        ),
        click.Option(
            ["--without"],
            metavar="NAME,...",
            shell_complete=_complete,
            help="The columns to leave out, also file, block, fingerprint and error. Without error, the "
            "table has neither error_offset nor error_rule, and no row for input that is not valid.",
        ),
        click.Option(
            ["--column", "extra"],
            multiple=True,
            metavar="NAME=PATH[:TYPE]",
            help="A column of your own, such as serial=tbs_certificate.serial_number:decimal. Can be used several "
            'times. "Columns" in the documentation describes paths and types.',
        ),
        options.tolerate_option("The table does not say where it occurs."),
        click.Option(
            ["--ber"],
            is_flag=True,
            help="Accept BER, and convert it to DER first. Offsets and the fingerprint are those of the BER.",
        ),
    )

    def __init__(
        self,
        *,
        files: tuple[str, ...],
        tolerate: Deviation,
        ber: bool,
        output: str | None,
        form: str | None,
        type_name: str | None,
        columns: str | None,
        without: str | None,
        extra: tuple[str, ...],
    ) -> None:
        self.files = files
        self._tolerate = tolerate
        self._is_ber = ber
        self._output = None if output == "-" else output
        self._form = form or _form_of(self._output)
        self._type_name = type_name
        self._names = None if columns is None else _split(columns)
        self._without = _split(without or "")
        self._extra = dict(map(_name_and_path, extra))
        self._invalid = False
        # The number of files of folders that were skipped, by the reason.
        self._skipped: Counter[str] = Counter()
        is_terminal = self._output is None and sys.stdout is not None and sys.stdout.isatty()
        if is_terminal and self._form in ("parquet", "arrow"):
            raise click.UsageError(f"{self._form} is not written to a terminal; use -o FILE")

    def run(self, out: Output) -> int:
        try:
            import pyarrow as pa

            from derlib._file_batches import SCHEMA, file_batches, without_faults
            from derlib.cli.documents.table_rows import Pending, documents_of, rows_of
            from derlib.cli.output.table_writers import TEXT_FORMATS, write_batches
        except ImportError as error:
            if (error.name or "").split(".")[0] != "pyarrow":
                raise
            raise click.UsageError("this command needs pyarrow: pip install pyarrow") from None
        wanted = [self._type_name] if self._type_name else _TABLES
        labels = tuple(label for name in wanted for label in TYPES[name].labels)
        documents = documents_of(
            self.files, labels, tuple(wanted), self._report, self._skip, self._output is not None, self._tolerate,
            self._is_ber,
        )  # fmt: skip
        first = [] if self._type_name else list(islice(documents, _LOOKED_AT))
        valid = [document for document in first if document.error is None]
        name = self._type_name or _detected(valid)
        if name is None:
            report_error(valid[0].title, _neither(valid[0], self._tolerate, self._is_ber))
            return base.INVALID
        pending = Pending()
        chosen = self._of_type(name, chain(first, documents))
        if self._is_ber:
            chosen = (self._to_der(document, TYPES[name]) for document in chosen)
        found = pending.watch(chosen)
        reader = self._reader(name)
        if name == "crl" and self._form in TEXT_FORMATS:
            reader = _with_names(reader)
        try:
            schema = without_faults(reader.schema(SCHEMA))
            columns = [column for column in schema.names if column in reader.paths or not self._leaves_out(column)]
            if not columns:
                raise click.UsageError("--without leaves no column")
            hashes = "fingerprint" in columns
            read = reader.read(file_batches(rows_of(found), hashes=hashes))
            batches = self._watched(read, schema, pending, TYPES[name])
            texts = {name: text for name, text in _TEXTS.items() if name not in self._extra}
            chosen_schema = pa.schema([schema.field(column) for column in columns])
            write_batches(self._output, self._form, chosen_schema, (one.select(columns) for one in batches), texts)
        except OSError as error:
            if self._output is None:
                raise
            report_error(self._output, error.strerror or str(error))
            return base.INVALID
        self._report_skipped(name)
        return base.INVALID if self._invalid else base.OK

    def _reader(self, name: str) -> Reader:
        from derlib._file_batches import FAULTS, NUMBER
        from derlib.arrow import certificates_reader, entries_reader
        from derlib.schemas.tables import CERTIFICATE_COLUMNS, CRL_ENTRY_COLUMNS, with_display_names

        reader_of = entries_reader if name == "crl" else certificates_reader
        always = ["file", "block", *([] if name == "crl" else ["fingerprint"])]
        keep = [*always, NUMBER, *FAULTS.values()]
        known = with_display_names(CRL_ENTRY_COLUMNS if name == "crl" else CERTIFICATE_COLUMNS)
        for column in self._without:
            if column not in known and column not in _FRAME:
                raise click.UsageError(
                    f"--without: {column!a:.80} is not a column of this table{suggestion(column, [*_FRAME, *known])}"
                )
        chosen = known if self._names is None else self._names
        added = {*always, *_ERRORS, *self._without}
        names = [column for column in chosen if column not in added]
        try:
            return reader_of(names, extra=self._extra, keep=keep, tolerate=self._tolerate)
        except (KeyError, ValueError) as error:
            raise click.UsageError(str(error.args[0])) from None

    def _of_type(self, name: str, documents: Iterable[Document]) -> Iterator[Document]:
        """Yield the documents, without the PEM blocks of the other type and, in folders, all valid objects of another.

        If this leaves nothing of a file, report it if it is named; else count it as skipped. If it leaves a part, a
        note has the number of the blocks of the other type.
        """
        from derlib.cli.documents.table_rows import OTHER_TYPE

        labels = TYPES[name].labels
        named = frozenset(self.files)
        for file, found in groupby(documents, lambda document: document.file):
            label, others, is_empty, is_named = "", 0, True, file in named
            for document in found:
                if document.label is not None and document.label not in labels and not document.in_signed_data:
                    label = document.label
                    others += 1
                elif is_named or document.label or document.error or not command_hint(document.der, name):
                    is_empty = False
                    yield document
            if is_empty and not is_named:
                self._skip(OTHER_TYPE)
            elif is_empty:
                reason = f"it has only {label}, and the rows are {_TABLES[name]}"
                self._report(file, f"skipped, because {reason} (--type chooses)")
            elif others:
                count = "1 block" if others == 1 else f"{others:,} blocks"
                report_error(file, f"skipped {count} labelled {label}; the rows are {_TABLES[name]} (--type chooses)")

    def _to_der(self, document: Document, type_: DocumentType) -> Document:
        """Return a document converted from BER; if it is not valid, with its error, whose offset is that in the BER."""
        if document.error is not None:
            return document
        found = document
        try:
            found = as_der(document, type_.name)
            with offsets_in_file(found):
                type_.decode(found.der, tolerate=self._tolerate)
        except ASN1Error as error:
            return replace(found, error=error)
        return found

    def _watched(
        self, batches: Iterator[pa.RecordBatch], schema: pa.Schema, pending: Pending, type_: DocumentType
    ) -> Iterator[pa.RecordBatch]:
        """Yield the batches with the columns of `schema`. Report the errors in them while they are written."""
        from derlib._file_batches import NUMBER, with_faults

        for read in batches:
            if not read.num_rows:
                continue
            batch = with_faults(read, schema)
            numbers = read.column(NUMBER)
            errors = batch.column("error")
            has_errors = errors.null_count < len(errors)
            if has_errors:
                for number in numbers.filter(errors.is_valid()).to_pylist():
                    self._report_invalid(pending.find(number), type_)
            pending.find(numbers[-1].as_py())
            yield batch.filter(errors.is_null()) if has_errors and self._leaves_out("error") else batch

    def _leaves_out(self, column: str) -> bool:
        """Return whether the table is without one of the columns that are not read from the encodings."""
        return column in self._without or (column in _ERRORS and "error" in self._without)

    def _report_invalid(self, document: Document, type_: DocumentType) -> None:
        """Report the error of a document as other commands do. The row has its kind, offset and clause only."""
        try:
            if document.error is not None:
                raise document.error
            with offsets_in_file(document):
                type_.decode(document.der, tolerate=self._tolerate)
        except (ASN1Error, MemoryError) as error:
            other = _error_of_other_type(document, type_)
            message = error_text(other, tolerates=False) if other else ""
            self._report(document.title, message or explained(error, document.der, type_.name, self._is_ber))

    def _skip(self, reason: str) -> None:
        self._skipped[reason] += 1

    def _report_skipped(self, name: str) -> None:
        from derlib.cli.documents.table_rows import OTHER_TYPE

        for reason, count in sorted(self._skipped.items()):
            files = "1 file" if count == 1 else f"{count} files"
            rows = f"; the rows are {_TABLES[name]}" if reason == OTHER_TYPE else ""
            report_error("skipped", f"{reason.format(files)}{rows}")

    def _report(self, file: str, message: str) -> None:
        self._invalid = True
        report_error(printable(file), message)


def _error_of_other_type(document: Document, expected: DocumentType) -> DecodeError | None:
    """Return the error of a damaged document of the other type that `derlib show` finds; None if it finds none."""
    if document.error is not None or document.label is not None:
        return None
    type_ = type_of(document)
    if type_ in (DER, expected):
        return None
    try:
        with offsets_in_file(document):
            type_.decode(document.der)
    except DecodeError as error:
        hide_key(error, document, type_)
        error.detail += f", in {type_.title}"
        return error if error.path else None
    except (ASN1Error, MemoryError):
        pass
    return None


def _neither(document: Document, tolerate: Deviation, is_ber: bool) -> str:
    """Return the message for a document that is neither a certificate nor a CRL."""
    found = command_hint(document.der, "cert") or not_asn1(document.der)
    if not found:
        try:
            with offsets_in_file(document):
                tree_of(document.der, tolerate or None, is_ber)
        except (ASN1Error, MemoryError) as error:
            found = error_text(error, is_ber)
    found = found or "neither a certificate nor a CRL"
    return f"{found}; the rows are certificates or entries of CRLs (--type chooses)"


def _form_of(output: str | None) -> str:
    """Return the format that the name of the output file chooses."""
    if output is None:
        return "csv"
    ending = os.path.splitext(output)[1][1:].lower()
    if ending not in _FORMATS:
        raise click.UsageError(f"the ending of {output!a} is not one of {', '.join(_FORMATS)}; use --to")
    return ending


def _with_names(reader: Reader) -> Reader:
    """Return a reader of entries that reads reasons as their names."""
    from derlib.schemas.tables import CRL_ENTRY_COLUMNS

    reason = CRL_ENTRY_COLUMNS["reason"]
    is_read = reader.paths.get("reason") == reason
    return replace(reader, paths={**reader.paths, "reason": Column(reason.path, "text")}) if is_read else reader


def _name_and_path(text: str) -> tuple[str, str | Column]:
    """Return the name and path of a column, or the name and the `Column` with its type."""
    name, equals, rest = text.partition("=")
    if not name or not equals:
        raise click.UsageError(f"--column: expected NAME=PATH or NAME=PATH:TYPE, got {text!a:.80}")
    path, colon, type_ = rest.partition(":")
    # `derlib.columns` reports a type that does not exist.
    return name, Column(path, cast(Any, type_)) if colon else path


def _detected(documents: list[Document]) -> str | None:
    """Return the type of a table for the first documents, or None if none of them fits a table."""
    for document in documents:
        # The label of a SignedData is not that of what is in it.
        found = type_of(replace(document, label=None) if document.in_signed_data else document).name
        # BER is a row with an error, or is converted.
        of_ber = (name for name in _TABLES if found == DER.name and TYPES[name].fits(document.der))
        name = found if found in _TABLES else next(of_ber, None)
        if name:
            return name
    return None if documents else "cert"
