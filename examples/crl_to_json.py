"""Write a CRL, DER or PEM, as JSON: crl_to_json.py FILE > crl.json

The issuer is a list of its attributes, most significant first. A CRL whose entries mean something else is an error:
delta CRLs, partial CRLs, indirect CRLs with entries of several issuers, and any CRL with a critical extension.
"""

from __future__ import annotations

import json
import signal
import sys
from pathlib import Path
from typing import Any

from derlib import ASN1Error, pem
from derlib.schemas.crl import CertificateList, id_ce_delta_crl_indicator, id_ce_issuing_distribution_point

# The extensions of a CRL that is partial, of several issuers or a delta. They must be critical, but are not always.
PARTIAL = (id_ce_issuing_distribution_point, id_ce_delta_crl_indicator)


def plain(crl: CertificateList) -> dict[str, Any]:
    """Return the parts of a CRL that other programs ask for, as plain data."""
    revoked = []
    for entry in crl.revoked_certificates:
        row = {"serial": f"{entry.serial_number:x}", "date": entry.revocation_date.isoformat()}
        reason = entry.reason
        if reason is not None:
            row["reason"] = reason.name
        revoked.append(row)
    return {
        "issuer": [[attribute.type.dotted, str(attribute.value)] for attribute in crl.issuer.attributes],
        "number": crl.number,
        "this_update": crl.this_update.isoformat(),
        "next_update": crl.next_update.isoformat() if crl.next_update else None,
        "revoked": revoked,
    }


def main() -> int:
    """Write the JSON, or an error with the place of the fault."""
    if len(sys.argv) != 2:
        print(f"usage: {sys.argv[0]} FILE", file=sys.stderr)
        return 2
    try:
        crl = CertificateList.decode(pem.one(Path(sys.argv[1]).read_bytes()))
        for extension in crl.extensions or ():
            if extension.critical or extension.extn_id in PARTIAL:
                print(f"{sys.argv[1]}: the extension {extension.extn_id} is not processed", file=sys.stderr)
                return 1
        print(json.dumps(plain(crl)))
    except (ASN1Error, OSError) as error:
        print(f"{sys.argv[1]}: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    if hasattr(signal, "SIGPIPE"):  # a reader such as `head` can close the pipe
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    sys.exit(main())
