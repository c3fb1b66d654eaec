"use strict";
// DER, read where it is looked at: headers, the places of children, values as text. Knows nothing of the page.
// What is embedded was checked by derlib, so that lengths are right; only strings may contain anything.
const UNIVERSAL = {
  1: "BOOLEAN", 2: "INTEGER", 3: "BIT STRING", 4: "OCTET STRING", 5: "NULL", 6: "OBJECT IDENTIFIER",
  7: "ObjectDescriptor", 8: "EXTERNAL", 9: "REAL", 10: "ENUMERATED", 11: "EMBEDDED PDV", 12: "UTF8String",
  13: "RELATIVE-OID", 14: "TIME", 16: "SEQUENCE", 17: "SET", 18: "NumericString", 19: "PrintableString",
  20: "TeletexString", 21: "VideotexString", 22: "IA5String", 23: "UTCTime", 24: "GeneralizedTime",
  25: "GraphicString", 26: "VisibleString", 27: "GeneralString", 28: "UniversalString", 29: "CHARACTER STRING",
  30: "BMPString", 31: "DATE", 32: "TIME-OF-DAY", 33: "DATE-TIME", 34: "DURATION", 35: "OID-IRI",
  36: "RELATIVE-OID-IRI",
};
const TEXTS = new Set([7, 12, 14, 18, 19, 20, 21, 22, 25, 26, 27, 31, 32, 33, 34, 35, 36]);
const CLASSES = ["UNIVERSAL", "APPLICATION", "", "PRIVATE"];
// Strings in strings are opened so far, and constructed elements nest so deep in them, as derlib has it.
const MOST_NESTED = 16, MOST_DEPTH = 100;

class Der {
  constructor(octets) { this.octets = octets; }

  // The element at `at`, which ends at `limit` at the latest; null if there is none.
  header(at, limit) {
    const octets = this.octets;
    let next = at;
    if (next + 2 > limit) return null;
    const first = octets[next++];
    let number = first & 31;
    if (number === 31) {
      number = 0;
      for (;;) {
        if (next >= limit || number > 2 ** 46) return null;
        const octet = octets[next++];
        number = number * 128 + (octet & 127);
        if (octet < 128) break;
      }
    }
    if (next >= limit) return null;
    const lengthAt = next;
    let length = octets[next++];
    if (length === 128 || length > 134) return null;
    if (length > 128) {
      let count = length - 128;
      length = 0;
      if (next + count > limit) return null;
      while (count--) length = length * 256 + octets[next++];
    }
    if (length > limit - next) return null;
    return { at, lengthAt, content: next, end: next + length, class: first >> 6, constructed: (first & 32) !== 0, number };
  }

