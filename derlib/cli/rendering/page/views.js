"use strict";
// The two views, the tree and the bytes; highlighting and selection in both. All values are inserted as text, never as markup.
const $ = (id) => document.getElementById(id);
// The indentation of a level in pixels, at most; all levels together take at most this share of the width.
const INDENT = 12, MAX_INDENTED = 0.2;
// The same on a page as narrow as that of a phone.
const NARROW = 500, NARROW_INDENT = 8, NARROW_INDENTED = 0.2;
// The width of a character of a value in pixels, at least.
const CHARACTER = 7;

const make = (name, kind, ...inside) => {
  const element = document.createElement(name);
  if (kind) element.className = kind;
  element.append(...inside);
  return element;
};

// --- Tree
const treeRows = new Rows($("tree"), 24, () => {
  const parts = ["twist", "field", "type", "tag", "form", "value", "fault", "position"].map((kind) => make("span", kind));
  const row = make("div", "row", ...parts);
  row.setAttribute("role", "treeitem");
  // The state and the description of the row have these.
  for (const part of [parts[0], parts[7]]) part.setAttribute("aria-hidden", "true");
  return row;
}, (row, at) => {
  const { tree, selected, hovered } = state, node = tree.atRow(at), many = tree.kids(node).length;
  const [twist, field, type, tag, form, value, fault, position] = row.children;
  row.node = node;
  row.id = `row-${node.depth}-${node.at}`;
  row.className = `row${node === selected ? " selected" : ""}${hovered && at === state.hoveredRow ? " hovered" : ""}`;
  const width = treeRows.wide, [indent, most] = width < NARROW ? [NARROW_INDENT, NARROW_INDENTED] : [INDENT, MAX_INDENTED];
  row.style.paddingLeft = `${8 + Math.min(indent * node.depth, Math.floor(most * width))}px`;
  const { parent } = node;
  row.setAttribute("aria-level", node.depth + 1);
  row.setAttribute("aria-posinset", node.index + 1);
  row.setAttribute("aria-setsize", parent ? tree.kids(parent).length : 1);
  row.setAttribute("aria-selected", node === selected);
  if (many) row.setAttribute("aria-expanded", node.open); else row.removeAttribute("aria-expanded");
  twist.textContent = many ? (node.open ? "▾" : "▸") : "";
  field.textContent = fieldOf(node);
  type.textContent = typeOf(node);
  type.dataset.kind = isExplicit(node) ? "explicit" : kindOf(node);
  tag.textContent = tagOf(node);
  form.textContent = formsOf(node).map(([name]) => name).join(", ");
  form.title = formOf(node);
  fault.textContent = faultOf(node) && `⚠ ${faultOf(node).split(",", 1)[0]}`;
  value.textContent = valueOf(node, Math.max(60, Math.floor(width / CHARACTER)));
  value.dataset.kind = many || node.constructed ? "count" : kindOf(node);
  position.textContent = `${number(node.at)} + ${number(node.end - node.at)}`;
  for (const part of [field, type, form, value]) part.style.setProperty("--letters", part.textContent.length);
  row.setAttribute("aria-description", `offset ${node.at}, ${plural(node.end - node.at, "byte")}`);
});

