"""Logotypes of real certificates and of RFC 9399, and what derlib refuses."""

from __future__ import annotations

import base64
import gzip
import hashlib
from pathlib import Path
from typing import Any

import pytest

import derlib
from derlib.schemas.logotype import (
    LogotypeAudioInfo,
    LogotypeData,
    LogotypeDetails,
    LogotypeExtn,
    LogotypeImageInfo,
    LogotypeImageType,
    LogotypeInfo,
    id_logo_cert_image,
    id_pe_logotype,
)
from derlib.schemas.x509 import Certificate, Extension

LINES = (Path(__file__).parent / "logotypes.txt").read_text().splitlines()
ENCODINGS = {name: base64.b64decode(text) for name, text in (line.split() for line in LINES if line[0] != "#")}


def extension(name: str) -> LogotypeExtn:
    if name.startswith("certificate"):
        found = Certificate.decode(ENCODINGS[name]).get(LogotypeExtn)
    else:
        found = Extension.decode(ENCODINGS[name]).extn_value
    assert isinstance(found, LogotypeExtn)
    return found


@pytest.mark.parametrize("name", ENCODINGS)
def test_logotypes_are_rebuilt_to_the_same_bytes(name: str) -> None:
    found = extension(name)
    assert found.encode() in ENCODINGS[name]
    assert LogotypeExtn.from_native(found.to_native()) == found
    assert LogotypeExtn.from_json(found.to_json()) == found


def test_the_logotype_of_a_certificate() -> None:
    found = extension("certificate_url")
    assert found.issuer_logo is None
    [image] = found.subject_logo.value.image
    assert image.image_details.media_type == "image/png"
    assert image.image_details.logotype_hash[0].hash_alg.algorithm.name == "id-sha256"
    assert image.image_details.logotype_uri[0] == "http://www.vigilsec.com/vigilsec_logo.png"


def test_several_logotypes() -> None:
    found = extension("certificate_several")
    assert [len(logo.value.image) for logo in found.community_logos] == [1, 1]
    assert len(found.subject_logo.value.image) == 2


@pytest.mark.parametrize(("name", "media_type"), [("extension_gif", "image/gif"), ("extension_jpeg", "image/jpeg")])
def test_the_logotype_of_the_issuer(name: str, media_type: str) -> None:
    logo = extension(name).issuer_logo
    assert logo.alternative == "direct"
    assert logo.value.image[0].image_details.media_type == media_type


def test_the_image_of_the_whole_certificate() -> None:
    [logo] = extension("extension_other").other_logos
    assert (logo.logotype_type, logo.logotype_type.name) == (id_logo_cert_image, "id-logo-certImage")
    details = logo.info.value.image[0].image_details
    image = base64.b64decode(details.logotype_uri[0].removeprefix("data:image/svg+xml+gzip;base64,"))
    assert hashlib.sha256(gzip.decompress(image)).digest() == details.logotype_hash[0].hash_value


DETAILS: dict[str, Any] = {
    "media_type": "audio/mpeg",
    "logotype_hash": [{"hash_alg": {"algorithm": "2.16.840.1.101.3.4.2.1"}, "hash_value": bytes(32)}],
    "logotype_uri": ["http://example.org/a"],
}


def test_fields_that_the_examples_do_not_have() -> None:
    sound = LogotypeAudioInfo(file_size=3, play_time=4, channels=2, sample_rate=5, language="en")
    assert sound.encode().hex(" ") == "30 10 02 01 03 02 01 04 02 01 02 83 01 05 84 02 65 6e"
    image = LogotypeImageInfo(
        type=LogotypeImageType.gray_scale, file_size=1, x_size=2, y_size=3, resolution={"table_size": 4}, language="en"
    )
    assert image.encode().hex(" ") == "30 13 80 01 00 02 01 01 02 01 02 02 01 03 82 01 04 84 02 65 6e"
    # The type "color" is the default.
    assert LogotypeImageInfo(file_size=1, x_size=2, y_size=3).encode().hex(" ") == "30 09 02 01 01 02 01 02 02 01 03"
    spoken = LogotypeInfo(direct={"audio": [{"audio_details": DETAILS, "audio_info": sound}]})
    assert LogotypeInfo.decode(spoken.encode()).value.audio[0].audio_info.language == "en"
    elsewhere = LogotypeInfo(
        indirect={"ref_struct_hash": DETAILS["logotype_hash"], "ref_struct_uri": DETAILS["logotype_uri"]}
    )
    assert LogotypeInfo.decode(elsewhere.encode()).value.ref_struct_uri[0] == "http://example.org/a"


def test_at_least_one_part_is_required() -> None:
    with pytest.raises(derlib.ConstraintError):
        LogotypeInfo.decode(bytes.fromhex("a000"))
    with pytest.raises(derlib.ConstraintError):
        Extension.decode(bytes.fromhex("300e 0608 2b0601050507010c 0402 3000"))
    with pytest.raises(derlib.ConstraintError):
        LogotypeDetails(**DETAILS | {"logotype_uri": []})
    # A file that a reference names can be a LogotypeData without parts as far as its syntax goes.
    assert LogotypeData.decode(b"\x30\x00").image is None


def test_the_identifier_of_the_extension() -> None:
    assert (id_pe_logotype.dotted, id_pe_logotype.name) == ("1.3.6.1.5.5.7.1.12", "id-pe-logotype")
