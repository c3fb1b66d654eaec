"""Signed objects: decode a SignedData with its certificates, and read all of it; import the modules for it."""

from bench.families.signed.inputs import signed_data_file
from bench.harness import Case, Family, Input, Peer, Side

HERE = "bench.families.signed.peers"
PEERS = {
    "derlib": Peer(f"{HERE}.derlib", "derlib"),
    "asn1crypto": Peer(f"{HERE}.asn1crypto", "asn1crypto"),
}
PLAIN = Side("derlib", label="derlib to_native", note="builds a dict of the whole object, too")
BY_NAME = Side("derlib", "read_by_name", "derlib, fields by name")
DECODE = Side("derlib", "decode", "decode", checked=False, note="validates only")
NATIVE = Side("asn1crypto", label="asn1crypto .native", note="`native` builds a dict of the whole object")

FAMILY = Family(
    name="signed",
    what="signed objects",
    peers=PEERS,
    caveats=("No signature is verified. The signatures are bytes of a random generator.",),
    inputs={
        "three": Input("a SignedData with three certificates and a signer", lambda quick: signed_data_file()),
        "nothing": Input("nothing", lambda quick: ""),
    },
    cases=(
        Case(
            "decode and read a SignedData with three certificates",
            "decode_and_read",
            "three",
            (PLAIN, NATIVE, BY_NAME, DECODE),
            topic="decode",
        ),
        Case("import the schemas of CMS in a new process", "import_schemas", "nothing", ("derlib", "asn1crypto")),
    ),
)
