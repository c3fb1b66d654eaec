"""lxml: XML by libxml2."""

from functools import partial

from lxml import etree

from bench.families.syntax.trees import Trees

# Made once. Texts of more than 10 MB need huge_tree; it makes no difference for small ones.
PARSER = etree.XMLParser(huge_tree=True)
PEER = Trees(
    partial(etree.fromstring, parser=PARSER), partial(etree.tostring, encoding="utf-8"), etree.Element, etree.SubElement
)
parse, render, parse_packet, render_packet = PEER.parse, PEER.render, PEER.parse_packet, PEER.render_packet
