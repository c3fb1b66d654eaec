"""Hypothesis strategies for any type: values, valid encodings, and encodings that violate one known rule.

They are for tests of code that uses derlib, and need the extra ``derlib[hypothesis]``. See docs/testing.md.

>>> from hypothesis import find
>>> from derlib import SequenceOf
>>> from derlib.strategies import encodings, values
>>> find(values(SequenceOf[int]), lambda numbers: max(numbers, default=0) > 100)
SequenceOf[int]([101])
>>> find(encodings(SequenceOf[int]), lambda encoding: len(encoding) > 4).hex()
'3003020100'
"""

try:
    import hypothesis as _  # noqa: F401
except ModuleNotFoundError as error:
    if error.name != "hypothesis":
        raise
    raise ModuleNotFoundError(
        "derlib.strategies needs hypothesis: pip install hypothesis", name="hypothesis"
    ) from None

from derlib.strategies._ber import BEREncoding, ber_encodings, random_ber, to_cer
from derlib.strategies._public import Malformed, encodings, malformed, values

__all__ = [
    "BEREncoding", "Malformed", "ber_encodings", "encodings", "malformed", "random_ber", "to_cer", "values",
]
