"""Logotypes, which are images and sounds for the people who look at a certificate: RFC 9399.

RFC 9399 obsoletes RFC 3709 and 6170; the syntax is the same, with implicit tags. Used by `derlib.schemas.x509`, which
imports this module to register the extension.

>>> from derlib.schemas.x509 import Certificate
>>> certificate = Certificate.decode(open("server.der", "rb").read())  # doctest: +SKIP
>>> extension = certificate.get(id_pe_logotype)  # doctest: +SKIP
>>> extension.subject_logo.value.image[0].image_details.media_type  # doctest: +SKIP
'image/svg+xml'
"""

from __future__ import annotations

from typing import Annotated

from derlib import (
    Choice,
    Explicit,
    IA5String,
    Implicit,
    NamedInteger,
    ObjectIdentifier,
    OctetString,
    Present,
    Sequence,
    SequenceOf,
    Size,
    WithComponents,
)
from derlib.oids import register_known
from derlib.schemas.algorithms import AlgorithmIdentifier
from derlib.schemas.extensions import known_extension

_COMPILE_AT_FIRST_USE = True


class HashAlgAndValue(Sequence):
    """The hash of a file (RFC 9399 section 4.1).

    ::

        HashAlgAndValue ::= SEQUENCE {
            hashAlg     AlgorithmIdentifier,
            hashValue   OCTET STRING }
    """

    hash_alg: AlgorithmIdentifier
    hash_value: OctetString


class LogotypeDetails(Sequence):
    """The files of an image or a sound: each place has the same file (RFC 9399 section 4.1).

    ::

        LogotypeDetails ::= SEQUENCE {
            mediaType      IA5String,   -- media type name and optional parameters
            logotypeHash   SEQUENCE SIZE (1..MAX) OF HashAlgAndValue,
            logotypeURI    SEQUENCE SIZE (1..MAX) OF IA5String }
    """

    media_type: IA5String
    logotype_hash: Annotated[SequenceOf[HashAlgAndValue], Size(1, None)]
    logotype_uri: Annotated[SequenceOf[IA5String], Size(1, None)]


class LogotypeImageType(NamedInteger):
    """Whether an image has colors (RFC 9399 section 4.1).

    ::

        LogotypeImageType ::= INTEGER { grayScale(0), color(1) }
    """

    gray_scale = 0
    color = 1


class LogotypeImageResolution(Choice):
    """The colors of an image (RFC 9399 section 4.1).

    ::

        LogotypeImageResolution ::= CHOICE {
            numBits     [1] INTEGER,   -- resolution in bits per pixel
            tableSize   [2] INTEGER }  -- number of colors or gray tones
    """

    num_bits: Annotated[int, Implicit(1)]
    table_size: Annotated[int, Implicit(2)]


class LogotypeImageInfo(Sequence):
    """What an image looks like, which the reader knows before it fetches the file (RFC 9399 section 4.1).

    ::

        LogotypeImageInfo ::= SEQUENCE {
            type         [0] LogotypeImageType DEFAULT color,
            fileSize     INTEGER,   -- in octets, 0 = unspecified
            xSize        INTEGER,   -- horizontal size in pixels
            ySize        INTEGER,   -- vertical size in pixels
            resolution   LogotypeImageResolution OPTIONAL,
            language     [4] IA5String OPTIONAL }   -- RFC 5646 language tag
    """

    type: Annotated[LogotypeImageType, Implicit(0)] = LogotypeImageType.color
    file_size: int
    x_size: int
    y_size: int
    resolution: LogotypeImageResolution | None = None
    language: Annotated[IA5String, Implicit(4)] | None = None


class LogotypeImage(Sequence):
    """An image (RFC 9399 section 4.1).

    ::

        LogotypeImage ::= SEQUENCE {
            imageDetails   LogotypeDetails,
            imageInfo      LogotypeImageInfo OPTIONAL }
    """

    image_details: LogotypeDetails
    image_info: LogotypeImageInfo | None = None


class LogotypeAudioInfo(Sequence):
    """What a sound is like (RFC 9399 section 4.1).

    ::

        LogotypeAudioInfo ::= SEQUENCE {
            fileSize     INTEGER,   -- in octets, 0 = unspecified
            playTime     INTEGER,   -- in milliseconds, 0 = unspecified
            channels     INTEGER,   -- 0 = unspecified, 1 = mono, 2 = stereo, 4 = quad
            sampleRate   [3] INTEGER OPTIONAL,      -- samples per second
            language     [4] IA5String OPTIONAL }   -- RFC 5646 language tag
    """

    file_size: int
    play_time: int
    channels: int
    sample_rate: Annotated[int, Implicit(3)] | None = None
    language: Annotated[IA5String, Implicit(4)] | None = None


