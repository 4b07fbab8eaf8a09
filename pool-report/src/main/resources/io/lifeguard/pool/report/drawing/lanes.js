import { CAUSES, NOTHING, BAND_ORDER, IDLE, UNKNOWN, causeColor } from './causes.js';
import { gutter, penOf } from './axis.js';
import { isUnseen, lastAtMost, segmentAt, segments, taskAt, tasks } from './data.js';
import { looksIn } from './sums.js';
import { afterLastWindow, beforeFirstWindow, count, digits, duration, moment, short } from './words.js';

/** A group of more workers than this begins as one band. */
const COLLAPSED_FROM = 41;

/** Looks a second; the usual number is 20. Fewer do not tell what workers with short tasks did. */
const FEW_LOOKS = 5;

/** From this share of the CPUs on, threads wait for one: as where the lanes are fitted to the counters. */
const FULL = 0.9;

const BAND_HEIGHT = 132;
const LARGEST_VIEW = 560;

/** All states, the worst one first: it is drawn on top where a column of pixels holds several. */
const WORST_FIRST = [
  ...CAUSES.map((_, state) => state).sort((a, b) => CAUSES[b].rank - CAUSES[a].rank),
  NOTHING,
];

/**
 * The lanes of one pool: its submitters, and below them either one lane per worker or one band of shares.
 *
 * Where one column of pixels holds several causes, it is cut into their shares of time. Each cause gets at least one
 * pixel, and the worst is on top. So a short event never vanishes, and a long one never looks longer than it is.
 */
export class Lanes {
  constructor(pool, axis, canvas, scroller, theme, muted) {
    this.muted = muted; // causes that the reader has switched off
    this.pool = pool;
    this.axis = axis;
    this.canvas = canvas;
    this.scroller = scroller;
    this.theme = theme;
    this.query = null;
    this.selected = null;
    this.isVisible = true;
    this.times = new Float64Array(NOTHING + 1); // of one column of pixels
  }

  /** Lays out the lanes that the pool has now. */
  renew() {
    if (!this.isChosen) {
      this.isExpanded = this.pool.workers.length < COLLAPSED_FROM;
    }
    this.layOut();
  }

  /** Shows single workers, or one band: the reader's choice. */
  expand(isExpanded) {
    this.isChosen = true;
    this.isExpanded = isExpanded;
    this.layOut();
  }

  /** Decides which rows there are: `{lane, height}`, or `{band: true, height}`. */
  layOut() {
    const matches = (lane) => !this.query || this.query(lane);
    const rows = this.pool.submitters.filter(matches).map((lane) => ({ lane, isSubmitter: true, height: 20 }));
    if (rows.length) {
      rows.push({ height: 6 });
    }
    // The virtual threads of an executor are in the band below it. They have no names, so they would share one lane.
    const workers = this.pool.band ? [] : this.pool.workers.filter(matches);
    if (this.isExpanded || this.query) {
      const height = workers.length > 64 ? 12 : 16;
      workers.forEach((lane) => rows.push({ lane, height }));
    } else if (workers.length) {
      rows.push({ band: true, height: BAND_HEIGHT });
    }
    let top = 0;
    rows.forEach((row) => {
      row.top = top;
      top += row.height;
    });
    this.rows = rows;
    this.height = top;
    const high = Math.min(top, LARGEST_VIEW);
    this.canvas.style.height = `${high}px`;
    this.scroller.style.height = `${high}px`;
    this.scroller.firstElementChild.style.height = `${top}px`;
    this.scroller.firstElementChild.style.width = `${this.width}px`;
    this.view = high;
  }

  /** The width of the timeline: a scroll bar stands beside it, so that lanes and strips share one axis. */
  get width() {
    return this.scroller.parentElement.clientWidth;
  }

  rowAt(y) {
    const place = y + this.scroller.scrollTop;
    return this.rows.find((row) => row.top <= place && place < row.top + row.height) || null;
  }

