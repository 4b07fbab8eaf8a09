import { CAUSES, causeColor } from './causes.js';
import { penOf } from './axis.js';
import { digits, duration, element, short } from './words.js';

const ROW = 19;
const MOST_ROWS = 40;

/** A share below half a percentage point is not worth a word. */
const LEAST_GONE = 0.005;
const MOST_GONE = 4;

/** A flame graph: causes above, below them the frames of stacks from the thread's first one on. */
export class Flame {
  constructor(canvas, words, theme) {
    this.canvas = canvas;
    this.words = words;
    this.theme = theme;
    this.query = null;
    this.path = []; // names from the root to what is zoomed to
    this.gone = []; // what only the former span had, the largest share first
    canvas.addEventListener('click', (event) => this.zoom(this.at(event)));
    canvas.addEventListener('pointermove', (event) => this.hover(event));
    canvas.addEventListener('pointerleave', () => this.tell(null));
  }

  /** Shows sums, with the difference to others where there are any. Both are shares of the workers' time. */
  show(sums, recording, before, beforeRecording, muted) {
    this.root = tree(sums, recording, muted);
    const former = before ? tree(before, beforeRecording, muted) : null;
    this.isDifference = Boolean(former);
    this.gone = [];
    if (former) {
      compare(this.root, former, this.root.value || 1, former.value || 1, this.gone);
      this.gone.sort((a, b) => b.share - a.share);
    }
    this.draw();
  }

  /** The node that fills the width: the zoomed one, as far as it still exists. */
  get top() {
    let node = this.root;
    for (const name of this.path) {
      node = node?.children.get(name) || node;
    }
    return node;
  }

  draw() {
    if (!this.root) {
      return;
    }
    const width = this.canvas.clientWidth;
    const rows = Math.min(MOST_ROWS, depth(this.top, width / (this.top.value || 1)));
    const height = Math.max(1, rows) * ROW;
    this.canvas.style.height = `${height}px`;
    const pen = penOf(this.canvas, width, height);
    const style = getComputedStyle(this.canvas);
    pen.font = '11px system-ui, sans-serif';
    pen.textBaseline = 'middle';
    this.boxes = [];
    this.put(pen, style, this.top, 0, width, 0);
    this.tell(null);
  }

  put(pen, style, node, left, width, row) {
    if (width < 0.4 || row >= MOST_ROWS) {
      return;
    }
    const y = row * ROW;
    pen.fillStyle = this.color(node, style);
    pen.fillRect(left, y, Math.max(0.5, width - 0.5), ROW - 1);
    this.boxes.push({ node, left, width, row });
    if (width > 26) {
      pen.save();
      pen.beginPath();
      pen.rect(left, y, width - 4, ROW);
      pen.clip();
      pen.fillStyle = '#14181d';
      pen.fillText(node.label, left + 4, y + ROW / 2);
      pen.restore();
    }
    let x = left;
    for (const child of [...node.children.values()].sort((a, b) => b.value - a.value)) {
      const wide = (child.value / node.value) * width;
      this.put(pen, style, child, x, wide, row + 1);
      x += wide;
    }
  }

  color(node, style) {
    if (this.query && node.state !== undefined && this.query(node.name)) {
      return '#ff7ad9';
    }
    if (node.state === undefined) {
      return '#c3cad2';
    }
    if (this.isDifference) {
      const change = Math.max(-1, Math.min(1, (node.change || 0) * 5));
      return change >= 0 ? mix('#e6e8ea', '#f4793b', change) : mix('#e6e8ea', '#56b4e9', -change);
    }
    return mix(causeColor(node.state, false), '#ffffff', node.isCause ? 0.25 : 0.5 + 0.12 * (node.level % 2));
  }

  at(event) {
    const box = this.canvas.getBoundingClientRect();
    const x = event.clientX - box.left;
    const row = Math.floor((event.clientY - box.top) / ROW);
    return this.boxes?.find((each) => each.row === row && each.left <= x && x < each.left + each.width)?.node || null;
  }

  zoom(node) {
    if (!node) {
      return;
    }
    this.path = [];
    for (let each = node; each?.parent; each = each.parent) {
      this.path.unshift(each.name);
    }
    if (node === this.root || this.zoomed === node) {
      this.path = this.path.slice(0, -1); // a second click leads back
      node = null;
    }
    this.zoomed = node;
    this.draw();
  }

