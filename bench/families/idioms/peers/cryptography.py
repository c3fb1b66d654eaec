"""cryptography's x509: the same calls."""

import json
import warnings
from base64 import b64decode
from collections.abc import Callable
from pathlib import Path
from typing import Any

from cryptography import x509
from cryptography.utils import CryptographyDeprecationWarning

from bench.families.idioms.new_process import importing
from bench.harness import Task

# One root has a serial number that is not positive. It is valid DER, but cryptography warns.
warnings.simplefilter("ignore", CryptographyDeprecationWarning)


def get(path: str, call: Callable[[x509.Extensions], x509.Extension[Any]]) -> Task:
    """Get an extension of the certificate that has most extensions."""
    certificates = [x509.load_der_x509_certificate(b64decode(text)) for text in json.loads(Path(path).read_text())]
    extensions = max((each.extensions for each in certificates), key=len)
    return Task(lambda: call(extensions).value, lambda found: [(found.ca, found.path_length)])


def get_by_type(path: str) -> Task:
    """Get an extension by the type of its value."""
    return get(path, lambda extensions: extensions.get_extension_for_class(x509.BasicConstraints))


def get_by_oid(path: str) -> Task:
    """Get an extension by its identifier."""
    oid = x509.ObjectIdentifier("2.5.29.19")
    return get(path, lambda extensions: extensions.get_extension_for_oid(oid))


def get_by_dotted(path: str) -> Task:
    """Get an extension by the text of its identifier."""
    return get(path, lambda extensions: extensions.get_extension_for_oid(x509.ObjectIdentifier("2.5.29.19")))


def import_schemas(_: str) -> Task:
    """Import the module that reads certificates and CRLs."""
    return importing("cryptography.x509")
