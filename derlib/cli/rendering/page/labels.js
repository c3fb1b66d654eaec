"use strict";
// What a row says about an element: its field, type, value and path. The labels come from labels.py, which knows the schemas.
const FACTS = JSON.parse(document.getElementById("facts").textContent);
// A path is looked for in at most so many elements of a list.
const MAX_CHILDREN = 100;
// In a few words: at most so many levels, elements, values, and parts of a name.
const MAX_LEVELS = 16, MAX_DEEP = 9, MAX_BRIEF = 4, MAX_VALUES = 12, MAX_NAMED = 12;
// The longest value in the text of a row, for search.
const MAX_TEXT = 400;
// The parts that a row shows of a large structure.
const SUMMARIES = {
  Certificate: ["tbs_certificate.subject", "tbs_certificate.serial_number"],
  CertificateList: ["tbs_cert_list.issuer", "tbs_cert_list.this_update"],
  CertificationRequest: ["certification_request_info.subject"],
  SingleResponse: ["cert_id.serial_number", "cert_status"],
  SignerInfo: ["sid"],
  TSTInfo: ["gen_time", "serial_number"],
};
// The words before a number that says little alone.
const WORDS = { path_len_constraint: "path length" };
const HIDDEN = "(hidden; derlib view --secrets shows it)";
const state = { der: null, tree: null, fields: {}, selected: null, hovered: null, hit: null, matches: [], match: -1, width: 16 };

const number = (value) => value.toLocaleString("en");
const plural = (many, what) => `${number(many)} ${what}${many === 1 ? "" : "s"}`;
const hasLabel = (offset) => Object.hasOwn(state.fields.labels ?? {}, offset);

// Return the label of an element: the steps of its path and its type. In an element of a long list, the table has it.
function labelOf(node) {
  return node.label ??= labelled(node);
}

function labelled(node) {
  const { labels = {}, tables = {} } = state.fields, bytes = state.der.bytes, path = [];
  const made = ([steps, type], index = "") => ({ steps: index + steps, type: FACTS.types[type] });
  if (Object.hasOwn(labels, node.at)) return made(labels[node.at]);
  for (let one = node; one.parent && path.length < MAX_LEVELS; one = one.parent) {
    if (Object.hasOwn(tables, one.parent.at)) {
      const table = tables[one.parent.at], found = table[one === node ? "" : path.join("/")] ?? ["", 0];
      return made(found, one === node ? `[${node.index}]` : "");
    }
    path.unshift(`${one.index}:${bytes[one.at]}`);
  }
  return made(["", 0]);
}

// Return the field name of `node`. A CHOICE in a field has the name of the field; in a list, or if its tag does not say
// the type, also that of the alternative.
function fieldOf(node) {
  const { steps } = labelOf(node);
  return steps.startsWith("[") || node.class ? steps : steps.split(" ", 1)[0];
}

// Return the alternative of a CHOICE whose tag does not say its type, such as "revoked"; empty for another element.
function alternativeOf(node) {
  const { steps } = labelOf(node);
  return node.class && steps.includes(" ") ? steps.slice(steps.lastIndexOf(" ") + 1) : "";
}

// Return the name of the type of `node`; empty if only its tag is known.
function typeOf(node) {
  const { type: [name] } = labelOf(node);
  return name || (node.class === 0 ? Der.typeName(node) : isExplicit(node) ? "explicit" : "");
}

// Return the tag of `node` in words if it is not universal, such as "tag [0]". An index is a number in brackets alone.
function tagOf(node) {
  return node.class ? `tag ${Der.typeName(node)}` : "";
}

// Return whether the tag of `node` is around an element that has a label.
function isExplicit(node) {
  if (!node.class || !node.constructed || state.tree.kids(node).length - (node.indefinite ? 1 : 0) !== 1) return false;
  const { steps, type } = labelOf(state.tree.child(node, 0));
  return Boolean(steps || type[0]);
}

