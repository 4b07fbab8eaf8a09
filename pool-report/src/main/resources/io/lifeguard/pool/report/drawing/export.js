import { CAUSES, NOTHING } from './causes.js';
import { lastAtMost, segments, tasks } from './data.js';

/** A trace of more events is too large for its viewers. */
const MOST_EVENTS = 1_000_000;

/**
 * What lanes show in a span, as trace events, which Perfetto and chrome://tracing read. Pools are processes, and lanes
 * are threads. Slices of a thread must lie beside or in each other. A cause may go on from one task to the next, so the
 * tasks of a lane are a thread of their own. Returns null when there are too many events.
 *
 * The format: docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU
 */
export function traceEvents(pools, from, to) {
  const events = [];
  const micros = (seconds) => Math.round((seconds - from) * 1e6);
  let thread = 0;
  pools.forEach((pool, i) => {
    const pid = i + 1;
    const end = Math.min(to, pool.recording.seconds);
    const label = pool.recording.label ? `${pool.name}, ${pool.recording.label}` : pool.name;
    events.push({ ph: 'M', name: 'process_name', pid, tid: 0, args: { name: label } });
    for (const lane of [...pool.submitters, ...pool.workers]) {
      thread++;
      events.push({ ph: 'M', name: 'thread_name', pid, tid: thread, args: { name: lane.n } });
      addCauses(events, lane, pid, thread, from, end, micros);
      const ran = tasks(lane).filter((task) => task.to > from && task.from < end);
      if (ran.length) {
        thread++;
        events.push({ ph: 'M', name: 'thread_name', pid, tid: thread, args: { name: `${lane.n} · tasks` } });
        addTasks(events, ran, pid, thread, from, end, micros);
      }
      if (events.length > MOST_EVENTS) {
        return;
      }
    }
    addCounters(events, pool, pid, from, to, micros);
  });
  return events.length > MOST_EVENTS ? null : { displayTimeUnit: 'ms', traceEvents: events };
}

function addTasks(events, ran, pid, tid, from, end, micros) {
  for (const task of ran) {
    const begin = Math.max(from, task.from);
    events.push({ ph: 'X', name: task.kind, cat: 'task', pid, tid, ts: micros(begin),
      dur: micros(Math.min(end, task.to)) - micros(begin), args: {} });
  }
}

function addCauses(events, lane, pid, tid, from, end, micros) {
  const { start, state, detail, count } = segments(lane);
  for (let i = Math.max(0, lastAtMost(start, from, count)); i < count && start[i] < end; i++) {
    const begin = Math.max(from, start[i]);
    const until = Math.min(end, start[i + 1]);
    if (state[i] !== NOTHING && until > begin) {
      const { place, awaited, holder } = lane.pool.recording.details[detail[i]] || {};
      events.push({ ph: 'X', name: CAUSES[state[i]].label, cat: 'cause', pid, tid, ts: micros(begin),
        dur: micros(until) - micros(begin), args: { place, awaited, holder } });
    }
  }
}

function addCounters(events, pool, pid, from, to, micros) {
  const { t, queued, throughput } = pool.windows;
  t.forEach((time, i) => {
    if (time >= from && time < to) {
      for (const [name, values] of [['queued', queued], ['tasks/s', throughput]]) {
        if (values[i] !== null) {
          events.push({ ph: 'C', name, pid, tid: 0, ts: micros(time), args: { [name]: values[i] } });
        }
      }
    }
  });
}

/** Draws the legend, the time axis, all lanes in view and the strips of a page into one canvas. */
export function drawn(timeline, legend) {
  const box = timeline.getBoundingClientRect();
  const head = legend.getBoundingClientRect();
  const ratio = window.devicePixelRatio || 1;
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(box.width * ratio);
  canvas.height = Math.round((head.height + box.height) * ratio);
  const pen = canvas.getContext('2d');
  pen.scale(ratio, ratio);
  pen.fillStyle = getComputedStyle(timeline.closest('.card')).backgroundColor;
  pen.fillRect(0, 0, box.width, head.height + box.height);
  for (const each of legend.querySelectorAll('button')) {
    const mark = each.querySelector('i');
    const [at, text] = [mark.getBoundingClientRect(), each.getBoundingClientRect()];
    pen.fillStyle = getComputedStyle(mark).getPropertyValue('--mark');
    pen.fillRect(at.left - head.left, at.top - head.top, at.width, at.height);
    pen.fillStyle = getComputedStyle(each).color;
    pen.font = `${getComputedStyle(each).fontSize} system-ui, sans-serif`;
    pen.textBaseline = 'middle';
    pen.fillText(each.textContent, at.right + 6 - head.left, text.top + text.height / 2 - head.top);
  }
  pen.translate(0, head.height);
  for (const each of timeline.querySelectorAll('canvas')) {
    const at = each.getBoundingClientRect();
    if (at.width > 0 && at.height > 0) {
      pen.drawImage(each, at.left - box.left, at.top - box.top, at.width, at.height);
    }
  }
  for (const each of timeline.querySelectorAll('.choose, .band, .strip-title h3, .group-head .quiet, .recording')) {
    const at = each.getBoundingClientRect();
    const style = getComputedStyle(each);
    if (each.classList.contains('band')) {
      pen.fillStyle = style.backgroundColor;
      pen.fillRect(at.left - box.left, at.top - box.top, at.width, at.height);
    }
    pen.fillStyle = style.color;
    pen.font = `${style.fontWeight} ${style.fontSize} system-ui, sans-serif`;
    pen.textBaseline = 'middle';
    pen.fillText(each.textContent, at.left - box.left + parseFloat(style.paddingLeft), at.top - box.top + at.height / 2);
  }
  return canvas;
}

/** Hands a file to the browser to save. Nothing leaves the page. */
export function save(blob, name) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
