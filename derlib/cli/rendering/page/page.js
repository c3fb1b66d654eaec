"use strict";
// The page: tree and octets beside one another, what lights up, the search, keys. All text goes in as text, never as
// markup, whatever a file says.
const FACTS = JSON.parse(document.getElementById("facts").textContent);
const $ = (id) => document.getElementById(id);
const MOST_MATCHES = 100_000, MOST_OPENED = 2_000, FIRST_ROWS = 48, MOST_INDENTED = 24, MOST_SHOWN = 4_096;
const state = { der: null, tree: null, kept: null, hovered: null, hit: null, matches: [], match: -1, width: 16 };

const number = (value) => value.toLocaleString("en");
const make = (name, kind, ...inside) => {
  const element = document.createElement(name);
  if (kind) element.className = kind;
  element.append(...inside);
  return element;
};

// --- Tree
const treeRows = new Rows($("tree"), 24, () => {
  const parts = ["twist", "field", "type", "value", "place"].map((kind) => make("span", kind));
  const row = make("div", "row", ...parts);
  row.setAttribute("role", "treeitem");
  return row;
}, (row, at) => {
  const { tree, kept, hovered } = state, node = tree.atRow(at), many = tree.kids(node).length;
  const [twist, field, type, value, place] = row.children;
  row.node = node;
  row.id = `row-${node.depth}-${node.at}`;
  row.className = `row${node === kept ? " kept" : ""}${hovered && at === state.hoveredRow ? " hovered" : ""}`;
  row.style.paddingLeft = `${8 + 16 * Math.min(node.depth, MOST_INDENTED)}px`;
  row.setAttribute("aria-level", node.depth + 1);
  row.setAttribute("aria-selected", node === kept);
  if (many) row.setAttribute("aria-expanded", node.open); else row.removeAttribute("aria-expanded");
  twist.textContent = many ? (node.open ? "▾" : "▸") : "";
  field.textContent = fieldOf(node);
  type.textContent = Der.typeName(node);
  type.dataset.kind = kindOf(node);
  value.textContent = node.constructed ? `${number(many)} element${many === 1 ? "" : "s"}${inBrief(node, many)}`
    : many ? "contains" : state.der.value(node, FACTS.names, 120);
  value.dataset.kind = node.constructed || many ? "count" : kindOf(node);
  place.textContent = `${number(node.at)} + ${number(node.end - node.at)}`;
});

// The name of the field that `node` is: by its place, or in an element of a long list by the way from there.
function fieldOf(node) {
  const { places = {}, lists = {} } = state.fields, octets = state.der.octets;
  if (Object.hasOwn(places, node.at)) return places[node.at];
  const way = [];
  for (let one = node; one.parent && way.length < 16; one = one.parent) {
    if (Object.hasOwn(lists, one.parent.at)) {
      const table = lists[one.parent.at], key = way.join("/");
      return one === node ? `[${node.index}]` : Object.hasOwn(table, key) ? table[key] : "";
    }
    way.unshift(`${one.index}:${octets[one.at]}`);
  }
  return "";
}

// The values inside a closed element that has few.
function inBrief(node, many) {
  if (node.open || many > 4) return "";
  const kids = Array.from({ length: many }, (_, index) => state.tree.child(node, index));
  return kids.map((kid) => (kid.constructed ? " · …" : ` · ${state.der.value(kid, FACTS.names, 40)}`)).join("");
}

function kindOf(node) {
  if (node.class) return "tagged";
  if (node.constructed) return "structure";
  if (node.number === 6) return "identifier";
  if (node.number < 6 || node.number === 10 || node.number === 9) return [3, 4].includes(node.number) ? "octets" : "number";
  return node.number === 23 || node.number === 24 ? "time" : "text";
}

