"use strict";
// A parser for the visible elements: headers, the offsets of children, values as text. It does not use the page.
// The end-of-contents octets of BER are an element, the last one inside an element of indefinite length.
// derlib has validated the embedded documents, so their lengths are valid; only the contents of strings are not validated.
// html_page.py puts the names of the universal types, by tag number, before this script: UNIVERSAL.
// Of the types without a form of their own below, these are shown as hexadecimal, the others as text.
const HEXADECIMAL = new Set([4, 9, 13]);
// Types that hardly any string contains alone, and whose contents have many rules: EXTERNAL, REAL, EMBEDDED PDV, TIME and
// its subtypes, CHARACTER STRING, OID-IRI.
const RARE = new Set([8, 9, 11, 14, 29, 31, 32, 33, 34, 35, 36]);
// The forms of the string types that have few characters, and of times.
const DAY = "(0[1-9]|1[0-2])(0[1-9]|[12]\\d|3[01])([01]\\d|2[0-3])[0-5]\\d[0-5]\\d";
const FORMS = {
  18: /^[\d ]*$/, 19: /^[A-Za-z\d '()+,\-./:=?]*$/, 22: /^[\0-\x7f]*$/, 23: new RegExp(`^(\\d\\d)${DAY}Z$`),
  24: new RegExp(`^(\\d{4})${DAY}(?:\\.\\d*[1-9])?Z$`), 26: /^[ -~]*$/,
};
const CLASSES = ["UNIVERSAL", "APPLICATION", "", "PRIVATE"];
// The limits of derlib for strings within strings, and for the depth of the elements in them.
const MAX_NESTED = 16, MAX_DEPTH = 100;
// The number of the type of bytes that are not an element.
const DAMAGED = -1;
// The type of an element that the schema does not describe.
const NO_TYPE = ["", 0, {}];

class Der {
  // In a damaged document, each byte is in an element: one that is cut at the end of the element around it, or one of bytes
  // that are not an element.
  constructor(bytes, ber = false, isDamaged = false) {
    this.bytes = bytes;
    this.isDamaged = isDamaged;
    this.starts = []; // In BER: the elements of indefinite length, in order,
    this.ends = []; // and the ends of these elements, after their end-of-contents octets.
    if (ber) this.findEnds();
  }

  // Find the end of each element of indefinite length, in one pass over all headers.
  findEnds() {
    const open = []; // For each open element: its end, or the negative number of its end in `ends`, minus 1.
    let at = 0;
    while (at < this.bytes.length) {
      while (open.length && open[open.length - 1] === at) open.pop();
      const innermost = open.length ? open[open.length - 1] : 0;
      if (innermost < 0 && !this.bytes[at] && !this.bytes[at + 1]) {
        at += 2;
        this.ends[-innermost - 1] = at;
        open.pop();
        continue;
      }
      const one = this.strict(at, this.bytes.length, true);
      if (!one) break;
      if (one.indefinite) {
        open.push(-this.starts.push(at));
        this.ends.push(at);
      } else if (one.constructed) open.push(one.end);
      at = one.constructed ? one.content : one.end;
    }
    // An element that does not end has all other bytes.
    for (const end of open) if (end < 0 && this.isDamaged) this.ends[-end - 1] = this.bytes.length;
  }

  // Return the end of the element of indefinite length at `at`; 0 if there is none, as inside a string.
  endOf(at) {
    let low = 0, high = this.starts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.starts[middle] < at) low = middle + 1; else high = middle;
    }
    return this.starts[low] === at ? this.ends[low] : 0;
  }

  // Return the element at `at`, which must end at or before `limit`; null if there is none.
  header(at, limit) {
    const found = this.strict(at, limit);
    if (found || !this.isDamaged) return found;
    return this.strict(at, limit, false, true)
      ?? { at, lengthAt: at, content: at, end: limit, class: 0, constructed: false, number: DAMAGED, indefinite: false };
  }

  // The same without elements of a damaged document, or with those that are cut (`cuts`). While the ends of indefinite
  // lengths are not known yet (`finding`), such an element has the end of its header.
  strict(at, limit, finding = false, cuts = false) {
    const bytes = this.bytes;
    let next = at;
    if (next + 2 > limit) return null;
    const first = bytes[next++];
    let number = first & 31;
    if (number === 31) {
      number = 0;
      for (;;) {
        if (next >= limit || number > 2 ** 46) return null;
        const byte = bytes[next++];
        number = number * 128 + (byte & 127);
        if (byte < 128) break;
      }
    }
    if (next >= limit) return null;
    const lengthAt = next, form = bytes[next++], indefinite = form === 128;
    let length = form;
    if (indefinite) length = finding ? 0 : this.endOf(at) - next;
    else if (form > 128) {
      let count = form - 128;
      length = 0;
      if (next + count > limit) return null;
      while (count--) length = length * 256 + bytes[next++];
    }
    if (length < 0 || (length > limit - next && !cuts)) return null;
    length = Math.min(length, limit - next);
    const constructed = (first & 32) !== 0;
    return { at, lengthAt, content: next, end: next + length, class: first >> 6, constructed, number, indefinite };
  }

  // Return the offsets of all elements from `at` to `end`; null if they do not end exactly at `end`.
  offsets(at, end) {
    let found = new Uint32Array(16), count = 0;
    while (at < end) {
      const one = this.header(at, end);
      if (!one) return null;
      if (count === found.length) {
        const larger = new Uint32Array(2 * count);
        larger.set(found);
        found = larger;
      }
      found[count++] = at;
      at = one.end;
    }
    return found.slice(0, count);
  }

  // Return whether the bytes from `at` to `end` are one element of a universal type; this checks only the simple rules.
  holdsElement(at, end) {
    const one = end - at >= 2 && this.bytes[at] > 0 && this.bytes[at] < 64 ? this.strict(at, end) : null;
    return one !== null && one.end === end && one.number in UNIVERSAL && !RARE.has(one.number) && this.isValid(one, 0);
  }

  isValid(one, depth) {
    const size = one.end - one.content, bytes = this.bytes;
    if ((bytes[one.at] & 31) === 31 && one.number < 31) return false;
    if (one.class === 0) {
      const structured = [8, 11, 16, 17, 29].includes(one.number);
      if (one.constructed !== structured || !(one.number in UNIVERSAL)) return false;
      if (one.number === 1 && (size !== 1 || (bytes[one.content] + 1) % 256 > 1)) return false;
      if (one.number === 5 && size) return false;
      if ((one.number === 6 || one.number === 13) && !this.hasArcs(one)) return false;
      if (one.number === 2 || one.number === 10) {
        if (!size) return false;
        const start = bytes[one.content] * 2 + (bytes[one.content + 1] >> 7);
        if (size > 1 && (start === 0 || start === 511)) return false;
      }
      if (one.number === 3) {
        const unused = bytes[one.content];
        if (!size || unused > 7 || (size === 1 ? unused : bytes[one.end - 1] % 2 ** unused)) return false;
      }
      if (one.number === 12 && Der.decoded("utf-8", bytes.subarray(one.content, one.end)) === null) return false;
      if (one.number === 28 && !Der.isUtf32(bytes.subarray(one.content, one.end))) return false;
      if (one.number === 30 && (size % 2 || /[\ud800-\udfff]/.test(Der.utf16(bytes.subarray(one.content, one.end), 1000)))) return false;
      if (Object.hasOwn(FORMS, one.number) && !this.hasForm(one, FORMS[one.number])) return false;
    }
    if (!one.constructed) return true;
    if (depth > MAX_DEPTH) return false;
    for (let at = one.content; at < one.end;) {
      const child = this.strict(at, one.end);
      if (!child || !this.isValid(child, depth + 1)) return false;
      at = child.end;
    }
    return true;
  }

  // Return whether the contents octets are arcs of an identifier: the last is complete, and none begins with 80.
  hasArcs(one) {
    for (let at = one.content, first = true; at < one.end; at++) {
      if (first && this.bytes[at] === 128) return false;
      first = this.bytes[at] < 128;
    }
    return one.content < one.end && this.bytes[one.end - 1] < 128;
  }

  // Return whether the contents octets are ASCII of this form; a date must exist.
  hasForm(one, form) {
    const text = new TextDecoder("latin1").decode(this.bytes.subarray(one.content, one.end)), found = form.exec(text);
    if (!found || found.length === 1) return found !== null;
    const [year, month, day] = found.slice(1).map(Number), full = found[1].length > 2 ? year : year + (year < 50 ? 2000 : 1900);
    return day <= new Date(Date.UTC(2000 + (full % 400), month, 0)).getUTCDate();
  }

  static typeName(one) {
    if (one.number === DAMAGED) return "not an element";
    if (one.class === 0) return one.number ? UNIVERSAL[one.number] ?? `[UNIVERSAL ${one.number}]` : "end-of-contents";
    return one.class === 2 ? `[${one.number}]` : `[${CLASSES[one.class]} ${one.number}]`;
  }

  // Return whether an element is a string of BER in segments. `base` is the number of its universal type.
  static inSegments(one, base) { return one.constructed && base > 0 && ![8, 11, 16, 17, 29].includes(base); }

  // Return the contents octets of a string in segments as a primitive string has them, about `limit` at most.
  joined(one, base, limit) {
    const waiting = [one], octets = base === 3 ? [0] : [];
    while (waiting.length && octets.length < limit) {
      const next = waiting.pop();
      if (next.constructed) {
        for (const at of [...this.offsets(next.content, next.end) ?? []].reverse()) waiting.push(this.header(at, next.end));
        continue;
      }
      const content = this.bytes.subarray(next.content, Math.min(next.end, next.content + limit));
      // The first octet of each segment of a BIT STRING is the number of unused bits, which is 0 except in the last.
      if (base === 3 && content.length) octets[0] = content[0];
      for (const octet of base === 3 ? content.subarray(1) : content) octets.push(octet);
    }
    return Uint8Array.from(octets);
  }

  // Return what DER does not have: the form of the length, and segments. Each is a short name, and what it means.
  static forms(one, base) {
    const octets = one.content - one.lengthAt - 1, length = one.end - one.content, forms = [];
    if (one.indefinite) forms.push(["indefinite", "indefinite length, X.690 10.1"]);
    else if (octets && (length < 128 || length < 256 ** (octets - 1))) forms.push(["long length", "long length, X.690 10.1"]);
    if (Der.inSegments(one, base)) forms.push(["segments", "in segments, X.690 10.2"]);
    return forms;
  }

  static decoded(encoding, bytes) {
    try { return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes); } catch { return null; }
  }

  // Return the value of a primitive element as text of about `limit` characters at most. `type` is its type in the schema:
  // the name, the number of the universal type, the names of numbers or bits.
  value(one, names, limit, type = NO_TYPE) {
    const content = this.bytes.subarray(one.content, one.end), base = one.class === 0 ? one.number : type[1];
    const part = content.subarray(0, limit);
    if (one.class === 0 || base) {
      if (base === 1) return content[0] ? "TRUE" : "FALSE";
      if (base === 2 || base === 10) return Der.named(Der.integer(content, limit), type);
      if (base === 3) return Der.bits(content, limit, type);
      if (base === 5 || base === 0) return "";
      if (base === 6) {
        const dotted = Der.dotted(content), name = Object.hasOwn(names, dotted) ? names[dotted] : null;
        return name ? `${name} (${dotted})` : dotted;
      }
      if (base === 23 || base === 24) return Der.time(String.fromCharCode(...part), base === 23);
      let text = null;
      if (base === 30 && content.length % 2 === 0) text = Der.utf16(content, limit);
      else if (base === 12)
        text = Der.decoded("utf-8", content.length > limit ? Der.whole(part) : content);
      else if (base === 28 && content.length % 4 === 0)
        text = Array.from({ length: Math.min(content.length / 4, limit) }, (_, at) => Der.character(content, 4 * at)).join("");
      if (base === 4 && Der.isText(content)) return Der.textOf(content, limit);
      if (text === null && base in UNIVERSAL && !HEXADECIMAL.has(base)) text = String.fromCharCode(...part.subarray(0, 10000));
      if (text !== null) return `"${Der.visible(text)}"${Der.cut(base, content.length, limit) ? "…" : ""}`;
    } else if (Der.isText(content)) return Der.textOf(content, limit);
    return Der.hexadecimal(content, limit);
  }

  // Return whether the bytes of a string without a text type are lines of ASCII; this looks at the first bytes only.
  static isText(content) {
    return content.length > 3 && content.subarray(0, 400).every((byte) => (byte > 31 && byte < 127) || [9, 10, 13].includes(byte));
  }

  // Return such bytes as text; up to 16 bytes, which can be text by chance, also as bytes.
  static textOf(content, limit) {
    const cut = content.length > limit, text = Der.visible(String.fromCharCode(...content.subarray(0, Math.min(limit, 10000))));
    return `"${text}"${cut ? `… (${content.length.toLocaleString("en")} bytes)` : content.length > 16 ? "" : ` (${Der.hexadecimal(content, 100)})`}`;
  }

  // Return an IP address, or an address and its mask (RFC 5280 4.2.1.6 and 4.2.1.10); null for another number of bytes.
  static address(content) {
    if (content.length === 8 || content.length === 32) {
      const half = content.length / 2;
      return `${Der.address(content.subarray(0, half))}/${Der.address(content.subarray(half))}`;
    }
    if (content.length === 4) return content.join(".");
    if (content.length !== 16) return null;
    const groups = Array.from({ length: 8 }, (_, at) => (content[2 * at] * 256 + content[2 * at + 1]).toString(16));
    // RFC 5952 4.2: the longest run of zeros, the first of several, is "::".
    const text = groups.join(":"), [zeros] = (text.match(/\b0(:0)+\b/g) ?? []).sort((one, other) => other.length - one.length);
    return zeros ? text.replace(new RegExp(`(^|:)${zeros}(:|$)`), "::") : text;
  }

  // Return whether a string with `size` contents octets is longer than `limit` characters.
  static cut(base, size, limit) { return size > limit * (base === 30 ? 2 : base === 28 ? 4 : 1); }

  // Return the text of a BMPString. It can have halves of surrogate pairs, which TextDecoder rejects.
  static utf16(content, limit) {
    const units = Array.from({ length: Math.min(content.length / 2, limit) }, (_, at) => content[2 * at] * 256 + content[2 * at + 1]);
    return String.fromCharCode(...units);
  }

  // Return a number with its name.
  static named(number, type) { return Object.hasOwn(type[2], number) ? `${type[2][number]} (${number})` : number; }

  // Return a bit string: the names of its bits, or the bytes.
  static bits(content, limit, type) {
    const unused = content[0] ? `, ${content[0]} unused bit${content[0] === 1 ? "" : "s"}` : "";
    const text = Der.hexadecimal(content.subarray(1), limit) + unused;
    const names = Object.entries(type[2]).filter(([bit]) => content[1 + (bit >> 3)] & (128 >> (bit & 7))).map(([, name]) => name);
    return names.length ? `${names.join(", ")} (${text})` : text;
  }

  // Return whether bytes are the characters of a UniversalString.
  static isUtf32(content) {
    if (content.length % 4) return false;
    for (let at = 0; at < content.length; at += 4)
      if (content[at] || content[at + 1] > 16 || (!content[at + 1] && content[at + 2] >> 3 === 27)) return false;
    return true;
  }

  static character(content, at) {
    const point = new DataView(content.buffer, content.byteOffset + at, 4).getUint32(0);
    return point <= 0x10ffff ? String.fromCodePoint(point) : "\ufffd";
  }

  // Return UTF-8 bytes that were cut, without an incomplete character at the end.
  static whole(bytes) {
    let end = bytes.length;
    while (end && bytes.length - end < 4 && (bytes[end - 1] & 192) === 128) end--;
    return bytes.subarray(0, end && bytes[end - 1] > 127 ? end - 1 : bytes.length);
  }

  static integer(content, limit) {
    if (content.length > 8) return content.length > 32 && limit < 200
      ? Der.hexadecimal(content, limit) : Der.hexadecimal(content, limit) + (content[0] > 127 ? " (negative)" : "");
    return String(Der.bigInteger(content));
  }

  static bigInteger(content) {
    let value = 0n;
    for (const byte of content) value = value * 256n + BigInt(byte);
    return content[0] > 127 ? value - (1n << BigInt(8 * content.length)) : value;
  }

  // Return a number of a few bytes in hexadecimal with an even number of digits, without a leading 00 for the sign.
  static evenHexadecimal(content) {
    const digits = Array.from(content, (byte) => HEX[byte]).join("");
    return digits.length > 2 ? digits.replace(/^00/, "") : digits;
  }

  static hexadecimal(content, limit) {
    const shown = content.length * 3 > limit ? content.subarray(0, Math.floor(limit / 3)) : content;
    const text = Array.from(shown, (byte) => HEX[byte]).join(":") || "(empty)";
    return shown.length < content.length ? `${text}… (${content.length.toLocaleString("en")} bytes)` : text;
  }

  static dotted(content) {
    const arcs = [];
    let arc = 0n, small = 0, first = true;
    const put = () => {
      const value = arc || BigInt(small);
      if (first) {
        const root = value < 40n ? 0n : value < 80n ? 1n : 2n;
        arcs.push(root, value - 40n * root);
      } else arcs.push(value);
      arc = 0n; small = 0; first = false;
    };
    for (const byte of content.subarray(0, 400)) {
      if (arc || small > 2 ** 40) arc = (arc || BigInt(small)) * 128n + BigInt(byte & 127);
      else small = small * 128 + (byte & 127);
      if (byte < 128) put();
    }
    return arcs.join(".") + (content.length > 400 ? ".…" : "");
  }

  // Return the contents octets of a dotted form; null if `dotted` is not one.
  static identifier(dotted) {
    if (!/^[012](\.(0|[1-9]\d{0,45})){1,100}$/.test(dotted)) return null;
    const arcs = dotted.split(".").map(BigInt);
    if (arcs[0] < 2n && arcs[1] > 39n) return null;
    const bytes = [];
    for (const arc of [arcs[0] * 40n + arcs[1], ...arcs.slice(2)]) {
      const part = [];
      let rest = arc;
      do { part.unshift(Number(rest & 127n) | (part.length ? 128 : 0)); rest >>= 7n; } while (rest);
      bytes.push(...part);
    }
    return bytes;
  }

  static time(text, short) {
    const form = short ? /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/ : /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d(?:\.\d+)?)Z$/;
    const found = form.exec(text);
    if (!found) return Der.visible(text);
    const [, year, month, day, hour, minute, second] = found;
    const century = short ? (Number(year) < 50 ? "20" : "19") : "";
    return `${century}${year}-${month}-${day}T${hour}:${minute}:${second}Z`;
  }

  // Return text with escapes for unprintable characters and for those that change the direction of text.
  static visible(text) {
    return text.replace(/[\p{C}\p{Zl}\p{Zp}\u034f]/gu, (one) => `\\u{${one.codePointAt(0).toString(16)}}`);
  }
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));