  draw() {
    if (!this.isVisible || this.height === 0) {
      return;
    }
    const width = this.width;
    const pen = penOf(this.canvas, width, this.view);
    const left = gutter();
    const ratio = window.devicePixelRatio || 1;
    const offset = Math.round(left * ratio);
    const wide = this.canvas.width - offset;
    if (wide <= 0) {
      return;
    }
    const top = this.scroller.scrollTop;
    const rows = this.rows.filter((row) => row.top + row.height > top && row.top < top + this.view);
    const { image, pixels } = this.emptyImage(pen, wide, this.canvas.height);
    const colors = this.colors();
    for (const row of rows) {
      const gap = row.lane && row.height > 8 ? 2 : 0;
      const first = Math.max(0, Math.round((row.top - top) * ratio));
      const last = Math.min(this.canvas.height, Math.round((row.top - top + row.height - gap) * ratio));
      if (row.band || (row.lane && !row.isSubmitter)) {
        this.paintUnseen(pixels, wide, first, last);
      }
      if (row.lane) {
        this.paintLane(row.lane, pixels, wide, first, last, colors);
      } else if (row.band) {
        this.paintBand(pixels, wide, row.top - top, row.height, ratio, colors);
      }
    }
    pen.putImageData(image, offset, 0);
    this.label(pen, rows, top, left, width);
  }

  /** The same image for each frame, because new ones of 2 MB would be collected while the picture moves. */
  emptyImage(pen, wide, high) {
    const { image } = this.buffer || {};
    if (image && image.width === wide && image.height === high) {
      this.buffer.pixels.fill(0);
    } else {
      const made = pen.createImageData(wide, high);
      this.buffer = { image: made, pixels: new Uint32Array(made.data.buffer) };
    }
    return this.buffer;
  }

  colors() {
    const isDark = this.theme.isDark();
    const muted = pack(isDark ? '#242a32' : '#f1f3f5');
    const packed = CAUSES.map((_, index) => (this.muted.has(index) ? muted : pack(causeColor(index, isDark))));
    const faded = CAUSES.map((cause, index) =>
      (cause.hatch && !this.muted.has(index) ? fade(packed[index], isDark) : packed[index]));
    return { packed, faded };
  }

  /** The spans in which the pool was there, and of which nothing is recorded, as far as the axis shows them. */
  unseenSpans() {
    return [this.pool.unseen, this.pool.unjudged]
      .filter((span) => span && span.to > this.axis.from && span.from < this.axis.to);
  }

  /** Hatches the time in which the pool was there and was not looked at. */
  paintUnseen(pixels, wide, top, bottom) {
    const column = (time) => Math.max(0, Math.min(wide, Math.round(((time - this.axis.from) / this.axis.length) * wide)));
    const color = pack(this.theme.isDark() ? '#59626d' : '#b4bbc3');
    for (const span of this.unseenSpans()) {
      const right = column(span.to);
      for (let y = top; y < bottom; y++) {
        for (let x = column(span.from); x < right; x++) {
          if ((x + y) % 6 === 0) {
            pixels[y * wide + x] = color;
          }
        }
      }
    }
  }

  /** Paints one lane into the rows of pixels from `first` to `last`. */
  paintLane(lane, pixels, wide, first, last, { packed, faded }) {
    const { start, state, count } = segments(lane);
    const perPixel = this.axis.length / wide;
    const begin = this.axis.from;
    const height = last - first;
    let i = Math.max(0, lastAtMost(start, begin, count));
    let x = 0;
    if (count === 0 || height <= 0) {
      return;
    }
    const time = this.times;
    while (x < wide && i < count) {
      const from = begin + x * perPixel;
      const to = from + perPixel;
      if (start[i] <= from && start[i + 1] >= to) {
        // One cause fills whole columns.
        const until = Math.min(wide, Math.max(x + 1, Math.floor((start[i + 1] - begin) / perPixel)));
        if (state[i] !== NOTHING) {
          fill(pixels, wide, x, until, first, last, packed[state[i]], faded[state[i]]);
        }
        x = until;
        continue;
      }
      time.fill(0);
      let j = i;
      while (j < count && start[j] < to) {
        time[state[j]] += Math.min(to, start[j + 1]) - Math.max(from, start[j]);
        j++;
      }
      time[NOTHING] += Math.max(0, Math.min(to, start[i]) - from);
      this.paintColumn(time, perPixel, pixels, wide, x, first, last, packed, faded);
      i = Math.max(i, j - 1);
      x++;
    }
  }

