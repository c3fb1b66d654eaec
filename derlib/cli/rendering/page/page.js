"use strict";
// The page: the tree and the bytes, highlighting, search, keys. All values are inserted as text, never as markup.
const FACTS = JSON.parse(document.getElementById("facts").textContent);
const $ = (id) => document.getElementById(id);
const MAX_MATCHES = 100_000, MAX_OPENED = 2_000, FIRST_ROWS = 48, MAX_INDENTED = 24, MAX_SHOWN = 4_096;
const state = { der: null, tree: null, selected: null, hovered: null, hit: null, matches: [], match: -1, width: 16 };

const number = (value) => value.toLocaleString("en");
const make = (name, kind, ...inside) => {
  const element = document.createElement(name);
  if (kind) element.className = kind;
  element.append(...inside);
  return element;
};

// --- Tree
const treeRows = new Rows($("tree"), 24, () => {
  const parts = ["twist", "field", "type", "value", "position"].map((kind) => make("span", kind));
  const row = make("div", "row", ...parts);
  row.setAttribute("role", "treeitem");
  return row;
}, (row, at) => {
  const { tree, selected, hovered } = state, node = tree.atRow(at), many = tree.kids(node).length;
  const [twist, field, type, value, position] = row.children;
  row.node = node;
  row.id = `row-${node.depth}-${node.at}`;
  row.className = `row${node === selected ? " selected" : ""}${hovered && at === state.hoveredRow ? " hovered" : ""}`;
  row.style.paddingLeft = `${8 + 16 * Math.min(node.depth, MAX_INDENTED)}px`;
  row.setAttribute("aria-level", node.depth + 1);
  row.setAttribute("aria-selected", node === selected);
  if (many) row.setAttribute("aria-expanded", node.open); else row.removeAttribute("aria-expanded");
  twist.textContent = many ? (node.open ? "▾" : "▸") : "";
  field.textContent = fieldOf(node);
  type.textContent = `${Der.typeName(node)}${formOf(node, " (", ")")}`;
  type.dataset.kind = kindOf(node);
  // The end-of-contents octets are the last row inside an element, but not one of its elements.
  const inside = node.indefinite ? many - 1 : many;
  value.textContent = node.constructed ? `${number(inside)} element${inside === 1 ? "" : "s"}${inBrief(node, inside)}`
    : many ? "contains" : state.der.value(node, FACTS.names, 120);
  value.dataset.kind = node.constructed || many ? "count" : kindOf(node);
  position.textContent = `${number(node.at)} + ${number(node.end - node.at)}`;
});

// Return the field name of `node`: by its offset, or in an element of a long list by its path from that element.
function fieldOf(node) {
  const { names = {}, tables = {} } = state.fields, bytes = state.der.bytes;
  if (Object.hasOwn(names, node.at)) return names[node.at];
  const path = [];
  for (let one = node; one.parent && path.length < 16; one = one.parent) {
    if (Object.hasOwn(tables, one.parent.at)) {
      const table = tables[one.parent.at], key = path.join("/");
      return one === node ? `[${node.index}]` : Object.hasOwn(table, key) ? table[key] : "";
    }
    path.unshift(`${one.index}:${bytes[one.at]}`);
  }
  return "";
}

// Return the form of an element of BER in words, between two texts; empty for a form of DER.
function formOf(node, before, after) {
  const form = FACTS.ber ? Der.form(node) : "";
  return form && before + form + after;
}

// Return the values in a closed element with few children.
function inBrief(node, many) {
  if (node.open || many > 4) return "";
  const kids = Array.from({ length: many }, (_, index) => state.tree.child(node, index));
  return kids.map((kid) => (kid.constructed ? " · …" : ` · ${state.der.value(kid, FACTS.names, 40)}`)).join("");
}