// Return the path of `node` for `derlib extract`: fields and indexes, or else the offset in the file. End-of-contents octets
// are not an element, and have none.
function pathOf(node) {
  if (node.class === 0 && node.number === 0) return "";
  const { labels, opened } = state.fields, steps = [], offset = String(FACTS.offsets[state.document] + node.at);
  // `derlib extract` knows neither the fields of another schema, nor the value of a file that has several.
  if (FACTS.schema || FACTS.offsets.length > 1 && FACTS.values) return offset;
  if (!labels && FACTS.ber) return offset;
  for (let one = node; one.parent; one = one.parent) steps.unshift(labels ? labelOf(one).steps : `[${one.index}]`);
  for (let one = node; labels && one; one = one.parent) if (opened.includes(one.at)) return offset;
  if (!steps.length || !steps.at(-1)) return offset;
  return steps.filter(Boolean).flatMap((step) => step.split(" ")).join(".").replaceAll(".[", "[");
}

// Return the fault of `node`: the deviation that tolerates it, and the clause; empty if there is none.
function faultOf(node) { return state.fields.faults?.[node.at] ?? (node.number === DAMAGED ? "fault" : ""); }

// Return the word for the faults of the document: without a deviation, it is not valid.
function faultWord() { return state.document in FACTS.errors ? "fault" : "deviation"; }

// Return lines about `node` that its elements do not show; empty if there are none.
function noteOf(node) { return state.fields.notes?.[node.at] ?? ""; }

// Return the number of the universal type of `node`; 0 if it is not known.
function baseOf(node) { return node.class ? labelOf(node).type[1] : node.number; }

// Return the innermost element at an offset such as "#1234"; null if `text` is not one of the document.
function nodeAtOffset(text) {
  const asked = /^#(\d{1,15})$/.exec(text);
  return asked && Number(asked[1]) < state.der.bytes.length ? state.tree.at(Number(asked[1])) : null;
}

// Return the element at a path as `pathOf` returns it; null if there is none.
function nodeAtPath(text) {
  const steps = text.match(/\[\d+\]|[^.[\]]+/g) ?? [], written = steps.join(".").replaceAll(".[", "[");
  if (!steps.length || written !== text) return null;
  let node = state.tree.root;
  while (node && steps.length) node = stepInto(node, steps);
  return node;
}

// Return the element that the first of `steps` lead to from `node`, and remove these steps; null if there is none.
function stepInto(node, steps) {
  const many = manyOf(node), index = /^\[(\d+)\]$/.exec(steps[0])?.[1];
  // The element at an index is at its place, except in a SET OF in BER.
  const places = index < many ? [Number(index)] : [];
  for (let at = 0; at < Math.min(many, MAX_CHILDREN); at++) places.push(at);
  for (const at of places) {
    const child = state.tree.child(node, at), own = state.fields.labels ? labelOf(child).steps.split(" ").filter(Boolean) : [`[${at}]`];
    if (own.length && own.slice(0, steps.length).every((step, nth) => step === steps[nth])) {
      steps.splice(0, own.length);
      return child;
    }
    // An explicit tag, and the value inside a string, have no step.
    const around = !node.constructed || child.class !== 0 && manyOf(child) === 1;
    const found = own.length || !around ? null : stepInto(child, steps);
    if (found) return found;
  }
  return null;
}

// Return what DER does not allow in an element of BER, each as a short name and a longer text.
function formsOf(node) {
  return FACTS.ber ? [...Der.forms(node, baseOf(node)), ...state.fields.changes?.[node.at] ?? []] : [];
}

function formOf(node) { return formsOf(node).map(([, text]) => text).join(", "); }

// Return whether some of the bytes from `from` to before `to` are hidden: the page has others in their place.
function isHidden(from, to) {
  const hidden = FACTS.hidden[state.document];
  let low = 0, high = hidden.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (hidden[middle][1] <= from) low = middle + 1; else high = middle;
  }
  return low < hidden.length && hidden[low][0] < to;
}

