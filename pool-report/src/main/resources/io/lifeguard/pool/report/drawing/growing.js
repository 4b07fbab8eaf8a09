import { NOTHING } from './causes.js';
import { lastAtMost, prepare, segments, tasks } from './data.js';
import { middle } from './findings.js';

/** How many seconds the page keeps. What is older is dropped once a tenth more has come together. */
export const KEPT = 600;

/** More lanes of one pool are of no use to anybody; those that were seen last are kept. */
const MOST_LANES = 2000;

const byName = new Intl.Collator('en', { numeric: true });

/**
 * A recording that grows. It has the form of a recording of a report, so that the same views show it.
 *
 * An answer tells of the time from `begin` on. Each answer repeats a little of what is known. From the moment `from` of the answer on, the answer
 * replaces what is known. Before that moment it fills gaps only: a task that ran for a minute is told at its end.
 */
export class GrowingRecording {
  constructor() {
    this.forget();
  }

  forget() {
    const columns = () => ({ t: [], cores: [], cpu: [], others: [], gc: [], throttled: [] });
    this.recording = {
      label: '', isLive: true, start: 0, begin: 0, seconds: 0, scale: 1, process: columns(), pools: [], kinds: [], details: [],
      stacks: [], frames: [],
    };
    this.detailNumbers = new Map();
    this.stackNumbers = new Map();
    this.frameNumbers = new Map();
    this.isEmpty = true;
    this.instance = '';
    this.formerInstances = new Set();
  }

  /** The end of what is known, in milliseconds since 1970. */
  get end() {
    return Math.floor(this.recording.start + this.recording.seconds * 1000);
  }

  /** Whether answers come from several processes in turn, so that the picture mixes them. */
  get isMixed() {
    return this.formerInstances.has(this.instance);
  }

  /** Takes an answer, and says whether it told anything new. */
  take(data) {
    const part = prepare(data).recordings[0];
    if (data.from === 0) {
      const { instance, formerInstances } = this;
      this.forget();
      Object.assign(this, { instance, formerInstances });
    }
    const isOther = this.instance !== '' && data.instance !== this.instance;
    if (isOther) {
      this.formerInstances.add(this.instance);
      this.endFindings('the program was started again');
    }
    this.instance = data.instance;
    if (part.pools.length === 0) {
      return isOther;
    }
    const { recording } = this;
    if (this.isEmpty) {
      recording.start = part.start - (part.start % 3_600_000); // so that round times of the day are round seconds
      recording.begin = (part.start - recording.start) / 1000;
      recording.seconds = recording.begin;
      this.isEmpty = false;
    }
    const shift = (part.start - recording.start) / 1000;
    const from = data.from === 0 ? -Infinity : (data.from - recording.start) / 1000;
    if (shift + part.seconds < recording.seconds - 1e-3) {
      return isOther; // nothing happened since
    }
    if (data.begin > this.end + 500) {
      this.endFindings('nobody saw how');
    }
    recording.seconds = Math.max(recording.seconds, shift + part.seconds);
    replaceRows(recording.process, part.process, shift);
    const details = part.details.map((detail) => this.detailNumber(this.withStack(detail, part)));
    recording.kinds = [...new Set([...recording.kinds, ...part.kinds])];
    part.pools.forEach((pool) => this.takePool(pool, shift, from, details));
    this.drop();
    for (const pool of recording.pools) {
      pool.findings.filter((each) => each.isOpen).forEach((each) => (each.to = recording.seconds));
    }
    return true;
  }

  /** The same detail with the number that its stack has here. */
  withStack(detail, part) {
    if (detail.stack === undefined) {
      return detail;
    }
    const frames = part.stacks[detail.stack].map((frame) => part.frames[frame]);
    return { ...detail, stack: this.stackNumber(frames) };
  }

  stackNumber(frames) {
    const { recording } = this;
    const key = frames.join('\n');
    if (!this.stackNumbers.has(key)) {
      this.stackNumbers.set(key, recording.stacks.length);
      recording.stacks.push(frames.map((frame) => {
        if (!this.frameNumbers.has(frame)) {
          this.frameNumbers.set(frame, recording.frames.length);
          recording.frames.push(frame);
        }
        return this.frameNumbers.get(frame);
      }));
    }
    return this.stackNumbers.get(key);
  }