class LogotypeAudio(Sequence):
    """A sound (RFC 9399 section 4.1).

    ::

        LogotypeAudio ::= SEQUENCE {
            audioDetails   LogotypeDetails,
            audioInfo      LogotypeAudioInfo OPTIONAL }
    """

    audio_details: LogotypeDetails
    audio_info: LogotypeAudioInfo | None = None


class LogotypeData(Sequence):
    """A logotype as images and sounds, at least one of them (RFC 9399 section 4.1).

    ::

        LogotypeData ::= SEQUENCE {
            image   SEQUENCE OF LogotypeImage OPTIONAL,
            audio   [1] SEQUENCE OF LogotypeAudio OPTIONAL }

    The file to which a `LogotypeReference` refers has this type, too.
    """

    image: SequenceOf[LogotypeImage] | None = None
    audio: Annotated[SequenceOf[LogotypeAudio], Implicit(1)] | None = None


class LogotypeReference(Sequence):
    """The places of a file with the logotype, which is a LogotypeData (RFC 9399 section 4.1).

    ::

        LogotypeReference ::= SEQUENCE {
            refStructHash   SEQUENCE SIZE (1..MAX) OF HashAlgAndValue,
            refStructURI    SEQUENCE SIZE (1..MAX) OF IA5String }
    """

    ref_struct_hash: Annotated[SequenceOf[HashAlgAndValue], Size(1, None)]
    ref_struct_uri: Annotated[SequenceOf[IA5String], Size(1, None)]


class LogotypeInfo(Choice):
    """A logotype, or where it is (RFC 9399 section 4.1).

    ::

        LogotypeInfo ::= CHOICE {
            direct     [0] LogotypeData,
            indirect   [1] LogotypeReference }
    """

    direct: Annotated[LogotypeData, WithComponents(image=Present) | WithComponents(audio=Present), Implicit(0)]
    indirect: Annotated[LogotypeReference, Implicit(1)]


class OtherLogotypeInfo(Sequence):
    """A logotype for another use, such as an image of the whole certificate (RFC 9399 sections 4.1 and 4.4).

    ::

        OtherLogotypeInfo ::= SEQUENCE {
            logotypeType   OBJECT IDENTIFIER,
            info           LogotypeInfo }
    """

    logotype_type: ObjectIdentifier
    info: LogotypeInfo


class LogotypeExtn(Sequence):
    """The logotypes of a certificate, at least one (RFC 9399 section 4.1).

    ::

        LogotypeExtn ::= SEQUENCE {
            communityLogos   [0] EXPLICIT SEQUENCE OF LogotypeInfo OPTIONAL,
            issuerLogo       [1] EXPLICIT LogotypeInfo OPTIONAL,
            subjectLogo      [2] EXPLICIT LogotypeInfo OPTIONAL,
            otherLogos       [3] EXPLICIT SEQUENCE OF OtherLogotypeInfo OPTIONAL }
    """

    community_logos: Annotated[SequenceOf[LogotypeInfo], Explicit(0)] | None = None
    issuer_logo: Annotated[LogotypeInfo, Explicit(1)] | None = None
    subject_logo: Annotated[LogotypeInfo, Explicit(2)] | None = None
    other_logos: Annotated[SequenceOf[OtherLogotypeInfo], Explicit(3)] | None = None


# RFC 9399 section 4.4, for OtherLogotypeInfo.
id_logo_loyalty = ObjectIdentifier("1.3.6.1.5.5.7.20.1")
id_logo_background = ObjectIdentifier("1.3.6.1.5.5.7.20.2")
id_logo_cert_image = ObjectIdentifier("1.3.6.1.5.5.7.20.3")
register_known(
    {
        id_logo_loyalty.dotted: "id-logo-loyalty",
        id_logo_background.dotted: "id-logo-background",
        id_logo_cert_image.dotted: "id-logo-certImage",
    }
)
# At least one of the fields must be present.
id_pe_logotype = known_extension(
    "1.3.6.1.5.5.7.1.12",
    "id-pe-logotype",
    Annotated[
        LogotypeExtn,
        WithComponents(community_logos=Present)
        | WithComponents(issuer_logo=Present)
        | WithComponents(subject_logo=Present)
        | WithComponents(other_logos=Present),
    ],
)
