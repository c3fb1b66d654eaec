"""json of the standard library."""

import json

from bench.families.syntax.objects import Objects

# `json.dumps` makes an encoder in each call that asks for other separators than its own; this one is made once.
ENCODE = json.JSONEncoder(separators=(",", ":")).encode
PEER = Objects(json.loads, lambda value: ENCODE(value).encode())
parse, parse_each, render = PEER.parse, PEER.parse_each, PEER.render
parse_packet, parse_packet_only, render_packet = PEER.parse_packet, PEER.parse_packet_only, PEER.render_packet