  // The places of all elements from `at` to `end`; null unless they fill it.
  places(at, end) {
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

  // Whether the octets from `at` to `end` are one element of a universal type, sound as far as can be seen here.
  holdsElement(at, end) {
    const one = end - at >= 2 && this.octets[at] > 0 && this.octets[at] < 64 ? this.header(at, end) : null;
    return one !== null && one.end === end && one.number in UNIVERSAL && this.sound(one, 0);
  }

  sound(one, depth) {
    const size = one.end - one.content, octets = this.octets;
    if (one.class === 0) {
      const structured = [8, 11, 16, 17, 29].includes(one.number);
      if (one.constructed !== structured || !(one.number in UNIVERSAL)) return false;
      if (one.number === 1 && (size !== 1 || (octets[one.content] + 1) % 256 > 1)) return false;
      if (one.number === 5 && size) return false;
      if (one.number === 6 && (!size || octets[one.end - 1] > 127)) return false;
      if (one.number === 2 || one.number === 10) {
        if (!size) return false;
        const start = octets[one.content] * 2 + (octets[one.content + 1] >> 7);
        if (size > 1 && (start === 0 || start === 511)) return false;
      }
      if (one.number === 3 && (!size || octets[one.content] > 7)) return false;
      if (one.number === 12 && Der.decoded("utf-8", octets.subarray(one.content, one.end)) === null) return false;
      if ([18, 19, 22, 23, 24, 26].includes(one.number))
        for (let at = one.content; at < one.end; at++) if (octets[at] > 127) return false;
    }
    if (!one.constructed) return true;
    if (depth > MOST_DEPTH) return false;
    for (let at = one.content; at < one.end;) {
      const child = this.header(at, one.end);
      if (!child || !this.sound(child, depth + 1)) return false;
      at = child.end;
    }
    return true;
  }

  static typeName(one) {
    if (one.class === 0) return UNIVERSAL[one.number] ?? `[UNIVERSAL ${one.number}]`;
    return one.class === 2 ? `[${one.number}]` : `[${CLASSES[one.class]} ${one.number}]`;
  }

  static decoded(encoding, octets) {
    try { return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(octets); } catch { return null; }
  }

  // The value of a primitive element as text, of at most about `most` characters.
  value(one, names, most) {
    const content = this.octets.subarray(one.content, one.end);
    const part = content.subarray(0, most);
    if (one.class === 0) {
      if (one.number === 1) return content[0] ? "TRUE" : "FALSE";
      if (one.number === 2 || one.number === 10) return Der.integer(content, most);
      if (one.number === 3) {
        const unused = content[0] ? `, ${content[0]} unused bits` : "";
        return Der.hexadecimal(content.subarray(1), most) + unused;
      }
      if (one.number === 5) return "";
      if (one.number === 6) {
        const dotted = Der.dotted(content), name = Object.hasOwn(names, dotted) ? names[dotted] : null;
        return name ? `${name} (${dotted})` : dotted;
      }
      if (one.number === 23 || one.number === 24) return Der.time(String.fromCharCode(...part), one.number === 23);
      let text = null;
      if (one.number === 30 && content.length % 2 === 0) text = Der.decoded("utf-16be", content.subarray(0, 2 * most));
      else if (one.number === 12)
        text = Der.decoded("utf-8", content.length > most ? Der.whole(part) : content);
      else if (one.number === 28 && content.length % 4 === 0)
        text = Array.from({ length: Math.min(content.length / 4, most) }, (_, at) => Der.character(content, 4 * at)).join("");
      if (text === null && TEXTS.has(one.number)) text = String.fromCharCode(...part.subarray(0, 10000));
      if (text !== null) return `"${Der.visible(text)}"${content.length > 4 * most ? "…" : ""}`;
    } else if (content.length > 3 && content.length <= 320 && content.every((octet) => octet > 31 && octet < 127)) {
      return `"${Der.visible(String.fromCharCode(...content))}"`;
    }
    return Der.hexadecimal(content, most);
  }

  static character(content, at) {
    const point = new DataView(content.buffer, content.byteOffset + at, 4).getUint32(0);
    return point <= 0x10ffff ? String.fromCodePoint(point) : "\ufffd";
  }

  // Octets of UTF-8 without the character that the cut may have gone through.
  static whole(octets) {
    let end = octets.length;
    while (end && octets.length - end < 4 && (octets[end - 1] & 192) === 128) end--;
    return octets.subarray(0, end && octets[end - 1] > 127 ? end - 1 : octets.length);
  }

  static integer(content, most) {
    if (content.length > 8) return content.length > 32 && most < 200
      ? Der.hexadecimal(content, most) : Der.hexadecimal(content, most) + (content[0] > 127 ? " (negative)" : "");
    let value = 0n;
    for (const octet of content) value = value * 256n + BigInt(octet);
    return String(content[0] > 127 ? value - (1n << BigInt(8 * content.length)) : value);
  }

  static hexadecimal(content, most) {
    const shown = content.length * 3 > most ? content.subarray(0, Math.floor(most / 3)) : content;
    const text = Array.from(shown, (octet) => HEX[octet]).join(":") || "(empty)";
    return shown.length < content.length ? `${text}… (${content.length.toLocaleString("en")} octets)` : text;
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
    for (const octet of content.subarray(0, 400)) {
      if (arc || small > 2 ** 40) arc = (arc || BigInt(small)) * 128n + BigInt(octet & 127);
      else small = small * 128 + (octet & 127);
      if (octet < 128) put();
    }
    return arcs.join(".") + (content.length > 400 ? ".…" : "");
  }

  // The contents octets of a dotted form; null if it is none.
  static identifier(dotted) {
    if (!/^[012](\.(0|[1-9]\d{0,45})){1,100}$/.test(dotted)) return null;
    const arcs = dotted.split(".").map(BigInt);
    if (arcs[0] < 2n && arcs[1] > 39n) return null;
    const octets = [];
    for (const arc of [arcs[0] * 40n + arcs[1], ...arcs.slice(2)]) {
      const part = [];
      let rest = arc;
      do { part.unshift(Number(rest & 127n) | (part.length ? 128 : 0)); rest >>= 7n; } while (rest);
      octets.push(...part);
    }
    return octets;
  }

  static time(text, short) {
    const form = short ? /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/ : /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d(?:\.\d+)?)Z$/;
    const found = form.exec(text);
    if (!found) return Der.visible(text);
    const [, year, month, day, hour, minute, second] = found;
    const century = short ? (Number(year) < 50 ? "20" : "19") : "";
    return `${century}${year}-${month}-${day}T${hour}:${minute}:${second}Z`;
  }

  // Text with what is unprintable, or turns the direction of text, as an escape.
  static visible(text) {
    return text.replace(/[\p{C}\p{Zl}\p{Zp}\u034f]/gu, (one) => `\\u{${one.codePointAt(0).toString(16)}}`);
  }
}

const HEX = Array.from({ length: 256 }, (_, octet) => octet.toString(16).padStart(2, "0"));
