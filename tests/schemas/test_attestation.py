"""Certificates of keys in Android devices and TPMs, with the values that other readers of them print."""

from __future__ import annotations

import re
from base64 import b64decode
from pathlib import Path

import pytest
from support.damaged import survives_damage

import derlib
from derlib import NULL, Deviation, inspect
from derlib.schemas import attestation, tcg
from derlib.schemas.attestation import AuthorizationList, KeyDescription, RootOfTrust, id_android_key_attestation
from derlib.schemas.x509 import Certificate, Extension

LINES = (Path(__file__).parent / "attestation_certificates.txt").read_text().splitlines()
CERTIFICATES = {name: b64decode(text) for name, text in (line.split() for line in LINES if not line.startswith("#"))}
INTEL = Deviation.DEFAULT_ENCODED | Deviation.NAMED_BITS


def extensions(name: str):
    certificate = Certificate.decode(CERTIFICATES[name], tolerate=INTEL if name == "ek_intel" else None)
    return certificate.tbs_certificate.extensions


@pytest.mark.parametrize("name", sorted(set(CERTIFICATES) - {"ek_intel"}))
def test_certificates_are_built_again_from_their_values(name):
    certificate = Certificate.decode(CERTIFICATES[name])
    assert Certificate.from_native(certificate.to_native()).encode() == CERTIFICATES[name]


@pytest.mark.parametrize("version", [2, 3, 200, 300])
def test_android_certificates(version):
    description = extensions(f"android_{version}").get(id_android_key_attestation)
    assert isinstance(description, KeyDescription)
    assert description.attestation_version == version
    keys = description.hardware_enforced
    assert keys.purpose[0] is attestation.KeyPurpose.sign
    assert attestation.Digest.sha_2_256 in list(keys.digest)
    assert keys.origin_ is attestation.KeyOrigin.generated
    assert keys.all_applications is None
    if version == 2:
        assert keys.rollback_resistant is NULL
        assert keys.root_of_trust is None
    else:
        assert keys.rollback_resistant is None
        assert isinstance(keys.root_of_trust, RootOfTrust)


def test_values_of_an_android_certificate():
    description = extensions("android_200").get(id_android_key_attestation)
    assert description.attestation_security_level is attestation.SecurityLevel.trusted_environment
    assert description.attestation_challenge == b"challenge"
    software, hardware = description.software_enforced, description.hardware_enforced
    assert software.active_date_time == 1678285937471
    [package] = software.attestation_application_id.package_infos
    assert (package.package_name, package.version) == (b"com.google.attestationexample", 1)
    assert hardware.algorithm is attestation.Algorithm.ec
    assert hardware.ec_curve is attestation.EcCurve.p_256
    assert hardware.no_auth_required is NULL
    assert hardware.root_of_trust.device_locked
    assert hardware.root_of_trust.verified_boot_state is attestation.VerifiedBootState.verified
    assert (hardware.os_version, hardware.os_patch_level) == (130000, 202302)
    assert (hardware.vendor_patch_level, hardware.boot_patch_level) == (20230205, 20230205)


def test_fields_have_the_tags_of_the_documentation_and_are_in_their_order():
    documented = re.findall(r"(\w+) +\[(\d+)\] EXPLICIT", AuthorizationList.__doc__)
    names = [re.sub("[A-Z]", lambda letter: "_" + letter[0].lower(), name) for name, _ in documented]
    numbers = [int(number) for _, number in documented]
    components = inspect.type_info(AuthorizationList).components
    assert [component.name.rstrip("_") for component in components] == names
    assert [component.type.tag.number for component in components] == numbers == sorted(numbers)
    assert len(numbers) == 47


def test_an_unknown_field_leaves_the_extension_opaque():
    description = "301d 02020190 0a0101 02020190 0a0101 0400 0400 3000 3007 bf876703 0201ff"
    extension = Extension.decode(bytes.fromhex("302d 060a2b06010401d679020111 041f" + description))
    assert extension.extn_value == bytes.fromhex(description)
    with pytest.raises(derlib.DecodeError, match="hardware_enforced"):
        KeyDescription.decode(bytes.fromhex(description))


