"""The messages of this family as plain Python values, and their leaves. Called by forms.py and all peers.

Their kinds and sizes are those of libpsyc's benchmark; the texts are our own. A dict is a record, a list a list of
records or of single values, and the leaves are `str`, `int`, `bool` and `bytes`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

DEPTH = 40
"""The depth of the nested message."""


@dataclass(frozen=True)
class Message:
    """A message: its description, its shape and its value. Messages of one shape have the same fields.

    JSON and XML write non-ASCII characters as escapes, as `json` and ElementTree do by default, or as UTF-8 if not
    `escaped`.
    """

    what: str
    shape: str
    value: dict[str, Any]
    escaped: bool = True


def chat(body: str) -> dict[str, Any]:
    """Return a message from one person to another."""
    return {
        "sender": "mira@chat.example.org/desk",
        "recipient": "jonas@mail.example.net",
        "number": 48213,
        "body": body,
    }


def thread(depth: int) -> dict[str, Any]:
    """Return a chain of replies."""
    reply: dict[str, Any] = {"author": "ann", "text": "first"}
    for level in range(1, depth):
        reply = {"author": "ben" if level % 2 else "ann", "text": f"re {level}", "reply": reply}
    return reply


def tiny() -> dict[str, Any]:
    """Return hundreds of values of one byte each; DER needs two more bytes for each."""
    random = Random(48213)
    return {
        "samples": [random.randrange(10) for _ in range(200)],
        "letters": [random.choice("abcdefgh") for _ in range(50)],
        "points": [{"x": random.randrange(10), "y": random.randrange(10)} for _ in range(50)],
    }


SPEECH = (
    '"Wait," she wrote, "the path is \\\\server\\share\\new\\table, not \\\\server\\share\\old."\n'
    '\t"And the pattern?"\n\t"That is \\"[^\\"\\\\]*\\", with \\b at both ends."\n'
)
MARKUP = 'if (a < b && b > c) { show("<em>Žluťoučký kůň</em>", \'příliš\' & "naïve café"); } // ≤ 7 €, ½ of ∑ & <∞>\n'

MESSAGES = {
    "profile": Message(
        "a user profile of seven texts, three of them in a record of its own",
        "profile",
        {
            "name": "Klara Lindqvist",
            "job_title": "Harbour master",
            "country": "SE",
            "address": {"street": "Skeppsbron 14", "postal_code": "111 30", "town": "Stockholm"},
            "page": "https://people.example.org/klara",
        },
    ),
    "presence": Message(
        "a presence packet: sender, recipient, availability",
        "presence",
        {"sender": "mira@chat.example.org/desk", "recipient": "jonas@mail.example.net", "show": "away", "priority": 5},
    ),
    "chat": Message("a chat message with a short sentence", "chat", chat("Shall we meet at the old lighthouse?")),
    "activity": Message(
        "a social network activity: a post, its object, and its permissions",
        "activity",
        {
            "sender": "mira@social.example.org/phone",
            "verb": "https://social.example.org/schema/1.0/post",
            "title": "the tide is out",
            "published": 1_793_491_200,
            "visible": True,
            "object": {
                "kind": "https://social.example.org/schema/1.0/status",
                "content": "the tide is out, and the boats lie on the sand",
                "content_type": "text/plain",
            },
            "rules": [
                {"action": "https://social.example.org/acl/view", "subject": "everyone"},
                {"action": "https://social.example.org/acl/reply", "subject": "group:sailors"},
            ],
        },
    ),
    "quotes": Message("a chat message full of quotes, backslashes and line ends", "chat", chat(SPEECH * 4)),
    "markup": Message("a chat message full of markup and of characters beyond ASCII", "chat", chat(MARKUP * 6)),
    "markup-utf8": Message(
        "the same, but JSON and XML hold UTF-8 in place of escapes", "chat", chat(MARKUP * 6), escaped=False
    ),
    "tiny": Message("a message of 350 fields of one byte", "tiny", tiny()),
    "nested": Message(f"a message of {DEPTH} records, each within the one before", "nested", thread(DEPTH)),
}


def packet(payload: bytes) -> dict[str, Any]:
    """Return a packet that carries a file; JSON and XML carry it as base64."""
    return {
        "sender": "mira@chat.example.org/desk",
        "recipient": "jonas@mail.example.net",
        "name": "lighthouse.jpg",
        "content_type": "image/jpeg",
        "payload": payload,
    }


def leaves(value: Any) -> Iterator[object]:
    """Yield all single values in order, whether records are dicts or tuples."""
    if isinstance(value, dict):
        for each in value.values():
            yield from leaves(each)
    elif isinstance(value, (list, tuple)):
        for each in value:
            yield from leaves(each)
    else:
        yield value
