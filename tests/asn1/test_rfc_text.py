"""The text of an RFC: modules between prose, indented, and cut by the ends of pages."""

import re
from pathlib import Path

import pytest
from asn1.modules import module

from derlib import asn1

SHOP = (Path(__file__).parent / "shop.asn").read_text()
LETTERS = module("IMPORTS Item FROM Shop;\nBox ::= SEQUENCE OF Item -- the END of it\n", name="Letters")
PROSE = """
5.  The Module

   This section BEGINs with a module. Its name is Shop. All of its
   DEFINITIONS are normative. The END of a module is a word. A value
   such as Item ::= SEQUENCE { } is an example.

   <CODE BEGINS>
"""


def rfc(header: str, footer: str) -> str:
    """Return two modules as pages of 15 lines."""
    texts = [PROSE, SHOP, "   <CODE ENDS>", PROSE, LETTERS, "\nAuthors' Addresses\n"]
    indented = [f"   {line}".rstrip() for line in "\n".join(texts).split("\n")]
    pages = [indented[start : start + 15] for start in range(0, len(indented), 15)]
    return "\n".join(
        "\n".join(["", header, "", *page, "", f"{footer} [Page {number}]", "\f"])
        for number, page in enumerate(pages, 1)
    )


def without_docstrings(text: str) -> str:
    """Return the Python that the compiler writes, without the lines and the text of the source."""
    code, _ = asn1.compile_sources([asn1.Source("test", text)])
    return re.sub(r'""".*?"""', "", code, flags=re.DOTALL)


STYLES = [
    ("RFC 5280            PKIX Certificate and CRL Profile           May 2008", "Cooper, et al.   Standards Track  "),
    ("Internet-Draft            Shops and Their Letters         October 2011", "Doe    Expires April 5, 2012 "),
]


@pytest.mark.parametrize(("header", "footer"), STYLES)
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_pages_compile_as_the_modules_do(header: str, footer: str, line_end: str) -> None:
    text = asn1.modules_of_rfc(rfc(header, footer).replace("\n", line_end))
    assert without_docstrings(text) == without_docstrings(f"{SHOP}\n{LETTERS}")


def test_an_error_has_the_line_of_the_rfc() -> None:
    text = rfc(*STYLES[0]).replace("remark   UTF8String", "remark   UTF8String 5")
    line = text[: text.index("UTF8String 5")].count("\n") + 1
    with pytest.raises(asn1.CompileError) as found:
        asn1.compile_sources([asn1.Source("rfc", asn1.modules_of_rfc(text))])
    [error] = found.value.diagnostics
    assert (error.place.line, error.message) == (line, "expected ',' or '}', found '5'")
