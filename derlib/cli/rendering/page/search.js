"use strict";
// Search for what the page shows: in the bytes by patterns, in the fields and types by their labels.
// A match is the offsets of its first byte and of the byte after it.
const MAX_MATCHES = 100_000, MAX_CHECKED = 2_000, MAX_ROWS = 20_000;

// --- Patterns of bytes: `fits` returns whether the bytes before a match allow it.
function patterns(query, kind) {
  const found = [];
  if (kind === "any" || kind === "hex") found.push(...hexadecimalPatterns(query, kind));
  // Bytes with a prefix or colons are nothing else.
  if (kind === "any" && found.length && /^0x|[\s:]/i.test(query) && !dateOf(query) && !addressOctets(query)) return found;
  if (kind === "any" || kind === "oid") found.push(...identifierPatterns(query));
  if (kind === "any" || kind === "number") found.push(...valuePatterns(query));
  if (kind === "any" || kind === "text") {
    found.push(...attributePatterns(query));
    // The bytes of a time have other digits beside each other than its row.
    const skips = /^\d{1,9}$/.test(query) ? isInTime : null;
    found.push({ bytes: [...new TextEncoder().encode(query)], fold: true, skips });
    found.push({ bytes: unitsOf(query).flatMap((unit) => [unit >> 8, unit & 255]), fold: true });
  }
  return found;
}

function isInTime(bytes, at) {
  let start = at;
  while (bytes[start - 1] > 47 && bytes[start - 1] < 58 && at - start < 16) start--;
  return [[23, 13], [24, 15]].some(([tag, size]) => bytes[start - 2] === tag && bytes[start - 1] === size && bytes[start + size - 1] === 90);
}

function unitsOf(text) { return Array.from({ length: text.length }, (_, at) => text.charCodeAt(at)); }

function hexadecimalPatterns(query, kind) {
  let digits = query.replace(/^0x/i, "").replace(/[\s:]/g, "");
  if (/^0x/i.test(query) && digits.length % 2) digits = `0${digits}`;
  if (!/^([0-9a-f]{2})+$/i.test(digits)) return [];
  // Digits alone are bytes if there are several bytes, such as a serial number.
  if (kind === "any" && !/^0x|[\s:]/i.test(query) && digits.length < 4) return [];
  return [{ bytes: digits.match(/../g).map((pair) => parseInt(pair, 16)) }];
}

function identifierPatterns(query) {
  const fits = (bytes, at, size) => bytes[at - 2] === 6 && bytes[at - 1] >= size && bytes[at - 1] < 128;
  const dotted = Der.identifier(query);
  if (dotted) return [{ bytes: dotted, fits }];
  return Object.entries(FACTS.names).filter(([, name]) => name.toLowerCase().includes(query.toLowerCase()))
    .map(([oid]) => ({ bytes: Der.identifier(oid), fits }));
}

// Return the pattern of an attribute of a name, such as "CN=Test CA".
function attributePatterns(query) {
  const [, type, value] = /^(\w+)=(.+)$/.exec(query) ?? [];
  const named = Object.entries(FACTS.short).filter(([, short]) => short.toLowerCase() === type?.toLowerCase());
  return named.map(([dotted]) => {
    const octets = Der.identifier(dotted);
    const fits = (bytes, at) => octets.every((octet, nth) => bytes[at - 2 - octets.length + nth] === octet);
    return { bytes: [...new TextEncoder().encode(value)], fold: true, fits };
  });
}

