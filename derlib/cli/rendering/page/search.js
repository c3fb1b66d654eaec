"use strict";
// Search in the bytes of a document.
const MAX_MATCHES = 100_000;

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
