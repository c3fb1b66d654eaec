"""Read all fields of a message whose fields are attributes. Called by the peers of such libraries.

Some lists create their values only on access; a slice creates all of them.
"""

from collections.abc import Callable
from typing import Any

Values = tuple[object, ...]


def profile(profile: Any) -> Values:
    """Read all fields."""
    address = profile.address
    return (
        profile.name,
        profile.job_title,
        profile.country,
        address.street,
        address.postal_code,
        address.town,
        profile.page,
    )


def presence(presence: Any) -> Values:
    """Read all fields."""
    return (presence.sender, presence.recipient, presence.show, presence.priority)


def chat(chat: Any) -> Values:
    """Read all fields."""
    return (chat.sender, chat.recipient, chat.number, chat.body)


def activity(activity: Any) -> Values:
    """Read all fields."""
    target = activity.object
    return (
        activity.sender,
        activity.verb,
        activity.title,
        activity.published,
        activity.visible,
        target.kind,
        target.content,
        target.content_type,
        [(rule.action, rule.subject) for rule in activity.rules],
    )


def tiny(tiny: Any) -> Values:
    """Read all fields; a slice of a list creates all its values."""
    return (tiny.samples[:], tiny.letters[:], [(point.x, point.y) for point in tiny.points])


def nested(nested: Any) -> Values:
    """Read all replies, from the outermost to the innermost."""
    found: list[str] = []
    reply = nested
    while reply is not None:
        found += (reply.author, reply.text)
        reply = reply.reply
    return tuple(found)


READERS: dict[str, Callable[[Any], Values]] = {
    "profile": profile,
    "presence": presence,
    "chat": chat,
    "activity": activity,
    "tiny": tiny,
    "nested": nested,
}