  paintColumn(time, whole, pixels, wide, x, first, last, packed, faded) {
    let lowest = NOTHING;
    for (const state of WORST_FIRST) {
      lowest = time[state] > 0 ? state : lowest;
    }
    let y = first;
    let passed = 0;
    for (const state of WORST_FIRST) {
      if (time[state] > 0) {
        passed += time[state];
        const least = y + (state === NOTHING ? 0 : 1);
        const end = Math.min(last, Math.max(least, first + Math.round((passed / whole) * (last - first))));
        const until = state === lowest ? last : end;
        if (state !== NOTHING) {
          fill(pixels, wide, x, x + 1, y, until, packed[state], faded[state]);
        }
        y = until;
      }
    }
  }

  /** Paints what the workers did in each window, as shares of all workers on top of each other. */
  paintBand(pixels, wide, top, height, ratio, { packed, faded }) {
    const { t, shares, size } = this.pool.windows;
    const most = size.reduce((largest, each) => Math.max(largest, each || 0), 1);
    const bottom = (top + height - 4) * ratio;
    const high = (height - 8) * ratio;
    const perPixel = this.axis.length / wide;
    for (let x = 0; x < wide; x++) {
      const from = this.axis.from + x * perPixel;
      const first = Math.max(0, lastAtMost(t, from));
      const last = Math.max(first, lastAtMost(t, from + perPixel));
      let known = 0;
      for (let i = first; i <= last; i++) {
        known += size[i] === null ? 0 : 1;
      }
      if (known === 0 || from + perPixel <= t[0]) {
        continue;
      }
      let sum = 0;
      for (const state of BAND_ORDER) {
        let value = 0;
        for (let i = first; i <= last; i++) {
          value += size[i] === null ? 0 : shares[state][i];
        }
        const low = Math.round(bottom - (sum / most) * high);
        sum += value / known;
        const up = Math.round(bottom - (sum / most) * high);
        fill(pixels, wide, x, x + 1, Math.max(0, up), Math.max(0, low), packed[state], faded[state]);
      }
    }
  }

  label(pen, rows, top, left, width) {
    const style = getComputedStyle(this.canvas);
    const text = style.getPropertyValue('--text');
    const quiet = style.getPropertyValue('--quiet');
    pen.textBaseline = 'middle';
    for (const row of rows) {
      const middle = row.top - top + row.height / 2 - 1;
      if (row.band) {
        pen.font = '12px system-ui, sans-serif';
        pen.fillStyle = quiet;
        pen.fillText(count(this.pool.workers.length, 'worker', 'workers'), 12, middle - 8);
        pen.fillText(left < 120 ? 'shares' : 'share of each cause', 12, middle + 8);
        this.nameUnseen(pen, middle, left, width, style);
      } else if (row.lane) {
        pen.font = `${row.isSubmitter ? '600 ' : ''}${row.height < 14 ? 10 : 12}px system-ui, sans-serif`;
        pen.fillStyle = row.isSubmitter ? text : quiet;
        pen.fillText(shorten(pen, row.lane.n, left - 20), 12, middle);
        this.nameTasks(pen, row, middle, left, width);
        if (row.lane === this.selected) {
          pen.strokeStyle = style.getPropertyValue('--accent');
          pen.lineWidth = 2;
          pen.strokeRect(1, row.top - top + 0.5, width - 2, row.height - 1);
        }
      }
    }
  }