  detailNumber(detail) {
    const key = JSON.stringify(detail);
    if (!this.detailNumbers.has(key)) {
      this.detailNumbers.set(key, this.recording.details.length);
      this.recording.details.push(detail);
    }
    return this.detailNumbers.get(key);
  }

  endFindings(how) {
    for (const finding of this.recording.pools.flatMap((pool) => pool.findings)) {
      if (finding.isOpen) {
        finding.isOpen = false;
        finding.how = how;
      }
    }
  }

  takePool(fresh, shift, from, details) {
    const { recording } = this;
    let pool = recording.pools.find((each) => each.name === fresh.name);
    if (!pool) {
      const windows = Object.fromEntries(
        Object.entries(fresh.windows).map(([name, values]) => [name, name === 'shares' ? values.map(() => []) : []]));
      pool = { name: fresh.name, recording, moreWorkers: 0, moreSubmitters: 0, states: [], workers: [], submitters: [],
        rejections: [], windows, findings: [], curve: null, unseen: null };
      recording.pools.push(pool);
      recording.pools.sort((a, b) => byName.compare(a.name, b.name));
    }
    pool.states = [...new Set([...pool.states, ...fresh.states])];
    if (!pool.unseen && fresh.unseen) {
      pool.unseen = { ...fresh.unseen, from: fresh.unseen.from + shift, to: fresh.unseen.to + shift };
    }
    replaceRows(pool.windows, fresh.windows, shift);
    for (const lanes of ['workers', 'submitters']) {
      fresh[lanes].forEach((lane) => takeLane(pool, pool[lanes], lane, shift, from, details));
    }
    takeRejections(pool, fresh, shift);
    fresh.findings.forEach((finding) => this.takeFinding(pool, finding, shift));
    if (typeof fresh.limit === 'number' && pool.curve && pool.curve.limit !== fresh.limit) {
      pool.curve = null; // it was about another bottleneck
    }
    if (Array.isArray(fresh.noCurve)) {
      pool.curve = null; // what was measured contradicts it
    }
    if (fresh.curve && (fresh.curve.recommended !== null || !pool.curve || pool.curve.recommended === null
        || recording.seconds - pool.curveSince > 60)) {
      pool.curve = fresh.curve;
      pool.curveSince = recording.seconds;
    }
    if (fresh.windows.t.length) {
      pool.blind = fresh.blind;
    }
    pool.noCurve = pool.curve ? undefined : fresh.noCurve ?? (typeof fresh.limit === 'number' ? undefined : pool.noCurve);
    if (pool.curve) {
      pool.curve.measured = measured(pool.windows, pool.curve.limit);
    }
  }

  takeFinding(pool, fresh, shift) {
    const known = pool.findings.find((each) => each.id === fresh.id && each.since === fresh.since);
    const { recording } = this;
    const from = Math.max(recording.begin, (fresh.since - recording.start) / 1000);
    const to = fresh.isOpen ? recording.seconds : shift + fresh.to;
    const news = shift + fresh.news;
    if (!known) {
      pool.findings.push({ ...fresh, pool, from, news, to });
      pool.findings.sort((a, b) => a.from - b.from);
    } else if (fresh.isOpen) {
      Object.assign(known, { ...fresh, pool, from: known.from, news, to });
    } else {
      // The news of an end may tell that all is well, and no longer what was wrong.
      Object.assign(known, { isOpen: false, to, how: fresh.how });
    }
  }

