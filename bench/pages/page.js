"use strict";
// Make the head of each column a button that sorts. Numbers are sorted by data-value; a cell without one is always last.
for (const table of document.querySelectorAll("table")) {
  const heads = [...table.tHead.rows[0].cells];
  const body = table.tBodies[0];
  const keyOf = (row, at, numbers) => {
    const cell = row.cells[at];
    if (!numbers) return cell.textContent;
    return cell.dataset.value === undefined ? null : Number(cell.dataset.value);
  };
  heads.forEach((head, at) => {
    const numbers = "numbers" in head.dataset;
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const sign = head.getAttribute("aria-sort") === "ascending" ? -1 : 1;
      const keyed = [...body.rows].map((row) => [keyOf(row, at, numbers), row]);
      keyed.sort(([one], [other]) => {
        if (one === null || other === null) return (one === null) - (other === null);
        return sign * (numbers ? one - other : one.localeCompare(other, "en", { numeric: true }));
      });
      body.append(...keyed.map(([, row]) => row));
      for (const each of heads) each.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
    });
  });
}