// --- Octets
const octetRows = new Rows($("octets"), 20, () => {
  const row = make("div", "row", make("span", "offset"));
  for (const kind of ["octet", "character"])
    for (let at = 0; at < 16; at++) {
      const cell = make("span", kind);
      cell.at = at;
      row.append(cell);
    }
  return row;
}, (row, at) => {
  const { kept, hovered, hit, width } = state, { octets } = state.der, lit = hovered ?? kept, start = at * width;
  row.start = start;
  row.firstChild.textContent = start.toString(16).padStart(8, "0");
  for (let cell = 0; cell < 16; cell++) {
    const place = start + cell, octet = row.children[1 + cell], character = row.children[17 + cell];
    const there = cell < width && place < octets.length;
    octet.hidden = character.hidden = cell >= width;
    const code = there ? octets[place] : 0;
    octet.textContent = there ? HEX[code] : "";
    character.textContent = there ? (code > 32 && code < 127 ? String.fromCharCode(code) : code === 32 ? "\u00a0" : "·") : "";
    let light = "";
    if (there) {
      if (kept && place >= kept.at && place < kept.end) light += " kept";
      if (hovered && place >= hovered.at && place < hovered.end) light += " hovered";
      if (lit && place >= lit.at && place < lit.content) light += place < lit.lengthAt ? " tag" : " length";
      if (hit && place >= hit[0] && place < hit[1]) light += " hit";
    }
    octet.className = `octet${light}`;
    character.className = `character${light}`;
  }
});

function fit() {
  const width = $("octets").clientWidth < 660 ? 8 : 16;
  if (width === state.width && octetRows.count) return;
  const at = octetRows.top * state.width;
  state.width = width;
  octetRows.setCount(Math.ceil(state.der.octets.length / width));
  octetRows.scrollTo(at / width);
}

// --- What lights up, and what is kept
let following = 0;
function hover(node, from) {
  if (node === state.hovered) return;
  state.hovered = node;
  state.hoveredRow = node ? state.tree.rowOf(node) : -1;
  treeRows.draw();
  octetRows.draw();
  clearTimeout(following);
  // As long as nothing is kept, the other side comes along.
  if (node && !state.kept)
    following = setTimeout(() => (from === treeRows ? octetRows.show(Math.floor(node.at / state.width))
      : treeRows.show(state.hoveredRow)), 120);
  tell(node ?? state.kept);
}

function keep(node, { place = node?.at, tree = true, octets = true } = {}) {
  state.kept = node;
  if (node) {
    state.tree.reveal(node);
    refresh();
    if (tree) treeRows.show(state.tree.rowOf(node));
    if (octets) octetRows.show(Math.floor(place / state.width));
    $("tree").setAttribute("aria-activedescendant", `row-${node.depth}-${node.at}`);
  }
  treeRows.draw();
  octetRows.draw();
  tell(node);
}

function refresh() {
  treeRows.setCount(state.tree.root.rows);
  state.hoveredRow = state.hovered ? state.tree.rowOf(state.hovered) : -1;
}

function toggle(node, open = !node.open) {
  state.tree.setOpen(node, open);
  // What is kept stays in sight: where it was closed away, the element around it is kept.
  for (let one = state.kept; one && one !== node; one = one.parent) if (one.parent === node && !open) { keep(node); break; }
  refresh();
  treeRows.draw();
}

// --- The line below: where it is, its header, its value
function tell(node) {
  $("told").hidden = !node;
  if (!node) return;
  const steps = [];
  for (let one = node; one; one = one.parent)
    steps.unshift(make("li", "", fieldOf(one) || Der.typeName(one) + (one.parent?.constructed ? ` #${number(one.index + 1)}` : "")));
  $("path").replaceChildren(...(steps.length > 9 ? [...steps.slice(0, 3), make("li", "", "…"), ...steps.slice(-5)] : steps));
  $("where").textContent = `offset ${number(node.at)} (0x${node.at.toString(16)}), header ${node.content - node.at},`
    + ` contents ${number(node.end - node.content)} octet${node.end - node.content === 1 ? "" : "s"}, `
    + `${["universal", "application", "context", "private"][node.class]} ${node.number}`;
  const value = node.constructed ? "" : state.der.value(node, FACTS.names, MOST_SHOWN);
  $("value").textContent = value;
  $("value").hidden = !value;
}

