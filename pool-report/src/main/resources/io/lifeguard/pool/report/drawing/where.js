import { CAUSES, IDLE } from './causes.js';
import { watchedFrom } from './data.js';
import { Flame, places } from './flame.js';
import { Sums, counts } from './sums.js';
import { beforeFirstWindow, count, digits, duration, element, moment, refill } from './words.js';

/** Where the workers of one pool spent their time in a span: figures, a flame graph, and the places with most time. */
export class Where {
  constructor(root, theme) {
    this.root = root;
    this.sums = new Sums();
    this.former = new Sums();
    this.flame = new Flame(root.querySelector('#flame'), root.querySelector('#flame-words'), theme);
    this.before = null; // the span to compare with: `{pool, from, to}`
    this.isVisible = false; // a sum of a thousand lanes waits until it can be seen
    new IntersectionObserver(([entry]) => {
      this.isVisible = entry.isIntersecting;
      if (this.isVisible && this.asked) {
        this.show(...this.asked);
      }
    }, { rootMargin: '300px' }).observe(root);
  }

  /** Shows a span, and the difference to the one that was kept, once both are summed. */
  async show(pool, from, to, isSelected, muted) {
    this.asked = [pool, from, to, isSelected, muted];
    if (!this.isVisible) {
      this.sums.cancel();
      return;
    }
    this.asked = null;
    const now = await this.sums.of(pool.workers, watchedFrom(pool, from), to);
    if (!now) {
      return;
    }
    const { before } = this;
    const former = before ? await this.former.of(before.pool.workers, watchedFrom(before.pool, before.from), before.to) : null;
    const span = `${isSelected ? 'Selected' : 'Shown'}: ${moment(from, (to - from) / 100)} to ${moment(to, (to - from) / 100)}, ${duration(to - from)}.`;
    const isCut = pool.unseen && from <= pool.unseen.to && (pool.unseen.to > pool.unseen.from || pool.unseen.busy > 0);
    const unseen = isCut ? ` ${asSentence(beforeFirstWindow(pool.unseen))}` : '';
    refill(this.root.querySelector('#where-span'), span, unseen, before ? ` Compared with ${duration(before.to - before.from)} before.` : '');
    refill(this.root.querySelector('#where-figures'), spanFigures(pool, now, from, to, former, before));
    this.root.querySelector('#where-places tbody').replaceChildren(...places(now, pool.recording, muted));
    this.flame.show(now, pool.recording, former, before?.pool.recording, muted);
    this.shown = now;
  }

  redraw() {
    this.flame.draw();
  }
}

function asSentence(text) {
  return `${text[0].toUpperCase()}${text.slice(1)}.`;
}

/** Time by cause, tasks and throughput. */
function spanFigures(pool, sums, from, to, former, before) {
  const all = sums.time.reduce((sum, each) => sum + each, 0);
  const then = former ? former.time.reduce((sum, each) => sum + each, 0) : 0;
  const boxes = [...sums.time.keys()]
    .filter((state) => sums.time[state] > 0.0005 * all || (former && former.time[state] > 0.0005 * then))
    .sort((a, b) => (a === IDLE) - (b === IDLE) || sums.time[b] - sums.time[a])
    .map((state) => {
      const share = all ? (100 * sums.time[state]) / all : 0;
      const change = former && then ? share - (100 * former.time[state]) / then : null;
      return box(
        CAUSES[state].label,
        `${duration(sums.time[state])}, ${digits(share)} %`,
        change === null ? null : `${change >= 0 ? '+' : '−'}${digits(Math.abs(change))} points`,
      );
    });
  const counted = counts(pool, from, to);
  if (counted.seconds > 0) {
    const rate = counted.completed / counted.seconds;
    const was = before ? counts(before.pool, before.from, before.to) : null;
    const ratio = was && was.seconds > 0 && was.completed > 0 ? rate / (was.completed / was.seconds) : null;
    boxes.push(box('Tasks', count(Math.round(counted.completed), 'task', 'tasks')));
    boxes.push(box('Throughput', `${digits(rate)} /s`, ratio === null ? null : `× ${digits(ratio)}`));
    for (const [name, label] of [['callerRuns', 'Run by submitters'], ['rejected', 'Rejected'], ['failed', 'Failed']]) {
      if (counted[name] >= 0.5) {
        boxes.push(box(label, digits(Math.round(counted[name]))));
      }
    }
  }
  return element('dl', { class: 'figures' }, ...boxes);
}

function box(name, value, change = null) {
  return element(
    'div',
    {},
    element('dt', {}, name),
    element('dd', {}, value),
    change === null ? null : element('dd', { class: 'change' }, change),
  );
}