function kindOf(node) {
  if (node.class) return "tagged";
  if (node.constructed) return "structure";
  if (node.number === 6) return "identifier";
  if (node.number < 6 || node.number === 10 || node.number === 9) return [3, 4].includes(node.number) ? "bytes" : "number";
  return node.number === 23 || node.number === 24 ? "time" : "text";
}

// --- Bytes
const byteRows = new Rows($("bytes"), 20, () => {
  const row = make("div", "row", make("span", "offset"));
  for (const kind of ["byte", "character"])
    for (let at = 0; at < 16; at++) {
      const cell = make("span", kind);
      cell.at = at;
      row.append(cell);
    }
  return row;
}, (row, at) => {
  const { selected, hovered, hit, width } = state, { bytes } = state.der, highlighted = hovered ?? selected, start = at * width;
  row.start = start;
  row.firstChild.textContent = start.toString(16).padStart(8, "0");
  for (let cell = 0; cell < 16; cell++) {
    const offset = start + cell, byte = row.children[1 + cell], character = row.children[17 + cell];
    const there = cell < width && offset < bytes.length;
    byte.hidden = character.hidden = cell >= width;
    const code = there ? bytes[offset] : 0;
    byte.textContent = there ? HEX[code] : "";
    character.textContent = there ? (code > 32 && code < 127 ? String.fromCharCode(code) : code === 32 ? "\u00a0" : "·") : "";
    let light = "";
    if (there) {
      if (selected && offset >= selected.at && offset < selected.end) light += " selected";
      if (hovered && offset >= hovered.at && offset < hovered.end) light += " hovered";
      if (highlighted && offset >= highlighted.at && offset < highlighted.content)
        light += offset < highlighted.lengthAt ? " tag" : " length";
      if (hit && offset >= hit[0] && offset < hit[1]) light += " hit";
    }
    byte.className = `byte${light}`;
    character.className = `character${light}`;
  }
});

