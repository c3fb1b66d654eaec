"""The places in the core where a check can be taken away, and the sources rewritten so that a number chooses one.

`run.py` builds the rewritten sources once. In that build a variable, set from Python, says which mutant is active, so
hundreds of mutants cost one compilation. Each mutant has the form of the code that it changes:

* raise: `return FAULT_X`, `fail(c, FAULT_X, ...)` and the like are passed over, and the check goes on;
* rule: a type's rule is not applied where it should be: `fault = integer_check(...)` finds nothing;
* bound: a comparison is off by one, or an equality in a condition never holds;
* tolerate: a place does not ask whether a fault is tolerated;
* deviation: a fault is taken off the table of deviations, or is tolerated without being asked for;
* limit: a limit that a caller set is not taken over;
* decision: the writer leaves out a proof, or takes a way that does not fit (`decisions.py`).

A line of the check pass that names a fault and has none of these forms is an error, so no new check goes unproved.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from .decisions import DECISIONS, decision

# A file of the check pass, where every mention of a fault is a site or stands in PLAIN.
CHECK = re.compile(
    r"return (?:FAULT_NONE if .* else )?FAULT_(?!NONE)\w+|return fail\(|^cdef struct (?:Options|Shape):", re.MULTILINE
)
# What needs no proof here: functions that only note what was found, and those that hold the GIL, which make values.
ASIDE = {"note", "by_place", "first_breach"}
PLAIN = re.compile(
    r"^(c\.fault = FAULT_NONE$"
    r"|fault = FAULT_NONE$"
    r"|return FAULT_NONE$"
    r"|return .* == FAULT_NONE$"
    r"|return FAULT_NONE if fault == FAULT_LENGTH_NOT_MINIMAL else fault$)"
)
FAIL = r"fail(?:_before|_header|_tag|_component)?\("


@dataclass(frozen=True)
class Site:
    """One mutant: its number, form, place, the fault that it removes (None where the place passes on any), its line."""

    number: int
    form: str
    file: str
    function: str
    line: int
    fault: str | None
    text: str

    @property
    def named(self) -> str | None:
        """The fault of a `raise`, also where a call may find a better name for it."""
        match = re.search(r"FAULT_(?!NONE)\w+", self.text) if self.form == "raise" else None
        return self.fault or (match[0] if match else None)


class Sources:
    """The core's sources with every site rewritten."""

    def __init__(self, core: Path) -> None:
        self.sites: list[Site] = []
        paths = sorted(core.rglob("*.pxi"))
        self.files = {path.relative_to(core).as_posix(): path.read_text(encoding="utf-8") for path in paths}
        table = self.file_with("cdef enum Fault:")
        self.faults = re.findall(r"^    (FAULT_\w+)$", self.files[table], re.MULTILINE)
        deviations = self.files[self.file_with("cdef void fill_deviations(")]
        self.deviations = re.findall(r"^        (FAULT_\w+): _options", deviations, re.MULTILINE)
        for name in sorted(set(self.files) - {table}):
            self._rewrite(name, check=bool(CHECK.search(self.files[name])))
        self._add_switch()

    def write(self, core: Path) -> None:
        """Put the rewritten sources into a tree."""
        for name, text in self.files.items():
            (core / name).write_text(text, encoding="utf-8")

    def file_with(self, definition: str) -> str:
        """Return the name of the one file that has a definition."""
        [name] = [name for name, text in self.files.items() if definition in text]
        return name

    def _site(self, form: str, fault: str | None, text: str) -> int:
        number = len(self.sites) + 1
        self.sites.append(Site(number, form, self.file, self.function, self.line, fault, text))
        return number

    def _rewrite(self, file: str, *, check: bool) -> None:
        self.file = file
        self.function = ""
        lines = joined(self.files[file])
        out: list[str] = []
        at = 0
        verbatim = aside = gives_bool = False
        while at < len(lines):
            self.line, line = lines[at]
            at += 1
            if line.count('"""') % 2:
                verbatim = not verbatim
                out.append(line)
                continue
            if verbatim:
                out.append(line)
                continue
            header = re.match(r"(?:cdef|def|    def|    cdef) [^=]*?(\w+)\(", line)
            if header and not line.startswith("        "):
                self.function = header[1]
                gives_bool = " bint " in line[: header.end()]
                signature = next(index for index in range(at - 1, len(lines)) if lines[index][1].endswith(":"))
                aside = self.function != "read_options" and (
                    "nogil" not in lines[signature][1] or self.function in ASIDE
                )
            # A comment behind the code is no part of it.
            code = line.strip().split("  # ")[0]
            indent = line[: len(line) - len(line.lstrip())]
            if not indent or code.startswith(("#", '"""', "cdef ", "def ")):
                out.append(line)
                continue
            if "raise fault_error(FAULT_BUFFER_CHANGED" in code:
                out.append(f"{indent}if live({self._site('raise', 'FAULT_BUFFER_CHANGED', code)}): {code}")
                continue
            if self.function in DECISIONS:
                ways = DECISIONS[self.function]
                number_of = partial(self._site, "decision", None)
                out.append(indent + decision(code, self.function, ways, gives_bool, number_of))
                continue
            if not check or aside:
                out.append(line)
                continue
            if self.function == "read_options":
                limit = re.match(r"options\.(\w+) = ", code)
                out.append(f"{indent}if live({self._site('limit', None, code)}): {code}" if limit else line)
                continue
            if (re.match(FAIL, code) and "FAULT_NONE)" not in code) or code.startswith("fail_component("):
                # All up to the return belongs to it.
                number = self._site("raise", fault_in(code), code)
                out.append(f"{indent}if live({number}):")
                out.append("    " + line)
                while at < len(lines) and lines[at][1].startswith(indent):
                    out.append("    " + lines[at][1])
                    at += 1
                    if out[-1].startswith(f"    {indent}return"):
                        break
                continue
            rewritten = self._statement(code)
            if rewritten is None:
                rewritten = self._conditions(code)
                if rewritten == code and self._is_unknown(code):
                    raise ValueError(f"{file}:{self.line}: no form of mutant fits this line: {code}")
            out.append(indent + rewritten)
        self.files[file] = "\n".join(out) + "\n"

    @staticmethod
    def _is_unknown(code: str) -> bool:
        """Whether a line that has no mutant names a fault all the same."""
        return (
            "FAULT_" in code
            and not PLAIN.match(code)
            and "DEVIATIONS[fault]" not in code
            and not code.startswith(("FAULT_", "if ", "elif ", "or ", "while ", "return fault == "))
        )

    def _statement(self, code: str) -> str | None:
        """A statement that raises or applies a rule, rewritten; None where it is none."""
        if match := re.fullmatch(r"return (FAULT_\w+)", code):
            return None if match[1] == "FAULT_NONE" else f"if live({self._site('raise', match[1], code)}): {code}"
        if match := re.fullmatch(r"return FAULT_NONE if (.+) else (FAULT_\w+)", code):
            number = self._site("raise", match[2], code)
            return f"return FAULT_NONE if ({self._operators(match[1])}) or not live({number}) else {match[2]}"
        if match := re.fullmatch(r"return (FAULT_\w+) if (.+) else FAULT_NONE", code):
            number = self._site("raise", match[1], code)
            return f"return {match[1]} if ({self._operators(match[2])}) and live({number}) else FAULT_NONE"
        if match := re.fullmatch(r"fault = (FAULT_\w+) if (.+) else (FAULT_\w+)", code):
            first = self._site("raise", match[1], code)
            last = self._site("raise", match[3], code)
            return f"fault = {match[1]} if (({match[2]}) and live({first})) or not live({last}) else {match[3]}"
        if match := re.fullmatch(r"fault = (FAULT_\w+)", code):
            return None if match[1] == "FAULT_NONE" else f"if live({self._site('raise', match[1], code)}): {code}"
        if re.match(rf"return {FAIL}", code):
            number = self._site("raise", fault_in(code), code)
            if "ALTERNATIVE" in code:
                # There is no alternative to go on with.
                return f"return True if not live({number}) else {code.removeprefix('return ')}"
            return f"if live({number}): {code}"
        match = re.fullmatch(r"(return|fault =) (\w+_check\(.*\))", code)
        if match and self.function in ("universal_value_check", "check_value", "check_open", "check_any"):
            return f"{match[1]} {match[2]} if live({self._site('rule', None, code)}) else FAULT_NONE"
        return None

    def _conditions(self, code: str) -> str:
        """A line with its `tolerates` and its comparisons rewritten."""
        if "tolerates(c, " in code and not code.startswith("return "):
            number = self._site("tolerate", fault_in(code), code)
            begin = code.index("tolerates(c, ")
            end = closing(code, begin + len("tolerates"))
            code = f"{code[:begin]}(live({number}) and {code[begin:end]}){code[end:]}"
        if code.startswith(("if ", "elif ", "while ", "return ")) and self.function not in ("deviation_of", "record"):
            word, _, rest = code.partition(" ")
            tail = ""
            if word != "return":
                if not rest.endswith(":"):
                    return code
                rest, tail = rest[:-1], ":"
            code = f"{word} {self._operators(rest)}{tail}"
        return code

    def _operators(self, text: str) -> str:
        """Comparisons of `text` rewritten, from the right, so that the places to the left stay."""
        if "live(" in text or '"' in text:
            return text
        original = text
        for match in reversed(list(re.finditer(r" (<=|>=|<|>|==|!=) ", text))):
            start = match.end()
            end = operand_end(text, start)
            operand = text[start:end]
            if operand in ("NULL", "FAULT_NONE") or operand.startswith(("KIND_", "FAULT_")):
                continue
            sign = {"<": "+", ">=": "+", "<=": "-", ">": "-"}.get(match[1])
            number = self._site("bound", None, f"{match[1]} {operand} in {original}")
            changed = f"({operand}) {sign} off({number})" if sign else f"({operand}) and live({number})"
            text = text[:start] + changed + text[end:]
        return text

    def _add_switch(self) -> None:
        """Add the variable that chooses a mutant, and the mutants of the table of deviations."""
        cursor = self.file_with("cdef inline int read_header(")
        self.files[cursor] = self.files[cursor].replace(
            "    h.start = p\n", "    h.start = p\n    h.tag = 0\n    h.content = h.end = limit\n", 1
        )
        self.file, self.function, self.line = self.file_with("cdef uint64_t deviation_of("), "fill_deviations", 0
        removed = {fault: self._site("deviation", fault, f"{fault} is no deviation") for fault in self.deviations}
        always = {fault: self._site("deviation", fault, f"{fault} is always tolerated") for fault in self.deviations}
        table = "".join(
            f"REMOVED[<int>{fault}] = {removed[fault]}\nALWAYS[<int>{fault}] = {always[fault]}\n"
            for fault in self.deviations
        )
        arrays = (
            "cdef int[FAULT_COUNT] REMOVED\ncdef int[FAULT_COUNT] ALWAYS\n"
            "memset(REMOVED, 0, sizeof(REMOVED))\nmemset(ALWAYS, 0, sizeof(ALWAYS))\n"
        )
        text = self.files[self.file]
        text = replace_once(text, "cdef uint64_t deviation_of(", f"{arrays}{table}\n\ncdef uint64_t deviation_of(")
        text = replace_once(text, "return DEVIATIONS[fault]", "return DEVIATIONS[fault] if live(REMOVED[fault]) else 0")
        self.files[self.file] = text
        asks = self.file_with("cdef bint tolerates(")
        first = re.compile(r"(cdef bint tolerates\(.*?)(    if c\.tolerated == 0:\n)", re.DOTALL)
        self.files[asks] = first.sub(r"\1    if not live(ALWAYS[fault]): return True\n\2", self.files[asks], count=1)
        errors = self.file_with("cdef object fault_of(")
        for name in ("fault", "c.fault"):
            self.files[errors] = self.files[errors].replace(
                f"FAULTS[{name}]\n", f"FAULTS[{name}]; RAISED.add({name})\n"
            )
        # First of all, for every function uses it.
        first_file = self.file_with("ctypedef uint64_t tag_t")
        self.files[first_file] = SWITCH.format(count=len(self.sites) + 1) + self.files[first_file]