// --- Search
function patterns(query, kind) {
  const found = [], digits = query.replace(/^0x/i, "").replace(/[\s:]/g, "");
  const octets = /^([0-9a-f]{2})+$/i.test(digits) ? digits.match(/../g).map((pair) => parseInt(pair, 16)) : null;
  if (kind === "hex" || (kind === "any" && octets && /^0x|[\s:]/i.test(query)))
    return octets ? [{ octets }] : [];
  if (kind !== "text") {
    const dotted = Der.identifier(query);
    if (dotted) found.push({ octets: dotted, identifier: true });
    else for (const [oid, name] of Object.entries(FACTS.names))
      if (name.toLowerCase().includes(query.toLowerCase())) found.push({ octets: Der.identifier(oid), identifier: true });
  }
  if (kind === "any" || kind === "text") {
    found.push({ octets: [...new TextEncoder().encode(query)], fold: true });
    found.push({ octets: [...query].flatMap((one) => [one.charCodeAt(0) >> 8, one.charCodeAt(0) & 255]), fold: true });
  }
  return found;
}

const lower = (octet) => (octet > 64 && octet < 91 ? octet + 32 : octet);
function placesOf({ octets: wanted, fold, identifier }) {
  const { octets } = state.der, found = [], last = octets.length - wanted.length;
  const starts = fold ? [...new Set([lower(wanted[0]), String.fromCharCode(wanted[0]).toUpperCase().charCodeAt(0)])] : [wanted[0]];
  for (const start of starts)
    for (let at = octets.indexOf(start); at >= 0 && at <= last && found.length < MOST_MATCHES; at = octets.indexOf(start, at + 1)) {
      let same = 1;
      if (fold) while (same < wanted.length && lower(octets[at + same]) === lower(wanted[same])) same++;
      else while (same < wanted.length && octets[at + same] === wanted[same]) same++;
      if (same < wanted.length) continue;
      if (identifier && (octets[at - 2] !== 6 || octets[at - 1] < wanted.length || octets[at - 1] > 127)) continue;
      found.push([at, at + wanted.length]);
    }
  return found;
}

function search() {
  const query = $("query").value.trim();
  state.hit = null;
  state.match = -1;
  state.matches = query ? patterns(query, $("kind").value).flatMap(placesOf).sort((one, other) => one[0] - other[0]) : [];
  if (state.matches.length) {
    const from = state.kept ? state.kept.at : 0, next = state.matches.findIndex(([at]) => at >= from);
    go(Math.max(next, 0));
  } else {
    octetRows.draw();
    say();
  }
}

function go(match) {
  const { matches } = state;
  if (!matches.length) return;
  state.match = (match + matches.length) % matches.length;
  state.hit = matches[state.match];
  keep(state.tree.at(state.hit[0]), { place: state.hit[0] });
  say();
}

function say() {
  const { matches, match } = state, many = number(matches.length) + (matches.length >= MOST_MATCHES ? " or more" : "");
  $("matches").textContent = matches.length ? `${number(match + 1)} of ${many}` : $("query").value.trim() ? "not found" : "";
}

// --- Documents
function octetsOf(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const raw = atob(text), octets = new Uint8Array(raw.length);
  for (let at = 0; at < raw.length; at++) octets[at] = raw.charCodeAt(at);
  return octets;
}

function load(index) {
  state.der = new Der(octetsOf($(`document-${index}`).textContent));
  state.tree = new Tree(state.der);
  state.fields = FACTS.fields[index];
  Object.assign(state, { kept: null, hovered: null, hoveredRow: -1, hit: null, matches: [], match: -1 });
  state.tree.openAll(state.tree.root, FIRST_ROWS);
  treeRows.top = 0;
  octetRows.top = octetRows.count = 0;
  refresh();
  fit();
  tell(null);
  say();
  const asked = /^#(\d{1,15})$/.exec(location.hash);
  if (asked && Number(asked[1]) < state.der.octets.length) keep(state.tree.at(Number(asked[1])));
}

