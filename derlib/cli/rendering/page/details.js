"use strict";
// The details of the selected element, or of the one under the mouse: its path, position and value; copying and saving.
const MAX_SHOWN = 4_096;
// The width of a character of a step in pixels.
const BOLD = 8.5;

function showDetails(node) {
  $("details").hidden = !node;
  $("hint").hidden = Boolean(node);
  document.querySelector("footer").classList.toggle("selected", state.selected !== null);
  if (!node) return;
  const names = [], size = node.end - node.content - (node.indefinite ? 2 : 0);
  for (let one = node; one; one = one.parent)
    names.unshift(fieldOf(one) || typeOf(one) || tagOf(one));
  // The steps have the width of the page; if the value is beside them, two lines of half of it.
  $("steps").replaceChildren(...stepsWithin(names, innerWidth / BOLD).map((name) => make("li", "", name)));
  $("path").textContent = $("path").title = pathOf(node);
  $("path").hidden = $("copy-path").hidden = !pathOf(node);
  $("where").textContent = `${described(node)}, offset ${number(node.at)} (0x${node.at.toString(16)}), `
    + `header ${node.content - node.at}, contents ${plural(size, "byte")}`;
  const leaf = !node.constructed && !state.tree.kids(node).length;
  const content = state.der.bytes.subarray(node.content, node.end), note = noteOf(node).split("\n").map(Der.visible).join("\n");
  const value = note ? note + (leaf ? `\n${Der.hexadecimal(content, MAX_SHOWN)}` : "")
    : leaf && isHidden(node.content, node.end) ? HIDDEN : leaf ? `${leafOf(node, MAX_SHOWN)}${otherForms(node)}` : joinedOf(node, MAX_SHOWN);
  $("copy-base64").textContent = pemLabel(node) ? "PEM" : "base64";
  $("value").textContent = value;
  $("value").hidden = !value;
}

// Return the steps that have room: the first, and the last ones.
function stepsWithin(names, room) {
  const size = (some) => some.reduce((sum, name) => sum + name.length + 3, 0);
  if (size(names) <= room) return names;
  let from = 2;
  while (from < names.length - 1 && size([names[0], "…", ...names.slice(from)]) > room) from++;
  return [names[0], "…", ...names.slice(from)];
}

// Return the type and the tag of `node` in words.
function described(node) {
  const [type] = labelOf(node).type, tag = tagOf(node) || Der.typeName(node);
  const words = [type || tag, type && type !== tag ? tag : "", formOf(node),
    faultOf(node) && `${faultWord()} ${faultOf(node)}`];
  return words.filter(Boolean).join(", ");
}

// Return an INTEGER in the other notation: hexadecimal for a small number, decimal for a large one.
function otherForms(node) {
  const base = baseOf(node), size = node.end - node.content;
  const content = state.der.bytes.subarray(node.content, node.end);
  if ([0, 4].includes(base) && size > 16 && Der.isText(content)) return `\n${Der.hexadecimal(content, MAX_SHOWN)}`;
  if (![2, 10].includes(base) || size > 1024) return "";
  const value = Der.bigInteger(content);
  if (size > 8) return `\n${value}`;
  if (isSerial(node) || Object.keys(labelOf(node).type[2]).length) return "";
  return ` = ${value < 0n ? "-" : ""}0x${(value < 0n ? -value : value).toString(16)}`;
}

// --- Copying: the element, with its header
const bytesOfElement = (node) => state.der.bytes.subarray(node.at, node.end);

async function copy(text, what) {
  let done = true;
  try { await navigator.clipboard.writeText(text); } catch { done = copyOld(text); }
  tell(done ? `${what} copied` : "the browser does not allow copying");
}

// Copy by way of a selection, in browsers that keep the clipboard from a file.
function copyOld(text) {
  const area = make("textarea", "", text), before = document.activeElement;
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  before?.focus();
  return done;
}

let telling = 0;
function tell(text) {
  $("done").textContent = text;
  clearTimeout(telling);
  telling = setTimeout(() => { $("done").textContent = ""; }, 4000);
}

function copyPath() {
  if (state.selected && pathOf(state.selected)) copy(pathOf(state.selected), "path");
}

// Return whether the selected element has all its bytes.
function isWhole() {
  const node = state.selected, whole = node && !isHidden(node.at, node.end);
  if (node && !whole) tell("a part is hidden: derlib view --secrets writes all bytes");
  return whole;
}

function copyHex() {
  if (isWhole()) copy(hexOf(bytesOfElement(state.selected)), "hexadecimal");
}

// Return bytes in hexadecimal, in pieces because an element can have many.
function hexOf(bytes) {
  const pieces = [];
  for (let at = 0; at < bytes.length; at += MAX_SHOWN)
    pieces.push(Array.from(bytes.subarray(at, at + MAX_SHOWN), (byte) => HEX[byte]).join(""));
  return pieces.join("");
}

// Return the label in PEM of an element that is usually a file of its own; undefined for another.
function pemLabel(node) {
  const { type: [name] } = labelOf(node);
  return !FACTS.ber && node.constructed && Object.hasOwn(FACTS.pem, name) ? FACTS.pem[name] : undefined;
}

function copyBase64() {
  if (!isWhole()) return;
  const label = pemLabel(state.selected), text = base64Of(bytesOfElement(state.selected));
  copy(label ? `-----BEGIN ${label}-----\n${text}-----END ${label}-----\n` : text, label ? "PEM" : "base64");
}

// Return bytes in base64, in lines of 64 characters.
function base64Of(bytes) {
  const lines = [];
  for (let at = 0; at < bytes.length; at += 48) lines.push(`${btoa(String.fromCharCode(...bytes.subarray(at, at + 48)))}\n`);
  return lines.join("");
}

// Copy what the details show, of an element with elements inside what its row shows.
function copyValue() {
  if (state.selected) copy($("value").textContent || valueOf(state.selected, MAX_SHOWN), "value");
}

function save() {
  if (!isWhole()) return;
  const link = make("a"), name = (pathOf(state.selected) || String(state.selected.at)).replace(/[^\w.[\]-]/g, "_").slice(-80);
  link.href = URL.createObjectURL(new Blob([bytesOfElement(state.selected)], { type: "application/octet-stream" }));
  link.download = `${name}.${FACTS.ber ? "ber" : "der"}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  tell(`saved as ${link.download}`);
}

$("copy-path").addEventListener("click", copyPath);
$("copy-value").addEventListener("click", copyValue);
$("copy-hex").addEventListener("click", copyHex);
$("copy-base64").addEventListener("click", copyBase64);
$("save").addEventListener("click", save);
