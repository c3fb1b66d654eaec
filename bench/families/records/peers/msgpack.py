"""People with msgpack, as dicts."""

import msgpack

from bench.families.records.codec import Form, alone, operations, plain_items, read_items, unchanged

pack = msgpack.Packer().pack

dumps, build_and_dumps, loads, loads_and_read = operations(
    Form(unchanged, pack, msgpack.loads, alone),
    Form(unchanged, pack, msgpack.loads, unchanged),
    read_items,
    plain_items,
)
