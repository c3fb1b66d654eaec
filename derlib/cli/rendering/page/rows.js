"use strict";
// A list of any number of rows of one height, of which only those in sight are elements of the page.
// Browsers bound how tall an element can be: beyond MOST_HEIGHT a pixel of the scroll bar stands for more than one.
const MOST_HEIGHT = 8e6;

class Rows {
  constructor(box, height, make, fill) {
    Object.assign(this, { box, height, make, fill, count: 0, top: 0, pool: [], told: -1, waiting: false });
    this.layer = document.createElement("div");
    this.layer.className = "layer";
    this.space = document.createElement("div");
    this.space.className = "space";
    box.replaceChildren(this.layer, this.space);
    box.addEventListener("scroll", () => this.scrolled(), { passive: true });
    box.addEventListener("wheel", (event) => this.wheeled(event), { passive: false });
    new ResizeObserver(() => this.draw()).observe(box);
  }

  get seen() { return Math.max(1, this.box.clientHeight / this.height); }
  get last() { return Math.max(0, this.count - this.seen); }

  setCount(count) {
    this.count = count;
    this.tall = Math.min(count * this.height, MOST_HEIGHT);
    this.space.style.height = `${this.tall}px`;
    this.scrollTo(this.top);
  }

  // Rows for one pixel of the scroll bar.
  get scale() {
    const path = this.tall - this.box.clientHeight;
    return this.count * this.height > MOST_HEIGHT && path > 0 ? this.last / path : 1 / this.height;
  }

  scrollTo(row) {
    this.top = Math.min(Math.max(0, row), this.last);
    this.told = Math.round(this.top / this.scale);
    this.box.scrollTop = this.told;
    this.draw();
  }

  // Bring `row` into sight, away from the edges, if it is not there.
  show(row) {
    if (row < this.top + 1 || row > this.top + this.seen - 2) this.scrollTo(row - this.seen / 3);
    else this.draw();
  }

  scrolled() {
    const now = this.box.scrollTop;
    if (Math.abs(now - this.told) < 1) return;
    this.told = now;
    this.top = Math.min(now * this.scale, this.last);
    this.draw();
  }

  wheeled(event) {
    if (this.count * this.height <= MOST_HEIGHT || event.ctrlKey) return;
    event.preventDefault();
    this.scrollTo(this.top + event.deltaY / (event.deltaMode === 1 ? 1 / 3 : this.height));
  }

  draw() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => { this.waiting = false; this.drawNow(); });
  }

  drawNow() {
    const first = Math.floor(this.top), many = Math.ceil(this.seen) + 1;
    while (this.pool.length < many) {
      const row = this.make();
      this.pool.push(row);
      this.layer.append(row);
    }
    for (let at = 0; at < this.pool.length; at++) {
      const row = this.pool[at], shown = at < many && first + at < this.count;
      row.hidden = !shown;
      if (!shown) continue;
      row.style.transform = `translateY(${(first + at - this.top) * this.height}px)`;
      this.fill(row, first + at);
    }
  }
}
