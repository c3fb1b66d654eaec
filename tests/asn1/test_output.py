"""The output for a module is the stored one, which `make types` checks with mypy and pyright.

After a change of the compiler: PYTHONPATH=tests python -m asn1.test_output
"""

from pathlib import Path

import derlib
from derlib import asn1

FOLDER = Path(__file__).parent
STORED = FOLDER.parent / "typing" / "compiled_shop.py"
STORED_PACKAGE = FOLDER.parent / "typing" / "compiled_ships"


def output() -> str:
    text = (FOLDER / "shop.asn").read_text()
    return asn1.compile_sources([asn1.Source("shop.asn", text)], command="derlib compile shop.asn")[0]


def package() -> dict[str, str]:
    sources = [asn1.Source(path.name, path.read_text()) for path in sorted((FOLDER / "ships").iterdir())]
    return asn1.compile_package(sources, command="derlib compile Ship.asn Store.asn -o compiled_ships/")[0]


def test_output_is_as_stored() -> None:
    assert output() == STORED.read_text()


def test_package_is_as_stored() -> None:
    assert package() == {path.name: path.read_text() for path in STORED_PACKAGE.glob("*.py")}


def test_package_works() -> None:
    ships = asn1.load(*(path.read_text() for path in (FOLDER / "ships").iterdir()))
    owner = ships.ship.Ship(boxes=[ships.store.Box(key=b"1234")], papers=[])
    ship = ships.ship.Ship(boxes=[], papers=[{"kind": "2.999.1", "content": owner}])
    assert ships.ship.Ship.decode(ship.encode()).papers[0].content.boxes[0].version is ships.store.Version.v2


def test_output_works() -> None:
    shop = asn1.load((FOLDER / "shop.asn").read_text())
    assert shop.sample.parts[0].code == 8
    letter = shop.Letter(
        from_={"post": {"street": "High Street", "city": "Leeds"}},
        order={"kind": "2.999.7.1", "content": [shop.sample], "copy": shop.sample},
    )
    assert shop.Letter.decode(letter.encode()).order.content[0] == shop.sample
    assert letter.encode()[0] == 0x61
    assert derlib.decode(shop.Letter, letter.encode()) == letter


if __name__ == "__main__":
    STORED.write_text(output())
    for name, text in package().items():
        (STORED_PACKAGE / name).write_text(text)