// Return the value of an element without elements inside.
function leafOf(node, limit) {
  if (isHidden(node.content, node.end)) return HIDDEN;
  const note = noteOf(node);
  if (note) return Der.visible(note.replaceAll("\n", " · "));
  const address = labelOf(node).steps.endsWith("ip_address") && Der.address(state.der.bytes.subarray(node.content, node.end));
  if (address) return address;
  const text = state.der.value(node, FACTS.names, limit, labelOf(node).type);
  return isSerial(node) ? `${text} (0x${Der.evenHexadecimal(state.der.bytes.subarray(node.content, node.end))})` : text;
}

// Return the value of a string of BER in segments; empty for another element.
function joinedOf(node, limit) {
  const base = baseOf(node);
  if (!FACTS.ber || !Der.inSegments(node, base)) return "";
  const content = state.der.joined(node, base, 2 * limit);
  return new Der(content).value({ content: 0, end: content.length, class: 0, number: base }, FACTS.names, limit);
}

// Return whether `node` is a serial number that its row shows in decimal; other programs show it in hexadecimal.
function isSerial(node) {
  const field = fieldOf(node);
  return node.class === 0 && node.number === 2 && node.end - node.content <= 8 && (field.includes("serial") || field === "user_certificate");
}

// Return the number of elements inside `node`. The end-of-contents octets are its last row, but not an element.
function manyOf(node) {
  return state.tree.kids(node).length - (node.indefinite ? 1 : 0);
}

// Return what a row says after the type.
function valueOf(node, limit) {
  const many = manyOf(node), room = { values: MAX_VALUES };
  if (!node.constructed) {
    if (!state.tree.kids(node).length) return leafOf(node, limit);
    const child = state.tree.child(node, 0), type = typeOf(child) || tagOf(child);
    return ["contains", type, node.open ? "" : briefOf(child, MAX_DEEP, room)].filter(Boolean).join(" ");
  }
  if (!many) return "empty";
  const joined = joinedOf(node, limit);
  if (joined) return `${plural(many, "segment")} · ${joined}`;
  const summary = summaryOf(node, room);
  if (summary) return summary;
  const heading = headingOf(node), parts = node.open && !isName(node) ? "" : partsOf(node, heading ? 1 : 0, MAX_DEEP, room);
  const hasCount = many > MAX_BRIEF || !heading && !isExplicit(node);
  const count = parts || !hasCount ? "" : plural(many, "element");
  return [heading && heading + (node.open ? flagsOf(node) : ""), count, parts].filter(Boolean).join(" · ");
}

// Return the text of the row of `node`, with a longer value than many screens show.
function rowText(node) {
  return [fieldOf(node), typeOf(node), formOf(node, "(", ")"), tagOf(node), valueOf(node, MAX_TEXT)].filter(Boolean).join(" ");
}

// Return whether `node` is a Name, whose parts are shown even if it is open.
function isName(node) { return ["Name", "RDNSequence"].includes(labelOf(node).type[0]); }

// Return whether the row of `node` usually shows all that is inside, so that the page begins with it closed.
function isComplete(node) { return isName(node) || ["AlgorithmIdentifier", "Extension"].includes(labelOf(node).type[0]); }

// Return the name of the OBJECT IDENTIFIER that begins an element with other elements, as in extensions and attributes.
function headingOf(node) {
  const first = manyOf(node) ? state.tree.child(node, 0) : null;
  return first && first.class === 0 && first.number === 6 && !first.constructed ? nameOf(first) : "";
}

function nameOf(node) {
  return leafOf(node, 120).replace(/ \([\d.]+\)$/, "");
}

// Return the names of the fields that are TRUE, such as "critical".
function flagsOf(node) {
  return Array.from({ length: Math.min(manyOf(node), MAX_BRIEF) }, (_, index) => state.tree.child(node, index))
    .filter((kid) => kid.class === 0 && kid.number === 1 && fieldOf(kid) && state.der.bytes[kid.content])
    .map((kid) => ` · ${fieldOf(kid)}`).join("");
}

