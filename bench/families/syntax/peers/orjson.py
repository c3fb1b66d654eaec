"""orjson: JSON in Rust."""

import orjson

from bench.families.syntax.objects import Objects

PEER = Objects(orjson.loads, orjson.dumps)
parse, parse_each, render = PEER.parse, PEER.parse_each, PEER.render
parse_packet, parse_packet_only, render_packet = PEER.parse_packet, PEER.parse_packet_only, PEER.render_packet