  /** Drops what is too old, so that the page needs no more memory after a day than after twenty minutes. */
  drop() {
    const { recording } = this;
    if (recording.seconds - recording.begin <= KEPT * 1.1) {
      return;
    }
    const begin = recording.seconds - KEPT;
    recording.begin = begin;
    dropRows(recording.process, begin);
    for (const pool of recording.pools) {
      dropRows(pool.windows, begin);
      pool.rejections = pool.rejections.filter((time) => time >= begin);
      pool.findings = pool.findings.filter((each) => each.isOpen || each.to >= begin);
      pool.findings.forEach((each) => (each.from = Math.max(begin, each.from)));
      for (const lanes of ['workers', 'submitters']) {
        pool[lanes].forEach((lane) => dropLane(lane, begin));
        pool[lanes] = pool[lanes].filter((lane) => lane.decoded.count > 1 || lane.decodedTasks.length > 0);
        if (pool[lanes].length > MOST_LANES) {
          const latest = (lane) => lane.decoded.start[lane.decoded.count - 1];
          const kept = new Set([...pool[lanes]].sort((a, b) => latest(b) - latest(a)).slice(0, MOST_LANES));
          pool[lanes] = pool[lanes].filter((lane) => kept.has(lane));
        }
      }
      pool.states = statesOf(pool);
    }
    recording.pools = recording.pools.filter((pool) => pool.windows.t.length > 0 || pool.workers.length > 0
        || pool.submitters.length > 0 || pool.findings.length > 0);
    this.renumber();
  }

  /** Drops the details and kinds that no lane needs any more. */
  renumber() {
    const { recording } = this;
    const former = recording.details;
    const lanes = recording.pools.flatMap((pool) => [...pool.workers, ...pool.submitters]);
    const part = { stacks: recording.stacks, frames: recording.frames };
    Object.assign(recording, { details: [], stacks: [], frames: [] });
    this.stackNumbers = new Map();
    this.frameNumbers = new Map();
    this.detailNumbers = new Map();
    this.detailNumber(former[0]);
    const numbers = new Map();
    for (const { decoded } of lanes) {
      for (let i = 0; i < decoded.count; i++) {
        const old = decoded.detail[i];
        if (!numbers.has(old)) {
          numbers.set(old, this.detailNumber(this.withStack(former[old], part)));
        }
        decoded.detail[i] = numbers.get(old);
      }
    }
    recording.kinds = [...new Set(lanes.flatMap((lane) => lane.decodedTasks.map((task) => task.kind)))];
  }
}

/** Rows from the first fresh one on are replaced. */
function replaceRows(columns, fresh, shift) {
  if (fresh.t.length === 0) {
    return;
  }
  const times = fresh.t.map((time) => time + shift);
  const found = columns.t.findIndex((time) => time >= times[0] - 0.005);
  const kept = found < 0 ? columns.t.length : found;
  const put = (values, more) => {
    values.length = kept;
    values.push(...more);
  };
  for (const [name, values] of Object.entries(fresh)) {
    if (name === 'shares') {
      values.forEach((more, i) => put(columns.shares[i], more));
    } else {
      put(columns[name], name === 't' ? times : values);
    }
  }
}

function dropRows(columns, begin) {
  const first = Math.max(0, lastAtMost(columns.t, begin));
  const isOver = columns.t.length > 0 && columns.t[columns.t.length - 1] < begin;
  const cut = (values) => values.splice(0, isOver ? values.length : first);
  for (const [name, values] of Object.entries(columns)) {
    if (name === 'shares') {
      values.forEach(cut);
    } else {
      cut(values);
    }
  }
}

function takeRejections(pool, fresh, shift) {
  let time = shift;
  const times = fresh.rejections.map((delta) => (time += delta * fresh.recording.scale));
  if (times.length) {
    pool.rejections = [...pool.rejections.filter((each) => each < times[0] - 0.0005), ...times].slice(-100_000);
  }
}

function takeLane(pool, lanes, fresh, shift, from, details) {
  let lane = lanes.find((each) => each.n === fresh.n);
  if (!lane) {
    lane = { n: fresh.n, pool, decoded: track(), decodedTasks: [] };
    const place = lanes.findIndex((each) => byName.compare(each.n, fresh.n) > 0);
    lanes.splice(place < 0 ? lanes.length : place, 0, lane);
  }
  merge(lane.decoded, segments(fresh), shift, from, details);
  const told = tasks(fresh).map((task) => ({ ...task, from: task.from + shift, to: task.to + shift }));
  if (told.length) {
    const first = Math.min(...told.map((task) => task.to));
    lane.decodedTasks = [...lane.decodedTasks.filter((task) => task.to < first - 0.0005), ...told];
  }
}

