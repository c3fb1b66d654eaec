"""The operations of all peers of this family, made from the functions of their libraries. Called by peers/.

A run processes all packets of the input several times and keeps nothing. Slow peers repeat them less often; a figure is
the time for one packet.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from bench.families.packets.values import Packet, Work, load
from bench.harness import Task

Facts = tuple[object, ...]
HELD = 10_000
"""How many packets are kept in memory together when it is measured, unless the input has fewer."""


class Operations(NamedTuple):
    """The operations of a peer, in the order in which its module unpacks them."""

    encode: Callable[[str], Task]
    build_and_encode: Callable[[str], Task]
    decode_and_read: Callable[[str], Task]
    hold: Callable[[str], Task]
    encoded_size: Callable[[str], Task]


def builder(data: Any, meta_info: Any, signature_info: Any) -> Callable[[Packet], Any]:
    """Return a function that builds an object with these classes from plain values."""

    def build(packet: Packet) -> Any:
        return data(
            name=packet["name"],
            meta_info=meta_info(**packet["meta_info"]),
            content=packet["content"],
            signature_info=signature_info(**packet["signature_info"]),
            signature_value=packet["signature_value"],
        )

    return build


def read_attributes(packet: Any) -> None:
    """Read every field of an object."""
    for _ in packet.name:
        pass
    meta = packet.meta_info
    _ = meta.content_type, meta.freshness_period, meta.final_block
    _ = packet.content
    signature = packet.signature_info
    _ = signature.signature_type, signature.key_digest
    _ = packet.signature_value


def plain_attributes(packet: Any) -> Facts:
    """Return the fields of an object as plain values."""
    meta, signature = packet.meta_info, packet.signature_info
    return (
        tuple(packet.name),
        meta.content_type,
        meta.freshness_period,
        meta.final_block,
        packet.content,
        signature.signature_type,
        signature.key_digest,
        packet.signature_value,
    )


def operations(
    *,
    own: Callable[[Packet], Any],
    encode: Callable[[Any], Any],
    build_and_encode: Callable[[Packet], Any],
    decode: Callable[[bytes], Any],
    read: Callable[[Any], None] = read_attributes,
    plain: Callable[[Any], Facts] = plain_attributes,
    less_often: int = 1,
) -> Operations:
    """Return the operations of a peer.

    `own` converts plain values to what `encode` takes, which is not timed; `build_and_encode` starts from plain values.
    `read` reads every field of what `decode` returns, and `plain` returns the fields.
    """

    def rounds(requested: int) -> int:
        return max(1, requested // less_often)

    def writing(call: Callable[[Any], Any], values: list[Any], times: int) -> Task:
        def run() -> None:
            for _ in range(times):
                for value in values:
                    call(value)

        def facts(_: object) -> Iterator[Facts]:
            return (plain(decode(bytes(call(value)))) for value in values)

        return Task(run, facts, per=times * len(values), unit="ns/packet")

    def encode_task(path: str) -> Task:
        work = load(path)
        return writing(encode, [own(packet) for packet in work.packets], rounds(work.rounds))

    def build_task(path: str) -> Task:
        work = load(path)
        return writing(build_and_encode, work.packets, rounds(work.rounds))

    def wires(work: Work) -> list[bytes]:
        return [bytes(encode(own(packet))) for packet in work.packets]

    def decode_task(path: str) -> Task:
        work = load(path)
        encoded, times = wires(work), rounds(work.rounds)

        def run() -> None:
            for _ in range(times):
                for wire in encoded:
                    read(decode(wire))

        def facts(_: object) -> Iterator[Facts]:
            return (plain(decode(wire)) for wire in encoded)

        return Task(run, facts, per=times * len(encoded), unit="ns/packet")

    def hold(path: str) -> Task:
        work = load(path)
        encoded = wires(work)
        count = min(HELD, len(encoded) * work.rounds)

        def call() -> list[Any]:
            # Only the decoded object keeps the bytes of its packet alive. `work` keeps the plain values alive, because
            # objects that reused their memory would seem to need none.
            return [decode(bytes(bytearray(encoded[at % len(work.packets)]))) for at in range(count)]

        def facts(held: Iterable[Any]) -> Iterator[Facts]:
            return map(plain, held)

        return Task(call, facts)

    def encoded_size(path: str) -> Task:
        encoded = wires(load(path))
        return Task(lambda: sum(map(len, encoded)) / len(encoded), unit="bytes/packet")

    return Operations(encode_task, build_task, decode_task, hold, encoded_size)
