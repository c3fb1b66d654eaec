"use strict";
// The page: its documents, mouse and keys, colours.
const MAX_OPENED = 2_000, FIRST_ROWS = 48;

// --- Documents
function bytesOf(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const raw = atob(text), bytes = new Uint8Array(raw.length);
  for (let at = 0; at < raw.length; at++) bytes[at] = raw.charCodeAt(at);
  return bytes;
}

function load(index) {
  state.der = new Der(bytesOf($(`document-${index}`).textContent), FACTS.ber, index in FACTS.errors);
  state.document = index;
  state.fields = FACTS.fields[index];
  $("secrets").hidden = !FACTS.hidden[index].length;
  const faults = Object.keys(state.fields.faults ?? {}).length, error = FACTS.errors[index];
  state.faultAt = error ? Number(Object.keys(state.fields.faults)[0]) : -1;
  $("faults").textContent = error ? `${Der.visible(error)}. Search for "fault".` : faults ? `${plural(faults, "deviation")}: search for "deviation".` : "";
  state.tree = new Tree(state.der, hasLabel);
  Object.assign(state, { selected: null, hovered: null, hoveredRow: -1, hit: null, matches: [], match: -1 });
  state.tree.openAll(state.tree.root, FIRST_ROWS, isComplete);
  treeRows.top = 0;
  byteRows.top = byteRows.count = 0;
  const damaged = error ? state.tree.at(state.faultAt) : null;
  if (damaged) state.tree.reveal(damaged);
  refresh();
  fit();
  if (damaged) treeRows.show(state.tree.rowOf(damaged));
  if (damaged) byteRows.show(Math.floor(state.faultAt / state.width));
  showDetails(null);
  showMatchCount();
  follow();
}

// Select the element that the fragment of the address names: by its offset, or by its path.
function follow() {
  let asked = location.hash;
  try { asked = decodeURIComponent(asked); } catch { /* not an escape */ }
  const node = nodeAtOffset(asked) ?? nodeAtPath(asked.slice(1));
  if (node) select(node);
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
  const typing = event.target === $("query"), inside = event.target === document.body || event.target.closest("#main, footer");
  if (event.key === "Escape") {
    if (typing && $("query").value) { $("query").value = ""; search(); } else select(null);
    $("tree").focus();
  } else if (typing && event.key === "Enter") {
    event.preventDefault();
    if (pending) { cancelSearch(); search(); } else go(state.match + (event.shiftKey ? -1 : 1));
  } else if (inside) {
    // Keys of one character work in the tree, the bytes and the details only (WCAG 2.1, 2.1.4).
    const keys = { "/": () => $("query").select(), n: () => go(state.match + 1), N: () => go(state.match - 1),
      c: copyPath, v: copyValue, h: copyHex, b: copyBase64, s: save,
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
addEventListener("hashchange", follow);
new ResizeObserver(() => { byteRows.measure(); if (state.der) fit(); }).observe($("bytes"));

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
  const { name } = FACTS.fields[index], option = make("option", "", Der.visible(name ? `${title}: ${name}` : title));
  option.value = index;
  $("documents").append(option);
});
$("documents").hidden = FACTS.documents.length < 2;
load(0);
$("tree").focus();
