"""Persons with orjson, as dicts."""

import orjson

from bench.families.records.codec import Form, alone, itself, operations, plain_items, read_items

dumps, build_and_dumps, loads, loads_and_read = operations(
    Form(itself, orjson.dumps, orjson.loads, alone),
    Form(itself, orjson.dumps, orjson.loads, itself),
    read_items,
    plain_items,
)