// Return the octets of an IP address; null if `query` is not one.
function addressOctets(query) {
  if (/^\d{1,3}(\.\d{1,3}){3}$/.test(query)) return query.split(".").every((part) => part < 256) ? query.split(".").map(Number) : null;
  const halves = query.split("::").map((half) => (half ? half.split(":") : [])), known = halves.flat();
  if (halves.length > 2 || !known.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return null;
  if (halves.length === 1 ? known.length !== 8 : known.length > 7) return null;
  const groups = [...halves[0], ...Array(8 - known.length).fill("0"), ...halves[1] ?? []].map((group) => parseInt(group, 16));
  return groups.flatMap((group) => [group >> 8, group & 255]);
}

// Return the patterns of whole values: decimal numbers, dates, addresses, TRUE and FALSE.
function valuePatterns(query) {
  const date = dateOf(query), tagged = (bytes, at) => bytes[at - 2] > 127 && !(bytes[at - 2] & 32), found = [];
  const starts = (tags, check) => (bytes, at, size) =>
    (tags.includes(bytes[at - 2]) || tagged(bytes, at)) && check(bytes[at - 1], size);
  if (/^-?\d{1,1000}$/.test(query)) {
    const bytes = integerOctets(BigInt(query)), exact = starts([2, 10], (length, size) => length === size);
    found.push({ bytes, fits: bytes.length < 128 ? exact : null });
  }
  const address = addressOctets(query);
  // An address can have a mask after it; it has an implicit tag, or is in an OCTET STRING.
  if (address) found.push({ bytes: address, fits: starts([4], (length, size) => length === size || length === 2 * size) });
  if (date) {
    const long = unitsOf(date), short = long.slice(2), year = Number(date.slice(0, 4));
    found.push({ bytes: long, fits: starts([24], (length) => length > 14) });
    if (year >= 1950 && year < 2050) found.push({ bytes: short, fits: starts([23], (length) => length === 13) });
  }
  const truth = { true: 255, false: 0 }[query.toLowerCase()];
  if (truth !== undefined) found.push({ bytes: [truth], fits: starts([1], (length) => length === 1) });
  return found;
}

// Return the digits of a date such as 2026-11-01 or 2026-11-01T00:00, as far as it goes; null if `query` is not one.
function dateOf(query) {
  const form = /^(\d{4})-(\d\d)(?:-(\d\d)(?:[T ](\d\d)(?::(\d\d)(?::(\d\d)(?:Z)?)?)?)?)?$/i.exec(query);
  return form && form.slice(1).filter(Boolean).join("");
}

// Return the contents octets of an INTEGER.
function integerOctets(value) {
  const octets = [];
  for (;;) {
    const octet = Number(value & 255n);
    octets.unshift(octet);
    value >>= 8n;
    if ((value === 0n && octet < 128) || (value === -1n && octet > 127)) return octets;
  }
}

const lower = (byte) => (byte > 64 && byte < 91 ? byte + 32 : byte);
function matchesOf({ bytes: wanted, fold, fits, skips }) {
  const { bytes } = state.der, found = [], last = bytes.length - wanted.length;
  const starts = fold ? [...new Set([lower(wanted[0]), String.fromCharCode(wanted[0]).toUpperCase().charCodeAt(0)])] : [wanted[0]];
  for (const start of starts)
    for (let at = bytes.indexOf(start); at >= 0 && at <= last && found.length < MAX_MATCHES; at = bytes.indexOf(start, at + 1)) {
      let same = 1;
      if (fold) while (same < wanted.length && lower(bytes[at + same]) === lower(wanted[same])) same++;
      else while (same < wanted.length && bytes[at + same] === wanted[same]) same++;
      if (same < wanted.length) continue;
      if (fits && !fits(bytes, at, wanted.length) || skips?.(bytes, at) || isHidden(at, at + wanted.length)) continue;
      found.push([at, at + wanted.length]);
    }
  // Bytes can look like a value by chance. If there are few, each must begin the contents of an element.
  return fits && found.length <= MAX_CHECKED ? found.filter(([at]) => state.tree.at(at).content === at) : found;
}

// --- Labels: fields, types, named numbers
function labelMatches(query) {
  // RFCs have serialNumber where the page has serial_number.
  const wanted = query.toLowerCase(), snake = query.replace(/([a-z0-9])(?=[A-Z])/g, "$1_").toLowerCase(), found = [];
  const has = (text) => [wanted, snake].some((one) => text.toLowerCase().includes(one));
  const { labels = {}, tables = {} } = state.fields;
  // For each type: TRUE if its name fits, or the numbers or bits whose names fit.
  const types = FACTS.types.map(([name, base, named]) => has(name) && name !== ""
    || { base, values: Object.keys(named).filter((value) => has(named[value])).map(Number) });
  const fits = (one, [steps, type]) => has(steps) || types[type] === true || holdsNamed(one, types[type]);
  for (const [at, label] of Object.entries(labels)) {
    const one = state.der.header(Number(at), state.der.bytes.length);
    if (fits(one, label)) found.push([one.at, one.end]);
  }
  for (const [at, fault] of Object.entries(state.fields.faults ?? {})) {
    const one = state.tree.at(Number(at));
    if (has(`${faultWord()}: ${fault}`)) found.push([one.at, one.end]);
  }
  for (const [at, changes] of Object.entries(state.fields.changes ?? {})) {
    const one = state.tree.at(Number(at));
    if (changes.some(([name]) => has(name))) found.push([one.at, one.end]);
  }
  for (const [at, note] of Object.entries(state.fields.notes ?? {})) {
    const one = state.tree.at(Number(at));
    // Fingerprints are found with and without colons.
    if (has(note) || wanted.length > 7 && has(note.replaceAll(":", ""))) found.push([one.at, one.end]);
  }
  for (const [at, table] of Object.entries(tables)) {
    const list = state.der.header(Number(at), state.der.bytes.length);
    const parts = Object.entries(table).filter(([, [steps, type]]) => has(steps) || types[type] === true || types[type].values.length)
      .map(([key, label]) => [key ? key.split("/").map((step) => step.split(":").map(Number)) : [], label]);
    for (let next = list.content; parts.length && next < list.end && found.length < MAX_MATCHES;) {
      const element = state.der.header(next, list.end);
      for (const [steps, label] of parts) {
        const one = partAt(element, steps);
        if (one && fits(one, label)) found.push([one.at, one.end]);
      }
      next = element.end;
    }
  }
  const universal = Object.keys(UNIVERSAL).filter((number) => has(UNIVERSAL[number])).map(Number);
  const forms = FACTS.ber && ["indefinite length", "in segments", "long length", "end-of-contents", "X.690 10.1", "X.690 10.2"].some(has);
  // A tag such as "[0]" or "tag [0]"; an index of a list in the same form has a label.
  const tag = /^(?:tag )?(\[(?:[a-z]+ )?\d+\])$/i.exec(query)?.[1].toLowerCase();
  const shown = (one) => (one.class ? tag === Der.typeName(one).toLowerCase() : universal.includes(one.number))
    || forms && has(`${Der.forms(one, one.class ? 0 : one.number).join()}${one.class || one.number ? "" : "end-of-contents"}`);
  if (universal.length || forms || tag) found.push(...elementsOf(shown, MAX_MATCHES - found.length));
  return found;
}

function holdsNamed(one, { base, values }) {
  const { bytes } = state.der;
  if (!values.length || one.constructed || one.end - one.content > 8) return false;
  if (base === 3) return values.some((bit) => one.content + 1 + (bit >> 3) < one.end && bytes[one.content + 1 + (bit >> 3)] & (128 >> (bit & 7)));
  return values.includes(Number(Der.bigInteger(bytes.subarray(one.content, one.end))));
}

// Return the part of an element of a long list; null if it has none with these indexes and identifier octets.
function partAt(element, steps) {
  let one = element;
  for (const [index, identifier] of steps) {
    let next = one.constructed || one.number !== 3 ? one.content : one.content + 1, child = null;
    for (let at = 0; at <= index; at++) {
      child = state.der.header(next, one.end);
      if (!child) return null;
      next = child.end;
    }
    if (state.der.bytes[child.at] !== identifier) return null;
    one = child;
  }
  return one;
}

// Return the elements that `fits` returns TRUE for, at most `limit`, in the whole document.
function elementsOf(fits, limit) {
  const found = [], waiting = [[state.tree.root, 0]];
  while (waiting.length && found.length < limit) {
    const [one, nested] = waiting.pop();
    if (fits(one)) found.push([one.at, one.end]);
    const skipped = one.number === 3 ? 1 : 0, string = !one.constructed && one.class === 0 && [3, 4].includes(one.number);
    if (string && !(nested < MAX_NESTED && !(skipped && state.der.bytes[one.content]) && state.der.holdsElement(one.content + skipped, one.end))) continue;
    if (!one.constructed && !string) continue;
    const inside = [];
    for (let next = one.content + (string ? skipped : 0); next < one.end;) {
      const child = state.der.header(next, one.end);
      inside.push([child, nested + (string ? 1 : 0)]);
      next = child.end;
    }
    while (inside.length) waiting.push(inside.pop());
  }
  return found;
}

// --- Rows: what is not in the bytes as it is shown, such as a part of a date, an address or an OBJECT IDENTIFIER
// Return what the row of `node` says about the element itself, for a kind of search.
function ownTexts(node, kind) {
  const leaf = !node.constructed && !state.tree.kids(node).length, shown = kindOf(node);
  const isNumber = ["number", "time", "tagged"].includes(shown) || labelOf(node).steps.endsWith("ip_address");
  const isAsked = { any: true, text: shown === "text", number: isNumber, oid: shown === "identifier" }[kind];
  const labels = [fieldOf(node), typeOf(node), formOf(node), tagOf(node)];
  return [...["any", "field"].includes(kind) ? labels : [], leaf && isAsked ? leafOf(node, MAX_TEXT) : ""].filter(Boolean).join(" ");
}

// Return whether the offset or the size in the row of `node` is a number, or both are as the row shows them.
function isPosition(node, query) {
  const size = node.end - node.at, asked = query.replace(/^offset /i, "").replace(/,(?=\d{3}\b)/g, "");
  return asked === String(node.at) || asked === String(size) || asked === `${node.at} + ${size}`;
}

// Add the elements of the first rows that show the query. A row that shows it because of its bytes, or because an element
// inside shows it, is left out.
function addRowMatches(found, query, kind) {
  if (kind === "hex") return;
  const wanted = query.toLowerCase(), nodes = [], waiting = [state.tree.root], starts = startsOf(found), added = [];
  for (let count = 0; waiting.length && count < MAX_ROWS; count++) {
    const node = waiting.pop(), leaf = !node.constructed && !state.tree.kids(node).length;
    nodes.push(node);
    const shows = ownTexts(node, kind).toLowerCase().includes(wanted) || kind === "any" && isPosition(node, query);
    if (shows && !hasStart(starts, node.at, leaf ? node.end : node.at + 1)) added.push([node.at, node.end]);
    for (let index = Math.min(state.tree.kids(node).length, MAX_ROWS) - 1; index >= 0; index--)
      waiting.push(state.tree.child(node, index));
  }
  found.push(...added);
  if (!["any", "text"].includes(kind)) return;
  const all = startsOf(found), summaries = [];
  for (const node of nodes)
    if ((node.constructed || state.tree.kids(node).length) && !hasStart(all, node.at, node.end)
      && `${ownTexts(node, "field")} ${valueOf(node, MAX_TEXT)}`.toLowerCase().includes(wanted)) summaries.push([node.at, node.end]);
  found.push(...summaries);
}

function startsOf(found) { return Float64Array.from(found, ([at]) => at).sort(); }

// Return whether one of the sorted offsets is from `from` to before `to`.
function hasStart(starts, from, to) {
  let low = 0, high = starts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (starts[middle] < from) low = middle + 1; else high = middle;
  }
  return starts[low] < to;
}

