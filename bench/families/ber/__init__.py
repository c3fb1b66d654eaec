"""BER: convert a CRL of indefinite lengths and a CMS message in segments to DER."""

from bench.families.ber.inputs import INPUTS, uniform_file
from bench.harness import Case, Counted, Family, Growth, Peer, Side

HERE = "bench.families.ber.peers"
DECODE = Side("derlib", "decode_result", "decode of the result", checked=False)
DECODED = Side("derlib", "convert_and_decode", "conversion and decode", checked=False)
DUMP = Side("asn1crypto", label="asn1crypto load and dump(force=True)")


FAMILY = Family(
    name="ber",
    what="conversion of BER to DER",
    peers={
        "derlib": Peer(f"{HERE}.derlib", "derlib"),
        "asn1crypto": Peer(f"{HERE}.asn1crypto", "asn1crypto"),
    },
    inputs=INPUTS,
    cases=(
        Case("convert a CRL of indefinite lengths", "convert", "crl", ("derlib", DECODE, DECODED)),
        Case("convert a CRL that is DER already", "convert", "der", ("derlib", DECODE)),
        Case("convert a CMS message of 1 MiB in segments", "convert_cms", "cms", ("derlib", DUMP)),
        Case("memory: convert a CRL of indefinite lengths", "convert", "crl", ("derlib",), "memory", runs=3, least=1),
    ),
    growths=(
        Growth(
            "time, convert a CRL of indefinite lengths",
            "convert",
            tuple(1000 * 4**power for power in range(6)),
            (1000, 8000),
            uniform_file,
        ),
    ),
    counted=(Counted("convert a CRL of indefinite lengths, 50 entries", "convert", INPUTS["crl"].warm or str),),
)