/** Segments as the views read them, with room for more. */
function track() {
  const made = { start: new Float64Array(16), state: new Uint8Array(16), detail: new Uint32Array(16), count: 0 };
  end(made);
  return made;
}

function end(made) {
  made.start[made.count] = Infinity;
  made.state[made.count] = NOTHING;
}

/** Begins a state. One with the same time as the last one replaces it; one with the same state continues it. */
function push(made, start, state, detail) {
  if (made.count > 0 && made.start[made.count - 1] >= start) {
    made.count--;
  }
  const last = made.count - 1;
  if (last >= 0 && made.state[last] === state && made.detail[last] === detail) {
    return;
  }
  if (made.count + 2 > made.start.length) {
    for (const name of ['start', 'state', 'detail']) {
      const longer = new made[name].constructor(2 * made[name].length);
      longer.set(made[name]);
      made[name] = longer;
    }
  }
  made.start[made.count] = start;
  made.state[made.count] = state;
  made.detail[made.count] = detail;
  made.count++;
}

/** Lays fresh segments over known ones: known ones win before `from`, where they tell something, and fresh ones after. */
function merge(known, fresh, shift, from, details) {
  if (fresh.count === 0) {
    return;
  }
  const begin = fresh.start[0] + shift;
  const first = Math.max(0, lastAtMost(known.start, begin, known.count));
  const old = {
    start: known.start.slice(first, known.count),
    state: known.state.slice(first, known.count),
    detail: known.detail.slice(first, known.count),
  };
  known.count = first;
  let i = 0; // the next of the old ones
  let j = 0; // the next of the fresh ones
  const nothing = { state: NOTHING, detail: 0 };
  let before = nothing;
  let after = nothing;
  let isPast = true;
  while (i < old.start.length || j < fresh.count || isPast) {
    const nextOld = i < old.start.length ? old.start[i] : Infinity;
    const nextFresh = j < fresh.count ? fresh.start[j] + shift : Infinity;
    const next = Math.min(nextOld, nextFresh, isPast ? from : Infinity);
    if (next === Infinity) {
      break;
    }
    if (nextOld === next) {
      before = { state: old.state[i], detail: old.detail[i] };
      i++;
    }
    if (nextFresh === next) {
      after = { state: fresh.state[j], detail: details[fresh.detail[j]] };
      j++;
    }
    isPast = isPast && next < from;
    const now = isPast && before.state !== NOTHING ? before : after;
    if (next > -Infinity) {
      push(known, next, now.state, now.detail);
    }
  }
  end(known);
}

function dropLane(lane, begin) {
  const made = lane.decoded;
  const first = Math.max(0, lastAtMost(made.start, begin, made.count));
  for (const name of ['start', 'state', 'detail']) {
    made[name].copyWithin(0, first, made.count);
  }
  made.count -= first;
  if (made.count > 0 && made.start[0] < begin) {
    made.start[0] = begin;
  }
  if (made.count === 1 && made.state[0] === NOTHING) {
    made.count = 0;
  }
  end(made);
  lane.decodedTasks = lane.decodedTasks.filter((task) => task.to >= begin);
}

function statesOf(pool) {
  const seen = new Set();
  for (const { decoded } of [...pool.workers, ...pool.submitters]) {
    decoded.state.subarray(0, decoded.count).forEach((state) => seen.add(state));
  }
  seen.delete(NOTHING);
  return [...seen];
}

/** The median throughput of the windows that ended saturated, for each size. */
function measured({ size, active, queued, throughput, limit }, of) {
  const bySize = new Map();
  size.forEach((each, i) => {
    if (limit[i] === of && each > 0 && active[i] >= each && queued[i] > 0 && throughput[i] !== null) {
      bySize.set(each, [...(bySize.get(each) || []), throughput[i]]);
    }
  });
  return [...bySize].sort((a, b) => a[0] - b[0]).map(([each, rates]) => [each, middle(rates)]);
}
