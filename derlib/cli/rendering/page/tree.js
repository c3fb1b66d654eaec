"use strict";
// The tree of elements as rows. Nodes are created when they are needed, so a closed node is cheap.
class Node {
  constructor(one, parent, index, nested) {
    Object.assign(this, one);
    this.parent = parent;
    this.index = index;
    this.depth = parent ? parent.depth + 1 : 0;
    this.nested = nested; // The number of strings around the element.
    this.open = false;
    this.rows = 1; // The rows of the node and of the open nodes below it.
    this.kids = undefined; // The offsets of the children, once they are needed.
    this.made = new Map(); // The children that were created, by index.
    this.opened = []; // The indexes of the open children, in order.
  }
}

class Tree {
  // `hasLabel` returns whether the schema has an element at an offset; so the string around it is opened.
  constructor(der, hasLabel = () => false) {
    this.der = der;
    this.hasLabel = hasLabel;
    this.root = new Node(der.header(0, der.bytes.length), null, 0, 0);
  }

  // Return the offsets of the children. A string that contains an element has one child.
  kids(node) {
    if (node.kids !== undefined) return node.kids;
    if (node.constructed) return node.kids = this.der.offsets(node.content, node.end) ?? new Uint32Array();
    const skipped = node.class === 0 && node.number === 3 ? 1 : 0, content = node.content + skipped;
    const string = node.class === 0 && (node.number === 4 || (skipped && this.der.bytes[node.content] === 0));
    const holds = node.nested < MAX_NESTED && (this.hasLabel(content) || string) && this.der.holdsElement(content, node.end);
    return node.kids = holds ? Uint32Array.of(content) : new Uint32Array();
  }

  child(node, index) {
    let child = node.made.get(index);
    if (!child) {
      const nested = node.nested + (node.constructed ? 0 : 1);
      child = new Node(this.der.header(this.kids(node)[index], node.end), node, index, nested);
      node.made.set(index, child);
    }
    return child;
  }

  // Return the innermost element that includes the byte at `at`.
  at(at) {
    let node = this.root;
    for (;;) {
      const kids = this.kids(node);
      let low = 0, high = kids.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (kids[middle] <= at) low = middle + 1; else high = middle;
      }
      if (!low) return node;
      node = this.child(node, low - 1);
    }
  }

  // Open or close `node`, and update the rows of the nodes around it.
  setOpen(node, open) {
    if (node.open === open || (open && !this.kids(node).length)) return;
    node.open = open;
    const before = node.rows;
    node.rows = 1;
    if (open) {
      node.rows += node.kids.length;
      for (const index of node.opened) node.rows += node.made.get(index).rows - 1;
    }
    const parent = node.parent;
    if (parent) {
      let at = parent.opened.findIndex((index) => index >= node.index);
      if (at < 0) at = parent.opened.length;
      parent.opened.splice(at, open ? 0 : 1, ...(open ? [node.index] : []));
    }
    for (let above = parent; above && above.open; above = above.parent) above.rows += node.rows - before;
  }

  reveal(node) {
    for (let above = node.parent; above; above = above.parent) this.setOpen(above, true);
  }

  // Open `node` and the nodes below it, level by level, while at most `limit` rows are visible; not those that `skips`
  // returns TRUE for.
  openAll(node, limit, skips = () => false) {
    const waiting = [node];
    let rows = 0;
    for (let next = 0; next < waiting.length; next++) {
      const one = waiting[next], many = this.kids(one).length;
      if (one !== node && (rows + many > limit || skips(one))) continue;
      rows += many;
      this.setOpen(one, true);
      for (let index = 0; index < many && many <= limit; index++) waiting.push(this.child(one, index));
    }
  }

  // Return the node that is shown in a row.
  atRow(row) {
    let node = this.root;
    for (;;) {
      if (row === 0) return node;
      row -= 1;
      let inside = null;
      for (const index of node.opened) {
        if (row <= index) break;
        const child = node.made.get(index);
        if (row < index + child.rows) { row -= index; inside = child; break; }
        row -= child.rows - 1;
      }
      if (inside) { node = inside; continue; }
      return this.child(node, row);
    }
  }

  // Return the row of `node`; if it is not visible, that of the innermost visible element around it.
  rowOf(node) {
    let shown = node;
    for (let above = node.parent; above; above = above.parent) if (!above.open) shown = above;
    let row = 0;
    for (let one = shown; one.parent; one = one.parent) {
      row += 1 + one.index;
      for (const index of one.parent.opened) {
        if (index >= one.index) break;
        row += one.parent.made.get(index).rows - 1;
      }
    }
    return row;
  }
}