// Return the values inside `node`, from the element at index `from`; of a long list the first, or nothing if they are long.
function partsOf(node, from, levels, room) {
  const many = manyOf(node), most = isName(node) ? MAX_NAMED : MAX_BRIEF, shown = Math.min(many, most);
  if (many > most && !isValueList(node)) return "";
  const parts = Array.from({ length: shown - from }, (_, at) => briefOf(state.tree.child(node, from + at), levels - 1, room));
  if (many > shown) parts.push(`+ ${number(many - shown)} more`);
  return parts.filter(Boolean).join(" · ");
}

// Return whether the first elements of `node` are those of a list, and have no elements inside.
function isValueList(node) {
  return Array.from({ length: MAX_BRIEF }, (_, index) => state.tree.child(node, index))
    .every((kid) => !kid.constructed && !state.tree.kids(kid).length && labelOf(kid).steps.startsWith("["));
}

// Return `node` in a few words, with the values of elements up to some levels inside, and no more values than `room` has.
function briefOf(node, levels, room) {
  const many = manyOf(node);
  if (room.values <= 0) return "";
  if (!node.constructed && !state.tree.kids(node).length) {
    if (!--room.values) return "…";
    if (node.class === 0 && node.number === 6) return nameOf(node);
    if (node.class === 0 && node.number === 1 && fieldOf(node)) return `${state.der.bytes[node.content] ? "" : "not "}${fieldOf(node)}`;
    const alternative = kindOf(node) === "text" ? "" : WORDS[fieldOf(node)] ?? alternativeOf(node), empty = node.content === node.end;
    return `${alternative} ${alternative && empty ? "" : leafOf(node, 60)}`.trim();
  }
  if (!many) return "empty";
  const attribute = attributeOf(node) || summaryOf(node, room);
  if (attribute) return room.values-- ? attribute : "…";
  const heading = headingOf(node), parts = levels ? partsOf(node, heading ? 1 : 0, levels, room) : "…";
  if (heading) return `${heading} ${parts}`.trim();
  return `${alternativeOf(node)} ${parts || plural(many, "element")}`.trim();
}

// Return the main parts of a large structure in a few words; empty for another element.
function summaryOf(node, room) {
  const { type: [name] } = labelOf(node);
  if (!Object.hasOwn(SUMMARIES, name)) return "";
  return SUMMARIES[name].map((path) => partAtFields(node, path.split("."))).filter(Boolean)
    .map((part) => briefOf(part, MAX_DEEP, room)).filter(Boolean).join(" · ");
}

// Return the element at these fields below `node`; null if there is none.
function partAtFields(node, fields) {
  for (const field of fields) {
    const kids = Array.from({ length: Math.min(manyOf(node), MAX_NAMED) }, (_, index) => state.tree.child(node, index));
    node = kids.find((kid) => labelOf(kid).steps.split(" ", 1)[0] === field);
    if (!node) return null;
  }
  return node;
}

// Return an attribute of a name as in "CN=Test CA"; empty for another element.
function attributeOf(node) {
  if (labelOf(node).type[0] !== "AttributeTypeAndValue" || state.tree.kids(node).length !== 2) return "";
  const [type, value] = [0, 1].map((index) => state.tree.child(node, index)), name = nameOf(type);
  const dotted = Der.dotted(state.der.bytes.subarray(type.content, type.end));
  const short = Object.hasOwn(FACTS.short, dotted) ? FACTS.short[dotted] : name.replace(/^(id-at-|pkcs-9-at-|id-)/, "");
  return value.constructed ? "" : `${short}=${leafOf(value, 80).replace(/^"(.*)"(…?)$/, "$1$2")}`;
}

function kindOf(node) {
  if (node.constructed) return node.class ? "tagged" : "structure";
  const base = baseOf(node);
  if (!base && node.class) return "tagged";
  if (base === 6) return "identifier";
  if (base < 6 || base === 10 || base === 9) return [3, 4].includes(base) ? "bytes" : "number";
  return base === 23 || base === 24 ? "time" : "text";
}
