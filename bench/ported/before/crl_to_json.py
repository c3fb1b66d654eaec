"""Write a CRL, DER or PEM, as JSON, with asn1crypto: crl_to_json.py FILE > crl.json"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from asn1crypto import crl, pem


def plain(found: Any) -> dict[str, Any]:
    tbs = found["tbs_cert_list"]
    revoked = []
    for entry in tbs["revoked_certificates"]:
        row = {
            "serial": f"{entry['user_certificate'].native:x}",
            "date": entry["revocation_date"].native.isoformat(),
        }
        reason = entry.crl_reason_value
        if reason is not None:
            row["reason"] = reason.native
        revoked.append(row)
    number = found.crl_number_value
    following = tbs["next_update"].native
    return {
        "issuer": [
            [attribute["type"].dotted, attribute["value"].native]
            for level in found.issuer.chosen
            for attribute in level
        ],
        "number": None if number is None else number.native,
        "this_update": tbs["this_update"].native.isoformat(),
        "next_update": following.isoformat() if following else None,
        "revoked": revoked,
    }


def main() -> int:
    data = Path(sys.argv[1]).read_bytes()
    if pem.detect(data):
        _, _, data = pem.unarmor(data)
    print(json.dumps(plain(crl.CertificateList.load(data))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
