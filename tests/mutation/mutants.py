"""The mutants of the core, and the rewritten sources in which a number activates one of them.

One build contains all mutants, so hundreds of them cost one compilation. The build has a variable, set from Python,
that says which mutant is active. These functions have mutants: those that validate without the GIL, `read_options`, and
the functions of the writer that `writer.py` lists. The form of a mutant depends on the code that it changes:

* raise: `return FAULT_X`, `fail(c, FAULT_X, ...)` and the like are skipped, and validation goes on;
* check: the function that validates the contents of a type is not called;
* bound: a comparison is off by one, or an equality never holds;
* tolerate: `tolerates(...)` is not asked;
* deviation: the table of deviations lacks a fault, or a fault is tolerated although the caller does not ask for it;
* limit: a limit that the caller set is ignored;
* decision: the writer takes another branch, or skips a check of its output (`writer.py`).

A statement that names a fault but fits none of these forms is an error, so a new check cannot be left without a mutant.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from .writer import DECISIONS, mutate_decision

# The layers that validate. Their functions that hold the GIL compile schemas, or make values and errors.
LAYERS = ("octets/", "types/", "schema/", "decode/")
# These keep the record of tolerated faults. Tests of deviations compare whole records.
NOT_MUTATED = {"note", "by_address", "sort_record", "first_breach"}
# Code that names a fault but does not raise it: comparisons, conditions, enums, and the table of deviations.
NOT_RAISED = re.compile(r"FAULT_NONE|[=!]= FAULT_\w+|^(?:if|elif|while|and|or) .*|^FAULT_\w+$|.*DEVIATIONS\[.*")
FAIL = r"fail(?:_\w+)?\("
CHECK = re.compile(r"(?<![\w.])(?!passes_)(?:\w+_check|TYPES\[[\w.]+\]\.validate)\(")
MUTATED_STATEMENT = ("if ", "elif ", "while ", "return ")


@dataclass(frozen=True)
class Mutant:
    """One mutant: its number, form and line, and the fault that it removes, or None if it may be any."""

    number: int
    form: str
    file: str
    function: str
    line: int
    fault: str | None
    text: str

    @property
    def expected_fault(self) -> str | None:
        """The fault in the text of a `raise`, although a function may replace it with a more exact one."""
        match = re.search(r"FAULT_(?!NONE)\w+", self.text) if self.form == "raise" else None
        return self.fault or (match[0] if match else None)


class Sources:
    """The sources of the core with every mutant in them."""

    def __init__(self, core: Path) -> None:
        self.mutants: list[Mutant] = []
        paths = core.rglob("*.pxi")
        self.files = {path.relative_to(core).as_posix(): path.read_text(encoding="utf-8") for path in paths}
        table = self.files[self.file_with("cdef enum Fault:")]
        self.faults = re.findall(r"^    (FAULT_\w+)$", table, re.MULTILINE)
        deviations = self.files[self.file_with("cdef void fill_deviations(")]
        self.deviations = re.findall(r"^        (FAULT_\w+): _options", deviations, re.MULTILINE)
        for name in sorted(self.files):
            self._rewrite(name, validates=name.startswith(LAYERS))
        self._add_deviations()
        self._add_switch()

    def write(self, core: Path) -> None:
        """Write the rewritten sources into a tree."""
        for name, text in self.files.items():
            (core / name).write_text(text, encoding="utf-8")

    def file_with(self, definition: str) -> str:
        """Return the name of the one file that contains a definition."""
        [name] = [name for name, text in self.files.items() if definition in text]
        return name

    def _add(self, form: str, fault: str | None, text: str) -> int:
        number = len(self.mutants) + 1
        self.mutants.append(Mutant(number, form, self.file, self.function, self.line, fault, text))
        return number

    def _rewrite(self, file: str, *, validates: bool) -> None:
        self.file, self.function = file, ""
        lines = joined(self.files[file])
        out: list[str] = []
        at = 0
        in_docstring = is_mutated = returns_bool = False
        while at < len(lines):
            self.line, line = lines[at]
            at += 1
            if line.count('"""') % 2:
                in_docstring = not in_docstring
                out.append(line)
                continue
            header = re.match(r"(?:    )?c?def [^=]*?(\w+)\(", line)
            if header:
                self.function = header[1]
                returns_bool = " bint " in line[: header.end()]
                signature = next(index for index in range(at - 1, len(lines)) if lines[index][1].endswith(":"))
                is_mutated = validates and "nogil" in lines[signature][1] and self.function not in NOT_MUTATED
            code = line.strip().split("  # ")[0]
            indent = line[: len(line) - len(line.lstrip())]
            if in_docstring or not indent or code.startswith(("#", '"""', "cdef ", "def ")):
                out.append(line)
            elif "raise fault_error(FAULT_BUFFER_CHANGED" in code:
                out.append(f"{indent}if original({self._add('raise', 'FAULT_BUFFER_CHANGED', code)}): {code}")
            elif self.function in DECISIONS:
                add = partial(self._add, "decision", None)
                out.append(indent + mutate_decision(code, self.function, returns_bool, add))
            elif self.function == "read_options" and re.match(r"options\.\w+ = ", code):
                out.append(f"{indent}if original({self._add('limit', None, code)}): {code}")
            elif not is_mutated:
                out.append(line)
            elif re.match(FAIL, code):
                # The mutant skips everything up to the return.
                out.append(f"{indent}if original({self._add('raise', fault_in(code), code)}):")
                out.append("    " + line)
                while at < len(lines) and lines[at][1].startswith(indent):
                    out.append("    " + lines[at][1])
                    at += 1
                    if out[-1].startswith(f"    {indent}return"):
                        break
            else:
                mutated = self._mutate_statement(code, returns_bool) or self._mutate_conditions(code)
                if mutated == code and "FAULT_" in NOT_RAISED.sub("", code):
                    raise ValueError(f"{file}:{self.line}: no form of mutant fits this line: {code}")
                out.append(indent + mutated)
        self.files[file] = "\n".join(out) + "\n"

    def _mutate_statement(self, code: str, returns_bool: bool) -> str | None:
        """Rewrite a statement that raises a fault; return None if it is of another kind."""
        if match := re.fullmatch(r"(?:return|fault =) (FAULT_\w+)", code):
            return None if match[1] == "FAULT_NONE" else f"if original({self._add('raise', match[1], code)}): {code}"
        if match := re.fullmatch(r"(return|fault =) (FAULT_\w+) if (.+) else (FAULT_\w+)", code):
            statement, first, condition, last = match.groups()
            numbers = [0 if fault == "FAULT_NONE" else self._add("raise", fault, code) for fault in (first, last)]
            condition = f"({self._mutate_comparisons(condition)})"
            condition = f"({condition} and original({numbers[0]}))" if numbers[0] else condition
            condition = f"({condition} or not original({numbers[1]}))" if numbers[1] else condition
            return f"{statement} {first} if {condition} else {last}"
        if re.match(rf"return {FAIL}", code) and "ALTERNATIVE" not in code:
            return f"if original({self._add('raise', fault_in(code), code)}): {code}"
        if re.match(r"return .*\bfail\(", code):
            # The code after it cannot go on without the component, alternative or type that it did not find.
            accepted = "True" if returns_bool else "FAULT_NONE"
            return f"return {accepted} if not original({self._add('raise', fault_in(code), code)}) else {code[7:]}"
        return None

    def _mutate_conditions(self, code: str) -> str:
        """Rewrite calls of `tolerates` and of checks, and comparisons."""
        for form, call in (("tolerate", re.compile(r"(?<!return )\btolerates\(")), ("check", CHECK)):
            for match in reversed(list(call.finditer(code))):
                number = self._add(form, fault_in(code) if form == "tolerate" else None, code)
                begin, end = match.start(), bracket_end(code, match.end() - 1)
                result = "False" if form == "tolerate" else "FAULT_NONE"
                code = f"{code[:begin]}({code[begin:end]} if original({number}) else {result}){code[end:]}"
        if code.startswith(MUTATED_STATEMENT) and self.function not in ("deviation_of", "record"):
            word, _, rest = code.partition(" ")
            if word == "return" or rest.endswith(":"):
                code = f"{word} {self._mutate_comparisons(rest.removesuffix(':'))}{'' if word == 'return' else ':'}"
        return code

    def _mutate_comparisons(self, text: str) -> str:
        """Rewrite comparisons from the last to the first, so that the offsets before them stay valid."""
        if "original(" in text or '"' in text:
            return text
        whole = text
        for match in reversed(list(re.finditer(r" (<=|>=|<|>|==|!=) ", text))):
            start = match.end()
            end = operand_end(text, start)
            operand = text[start:end]
            if operand in ("NULL", "FAULT_NONE") or operand.startswith(("KIND_", "FAULT_")):
                continue
            sign = {"<": "+", ">=": "+", "<=": "-", ">": "-"}.get(match[1])
            number = self._add("bound", None, f"{match[1]} {operand} in {whole}")
            changed = f"({operand}) {sign} mutated({number})" if sign else f"({operand}) and original({number})"
            text = text[:start] + changed + text[end:]
        return text

    def _add_deviations(self) -> None:
        """Add the mutants of the table of deviations."""
        self.file, self.function, self.line = self.file_with("cdef uint64_t deviation_of("), "fill_deviations", 0
        table = "cdef int[FAULT_COUNT] REMOVED\ncdef int[FAULT_COUNT] ALWAYS\n"
        table += "memset(REMOVED, 0, sizeof(REMOVED))\nmemset(ALWAYS, 0, sizeof(ALWAYS))\n"
        for array, text in (("REMOVED", "{} is not tolerated"), ("ALWAYS", "{} is always tolerated")):
            for fault in self.deviations:
                table += f"{array}[<int>{fault}] = {self._add('deviation', fault, text.format(fault))}\n"
        self._replace(self.file, "cdef uint64_t deviation_of(", f"{table}\n\ncdef uint64_t deviation_of(")
        returned = "return DEVIATIONS[fault]"
        self._replace(self.file, returned, f"{returned} if original(REMOVED[fault]) else 0")
        name = self.file_with("cdef bint tolerates(")
        start = self.files[name].index("    if c.tolerated", self.files[name].index("cdef bint tolerates("))
        always = "    if not original(ALWAYS[fault]): return True\n"
        self.files[name] = self.files[name][:start] + always + self.files[name][start:]

    def _add_switch(self) -> None:
        """Add the variable that activates a mutant, and the records of executed mutants and raised faults."""
        # A mutant may use a header that could not be read, so it has no old contents.
        self._replace(
            self.file_with("cdef inline int read_header("),
            "    h.start = p\n", "    h.start = p\n    h.tag = 0\n    h.content = h.end = limit\n", 1,
        )
        raised = 0
        for name, text in self.files.items():
            self.files[name], count = re.subn(r"(= FAULTS\[((?:c\.)?fault)\])\n", r"\1; RAISED.add(\2)\n", text)
            raised += count
        if raised != 2:
            raise ValueError(f"errors are made from the table of faults in 2 places, not in {raised}")
        # All other files use it, so it comes first.
        first = self.file_with("ctypedef uint64_t tag_t")
        self.files[first] = SWITCH.format(count=len(self.mutants) + 1) + self.files[first]

    def _replace(self, file: str, old: str, new: str, count: int = -1) -> None:
        """Replace text that occurs once in a file, or its first `count` occurrences."""
        if old not in self.files[file] or (count < 0 and self.files[file].count(old) != 1):
            raise ValueError(f"{file} must contain this once: {old!r}")
        self.files[file] = self.files[file].replace(old, new, count)


