"""Comparisons of derlib with other libraries; not part of the installed package.

`python -m bench` runs them. `bench/families/` declares what is compared, `bench/harness/` measures it, `bench/pages/`
draws the charts and writes the report.

**To add a family** called NAME, write `bench/families/NAME/__init__.py` with a `FAMILY`, and a module for each library
in `bench/families/NAME/peers/`. Nothing else needs an edit. The family's own module imports neither derlib nor a peer,
because every worker process imports it; code that makes an input imports what it needs inside its function.

    from bench.harness import Case, Family, Input, Peer, Side

    FAMILY = Family(
        name="NAME",
        what="one sentence",
        peers={
            "derlib": Peer("bench.families.NAME.peers.derlib", "derlib"),          # module, and distribution
            "asn1crypto": Peer("bench.families.NAME.peers.asn1crypto", "asn1crypto"),
        },
        inputs={"packet": Input("one packet of 512 bytes", lambda quick: str(path_of_a_file_made_here))},
        cases=(
            Case(
                "decode a packet",              # unique within the family
                "decode",                       # the function of that name in each peer's module
                "packet",
                ("derlib", Side("asn1crypto", note="does not check what it does not read")),
            ),
        ),
    )

The module of a peer imports its library at the top; an ImportError becomes "not installed" in the results. It has a
function for each operation, which takes the argument that `Input.make` returned and prepares a `Task`:

    def decode(path: str) -> Task:
        data = Path(path).read_bytes()
        return Task(lambda: Packet.load(data), facts=lambda packet: [packet["id"].native, packet["name"].native])

`call` is timed; `facts` yields what was read or written as plain values, the same in each peer's module. They are
compared before anything is timed. A side that differs gets no figure and fails the run, and so does derlib without a
figure, unless it raised `Unavailable`. A peer that cannot do the work raises `Unavailable("why")`, or the error of its
library.

The other sides of a case are compared with its first. A slow peer gets a case of its own, with a small input that
derlib processes as well. Two sides may belong to one peer (`Side("derlib", "check", "derlib, checked only")`); they
share a process. `bench/harness/declare.py` has every parameter, and `bench/families/crl/` an example of each. Add a new
library to `bench/requirements.txt` with its exact version.
"""
