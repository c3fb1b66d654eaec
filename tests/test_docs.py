"""The pages name files that exist, and their links are valid."""

import importlib
import re
from pathlib import Path

import pytest

import derlib

ROOT = Path(__file__).resolve().parent.parent
PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md", "examples/README.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
]
ARCHITECTURE = ROOT / "docs" / "architecture.md"

if not ARCHITECTURE.is_file():
    pytest.skip("docs/ is not beside the tests", allow_module_level=True)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_between_pages_are_valid(page):
    prose = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    for target in re.findall(r"\]\(([^)#:]+)\)", re.sub("`[^`]*`", "", prose)):
        assert (page.parent / target).exists(), f"{page.name} links to {target}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_each_prompt_is_inside_a_code_block(page):
    # doctest also runs examples outside of a block, which a misplaced fence makes prose.
    inside = False
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("```"):
            inside = not inside
        assert inside or not line.startswith(">>>"), f"{page.name}:{number}"
    assert not inside, f"the last block of {page.name} is open"


def examples_of(page):
    """Return the examples of a page that doctest runs."""
    text = page.read_text(encoding="utf-8")
    return "".join(re.findall(r"^```pycon$(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL))


@pytest.mark.parametrize("name", ["README.md", "docs/index.md", "docs/tutorial.md"])
def test_the_first_examples_need_no_file(name):
    code = examples_of(ROOT / name)
    assert ">>> " in code
    assert "Path(" not in code
    assert "open(" not in code


@pytest.mark.parametrize("name", ["cms", "requests-and-status", "x509"])
def test_a_page_with_files_says_how_to_run_its_examples(name):
    page = ROOT / "docs" / f"{name}.md"
    assert 'examples = Path("docs/examples")' in examples_of(page)
    assert "index.md#install" in page.read_text(encoding="utf-8").partition("\n## ")[0]


def test_the_architecture_names_only_existing_files():
    for path in re.findall(r"`((?:derlib|tests|docs)/[\w./]+)`", ARCHITECTURE.read_text(encoding="utf-8")):
        assert (ROOT / path).exists(), path


def test_the_reference_has_exactly_the_public_names():
    text = "".join(page.read_text(encoding="utf-8") for page in (ROOT / "docs" / "reference").glob("*.md"))
    listed = re.findall(r"^(?:\.\. (?:auto\w+|py:data):: |   (?=derlib\.schemas))([\w.]+)$", text, flags=re.MULTILINE)
    assert len(set(listed)) == len(listed)
    modules = [derlib, derlib.pem, derlib.oids]
    modules += [importlib.import_module(f"derlib.{name}") for name in ("asn1", "ber", "inspect", "json", "cache")]
    modules.append(pytest.importorskip("derlib.strategies"))
    pytest.importorskip("pyarrow", reason="pyarrow, the extra derlib[arrow], is not installed")
    names = ("arrow", "cluster.dask", "cluster.ray", "cluster.spark")
    modules += [importlib.import_module(f"derlib.{name}") for name in names]
    public = {f"{module.__name__}.{name}" for module in modules for name in module.__all__}
    # Its other functions are listed as names of derlib.
    public |= {f"derlib.stream.{name}" for name in derlib.stream.__all__ if name not in derlib.__all__}
    schemas = {
        f"derlib.schemas.{path.stem}" for path in (ROOT / "derlib" / "schemas").glob("*.py") if path.stem != "__init__"
    }
    themselves = {f"derlib.{path.stem}" for path in (ROOT / "docs" / "reference").glob("*.md")}
    assert set(listed) - themselves == (public | schemas) - themselves


def test_the_page_of_errors_describes_each_exception():
    text = (ROOT / "docs" / "errors.md").read_text(encoding="utf-8")
    described = set(re.findall(r"\*\*(\w+)\*\*", text.partition("## Each exception")[2].partition("\n## ")[0]))
    public = [getattr(derlib, name) for name in derlib.__all__]
    errors = {each.__name__ for each in public if isinstance(each, type) and issubclass(each, derlib.ASN1Error)}
    assert described == errors - {"ASN1Error", "DecodeError"}


def test_the_types_of_extensions_are_those_of_the_page():
    modules = [importlib.import_module(f"derlib.schemas.{name}") for name in ("x509", "crl")]
    text = (ROOT / "docs" / "x509.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (id-\S.*?) \| (.*) \|$", text, re.MULTILINE)
    assert len(rows) > 10
    for names, asked in rows:
        taken = re.findall(r"`([^`]+)`", asked)
        for name, given in zip(re.findall(r"id-[\w-]+", names), taken, strict=False):
            module = next(module for module in modules if given in module.__all__)
            value_type = getattr(module, given)
            if isinstance(value_type, derlib.ObjectIdentifier):
                assert derlib.oids.oid_of(name) == value_type.dotted
                continue
            table = modules[0].EXTENSIONS
            assert derlib.oids.oid_of(name) in [str(oid) for oid in table.oids_of(value_type)], given