def test_a_damaged_description_is_an_error_or_another_value():
    survives_damage(KeyDescription, extensions("android_200").get(id_android_key_attestation).encode())


@pytest.mark.parametrize(
    ("name", "manufacturer", "model", "version", "revision"),
    [
        ("ek_intel", "id:494E5443", "SPT", "id:00020000", 103),
        ("ek_st", "id:53544D20", "ST33KTPM2X", "id:00090100", 159),
    ],
)
def test_endorsement_certificates(name, manufacturer, model, version, revision):
    found = extensions(name)
    [directory] = found.get("2.5.29.17")
    subject = directory.directory_name
    assert subject.get(tcg.tcg_at_tpm_manufacturer) == manufacturer
    assert subject.get(tcg.tcg_at_tpm_model) == model
    assert subject.get(tcg.tcg_at_tpm_version) == version
    [attribute] = found.get("2.5.29.9")
    assert attribute.type == tcg.tcg_at_tpm_specification
    [specification] = attribute.values
    assert specification == tcg.TPMSpecification(family="2.0", level=0, revision=revision)
    assert list(found.get("2.5.29.37")) == [tcg.tcg_kp_ek_certificate]


def test_a_fault_of_an_endorsement_certificate_has_a_name():
    """X.690 11.5 and 11.2.2: Intel writes values that are the default, and a keyUsage that ends in zero bits."""
    with pytest.raises(derlib.DecodeError, match=r"extn_value\.ca at offset 533.*DEFAULT_ENCODED tolerates it"):
        Certificate.decode(CERTIFICATES["ek_intel"])


def test_attestation_identity_key():
    found = extensions("aik")
    assert found.get("2.5.29.17")[0].directory_name.get(attestation.tcg_at_tpm_model) == "NPCT75x"
    assert attestation.tcg_kp_aik_certificate in list(found.get("2.5.29.37"))


def test_security_assertions():
    """The tags and defaults of the profile, by hand."""
    assertions = tcg.TPMSecurityAssertions(
        field_upgradable=True,
        ek_generation_type=tcg.EKGenerationType.injected,
        ek_generation_location=tcg.EKGenerationLocation.tpm_manufacturer,
        ek_certificate_generation_location=tcg.EKCertificateGenerationLocation.ek_cert_signer,
        cc_info=tcg.CommonCriteriaMeasures(
            version="3.1",
            assurancelevel=tcg.EvaluationAssuranceLevel.level4,
            evaluation_status=tcg.EvaluationStatus.evaluation_completed,
            plus=True,
            target_uri={"uniform_resource_identifier": "http://a"},
        ),
        fips_level=tcg.FIPSLevel(version="140-2", level=tcg.SecurityLevel.level2),
        iso9000_certified=True,
        iso9000_uri="http://b",
    )
    expected = (
        "3041 0101ff 800101 810100 820102 a31a 1603332e31 0a0104 0a0102 0101ff a40a 1608687474703a2f2f61"
        "a40a 16053134302d32 0a0102 8501ff 1608687474703a2f2f62"
    )
    assert assertions.encode().hex() == expected.replace(" ", "")
    assert tcg.TPMSecurityAssertions.decode(assertions.encode()) == assertions
    assert tcg.TPMSecurityAssertions().encode().hex() == "3000"


def test_the_model_of_a_fido_authenticator():
    extension = Extension(extn_id=attestation.id_fido_gen_ce_aaguid, extn_value=bytes(range(16)))
    decoded = Extension.decode(extension.encode())
    assert decoded.extn_value == bytes(range(16))
    assert decoded.encode().hex() == "3021060b2b0601040182e51c01010404120410000102030405060708090a0b0c0d0e0f"
    # Web Authentication 8.2.1 has 16 octets.
    other = bytes.fromhex("3012 060b2b0601040182e51c010104 0403 040100")
    assert Extension.decode(other).extn_value == b"\x04\x01\x00"
