"""Comparisons of derlib with its peers; not part of the installed package.

`python -m bench` runs them. What is compared stands in families (bench/families/), how in bench/harness/.

**To write a family** called NAME, make `bench/families/NAME/__init__.py` with a `FAMILY`, and a module for each peer in
`bench/families/NAME/peers/`. Nothing else is to be edited: the family is found by its name. The family's own module
imports neither derlib nor a peer, since each worker imports it too; what makes inputs imports inside its function.

    from bench.harness import Case, Family, Input, Peer, Side, Target

    FAMILY = Family(
        name="NAME",
        what="one sentence",
        peers={
            "derlib": Peer("bench.families.NAME.peers.derlib", "derlib"),          # module, and distribution
            "asn1crypto": Peer("bench.families.NAME.peers.asn1crypto", "asn1crypto"),
        },
        inputs={"packet": Input("one packet of 512 octets", lambda quick: str(path_of_a_file_that_is_made_here))},
        cases=(
            Case(
                "decode a packet",              # unique within the family; the title of the rows
                "decode",                       # the function of that name in each peer's module
                "packet",
                ("derlib", Side("asn1crypto", note="does not check what it does not read")),
                (Target("asn1crypto", reach=1 / 25, aim=1 / 60),),    # derlib's median / asn1crypto's
            ),
        ),
    )

Inputs are made in a folder under build/bench/ (bench/places.py). A peer of the standard library has no distribution;
give its module a `version()`. A small input is soon there and memory is told in pages: take one that is large enough to
see.

A peer's module imports its library at the top (an ImportError becomes a row that says "not installed"), and has one
function for each operation. It takes what `Input.make` returned, and prepares a `Task`:

    def decode(path: str) -> Task:
        data = Path(path).read_bytes()
        return Task(lambda: Packet.load(data), facts=lambda packet: [packet["id"].native, packet["name"].native])

`call` is timed; `facts` yields what was read (or the octets that were written) as plain values, the same in each peer's
module: they are compared before anything is timed. A side that differs gets no figure, and the run ends with 1, as it
does where derlib has no figure, unless it raised `Unavailable`. Give `setup` for work that can be done once only, `per`
and `unit` for a figure other than milliseconds of one call; short calls are repeated by themselves. What a peer cannot
do, it raises: `Unavailable("why")`, or what its library raises by itself.

A peer that is slow gets a case of its own, with a small input that derlib works on as well. Two sides may be of one
peer (`Side("derlib", operation="decode_and_read", label="derlib, entries read")`); they then share a process.
`kind="memory"` measures by how much an operation raises the peak of memory, in a fresh process each time; `kind="size"`
the octets that it returns, `kind="count"` the number. `Scaling` fits an exponent over sizes, `Fit` the cost of each of
several things; `Published` is for figures of others; `Counted` names operations of derlib whose instructions are
counted. `limits` are sentences on what the family's figures do not show: in the report (`python -m bench report`) the
family opens with them. New peers go into bench/requirements.txt, with their exact version;
one that needs another interpreter says with `Peer(python=...)` where that is.
bench/harness/declare.py has every parameter, bench/families/crl/ an example of everything.
"""