  /** Says in the band of which time nothing was recorded, where there is room. */
  nameUnseen(pen, middle, left, width, style) {
    const scale = (width - left) / this.axis.length;
    const words = 'not recorded';
    const wide = pen.measureText(words).width;
    for (const span of this.unseenSpans()) {
      const from = Math.max(span.from, this.axis.from);
      const room = (Math.min(span.to, this.axis.to) - from) * scale;
      if (room > wide + 16) {
        const x = left + (from - this.axis.from) * scale + (room - wide) / 2;
        pen.fillStyle = style.getPropertyValue('--card');
        pen.fillRect(x - 4, middle - 9, wide + 8, 18);
        pen.fillStyle = style.getPropertyValue('--text');
        pen.fillText(words, x, middle);
      }
    }
  }

  /** Marks where long tasks begin, and names those with enough room. */
  nameTasks(pen, row, middle, left, width) {
    const scale = (width - left) / this.axis.length;
    pen.font = '11px system-ui, sans-serif';
    for (const task of tasks(row.lane)) {
      if (task.to < this.axis.from || task.from > this.axis.to || (task.to - task.from) * scale < 56) {
        continue;
      }
      const from = left + Math.max(0, task.from - this.axis.from) * scale;
      const to = left + Math.min(this.axis.length, task.to - this.axis.from) * scale;
      if (to - from < 56) {
        continue;
      }
      const kind = cut(pen, simple(task.kind), to - from - 14);
      const wide = pen.measureText(kind).width;
      pen.fillStyle = 'rgba(255, 255, 255, 0.86)';
      pen.fillRect(from + 3, middle - 6, wide + 6, 12);
      pen.fillStyle = '#14181d';
      pen.fillText(kind, from + 6, middle + 0.5);
    }
  }

  /** What is at a point: `{row, time, lines}`; null outside the lanes. */
  at(x, y) {
    const left = gutter();
    const width = this.width;
    const row = this.rowAt(y);
    if (!row || x < left || x > width || (!row.lane && !row.band)) {
      return null;
    }
    const time = this.axis.from + ((x - left) / (width - left)) * this.axis.length;
    return { row, time, lines: row.lane ? describe(row.lane, time) : this.describeBand(time) };
  }

  describeBand(time) {
    const { t, shares, size } = this.pool.windows;
    const i = lastAtMost(t, time);
    if (i < 0 || size[i] === null) {
      return [this.pool.name, moment(time, 0.001), whyNothing(this.pool, time, 'no window')];
    }
    const lines = BAND_ORDER.map((state) => [state, shares[state][i]])
      .filter(([, value]) => value > 0.005)
      .sort((a, b) => b[1] - a[1])
      .map(([state, value]) => `${digits(value)} ${CAUSES[state].label}`);
    const isOften = shares[UNKNOWN][i] > 0.1 * (size[i] - shares[IDLE][i]);
    return [`${this.pool.name}: ${count(size[i], 'worker', 'workers')}`, moment(time, 0.001), ...lines,
      ...(isOften ? whyUnknownAt(this.pool, time) : [])];
  }
}

/** Why nothing is known of a moment. */
function whyNothing(pool, time, otherwise) {
  if (isUnseen(pool, time)) {
    return beforeFirstWindow(pool.unseen);
  }
  return pool.unjudged && time >= pool.unjudged.from ? afterLastWindow(pool.unjudged) : otherwise;
}

/** Why it is not known of some workers what they did. */
function whyUnknown(looks, stacks, seconds, areCpusFull) {
  if (looks === 0) {
    return 'unknown: the monitor got no CPU, so nobody looked';
  }
  if (areCpusFull && looks < FEW_LOOKS * seconds) {
    return `unknown: ${count(looks, 'look', 'looks')} in ${duration(seconds)}, because the CPUs were full`;
  }
  return stacks === 0
    ? `unknown: ${count(looks, 'look', 'looks')}, but no stack was taken`
    : `unknown: ${count(stacks, 'stack', 'stacks')} in ${count(looks, 'look', 'looks')} did not tell`;
}

/** Why it is not known in the window of a moment, as a line of text; none where looks were not recorded. */
function whyUnknownAt(pool, time) {
  const { t, looks, stacks } = pool.windows;
  const i = lastAtMost(t, time);
  return looks && i >= 0 && looks[i] !== null
    ? [whyUnknown(looks[i], stacks[i], (t[i + 1] ?? time) - t[i], areCpusFull(pool, t[i]))]
    : [];
}

