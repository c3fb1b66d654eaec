// The search. It works without a server: PAGES is in a script (docs/search_pages.py). A page with more of the words comes
// first; words in headings and titles count more; the link leads to the best section of the page.

// Words that mean the same. Each is matched at the start of a word; spaces match any separator, or none.
const SYNONYMS = [
  ["san", "sans", "subject alt name", "subject alternative name", "alternative name", "dns names"],
  ["lenient", "permissive", "non strict", "nonstrict", "non der", "loose", "tolerate", "tolerant", "deviation"],
  ["notebook", "jupyter", "ipython"],
  ["p12", "pfx", "pkcs 12"],
  ["p7b", "p7m", "p7s", "pkcs 7", "cms", "signed data"],
  ["csr", "certification request", "certificate request", "requests for certificates", "pkcs 10"],
  ["crl", "revocation list"],
  ["revoked", "revocation", "revoke"],
  ["thumbprint", "fingerprint"],
  ["verify signature", "verify a signature", "check signature", "signature verification", "verify"],
  ["own schema", "custom", "define", "schema of your own", "structures of my own", "schema language"],
  ["parse", "read", "load", "decode"],
  ["serialize", "write", "encode"],
  ["dataframe", "pandas", "polars", "arrow", "columns"],
  ["tsp", "time stamp", "timestamp"],
  ["terminal", "cli", "command line"],
  ["exception", "error"],
  ["dict", "native", "plain data"],
  ["migrate", "switch", "moving"],
  ["fast", "speed", "benchmark", "performance"],
  ["key usage", "eku", "extended key usage"],
];
const STOPWORDS = new Set(
  "a an and are be by can do does for from get how i if in into is it its me my of on or show that the there this to use using what when where which with you your"
    .split(" "),
);

// A pattern for words or their synonyms. Endings such as -s, -ing and -ed are ignored.
function pattern(words) {
  const stems = words.map((word) => {
    const stem = word.replace(/(?<=\w{4})(ies|ying|ing|ied|ed|y|e|s)$/, "");
    const end = word.length < 4 ? "s?(?![a-z0-9])" : "";
    return stem.replace(/[^\p{L}\p{N}]+/gu, "[^a-z0-9]{0,2}") + end;
  });
  return new RegExp(`(?<![a-z0-9])(?:${stems.join("|")})`, "giu");
}

// A pattern for each word of a query.
function patterns(query) {
  const words = query.toLowerCase().split(/[^\p{L}\p{N}_]+/u).filter(Boolean);
  const found = [];
  let rest = words.join(" ");
  for (const group of SYNONYMS) {
    const before = rest;
    for (const phrase of group) rest = rest.replace(new RegExp(`(?<=^| )${phrase}s?(?= |$)`), "").trim();
    if (rest !== before) found.push(pattern(group));
  }
  const others = rest.split(" ").filter(Boolean);
  const telling = others.filter((word) => !STOPWORDS.has(word));
  const chosen = telling.length || found.length ? telling : others;
  return [...found, ...chosen.map((word) => pattern([word]))];
}

const occurrences = (text, pattern) => text.match(pattern)?.length ?? 0;

// How much a word in a heading counts: more, if it is the whole heading.
function prominence(heading, pattern) {
  const found = heading.match(pattern)?.join("").length ?? 0;
  return found && 2 + (4 * found) / heading.length;
}

// The best section of each page for a query, the best page first.
function search(query) {
  const wanted = patterns(query);
  const counted = PAGES.map((page) => ({
    ...page,
    title: page.sections[0][1],
    counts: page.sections.map(([, heading, text]) => wanted.map((one) => [prominence(heading, one), occurrences(text, one)])),
  }));
  const sections = counted.flatMap((page) => page.counts);
  const rarity = wanted.map((_, index) => {
    const number = sections.filter((counts) => counts[index].some(Boolean)).length;
    return number && Math.log(1 + sections.length / number);
  });
  const rows = [];
  for (const page of counted) {
    const titled = wanted.map((one) => prominence(page.title, one));
    const anywhere = wanted.map((_, index) => page.counts.some((counts) => counts[index].some(Boolean)));
    const share = anywhere.filter(Boolean).length / wanted.length;
    let best = { score: 0 };
    page.counts.forEach((counts, at) => {
      let score = 0;
      counts.forEach(([inHeading, inText], index) => {
        const own = inHeading + (2 * inText) / (inText + 1);
        score += rarity[index] * (titled[index] + (own || 0.3 * anywhere[index]));
      });
      const together = counts.filter((count) => count.some(Boolean)).length / wanted.length;
      // A whole name such as dns_names or TBSCertificate: its entry of the reference counts as a guide.
      const isName = /[a-z][A-Z]|_/.test(query) && page.sections[at][1].split(".").pop() === query;
      score *= (isName ? 1 : page.weight) * share * share * (1 + together);
      if (score > best.score) best = { score, at };
    });
    if (best.score) {
      const [anchor, heading, text] = page.sections[best.at];
      rows.push({ score: best.score, page: page.name, title: page.title, anchor, heading, text });
    }
  }
  return { wanted, rows: rows.sort((one, other) => other.score - one.score) };
}

// The part of a text in which most of the words occur. It begins and ends at words.
function snippet(text, wanted) {
  const places = wanted.flatMap((one) => [...text.matchAll(one)].map((match) => match.index));
  let [best, most] = [0, 0];
  for (const at of places.sort((one, other) => one - other)) {
    const near = text.slice(at, at + 160);
    const found = wanted.filter((one) => occurrences(near, one)).length;
    if (found > most) [best, most] = [at, found];
  }
  const start = best < 80 ? 0 : text.slice(0, best - 60).search(/\s\S*$/) + 1;
  const end = start + 240 < text.length ? text.slice(0, start + 240).search(/\s\S*$/) : text.length;
  return (start ? "… " : "") + text.slice(start, end) + (end < text.length ? " …" : "");
}

function show(query) {
  const out = document.getElementById("search-results");
  const { wanted, rows } = search(query);
  const add = (parent, tag, text) => Object.assign(parent.appendChild(document.createElement(tag)), { textContent: text });
  add(out, "h2", rows.length ? `${rows.length} page${rows.length > 1 ? "s" : ""} with “${query}”` : `Nothing found for “${query}”`);
  const list = add(out, "ul", "");
  list.className = "search";
  for (const { page, title, anchor, heading, text } of rows.slice(0, 50)) {
    const row = add(list, "li", "");
    add(row, "a", heading === title ? title : `${title} › ${heading}`).href = `${page}.html#${anchor}`;
    add(row, "p", snippet(text, wanted)).className = "context";
  }
}

if (typeof document !== "undefined")
  document.addEventListener("DOMContentLoaded", () => {
    const query = new URLSearchParams(location.search).get("q")?.trim();
    for (const box of document.querySelectorAll('input[name="q"]')) box.value = query ?? "";
    if (query) show(query);
  });