// Return the times of the whole document that show the query, such as a year, a day or a time of day.
function timeMatches(query) {
  const wanted = query.toUpperCase(), { bytes } = state.der, found = [];
  if (!/^[-\dT:.Z]*\d[-\dT:.Z]*$/.test(wanted) || dateOf(query)) return found;
  for (const tag of [23, 24])
    for (let at = bytes.indexOf(tag); at >= 0 && found.length < MAX_MATCHES; at = bytes.indexOf(tag, at + 1)) {
      const size = bytes[at + 1], end = at + 2 + size;
      if (tag === 23 ? size !== 13 : size < 15 || size > 30 || end > bytes.length) continue;
      if (bytes[end - 1] !== 90) continue;
      const text = String.fromCharCode(...bytes.subarray(at + 2, end));
      if (FORMS[tag].test(text) && Der.time(text, tag === 23).includes(wanted)) found.push([at + 2, end]);
    }
  return found.length <= MAX_CHECKED ? found.filter(([at]) => state.tree.at(at).content === at) : found;
}

// --- The matches
function search() {
  const query = $("query").value.trim(), kind = $("kind").value;
  state.hit = null;
  state.match = -1;
  state.matches = query ? allMatches(query, kind) : [];
  if (state.matches.length) {
    const from = state.selected ? state.selected.at : 0, next = state.matches.findIndex(([at]) => at >= from);
    go(Math.max(next, 0));
  } else {
    byteRows.draw();
    showMatchCount();
  }
}