  hover(event) {
    this.tell(this.at(event));
  }

  tell(node) {
    if (!this.root) {
      return;
    }
    const one = node || this.top;
    const share = this.root.value ? one.value / this.root.value : 0;
    const change = this.isDifference && one.change !== undefined
      ? `, ${one.change >= 0 ? '+' : '−'}${digits(Math.abs(100 * one.change))} points against before`
      : '';
    this.words.textContent = `${one.name}: ${duration(one.value)} of workers, ${digits(100 * share)} %${change}`
      + (node ? '' : this.goneInWords());
  }

  /** What the former span had and this one has not: it has no width, so that no box can show it. */
  goneInWords() {
    const large = this.gone.filter((each) => each.share >= LEAST_GONE);
    const named = large.slice(0, MOST_GONE).map((each) => `${each.label} (${digits(100 * each.share)} points)`);
    const more = large.length > MOST_GONE ? ` and ${large.length - MOST_GONE} more` : '';
    return named.length ? `. No longer there: ${named.join(', ')}${more}` : '';
  }
}

/** The places with the most time, as rows of a table, for those who cannot see the graph. */
export function places(sums, recording, muted) {
  const rows = new Map();
  let all = 0;
  for (const [key, seconds] of sums.parts) {
    const state = key % 16;
    if (!muted.has(state)) {
      const place = recording.details[Math.floor(key / 16)]?.place || 'no stack was taken';
      const name = `${state} ${place}`;
      rows.set(name, { state, place, seconds: (rows.get(name)?.seconds || 0) + seconds });
      all += seconds;
    }
  }
  return [...rows.values()]
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, 8)
    .map(({ state, place, seconds }) =>
      element(
        'tr',
        {},
        element('td', {}, CAUSES[state].label),
        element('td', { title: place }, short(place)),
        element('td', { class: 'number' }, duration(seconds)),
        element('td', { class: 'number' }, `${digits((100 * seconds) / all)} %`),
      ),
    );
}

function node(name, parent, state) {
  return { name, label: short(name), parent, state, value: 0, children: new Map(), level: parent ? parent.level + 1 : 0 };
}

function tree(sums, recording, muted) {
  const root = node('all workers', null, undefined);
  for (const [key, seconds] of sums.parts) {
    const state = key % 16;
    if (muted.has(state)) {
      continue;
    }
    const detail = recording.details[Math.floor(key / 16)] || {};
    const stack = detail.stack === undefined ? null : recording.stacks[detail.stack];
    const names = stack ? stack.map((frame) => recording.frames[frame]).reverse() : [detail.place || 'no stack was taken'];
    root.value += seconds;
    let at = child(root, CAUSES[state].label, state, seconds);
    at.isCause = true;
    for (const name of names) {
      at = child(at, name, state, seconds);
    }
  }
  return root;
}

function child(parent, name, state, seconds) {
  if (!parent.children.has(name)) {
    parent.children.set(name, node(name, parent, state));
  }
  const found = parent.children.get(name);
  found.value += seconds;
  return found;
}

/** Sets by how much the share of each node has changed, and adds the top nodes of what is gone. */
function compare(now, former, allNow, allFormer, gone) {
  now.change = now.value / allNow - (former ? former.value / allFormer : 0);
  for (const [name, each] of now.children) {
    compare(each, former?.children.get(name), allNow, allFormer, gone);
  }
  for (const [name, each] of former?.children || []) {
    if (!now.children.has(name)) {
      gone.push({ label: each.label, share: each.value / allFormer });
    }
  }
}

/** How many rows of a tree are at least half a pixel wide. */
function depth(root, scale) {
  let most = 1;
  for (const each of root.children.values()) {
    if (each.value * scale >= 0.4) {
      most = Math.max(most, 1 + depth(each, scale));
    }
  }
  return most;
}

function mix(one, other, share) {
  const part = (color, at) => parseInt(color.slice(at, at + 2), 16);
  const blend = (at) => Math.round(part(one, at) * (1 - share) + part(other, at) * share);
  return `rgb(${blend(1)}, ${blend(3)}, ${blend(5)})`;
}
