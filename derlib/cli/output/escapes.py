"""Escapes for text from files, so that a malicious file cannot control the terminal.

Every string that comes from a file goes through `printable` or `visible` before it is written.
"""

from __future__ import annotations

__all__ = ["clip", "printable", "visible"]


def printable(text: str) -> str:
    r"""Return `text` with escapes for unprintable characters, and `\` doubled.

    Unprintable are the characters that Unicode says are: C0 and C1 controls, DEL, line and paragraph separators, and
    format characters, including those that change the direction of text.
    """
    return visible(text.replace("\\", r"\\"))


def visible(text: str) -> str:
    """Return `text` as `printable` does, but with backslashes unchanged: for names and messages with own escapes."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else _escape(c) for c in text)


def clip(text: str, longest: int) -> str:
    """Return `text`, or if it is longer than `longest` its beginning and its length."""
    return text if len(text) <= longest else f"{text[:longest]}... ({len(text)} characters)"


def _escape(character: str) -> str:
    number = ord(character)
    if number <= 0xFF:
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number <= 0xFFFF else f"\\U{number:08x}"