function allMatches(query, kind) {
  // A path goes to its element; a name or an index alone is looked for everywhere.
  const place = ["any", "field"].includes(kind) ? nodeAtOffset(query) ?? (/[\w\]][.[]/.test(query) ? nodeAtPath(query) : null) : null;
  if (place) return [[place.at, place.end]];
  const found = matchesOfQuery(query, kind), plain = plainOf(query);
  if (!found.length && plain !== query) found.push(...matchesOfQuery(plain, kind));
  addRowMatches(found, query, kind);
  return inOrder(found);
}

// Return a value as a row shows it, such as "Test CA" or 8193 (0x2001), without quotes, escapes and its second form.
function plainOf(query) {
  return query.replace(/ \([^()]*\)$| = -?0x[0-9a-f]+$/i, "").replace(/…$/, "").replace(/^"(.+)"$/, "$1")
    .replace(/\\u\{([0-9a-f]{1,5})\}/gi, (_, digits) => String.fromCodePoint(parseInt(digits, 16)));
}

function matchesOfQuery(query, kind) {
  const found = patterns(query, kind).flatMap(matchesOf);
  if (kind === "any" || kind === "number") found.push(...timeMatches(query));
  if (kind === "any" || kind === "field") found.push(...labelMatches(query));
  return inOrder(found);
}

// Return the matches in the order of the document, each once.
function inOrder(found) {
  found.sort((one, other) => one[0] - other[0] || one[1] - other[1]);
  return found.filter((one, at) => !at || one[0] !== found[at - 1][0] || one[1] !== found[at - 1][1]).slice(0, MAX_MATCHES);
}

function go(match) {
  const { matches } = state;
  if (!matches.length) return;
  state.match = (match + matches.length) % matches.length;
  state.hit = matches[state.match];
  select(nodeOfHit(), { offset: state.hit[0] });
  showMatchCount();
}

// Return the innermost element with the whole match.
function nodeOfHit() {
  let node = state.tree.at(state.hit[0]);
  while (node.parent && node.end < state.hit[1]) node = node.parent;
  return node;
}

function showMatchCount() {
  const { matches, match } = state, many = number(matches.length) + (matches.length >= MAX_MATCHES ? " or more" : "");
  $("matches").textContent = matches.length ? `${number(match + 1)} of ${many}` : $("query").value.trim() ? "not found" : "";
}