SWITCH = """\
cdef int MUTANT = 0
cdef unsigned char[{count}] EXECUTED
RAISED = set()

cdef inline bint original(int number) noexcept nogil:
    EXECUTED[number] = 1
    return MUTANT != number or number == 0

cdef inline int mutated(int number) noexcept nogil:
    return not original(number)

def activate(int number):
    global MUTANT
    MUTANT = number

def executed():
    cdef int i
    found = [i for i in range(1, {count}) if EXECUTED[i]]
    memset(EXECUTED, 0, sizeof(EXECUTED))
    raised = set(RAISED)
    RAISED.clear()
    return found, raised

"""


def joined(text: str) -> list[tuple[int, str]]:
    """Return the lines with their numbers; statements that a backslash or an open bracket continues become one line."""
    lines: list[tuple[int, str]] = []
    begun = ""
    begin = 0
    in_docstring = False
    for number, line in enumerate(text.splitlines(), 1):
        begin = begin if begun else number
        if line.count('"""') % 2:
            in_docstring = not in_docstring
        whole = f"{begun} {line.strip()}" if begun else line
        code = whole.split("  #")[0].rstrip()
        if code.endswith("\\") and not in_docstring:
            begun = code[:-1].rstrip()
        elif (
            not in_docstring
            and re.match(r"\s+(?:if|elif|while|return|fail\w*|and|or)\b", code)
            and code.count("(") > code.count(")")
        ):
            begun = code
        else:
            lines.append((begin, whole))
            begun = ""
    return lines


def fault_in(code: str) -> str | None:
    """Return the fault that a statement names, or None if the function that it calls may choose another."""
    if code.removeprefix("return ").startswith(("fail_tag(", "fail_component")):
        return None
    match = re.search(r"FAULT_(?!NONE)\w+", code)
    return match[0] if match else None


def bracket_end(text: str, start: int) -> int:
    """Return the offset after the bracket that closes the one at `start`."""
    depth = 0
    for offset in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[offset], 0)
        if depth == 0:
            return offset + 1
    raise ValueError(f"brackets do not match: {text}")


def operand_end(text: str, start: int) -> int:
    """Return the offset after the right operand of a comparison, which begins at `start`."""
    depth = 0
    for offset in range(start, len(text)):
        if text[offset] in "([":
            depth += 1
        elif text[offset] in ")]":
            depth -= 1
            if depth < 0:
                return offset
        elif depth == 0 and re.match(r",| (?:and|or|if|else|<=|>=|<|>|==|!=|not) ", text[offset:]):
            return offset
    return len(text)