/** Whether this process and others used nearly all CPUs, so that the monitor waited for one too. */
function areCpusFull(pool, time) {
  const { t, cores, cpu, others } = pool.recording.process;
  const i = lastAtMost(t, time);
  return i >= 0 && cpu[i] !== null && cpu[i] / cores[i] + (others[i] ?? 0) / 100 >= FULL;
}

/** How long a state was seen: by how many looks, where that is recorded. */
function seen(lane, segment) {
  const looks = lane.pool.workers.includes(lane) ? looksIn(lane.pool, segment.from, segment.to) : null;
  const length = duration(segment.to - segment.from);
  return looks === null || looks < 1 ? `for ${length}` : `, ${count(Math.round(looks), 'look', 'looks')} in ${length}`;
}

/** What a lane does at a moment, as lines of text. */
export function describe(lane, time) {
  const lines = [lane.n, moment(time, 0.001)];
  const segment = segmentAt(lane, time);
  if (!segment) {
    lines.push(whyNothing(lane.pool, time, 'nothing recorded'));
  } else {
    lines.push(`${CAUSES[segment.state].label} ${seen(lane, segment)}`.replace(' ,', ','));
    const { place, awaited, holder } = segment.detail || {};
    if (place) {
      lines.push(`at ${short(place)}`);
    }
    if (awaited) {
      lines.push(`waits for ${short(awaited)}`);
    }
    if (holder) {
      lines.push(`held by ${holder} at ${moment(segment.from, 0.001)}`); // one look tells it, and locks go round
    }
    if (segment.state === UNKNOWN && lane.pool.workers.includes(lane)) {
      lines.push(...whyUnknownAt(lane.pool, time));
    }
  }
  const task = taskAt(lane, time);
  if (task) {
    lines.push(`task ${short(task.kind)}: ${duration(task.to - task.from)}`);
    lines.push(`queue wait ${duration(task.queueWait)}, CPU time ${duration(task.cpu)}`);
  }
  return lines;
}

/** The name of a task's class without its package. */
function simple(kind) {
  const name = kind.replace(/ \(lambda\)$/, '');
  return name.substring(name.lastIndexOf('.') + 1);
}

/** The beginning of a text that is too long. Of a thread's name the end is kept, because its number is there. */
function cut(pen, text, width) {
  let kept = text.length;
  while (kept > 1 && pen.measureText(kept < text.length ? `${text.slice(0, kept)}…` : text).width > width) {
    kept--;
  }
  return kept < text.length ? `${text.slice(0, kept)}…` : text;
}

function shorten(pen, text, width) {
  if (pen.measureText(text).width <= width) {
    return text;
  }
  let kept = text.length;
  while (kept > 1 && pen.measureText(`…${text.slice(-kept)}`).width > width) {
    kept--;
  }
  return `…${text.slice(-kept)}`;
}

function pack(color) {
  const value = parseInt(color.slice(1), 16);
  return (0xff000000 | ((value & 0xff) << 16) | (value & 0xff00) | (value >> 16)) >>> 0;
}

function fade(color, isDark) {
  const blend = (part) => Math.round(((color >>> part) & 0xff) * 0.45 + (isDark ? 22 : 255) * 0.55) << part;
  return (0xff000000 | blend(16) | blend(8) | blend(0)) >>> 0;
}

/** Fills a rectangle; a colour with a paler twin is hatched with it. */
function fill(pixels, wide, left, right, top, bottom, color, pale) {
  for (let y = top; y < bottom; y++) {
    const row = y * wide;
    if (color === pale && right - left > 8) {
      pixels.fill(color, row + left, row + right);
    } else if (color === pale) {
      for (let x = left; x < right; x++) {
        pixels[row + x] = color;
      }
    } else {
      for (let x = left; x < right; x++) {
        pixels[row + x] = (x + y) % 6 < 3 ? color : pale;
      }
    }
  }
}
