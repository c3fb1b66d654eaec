"""People with orjson, as dicts."""

import orjson

from bench.families.records.codec import Form, alone, operations, plain_items, read_items, unchanged

dumps, build_and_dumps, loads, loads_and_read = operations(
    Form(unchanged, orjson.dumps, orjson.loads, alone),
    Form(unchanged, orjson.dumps, orjson.loads, unchanged),
    read_items,
    plain_items,
)