// --- Mouse and keys
const nodeOf = (event) => event.target.closest?.("#tree .row")?.node;
const placeOf = (event) => {
  const place = (event.target.closest?.("#octets .row")?.start ?? NaN) + event.target.at;
  return place < state.der.octets.length ? place : NaN;
};
$("tree").addEventListener("mousemove", (event) => hover(nodeOf(event) ?? null, treeRows));
$("octets").addEventListener("mousemove", (event) => {
  const place = placeOf(event);
  hover(Number.isNaN(place) ? null : state.tree.at(place), octetRows);
});
for (const id of ["tree", "octets"]) $(id).addEventListener("mouseleave", () => hover(null));
$("tree").addEventListener("click", (event) => {
  const node = nodeOf(event);
  if (!node) return;
  if (event.target.className === "twist") toggle(node);
  else keep(node === state.kept ? null : node, { tree: false });
});
$("tree").addEventListener("dblclick", (event) => { const node = nodeOf(event); if (node) toggle(node); });
$("octets").addEventListener("click", (event) => {
  const place = placeOf(event);
  if (Number.isNaN(place)) return;
  const node = state.tree.at(place);
  keep(node === state.kept ? null : node, { octets: false });
});
$("tree").addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const { tree } = state, node = state.kept ?? tree.root, row = tree.rowOf(node), page = Math.floor(treeRows.seen) - 1;
  const to = (at) => keep(tree.atRow(Math.min(Math.max(at, 0), treeRows.count - 1)));
  const keys = {
    ArrowDown: () => to(state.kept ? row + 1 : 0), ArrowUp: () => to(row - 1),
    PageDown: () => to(row + page), PageUp: () => to(row - page),
    Home: () => to(0), End: () => to(treeRows.count - 1),
    ArrowRight: () => (node.open ? to(row + 1) : toggle(node, true)),
    ArrowLeft: () => (node.open ? toggle(node, false) : node.parent && keep(node.parent)),
    Enter: () => toggle(node), " ": () => toggle(node),
    "*": () => { tree.openAll(node, MOST_OPENED); refresh(); keep(node); },
  };
  if (!Object.hasOwn(keys, event.key)) return;
  event.preventDefault();
  keys[event.key]();
});
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || $("help").open) return;
  const typing = event.target === $("query");
  if (event.key === "Escape") {
    if (typing && $("query").value) { $("query").value = ""; search(); } else keep(null);
    $("tree").focus();
  } else if (typing && event.key === "Enter") {
    event.preventDefault();
    if (pending) { settle(); search(); } else go(state.match + (event.shiftKey ? -1 : 1));
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
const settle = () => { clearTimeout(pending); pending = 0; };
$("query").addEventListener("input", () => { settle(); pending = setTimeout(() => { settle(); search(); }, 250); });
$("kind").addEventListener("change", search);
$("next").addEventListener("click", () => go(state.match + 1));
$("previous").addEventListener("click", () => go(state.match - 1));
$("keys").addEventListener("click", () => $("help").showModal());
$("query").form.addEventListener("submit", (event) => event.preventDefault());
$("documents").addEventListener("change", () => load(Number($("documents").value)));
addEventListener("hashchange", () => load(Number($("documents").value)));
new ResizeObserver(() => { if (state.der) fit(); }).observe($("octets"));

// --- Colours, which are kept where anything can be
const colours = $("colours");
const paint = () => {
  if (colours.value) document.documentElement.dataset.colours = colours.value;
  else delete document.documentElement.dataset.colours;
};
try { colours.value = localStorage.getItem("derlib-colours") ?? ""; } catch { /* not kept */ }
colours.addEventListener("change", () => {
  paint();
  try { localStorage.setItem("derlib-colours", colours.value); } catch { /* not kept */ }
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
