"""json of the standard library."""

import json
import platform

from bench.families.syntax.objects import Objects


def version() -> str:
    """That of Python."""
    return platform.python_version()


PEER = Objects(json.loads, lambda value: json.dumps(value, separators=(",", ":")).encode())
parse, parse_each, render = PEER.parse, PEER.parse_each, PEER.render
parse_packet, parse_packet_only, render_packet = PEER.parse_packet, PEER.parse_packet_only, PEER.render_packet
