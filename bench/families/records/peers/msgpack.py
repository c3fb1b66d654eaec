"""Persons with msgpack, as dicts."""

import msgpack

from bench.families.records.codec import Form, alone, itself, operations, plain_items, read_items

pack = msgpack.Packer().pack

dumps, build_and_dumps, loads, loads_and_read = operations(
    Form(itself, pack, msgpack.loads, alone), Form(itself, pack, msgpack.loads, itself), read_items, plain_items
)
