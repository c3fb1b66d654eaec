// For the page of search results: better snippets than those of Sphinx, which also work without a server.

// A browser does not let a page that was opened as a file fetch other files, but it loads scripts. conf.py writes a script
// for each page, which calls pageText with the HTML of the page.
const waiting = {};

function pageText(name, html) {
  waiting[name](html);
}

if (location.protocol === "file:") {
  window.fetch = (url) => {
    const name = url.replace(/^\.\//, "").replace(/\.html$/, "");
    const script = document.createElement("script");
    script.src = `_static/pages/${name}.js`;
    document.head.append(script);
    return new Promise((resolve) => {
      waiting[name] = (html) => resolve({ text: () => html });
    });
  };
}

// The first part of a text in which most of the words occur.
function snippet(text, words) {
  const lower = text.toLowerCase();
  let [best, most] = [0, 0];
  for (const word of words)
    for (let at = lower.indexOf(word); at >= 0; at = lower.indexOf(word, at + 1)) {
      const near = lower.slice(at, at + 160);
      const found = words.filter((one) => near.includes(one)).length;
      if (found > most || (found === most && at < best)) [best, most] = [at, found];
    }
  const first = best < 80 ? 0 : lower.indexOf(" ", best - 80);
  return (first ? "… " : "") + text.slice(first, first + 240).trim() + (first + 240 < text.length ? " …" : "");
}

document.addEventListener("DOMContentLoaded", () => {
  Search.makeSearchSummary = (html, words, anchor) => {
    const summary = document.createElement("p");
    summary.className = "context";
    summary.textContent = snippet(Search.htmlToText(html, anchor), [...words].map((word) => word.toLowerCase()));
    return summary;
  };
});
