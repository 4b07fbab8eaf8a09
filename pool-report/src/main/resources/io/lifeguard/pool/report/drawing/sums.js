import { CAUSES, IDLE, NOTHING } from './causes.js';
import { lastAtMost, segments } from './data.js';

/** How long one step of a sum may take: less than a frame, so that the picture still moves. */
const STEP_MILLIS = 8;

/** Milliseconds to wait before a sum begins: what is shown has stood still. */
const STILL_MILLIS = 120;

/**
 * Sums what the lanes of a pool show in a span of time, in small steps.
 *
 * The newest question replaces the former one. `done` is given the seconds of each cause, and the seconds by cause and
 * detail.
 */
export class Sums {
  constructor() {
    this.number = 0;
  }

  cancel() {
    this.number++;
  }

  async of(lanes, from, to) {
    const number = ++this.number;
    const time = new Float64Array(CAUSES.length);
    const parts = new Map(); // by state + 16 * detail
    await pause(STILL_MILLIS);
    let began = performance.now();
    for (const lane of lanes) {
      if (performance.now() - began > STEP_MILLIS) {
        await pause(0);
        began = performance.now();
      }
      if (number !== this.number) {
        return null;
      }
      addTimes(lane, from, to, time, parts);
    }
    return number === this.number ? { time, parts } : null;
  }
}

function pause(millis) {
  return new Promise((resolve) => setTimeout(resolve, millis));
}

function addTimes(lane, from, to, time, parts) {
  const { start, state, detail, count } = segments(lane);
  const end = Math.min(to, lane.pool.recording.seconds);
  for (let i = Math.max(0, lastAtMost(start, from, count)); i < count && start[i] < end; i++) {
    const seconds = Math.min(end, start[i + 1]) - Math.max(from, start[i]);
    if (seconds > 0 && state[i] !== NOTHING) {
      time[state[i]] += seconds;
      if (state[i] !== IDLE) {
        const key = state[i] + 16 * detail[i];
        parts.set(key, (parts.get(key) || 0) + seconds);
      }
    }
  }
}

/** What the windows of a pool count in a span: tasks by what became of them. Windows at the ends count in part. */
export function counts(pool, from, to) {
  const { t, size, throughput, callerRuns, rejected, failed } = pool.windows;
  const sum = { seconds: 0, completed: 0, callerRuns: 0, rejected: 0, failed: 0 };
  for (let i = Math.max(0, lastAtMost(t, from)); i + 1 < t.length && t[i] < to; i++) {
    const seconds = Math.min(to, t[i + 1]) - Math.max(from, t[i]);
    if (size[i] !== null && seconds > 0 && throughput[i] !== null) {
      sum.seconds += seconds;
      sum.completed += throughput[i] * seconds;
      sum.callerRuns += (callerRuns[i] || 0) * seconds;
      sum.rejected += (rejected[i] || 0) * seconds;
      sum.failed += (failed?.[i] || 0) * seconds;
    }
  }
  return sum;
}

/** The worker seconds by cause in a span, from the windows of a pool. */
export function causeTimes(pool, from, to) {
  const { t, size, shares } = pool.windows;
  const time = new Float64Array(CAUSES.length);
  for (let i = Math.max(0, lastAtMost(t, from)); i + 1 < t.length && t[i] < to; i++) {
    const seconds = Math.min(to, t[i + 1]) - Math.max(from, t[i]);
    if (size[i] !== null && seconds > 0) {
      shares.forEach((values, state) => (time[state] += (values[i] || 0) * seconds));
    }
  }
  return time;
}

/** For how long submitters ran tasks in a span, in seconds. */
export function callerRunTime(pool, from, to) {
  const { t, callerRunning } = pool.windows;
  let sum = 0;
  for (let i = Math.max(0, lastAtMost(t, from)); i + 1 < t.length && t[i] < to; i++) {
    sum += Math.max(0, Math.min(to, t[i + 1]) - Math.max(from, t[i])) * (callerRunning?.[i] || 0);
  }
  return sum;
}

/** How many looks were taken in a span; null where that is not recorded. */
export function looksIn(pool, from, to) {
  const { t, looks } = pool.windows;
  if (!looks) {
    return null;
  }
  let sum = 0;
  let isKnown = false;
  for (let i = Math.max(0, lastAtMost(t, from)); i + 1 < t.length && t[i] < to; i++) {
    const seconds = Math.min(to, t[i + 1]) - Math.max(from, t[i]);
    if (looks[i] !== null && seconds > 0) {
      isKnown = true;
      sum += (looks[i] * seconds) / (t[i + 1] - t[i]);
    }
  }
  return isKnown ? sum : null;
}
