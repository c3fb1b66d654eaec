"""What `derlib grep` looks for: an object identifier, a path with wildcards, or text."""

from __future__ import annotations

import re
from collections.abc import Callable
from fnmatch import translate
from functools import lru_cache
from typing import NamedTuple

import click

from derlib import ObjectIdentifier, oids
from derlib.cli.items import Item, Path, plain

__all__ = ["Pattern", "identifier_of", "parse_path", "pattern_of"]

#: No pattern and no path is longer: what is asked for is compared with every item.
_MOST_CHARACTERS = 1000

# A name of a field, which may have wildcards in it, or an index.
_STEP = re.compile(r"(?:^|\.)([A-Za-z_*?$][\w*?$-]*)|\.?\[(\d{1,12}|\*)\]|\.?(\*\*)")
# The first field of a certificate or a list has an underscore in its name; a host name has none.
_LOOKS_LIKE_A_PATH = re.compile(r"\[(\d+|\*)\]|\*|^[a-z]+_[a-z_]+($|[.\[])")
# The modules of RFC 5280 and others put one before what people say.
_PREFIXES = ("id-at-", "id-ce-", "id-kp-", "id-pe-", "id-ad-", "id-")
_DOTTED = re.compile(r"[012](\.\d+)+")


class Pattern(NamedTuple):
    """Which items are wanted, and below which of them there may be others that are.

    Where there are `needles`, a document without any of these octets has nothing that is wanted. `remark` is for people
    who expected that something is found: what else may have been meant.
    """

    wants: Callable[[Item], bool]
    enters: Callable[[Item], bool]
    needles: tuple[bytes, ...] = ()
    remark: str = ""

    def may_be_in(self, der: bytes) -> bool:
        """Whether it is worth the while to walk over the document."""
        return not self.needles or any(needle in der for needle in self.needles)


def identifier_of(text: str) -> ObjectIdentifier | None:
    """The object identifier of that number or name; None where it is neither."""
    try:
        return ObjectIdentifier(oids.oid_of(text))
    except (KeyError, ValueError):
        return None


def pattern_of(text: str, form: str | None, ignore_case: bool) -> Pattern:
    """The pattern, in `form` or else in the first that `text` can be: an identifier, a path, text."""
    if not text or len(text) > _MOST_CHARACTERS:
        raise click.BadParameter("an empty pattern" if not text else f"a pattern of {len(text)} characters")
    if form == "oid" or (form is None and (_DOTTED.fullmatch(text) or identifier_of(text))):
        return _identifier(text)
    if form == "path" or (form is None and _LOOKS_LIKE_A_PATH.search(text)):
        found = _path(text)
    else:
        found = _text(text, ignore_case)
    return found if form is None else found._replace(remark="")


def parse_path(text: str, wildcards: bool = False) -> tuple[str | int, ...]:
    """The steps of `tbs_certificate.extensions[3]`; with `wildcards`, `*` and `**` stand for themselves."""
    steps: list[str | int] = []
    at = 0
    while at < len(text) and len(text) <= _MOST_CHARACTERS:
        found = _STEP.match(text, at)
        if not found:
            break
        name, index, deep = found.groups()
        steps.append(int(index) if index and index != "*" else name or deep or "*")
        at = found.end()
    if at < len(text) or not text or (not wildcards and re.search(r"[*?]", text)):
        raise click.BadParameter(f"{text!a:.80} is not a path such as tbs_certificate.extensions[0]")
    return tuple(steps)


def _identifier(text: str) -> Pattern:
    wanted = identifier_of(text)
    if wanted is None:
        raise click.BadParameter(f"no object identifier has the number or the name {text!a:.80}")

    def wants(item: Item) -> bool:
        value = plain(item)
        return isinstance(value, ObjectIdentifier) and value == wanted

    return Pattern(wants, lambda item: True, (wanted.content,))


def _text(text: str, ignore_case: bool) -> Pattern:
    wanted = text.casefold() if ignore_case else text

    def wants(item: Item) -> bool:
        value = plain(item)
        if not isinstance(value, str):
            return False
        return wanted in (value.casefold() if ignore_case else value)

    # The encodings of all character strings, none of which has states.
    encodings = ("latin-1", "utf-8", "utf-16-be", "utf-32-be")
    needles = () if ignore_case else tuple({text.encode(encoding, "ignore") for encoding in encodings})
    named = [name for name in (prefix + text for prefix in _PREFIXES) if identifier_of(name)]
    remark = f"this was taken for text; {' and '.join(named)} is an object identifier" if named else ""
    return Pattern(wants, lambda item: True, needles, remark)


def _path(text: str) -> Pattern:
    steps = parse_path(text, wildcards=True)
    expressions = [step if step == "**" or isinstance(step, int) else _wildcard(step) for step in steps]

    def closed(places: set[int]) -> frozenset[int]:
        """With those behind a `**`, which may stand for nothing."""
        for place, expression in enumerate(expressions):
            if place in places and expression == "**":
                places.add(place + 1)
        return frozenset(places)

    def advance(place: int, step: str | int) -> int | None:
        wanted = expressions[place] if place < len(expressions) else None
        if wanted == "**":
            return place
        fits = wanted == step if isinstance(wanted, int) else (
            isinstance(wanted, re.Pattern) and wanted.fullmatch("*" if isinstance(step, int) else step)
        )
        return place + 1 if fits else None

    @lru_cache(maxsize=256)
    def reach(path: Path) -> frozenset[int]:
        """How many steps of the pattern `path` may have used up."""
        before = reach(path[:-1]) if path else frozenset({0})
        after = {advance(place, path[-1]) for place in before} if path else {0}
        return closed({place for place in after if place is not None})

    remark = f"this was taken for a path from the whole document; '**.{text}' is one from anywhere"
    return Pattern(
        lambda item: len(expressions) in reach(item.path),
        lambda item: any(place < len(expressions) for place in reach(item.path)),
        remark="" if steps[0] == "**" else remark,
    )


def _wildcard(step: str) -> re.Pattern[str]:
    """A name with `*` and `?`; `*` alone is an index as well."""
    return re.compile(translate(step))
