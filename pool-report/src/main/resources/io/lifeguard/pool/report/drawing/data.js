import { NOTHING } from './causes.js';

/** Reads the recordings that are embedded in the page: JSON, gzip, base64. */
export async function readEmbedded(element) {
  const bytes = Uint8Array.from(atob(element.textContent.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return prepare(await new Response(stream).json());
}

/** Seconds: the longest window of a pool that sleeps, and a round. */
const LONGEST_SLEEP = 6;

/** Turns the columns of a page's data into what the views use. All times become seconds since the recording began. */
export function prepare(data) {
  for (const recording of data.recordings) {
    recording.scale = recording.tickMicros / 1e6;
    recording.seconds = recording.span * recording.scale;
    for (const pool of recording.pools) {
      pool.recording = recording;
      pool.unseen = unseen(pool.before, recording.scale);
      pool.windows.t = sums(pool.windows.t, recording.scale);
      pool.unjudged = unjudged(pool.windows, recording.seconds);
      for (const finding of pool.findings) {
        finding.pool = pool;
        finding.from *= recording.scale;
        finding.news *= recording.scale;
        finding.isOpen = finding.to === null;
        finding.to = finding.isOpen ? recording.seconds : finding.to * recording.scale;
      }
      for (const lane of [...pool.submitters, ...pool.workers]) {
        lane.pool = pool;
      }
    }
    recording.process.t = sums(recording.process.t, recording.scale);
  }
  return data;
}

/** The span of a pool before its first window, and what counters tell of it; null where there is none. */
function unseen(before, scale) {
  return before ? { from: before[0] * scale, to: before[1] * scale, busy: before[2] ?? null, callers: before[3] ?? null } : null;
}

/**
 * The span of a pool after its last window; null where there is none, as where the pool has ended. A pool in which
 * nothing happens has a window in five seconds. Only a monitor that waits for a CPU takes longer.
 */
function unjudged({ t, size }, seconds) {
  const last = lastKnown(size);
  const end = t[last + 1];
  return last >= 0 && size[last] > 0 && seconds - end > LONGEST_SLEEP ? { from: end, to: seconds } : null;
}

/** The index of the last value that is not null; -1 where all are. */
export function lastKnown(values) {
  let i = values.length - 1;
  while (i >= 0 && values[i] === null) {
    i--;
  }
  return i;
}

/** The first moment of a span at which a pool was watched. */
export function watchedFrom(pool, from) {
  return Math.max(from, pool.unseen ? pool.unseen.to : from);
}

/** Whether a pool was there at a moment, and nobody looked yet. */
export function isUnseen(pool, time) {
  return pool.unseen !== null && pool.unseen !== undefined && pool.unseen.from <= time && time < pool.unseen.to;
}

function sums(deltas, scale) {
  let sum = 0;
  return deltas.map((delta) => (sum += delta) * scale);
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const VALUE = new Int8Array(128).fill(-1);
for (let i = 0; i < 64; i++) {
  VALUE[DIGITS.charCodeAt(i)] = i;
}

/** Reads unsigned numbers written as base-64 digits, five bits each, the lowest first; 32 says that more follow. */
function numbers(text) {
  const found = new Float64Array(text.length);
  let count = 0;
  let number = 0;
  let factor = 1;
  for (let i = 0; i < text.length; i++) {
    const digit = VALUE[text.charCodeAt(i)];
    number += (digit & 31) * factor;
    if (digit & 32) {
      factor *= 32;
    } else {
      found[count++] = number;
      number = 0;
      factor = 1;
    }
  }
  return found.subarray(0, count);
}

/**
 * The segments of a lane: `start` in seconds, `state`, and `detail`, an index into the details of the recording, where
 * 0 is none. A segment lasts until the next one; the last one has the state NOTHING.
 */
export function segments(lane) {
  if (!lane.decoded) {
    const raw = numbers(lane.s);
    const count = raw.length / 3;
    const start = new Float64Array(count + 1);
    const state = new Uint8Array(count + 1);
    const detail = new Uint32Array(count + 1);
    const scale = lane.pool.recording.scale;
    let time = 0;
    for (let i = 0; i < count; i++) {
      time += raw[3 * i];
      start[i] = time * scale;
      state[i] = raw[3 * i + 1];
      detail[i] = raw[3 * i + 2];
    }
    start[count] = Infinity;
    state[count] = NOTHING;
    lane.decoded = { start, state, detail, count };
  }
  return lane.decoded;
}

/** The long tasks of a lane: begin and end in seconds, kind, and queue wait and CPU time in seconds or null. */
export function tasks(lane) {
  if (!lane.decodedTasks) {
    const raw = numbers(lane.k || '');
    const scale = lane.pool.recording.scale;
    const found = [];
    let time = 0;
    for (let i = 0; i < raw.length; i += 5) {
      time += raw[i];
      found.push({
        from: time * scale,
        to: (time + raw[i + 1]) * scale,
        kind: lane.pool.recording.kinds[raw[i + 2]],
        queueWait: raw[i + 3] === 0 ? null : (raw[i + 3] - 1) * scale,
        cpu: raw[i + 4] === 0 ? null : (raw[i + 4] - 1) * scale,
      });
    }
    lane.decodedTasks = found;
  }
  return lane.decodedTasks;
}

/** Index of the last element that is at most `value`; -1 when there is none. */
export function lastAtMost(sorted, value, count = sorted.length) {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] <= value) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low - 1;
}

/** The segment of a lane at a moment: its state, begin, end and detail; null where nothing is recorded. */
export function segmentAt(lane, time) {
  const all = segments(lane);
  const i = lastAtMost(all.start, time, all.count);
  if (i < 0 || all.state[i] === NOTHING) {
    return null;
  }
  return {
    state: all.state[i],
    from: all.start[i],
    to: Math.min(all.start[i + 1], lane.pool.recording.seconds),
    detail: lane.pool.recording.details[all.detail[i]] || null,
  };
}

/** The long task that a lane runs at a moment; undefined when none is recorded. */
export function taskAt(lane, time) {
  return tasks(lane).find((task) => task.from <= time && time < task.to);
}
