"""asn1crypto: `load` is lazy, `.native` reads everything."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from asn1crypto.cms import ContentInfo
from asn1crypto.x509 import ExtensionId

from bench.families.idioms.new_process import importing
from bench.harness import Task


def facts(info: Any) -> Iterator[object]:
    """Yield what was read."""
    signed = info.native["content"]
    yield signed["encap_content_info"]["content"]
    for certificate in signed["certificates"]:
        tbs = certificate["tbs_certificate"]
        yield tbs["serial_number"], int(tbs["validity"]["not_after"].timestamp())
        yield list(tbs["subject"].values())
        yield [(identifier(each["extn_id"]), each["critical"]) for each in tbs["extensions"]]
        values = {each["extn_id"]: each["extn_value"] for each in tbs["extensions"]}
        yield values.get("subject_alt_name", [])
        yield certificate["signature_value"]
    for signer in signed["signer_infos"]:
        attributes = {each["type"]: each["values"][0] for each in signer["signed_attrs"]}
        yield signer["sid"]["serial_number"]
        yield int(attributes["signing_time"].timestamp())
        yield attributes["message_digest"]
        yield signer["signature"]


def identifier(name: str) -> str:
    """Return the dotted form of the identifier of an extension."""
    dotted: str = ExtensionId(name).dotted
    return dotted


def decode_and_read(path: str) -> Task:
    """Call `load` and `.native`."""
    data = Path(path).read_bytes()

    def call() -> Any:
        info = ContentInfo.load(data)
        _ = info.native
        return info

    return Task(call, facts)


def import_schemas(_: str) -> Task:
    """Import the module that reads CMS objects."""
    return importing("asn1crypto.cms")
