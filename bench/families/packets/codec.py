"""What all peers of this family do, given how their libraries do it. Called by the modules in peers/.

A run goes through all packets of the input several times and keeps nothing, so that memory stays flat, however many
packets it handles. Slow peers go through them less often: the figure is the time for one packet.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from bench.families.packets import lines
from bench.families.packets.values import Packet, Work, load
from bench.harness import Task

Facts = tuple[object, ...]
HELD = 10_000
"""How many packets are held at once where memory is measured, if a run handles as many."""


class Operations(NamedTuple):
    """The operations of a peer, in the order in which its module names them."""

    encode: Callable[[str], Task]
    build_and_encode: Callable[[str], Task]
    decode_and_read: Callable[[str], Task]
    hold: Callable[[str], Task]
    wire_octets: Callable[[str], Task]
    definition_lines: Callable[[str], Task]
    coding_lines: Callable[[str], Task]


def plain_attributes(packet: Any) -> Facts:
    """The fields of an object with attributes, as plain values."""
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
    module: str,
    *,
    own: Callable[[Packet], Any],
    encode: Callable[[Any], Any],
    build_and_encode: Callable[[Packet], Any],
    decode: Callable[[bytes], Any],
    read: Callable[[Any], None],
    plain: Callable[[Any], Facts] = plain_attributes,
    less_often: int = 1,
) -> Operations:
    """The operations of a peer, whose module is in this file.

    `own` makes of plain values what the library encodes, which is not timed, and `encode` octets of that;
    `build_and_encode` makes the library's object and octets of it. `read` reads every field of what `decode` gives, and
    `plain` returns them.
    """

    def rounds(asked: int) -> int:
        return max(1, asked // less_often)

    def writing(call: Callable[[Any], Any], values: list[Any], times: int) -> Task:
        def run() -> None:
            for _ in range(times):
                for value in values:
                    call(value)

        def facts(_: object) -> Iterator[Facts]:
            return (plain(decode(bytes(call(value)))) for value in values)

        return Task(run, facts, per=times * len(values) / 1000, unit="µs/packet")

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
        octets, times = wires(work), rounds(work.rounds)

        def run() -> None:
            for _ in range(times):
                for wire in octets:
                    read(decode(wire))

        def facts(_: object) -> Iterator[Facts]:
            return (plain(decode(wire)) for wire in octets)

        return Task(run, facts, per=times * len(octets) / 1000, unit="µs/packet")

    def hold(path: str) -> Task:
        work = load(path)
        octets = wires(work)
        count = min(HELD, len(octets) * work.rounds)

        def call() -> list[Any]:
            # Each packet comes in octets of its own, which only the decoded object can keep alive. The plain values
            # live on in `work`: what they take is not free for the objects, which would then seem to take nothing.
            return [decode(bytes(bytearray(octets[at % len(work.packets)]))) for at in range(count)]

        def facts(held: Iterable[Any]) -> Iterator[Facts]:
            return map(plain, held)

        return Task(call, facts)

    def wire_octets(path: str) -> Task:
        octets = wires(load(path))
        return Task(lambda: sum(map(len, octets)) / len(octets), unit="octets/packet")

    def counted(what: str) -> Callable[[str], Task]:
        return lambda _: Task(lambda: lines.count(module, what), unit="lines")

    return Operations(
        encode_task, build_task, decode_task, hold, wire_octets, counted("definition"), counted("coding")
    )
