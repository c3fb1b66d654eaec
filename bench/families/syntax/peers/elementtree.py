"""xml.etree.ElementTree of the standard library: expat in C, and elements in C."""

from xml.etree import ElementTree

from bench.families.syntax.trees import Trees

PEER = Trees(
    ElementTree.fromstring,
    lambda root: ElementTree.tostring(root, "utf-8"),
    ElementTree.Element,
    ElementTree.SubElement,
)
parse, render, parse_packet, render_packet = PEER.parse, PEER.render, PEER.parse_packet, PEER.render_packet