SWITCH = """\
cdef int MUTANT = 0
cdef unsigned char[{count}] REACHED
RAISED = set()

cdef inline bint live(int number) noexcept nogil:
    REACHED[number] = 1
    return MUTANT != number or number == 0

cdef inline int off(int number) noexcept nogil:
    REACHED[number] = 1
    return MUTANT == number

def mutate(int number):
    global MUTANT
    MUTANT = number

def reached():
    cdef int i
    found = [i for i in range(1, {count}) if REACHED[i]]
    memset(REACHED, 0, sizeof(REACHED))
    raised = set(RAISED)
    RAISED.clear()
    return found, raised

"""


def replace_once(text: str, old: str, new: str) -> str:
    """`text` with the one occurrence of `old` replaced."""
    if text.count(old) != 1:
        raise ValueError(f"not once in the sources: {old!r}")
    return text.replace(old, new)


def joined(text: str) -> list[tuple[int, str]]:
    """The lines with their numbers, those that a backslash or an open bracket continues joined to one."""
    lines: list[tuple[int, str]] = []
    held = ""
    begin = 0
    verbatim = False
    for number, line in enumerate(text.splitlines(), 1):
        begin = begin if held else number
        if line.count('"""') % 2:
            verbatim = not verbatim
        whole = f"{held} {line.strip()}" if held else line
        code = whole.split("  #")[0].rstrip()
        if code.endswith("\\") and not verbatim:
            held = code[:-1].rstrip()
            continue
        if (
            not verbatim
            and line.startswith(" ") | bool(held)
            and not code.lstrip().startswith("#")
            and re.match(r"\s+(?:if|elif|while|return|fail|and|or)\b", code)
            and code.count("(") > code.count(")")
        ):
            held = code
            continue
        lines.append((begin, whole))
        held = ""
    return lines


def fault_in(code: str) -> str | None:
    """The fault that a statement names; `fail_tag` and `fail_component` may find a better name."""
    if code.removeprefix("return ").startswith(("fail_tag(", "fail_component(")):
        return None
    match = re.search(r"FAULT_(?!NONE)\w+", code)
    return match[0] if match else None


def closing(text: str, at: int) -> int:
    """The place behind the bracket that closes the one at `at`."""
    depth = 0
    for place in range(at, len(text)):
        depth += {"(": 1, ")": -1}.get(text[place], 0)
        if depth == 0:
            return place + 1
    raise ValueError(f"brackets do not match: {text}")


def operand_end(text: str, start: int) -> int:
    """Where the right side of a comparison that begins at `start` ends."""
    depth = 0
    for place in range(start, len(text)):
        if text[place] in "([":
            depth += 1
        elif text[place] in ")]":
            depth -= 1
            if depth < 0:
                return place
        elif depth == 0 and (text[place] == "," or re.match(r" (?:and|or|if|else|<=|>=|<|>|==|!=|not) ", text[place:])):
            return place
    return len(text)
