"use strict";
// A list of any number of rows with the same height. Only the visible rows are elements of the page.
// Browsers limit the height of an element: above MAX_HEIGHT, one pixel of the scroll bar is more than one pixel of rows.
const MAX_HEIGHT = 8e6;

class Rows {
  constructor(box, height, make, fill) {
    Object.assign(this, { box, height, make, fill, count: 0, top: 0, pool: [], lastScroll: -1, waiting: false });
    this.layer = document.createElement("div");
    this.layer.className = "layer";
    this.space = document.createElement("div");
    this.space.className = "space";
    box.replaceChildren(this.layer, this.space);
    box.addEventListener("scroll", () => this.scrolled(), { passive: true });
    box.addEventListener("wheel", (event) => this.wheeled(event), { passive: false });
    this.measure();
    new ResizeObserver(() => { this.measure(); this.draw(); }).observe(box);
  }

  // Store the size of the box. Reading it while rows change would make the browser lay out the page for each row.
  measure() {
    this.wide = this.box.clientWidth;
    this.high = this.box.clientHeight;
  }

  get seen() { return Math.max(1, this.high / this.height); }
  get last() { return Math.max(0, this.count - this.seen); }

  setCount(count) {
    this.count = count;
    this.tall = Math.min(count * this.height, MAX_HEIGHT);
    this.space.style.height = `${this.tall}px`;
    this.scrollTo(this.top);
  }

  // The number of rows per pixel of the scroll bar.
  get scale() {
    const path = this.tall - this.high;
    return this.count * this.height > MAX_HEIGHT && path > 0 ? this.last / path : 1 / this.height;
  }

  scrollTo(row) {
    this.top = Math.min(Math.max(0, row), this.last);
    this.lastScroll = Math.round(this.top / this.scale);
    this.box.scrollTop = this.lastScroll;
    this.draw();
  }

  // Scroll until `row` is visible and not at an edge.
  show(row) {
    if (row < this.top + 1 || row > this.top + this.seen - 2) this.scrollTo(row - this.seen / 3);
    else this.draw();
  }

  scrolled() {
    const now = this.box.scrollTop;
    if (Math.abs(now - this.lastScroll) < 1) return;
    this.lastScroll = now;
    this.top = Math.min(now * this.scale, this.last);
    this.draw();
  }

  wheeled(event) {
    if (this.count * this.height <= MAX_HEIGHT || event.ctrlKey) return;
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
      if (!shown) {
        row.removeAttribute("id");
        continue;
      }
      row.style.transform = `translateY(${(first + at - this.top) * this.height}px)`;
      this.fill(row, first + at);
    }
  }
}