function fit() {
  const width = $("bytes").clientWidth < 660 ? 8 : 16;
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
  showDetails(node);
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

// --- Details: path, offset, header, value
function showDetails(node) {
  $("details").hidden = !node;
  if (!node) return;
  const steps = [], size = node.end - node.content - (node.indefinite ? 2 : 0);
  for (let one = node; one; one = one.parent)
    steps.unshift(make("li", "", fieldOf(one) || Der.typeName(one) + (one.parent?.constructed ? ` #${number(one.index + 1)}` : "")));
  $("path").replaceChildren(...(steps.length > 9 ? [...steps.slice(0, 3), make("li", "", "…"), ...steps.slice(-5)] : steps));
  $("where").textContent = `offset ${number(node.at)} (0x${node.at.toString(16)}), header ${node.content - node.at},`
    + ` contents ${number(size)} byte${size === 1 ? "" : "s"}, `
    + `${["universal", "application", "context", "private"][node.class]} ${node.number}${formOf(node, ", ", "")}`;
  const value = node.constructed ? "" : state.der.value(node, FACTS.names, MAX_SHOWN);
  $("value").textContent = value;
  $("value").hidden = !value;
}

// --- Search
function patterns(query, kind) {
  const found = [], digits = query.replace(/^0x/i, "").replace(/[\s:]/g, "");
  const bytes = /^([0-9a-f]{2})+$/i.test(digits) ? digits.match(/../g).map((pair) => parseInt(pair, 16)) : null;
  if (kind === "hex" || (kind === "any" && bytes && /^0x|[\s:]/i.test(query)))
    return bytes ? [{ bytes }] : [];
  if (kind !== "text") {
    const dotted = Der.identifier(query);
    if (dotted) found.push({ bytes: dotted, identifier: true });
    else for (const [oid, name] of Object.entries(FACTS.names))
      if (name.toLowerCase().includes(query.toLowerCase())) found.push({ bytes: Der.identifier(oid), identifier: true });
  }
  if (kind === "any" || kind === "text") {
    found.push({ bytes: [...new TextEncoder().encode(query)], fold: true });
    found.push({ bytes: [...query].flatMap((one) => [one.charCodeAt(0) >> 8, one.charCodeAt(0) & 255]), fold: true });
  }
  return found;
}

const lower = (byte) => (byte > 64 && byte < 91 ? byte + 32 : byte);
function matchesOf({ bytes: wanted, fold, identifier }) {
  const { bytes } = state.der, found = [], last = bytes.length - wanted.length;
  const starts = fold ? [...new Set([lower(wanted[0]), String.fromCharCode(wanted[0]).toUpperCase().charCodeAt(0)])] : [wanted[0]];
  for (const start of starts)
    for (let at = bytes.indexOf(start); at >= 0 && at <= last && found.length < MAX_MATCHES; at = bytes.indexOf(start, at + 1)) {
      let same = 1;
      if (fold) while (same < wanted.length && lower(bytes[at + same]) === lower(wanted[same])) same++;
      else while (same < wanted.length && bytes[at + same] === wanted[same]) same++;
      if (same < wanted.length) continue;
      if (identifier && (bytes[at - 2] !== 6 || bytes[at - 1] < wanted.length || bytes[at - 1] > 127)) continue;
      found.push([at, at + wanted.length]);
    }
  return found;
}

function search() {
  const query = $("query").value.trim();
  state.hit = null;
  state.match = -1;
  state.matches = query ? patterns(query, $("kind").value).flatMap(matchesOf).sort((one, other) => one[0] - other[0]) : [];
  if (state.matches.length) {
    const from = state.selected ? state.selected.at : 0, next = state.matches.findIndex(([at]) => at >= from);
    go(Math.max(next, 0));
  } else {
    byteRows.draw();
    showMatchCount();
  }
}

function go(match) {
  const { matches } = state;
  if (!matches.length) return;
  state.match = (match + matches.length) % matches.length;
  state.hit = matches[state.match];
  select(state.tree.at(state.hit[0]), { offset: state.hit[0] });
  showMatchCount();
}

function showMatchCount() {
  const { matches, match } = state, many = number(matches.length) + (matches.length >= MAX_MATCHES ? " or more" : "");
  $("matches").textContent = matches.length ? `${number(match + 1)} of ${many}` : $("query").value.trim() ? "not found" : "";
}

// --- Documents
function bytesOf(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const raw = atob(text), bytes = new Uint8Array(raw.length);
  for (let at = 0; at < raw.length; at++) bytes[at] = raw.charCodeAt(at);
  return bytes;
}

function load(index) {
  state.der = new Der(bytesOf($(`document-${index}`).textContent), FACTS.ber);
  state.tree = new Tree(state.der);
  state.fields = FACTS.fields[index];
  Object.assign(state, { selected: null, hovered: null, hoveredRow: -1, hit: null, matches: [], match: -1 });
  state.tree.openAll(state.tree.root, FIRST_ROWS);
  treeRows.top = 0;
  byteRows.top = byteRows.count = 0;
  refresh();
  fit();
  showDetails(null);
  showMatchCount();
  const asked = /^#(\d{1,15})$/.exec(location.hash);
  if (asked && Number(asked[1]) < state.der.bytes.length) select(state.tree.at(Number(asked[1])));
}

// --- Mouse and keys
const nodeOf = (event) => event.target.closest?.("#tree .row")?.node;
const offsetOf = (event) => {
  const offset = (event.target.closest?.("#bytes .row")?.start ?? NaN) + event.target.at;
  return offset < state.der.bytes.length ? offset : NaN;
};
$("tree").addEventListener("mousemove", (event) => hover(nodeOf(event) ?? null, treeRows));
$("bytes").addEventListener("mousemove", (event) => {
  const offset = offsetOf(event);
  hover(Number.isNaN(offset) ? null : state.tree.at(offset), byteRows);
});
for (const id of ["tree", "bytes"]) $(id).addEventListener("mouseleave", () => hover(null));
$("tree").addEventListener("click", (event) => {
  const node = nodeOf(event);
  if (!node) return;
  if (event.target.className === "twist") toggle(node);
  else select(node === state.selected ? null : node, { tree: false });
});
$("tree").addEventListener("dblclick", (event) => { const node = nodeOf(event); if (node) toggle(node); });
$("bytes").addEventListener("click", (event) => {
  const offset = offsetOf(event);
  if (Number.isNaN(offset)) return;
  const node = state.tree.at(offset);
  select(node === state.selected ? null : node, { bytes: false });
});
$("tree").addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const { tree } = state, node = state.selected ?? tree.root, row = tree.rowOf(node), page = Math.floor(treeRows.seen) - 1;
  const to = (at) => select(tree.atRow(Math.min(Math.max(at, 0), treeRows.count - 1)));
  const keys = {
    ArrowDown: () => to(state.selected ? row + 1 : 0), ArrowUp: () => to(row - 1),
    PageDown: () => to(row + page), PageUp: () => to(row - page),
    Home: () => to(0), End: () => to(treeRows.count - 1),
    ArrowRight: () => (node.open ? to(row + 1) : toggle(node, true)),
    ArrowLeft: () => (node.open ? toggle(node, false) : node.parent && select(node.parent)),
    Enter: () => toggle(node), " ": () => toggle(node),
    "*": () => { tree.openAll(node, MAX_OPENED); refresh(); select(node); },
  };
  if (!Object.hasOwn(keys, event.key)) return;
  event.preventDefault();
  keys[event.key]();
});
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || $("help").open) return;
  const typing = event.target === $("query");
  if (event.key === "Escape") {
    if (typing && $("query").value) { $("query").value = ""; search(); } else select(null);
    $("tree").focus();
  } else if (typing && event.key === "Enter") {
    event.preventDefault();
    if (pending) { cancelSearch(); search(); } else go(state.match + (event.shiftKey ? -1 : 1));
  } else if (!typing && !event.target.closest("select")) {
    const keys = { "/": () => $("query").select(), n: () => go(state.match + 1), N: () => go(state.match - 1),
      "?": () => $("help").showModal() };
    if (!Object.hasOwn(keys, event.key)) return;
    event.preventDefault();
    if (event.key === "/") $("query").focus();
    keys[event.key]();
  }
});
let pending = 0;
const cancelSearch = () => { clearTimeout(pending); pending = 0; };
$("query").addEventListener("input", () => { cancelSearch(); pending = setTimeout(() => { cancelSearch(); search(); }, 250); });
$("kind").addEventListener("change", search);
$("next").addEventListener("click", () => go(state.match + 1));
$("previous").addEventListener("click", () => go(state.match - 1));
$("keys").addEventListener("click", () => $("help").showModal());
$("query").form.addEventListener("submit", (event) => event.preventDefault());
$("documents").addEventListener("change", () => load(Number($("documents").value)));
addEventListener("hashchange", () => load(Number($("documents").value)));
new ResizeObserver(() => { if (state.der) fit(); }).observe($("bytes"));

// --- Colours, which are stored if the browser allows it
const colours = $("colours");
const paint = () => {
  if (colours.value) document.documentElement.dataset.colours = colours.value;
  else delete document.documentElement.dataset.colours;
};
try { colours.value = localStorage.getItem("derlib-colours") ?? ""; } catch { /* not stored */ }
colours.addEventListener("change", () => {
  paint();
  try { localStorage.setItem("derlib-colours", colours.value); } catch { /* not stored */ }
});
paint();

FACTS.documents.forEach((title, index) => {
  const option = make("option", "", Der.visible(title));
  option.value = index;
  $("documents").append(option);
});
$("documents").hidden = FACTS.documents.length < 2;
load(0);
$("tree").focus();