// --- Bytes: 8, 16 or 32 in a row, as many as there is room for
const MAX_WIDTH = 32;
const byteRows = new Rows($("bytes"), 20, () => {
  const row = make("div", "row", make("span", "offset", ""));
  row.cells = ["byte", "character"].map((kind) => Array.from({ length: MAX_WIDTH }, (_, at) => {
    const cell = make("span", kind, document.createTextNode(""));
    cell.at = at;
    row.append(cell);
    return cell;
  }));
  return row;
}, (row, at) => {
  const { selected, hovered, hit, width } = state, { bytes } = state.der, highlighted = hovered ?? selected, start = at * width;
  row.start = start;
  if (row.width !== width) {
    row.width = width;
    for (const cells of row.cells) cells.forEach((cell, at) => { cell.hidden = at >= width; });
  }
  row.firstChild.textContent = start.toString(16).padStart(bytes.length > 0xfffff ? 7 : bytes.length > 0xffff ? 5 : 4, "0");
  for (let cell = 0; cell < width; cell++) {
    const offset = start + cell, there = offset < bytes.length, secret = isHidden(offset, offset + 1);
    const code = !there ? -1 : secret ? 256 : bytes[offset];
    let light = "";
    if (there) {
      if (selected && offset >= selected.at && offset < selected.end) light += " selected";
      if (hovered && offset >= hovered.at && offset < hovered.end) light += " hovered";
      if (highlighted && offset >= highlighted.at && offset < highlighted.content)
        light += offset < highlighted.lengthAt ? " tag" : " length";
      if (offset === state.faultAt) light += " fault";
      if (hit && offset >= hit[0] && offset < hit[1]) light += " hit";
    }
    paintCell(row.cells[0][cell], code, light, "byte", secret ? "••" : there ? HEX[code] : "");
    paintCell(row.cells[1][cell], code, light, "character", secret ? "•" : there ? CHARACTERS[code] : "");
  }
});

// The character of each byte; a space is as wide as any other character.
const CHARACTERS = Array.from({ length: 256 }, (_, code) =>
  (code > 32 && code < 127 ? String.fromCharCode(code) : code === 32 ? "\u00a0" : "·"));

// Change a cell of the bytes where it differs from what it shows.
function paintCell(cell, code, light, kind, text) {
  if (cell.code !== code) {
    cell.code = code;
    cell.firstChild.data = text;
  }
  if (cell.light !== light) {
    cell.light = light;
    cell.className = kind + light;
  }
}

function fit() {
  const room = byteRows.wide, width = room < 595 ? 8 : room < 1090 ? 16 : 32;
  if (width === state.width && byteRows.count) return;
  const at = byteRows.top * state.width;
  state.width = width;
  byteRows.setCount(Math.ceil(state.der.bytes.length / width));
  byteRows.scrollTo(at / width);
}

// --- Highlighting and selection
let following = 0;
function hover(node, from) {
  if (node === state.hovered) return;
  state.hovered = node;
  state.hoveredRow = node ? state.tree.rowOf(node) : -1;
  treeRows.draw();
  byteRows.draw();
  clearTimeout(following);
  // If nothing is selected, the other side scrolls to the element.
  if (node && !state.selected)
    following = setTimeout(() => (from === treeRows ? byteRows.show(Math.floor(node.at / state.width))
      : treeRows.show(state.hoveredRow)), 120);
  showDetails(node ?? state.selected);
}

function select(node, { offset = node?.at, tree = true, bytes = true } = {}) {
  const isFirst = !state.selected;
  state.selected = node;
  if (node) {
    state.tree.reveal(node);
    refresh();
    if (tree) treeRows.show(state.tree.rowOf(node));
    if (bytes) byteRows.show(Math.floor(offset / state.width));
    $("tree").setAttribute("aria-activedescendant", `row-${node.depth}-${node.at}`);
  }
  treeRows.draw();
  byteRows.draw();
  if (!node) $("tree").removeAttribute("aria-activedescendant");
  showDetails(node);
  if (!node || !isFirst) return;
  // On a narrow page, the details have taken room from the tree.
  treeRows.measure();
  treeRows.show(state.tree.rowOf(node));
}

function refresh() {
  treeRows.setCount(state.tree.root.rows);
  state.hoveredRow = state.hovered ? state.tree.rowOf(state.hovered) : -1;
}

function toggle(node, open = !node.open) {
  state.tree.setOpen(node, open);
  // If the selected element is hidden now, select the element that was closed.
  for (let one = state.selected; one && one !== node; one = one.parent) if (one.parent === node && !open) { select(node); break; }
  refresh();
  treeRows.draw();
}
