import { IDLE, UNKNOWN } from './causes.js';
import { lastAtMost } from './data.js';
import { callerRunTime, causeTimes, counts } from './sums.js';
import { arrange, code, count, digits, duration, element, moment, refill, short } from './words.js';

const ORDER = ['INFO', 'WARNING', 'CRITICAL'];

/** All findings of these pools, the worst first, then those that stood longest. */
export function worstFirst(pools) {
  return pools
    .flatMap((pool) => pool.findings)
    .sort((a, b) => ORDER.indexOf(b.severity) - ORDER.indexOf(a.severity) || b.to - b.from - (a.to - a.from));
}

export function when(finding) {
  const end = finding.isOpen ? (finding.pool.recording.isLive ? 'now' : 'the end') : moment(finding.to, 0.1);
  return `from ${moment(finding.from, 0.1)} to ${end}`;
}

function chip(finding) {
  return element('span', { class: `chip ${finding.severity.toLowerCase()}` }, finding.severity.toLowerCase());
}

/**
 * The verdict on one recording: its worst finding in words, or that there is none. The verdict on a recording that grows
 * is about the findings that stand.
 */
export function verdict(recording, isLive, open) {
  const all = worstFirst(recording.pools);
  const findings = isLive ? all.filter((finding) => finding.isOpen) : all;
  const windows = Math.max(0, ...recording.pools.map((pool) => pool.windows.size.filter((size) => size !== null).length));
  if (findings.length === 0) {
    const nothing = isLive ? 'Nothing is known yet: no pool was watched.' : 'Nothing is known: the recording holds no window.';
    const isStarved = recording.pools.some((pool) => pool.unjudged);
    const none = isStarved ? 'No finding, but not all of the time was judged: the monitor got too little CPU.'
      : isLive ? 'No finding now.' : 'No finding.';
    const text = windows === 0 ? nothing : none;
    const judged = isLive
      ? `${all.length === 0 ? 'None' : count(all.length, 'finding has', 'findings have')} ended in the time that is shown`
      : `${count(recording.pools.length, 'pool', 'pools')}, ${count(windows, 'window', 'windows')} in ${duration(recording.seconds)}`;
    return element(
      'div',
      { class: windows === 0 || isStarved ? 'verdict' : 'verdict healthy' },
      element('p', { class: 'summary' }, text),
      element('p', { class: 'advice' }, windows === 0 && isLive ? 'Pools appear within a few seconds of their first task.' : `${judged}.`),
    );
  }
  const worst = findings[0];
  const box = element(
    'div',
    { class: `verdict ${worst.severity.toLowerCase()}` },
    element(
      'p',
      { class: 'origin' },
      chip(worst),
      element('strong', {}, worst.id),
      ` in pool ${worst.pool.name}, ${when(worst)}`,
    ),
    ...headline(worst),
    element('p', { class: 'advice' }, code(sentence(worst.advice))),
    element('button', { type: 'button', class: 'link', onclick: () => open(worst) }, 'Show the evidence'),
  );
  const others = oncePerPool(findings).slice(1);
  if (others.length > 0) {
    const rest = others.slice(0, 5).map((finding) =>
      element(
        'li',
        {},
        element(
          'button',
          { type: 'button', class: 'row', onclick: () => open(finding) },
          chip(finding),
          element('strong', {}, finding.id),
          element('span', { class: 'what', title: finding.summary }, `${finding.pool.name}: ${short(finding.summary)}`),
        ),
      ),
    );
    box.append(element('ul', { class: 'others', 'aria-label': 'Other findings' }, ...rest));
    if (others.length > 5) {
      box.append(element('p', { class: 'advice' }, `${others.length - 5} more are in the table of findings below.`));
    }
  }
  return box;
}

/**
 * What is wrong, in a sentence over the whole time in which the finding stood, and what the latest news of it say. News
 * tell of one window or a few. Where the finding stood for hardly longer, they are all.
 */
function headline(finding) {
  const whole = wholeOf(finding);
  const sum = sumsOf(finding, whole);
  return sum === ''
    ? [element('p', { class: 'summary' }, code(ended(finding.summary)))]
    : [
      element('p', { class: 'summary' }, sum),
      element('p', { class: 'lately' }, isNewsOld(finding) ? 'At first: ' : 'Lately: ', code(ended(finding.summary))),
    ];
}

/** Whether the latest news came in the first half of the time in which the finding stood. */
function isNewsOld({ from, news, to }) {
  return news - from < to - news;
}

/** What was counted while a finding stood. A page that grows has only the latest windows' sums in its news. */
function wholeOf(finding) {
  const { pool, from, to } = finding;
  if (!pool.recording.isLive && finding.whole?.seconds > 0) {
    return finding.whole;
  }
  const counted = counts(pool, from, to);
  const seconds = counted.seconds || to - from;
  const threads = Math.max(1, pool.submitters.length + pool.moreSubmitters);
  return {
    ...Object.fromEntries(Object.entries(counted).map(([name, value]) => [name, name === 'seconds' ? value : Math.round(value)])),
    seconds,
    callerRunSeconds: Math.min(callerRunTime(pool, from, to), seconds * threads), // tasks are counted at their end
  };
}

/** What workers did, by the number of the cause. */
const DID = ['computed', 'waited for a CPU', 'waited for a lock', 'waited for a result', 'queued for a limited resource',
  'waited for something outside', 'slept', 'were idle', 'did something unknown'];

/** Findings that are about one cause; the others tell what took most of the time. */
const ABOUT = { 'cpu-saturated': 1, 'lock-contention': 2, 'starved-by-own-tasks': 3, 'waits-on-another-pool': 3,
  'blocked-on-io': 5, oversized: IDLE };

/**
 * The sums over all windows of a finding, in a sentence. Empty where it stood for hardly longer than its news tell of,
 * and where there is nothing to sum: a group of event loops has no windows, and a deadlock belongs to no pool.
 */
function sumsOf(finding, whole) {
  const { pool, from, to, id } = finding;
  if (whole.seconds < 2 || pool.windows.t.length === 0) {
    return '';
  }
  const parts = [];
  if (whole.callerRuns > 0) {
    const busy = Math.min(100, (100 * whole.callerRunSeconds) / whole.seconds);
    const share = id.startsWith('dispatcher-runs') && busy >= 1 ? `, ${digits(Math.round(busy))}\u00a0% of one thread's time` : '';
    parts.push(`submitters ran ${count(whole.callerRuns, 'task', 'tasks')} themselves for ${duration(whole.callerRunSeconds)}${share}`);
  }
  if (whole.failed > 0) {
    parts.push(`${count(whole.failed, 'task', 'tasks')} failed`);
  }
  if (whole.rejected > 0) {
    parts.push(`${count(whole.rejected, 'task was', 'tasks were')} rejected`);
  }
  const isCounted = counts(pool, from, to).seconds > 0; // the common pool and others do not count their tasks
  const tasks = isCounted ? `did ${count(whole.completed, 'task', 'tasks')}` : '';
  const work = [tasks, mostly(causeTimes(pool, from, to), ABOUT[id])].filter((each) => each).join(' and ');
  if (work) {
    parts.push(`workers ${work}`);
  }
  const queue = queueOf(pool, from, to);
  if (id === 'queue-growing' && queue) {
    parts.push(`the queue went from ${digits(queue[0])} to ${digits(queue[1])}`);
  }
  return parts.length === 0 ? '' : `In ${duration(whole.seconds)} ${parts.join('; ')}.`;
}

/** The share of the busy time that a cause took, or the largest one; empty where nothing was seen. */
function mostly(time, about) {
  const known = [...time].slice(0, DID.length);
  const all = known.reduce((sum, seconds) => sum + seconds, 0);
  const of = about === IDLE ? all : all - known[IDLE];
  const largest = known.reduce(
    (best, seconds, i) => (i !== IDLE && i !== UNKNOWN && seconds > known[best] ? i : best), 0);
  const cause = known[about] > 0 ? about : largest;
  return of > 0 && known[cause] > 0
    ? `${DID[cause]} for ${digits(Math.round((100 * known[cause]) / of))}\u00a0% of their ${about === IDLE ? '' : 'busy '}time`
    : '';
}

/** The queue in the first and the last window of a span; null where it is unknown. */
function queueOf({ windows: { t, queued } }, from, to) {
  const first = queued[Math.max(0, lastAtMost(t, from))];
  const last = queued.slice(0, lastAtMost(t, to) + 1).filter((value) => value !== null).pop();
  return first === null || first === undefined || last === undefined ? null : [first, last];
}

/** The first of those findings that a pool had several times: one row tells enough, and the picture shows each. */
function oncePerPool(findings) {
  return findings.filter(
    (finding, i) => findings.findIndex((each) => each.id === finding.id && each.pool === finding.pool) === i,
  );
}

/** A summary often begins with the name of a thread, so its first letter stays as it is. */
function ended(text) {
  return text === '' || /[.!?]$/.test(text) ? text : `${text}.`;
}

function sentence(text) {
  return ended(text.charAt(0).toUpperCase() + text.slice(1));
}

/** Everything that is known of a finding. */
export function details(finding) {
  const sum = sumsOf(finding, wholeOf(finding));
  const rows = finding.evidence.flatMap(([name, value]) => [
    element('dt', {}, words(name)),
    element('dd', {}, code(value)),
  ]);
  const size = finding.size === null ? [] : [element('h3', {}, 'Recommended size'), element('p', {}, sizeOf(finding))];
  const holder = finding.holder ? [element('h3', {}, 'Lock holder'), element('p', {}, finding.holder)] : [];
  const stack = finding.stack.length
    ? [element('h3', {}, 'Stack'), element('pre', { tabindex: '0' }, finding.stack.join('\n'))]
    : [];
  const end = finding.how ? [element('p', { class: 'quiet' }, `Ended: ${finding.how}.`)] : [];
  return [
    element('p', { class: 'origin' }, chip(finding), ` pool ${finding.pool.name}, ${when(finding)}`),
    element('p', { class: 'lead' }, code(ended(finding.summary))),
    sum === '' ? null : element('p', { class: 'quiet' }, sum),
    element('h3', {}, 'What to do'),
    element('p', {}, code(sentence(finding.advice))),
    ...size,
    ...(rows.length ? [element('h3', {}, 'Evidence'), element('dl', {}, ...rows)] : []),
    ...holder,
    ...stack,
    ...end,
  ];
}

function sizeOf(finding) {
  const range =
    finding.low === null || finding.high === null || finding.low === finding.high ? '' : ` (${finding.low} to ${finding.high} are as good)`;
  return `${count(finding.size, 'worker', 'workers')}${range}`;
}

/** `idleWorkersMeanwhile` as `idle workers meanwhile`. */
function words(name) {
  return name.replace(/([a-z0-9])([A-Z])/g, (_, before, letter) => `${before} ${letter.toLowerCase()}`);
}

/** A band shorter than its name shows it beside itself, and needs so much room. */
const NAME_PIXELS = 170;

/** The least width of a band, and its distance to a name beside it. */
const LEAST_PIXELS = 8;
const GAP_PIXELS = 5;

/** The first place with enough room for a name, otherwise the one with the most room: `[place, room]`. */
function placeOfName(rooms) {
  const places = Object.entries(rooms);
  return places.find(([, room]) => room >= NAME_PIXELS) || places.reduce((most, each) => (each[1] > most[1] ? each : most));
}

/** The bands of a pool's findings on the time axis: one button each. */
export class FindingBands {
  constructor(pool, axis, root, open) {
    this.pool = pool;
    this.axis = axis;
    this.root = root;
    this.open = open;
  }

  /** Makes the buttons of the findings that the pool has now. */
  layOut() {
    const rows = [];
    const bands = new Set();
    for (const finding of this.pool.findings) {
      let row = rows.findIndex((last) => last <= finding.from - 1e-9);
      if (row < 0) {
        row = rows.length;
      }
      rows[row] = Math.max(finding.to, finding.from + (this.axis.whole * NAME_PIXELS) / Math.max(300, this.root.clientWidth));
      finding.band ??= element('button', { type: 'button', onclick: () => this.open(finding) }, element('span', {}, finding.id));
      finding.band.className = `band ${finding.severity.toLowerCase()}`;
      finding.band.title = finding.summary;
      finding.band.setAttribute('aria-label', `${finding.id} in pool ${this.pool.name}, ${when(finding)}`);
      finding.band.style.top = `${row * 24}px`;
      bands.add(finding.band);
      if (finding.band.parentElement !== this.root) {
        this.root.append(finding.band);
      }
    }
    [...this.root.children].filter((band) => !bands.has(band)).forEach((band) => band.remove());
    this.root.style.height = `${rows.length * 24}px`;
  }

  draw() {
    for (const finding of this.pool.findings) {
      const from = Math.max(0, (finding.from - this.axis.from) / this.axis.length);
      const to = Math.min(1, (finding.to - this.axis.from) / this.axis.length);
      const style = finding.band.style;
      style.display = to <= 0 || from >= 1 ? 'none' : '';
      style.left = `${from * 100}%`;
      style.width = `max(${LEAST_PIXELS}px, ${(to - from) * 100}%)`;
      const wide = this.root.clientWidth;
      const length = Math.max(LEAST_PIXELS, (to - from) * wide);
      const [place, room] = placeOfName(
        { inside: length, beside: wide - from * wide - length - GAP_PIXELS, before: from * wide - GAP_PIXELS });
      finding.band.classList.toggle('beside', place === 'beside');
      finding.band.classList.toggle('before', place === 'before');
      finding.band.firstElementChild.style.maxWidth = place === 'inside' ? '' : `${Math.floor(room)}px`;
    }
  }
}

/** The findings as a table. */
export function findingTable(recordings) {
  const rows = recordings.flatMap((recording) =>
    worstFirst(recording.pools).map((finding) =>
      element(
        'tr',
        {},
        element('td', {}, chip(finding)),
        element('th', { scope: 'row' }, finding.id),
        element('td', {}, recordings.length > 1 ? `${recording.label}: ${finding.pool.name}` : finding.pool.name),
        element('td', {}, when(finding)),
        element('td', {}, code(`${ended(finding.summary)} ${sentence(finding.advice)}`)),
      ),
    ),
  );
  return rows.length ? table('Findings', ['Severity', 'Finding', 'Pool', 'Time', 'What and what to do'], rows) : null;
}

function table(caption, names, rows) {
  const heads = names.map((name) => element('th', { scope: 'col' }, name));
  return element(
    'div',
    { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': caption },
    element(
      'table',
      {},
      element('caption', {}, caption),
      element('thead', {}, element('tr', {}, ...heads)),
      element('tbody', {}, ...rows),
    ),
  );
}

/** Brings tables up to date row by row, so that they stay where the reader has scrolled them to. */
export function refillTables(root, tables) {
  const selection = getSelection();
  if (!selection.isCollapsed && root.contains(selection.anchorNode)) {
    return; // the reader is about to copy something
  }
  const known = new Map([...root.children].map((each) => [each.getAttribute('aria-label'), each]));
  const order = tables.filter((each) => each).map((made) => {
    const shown = known.get(made.getAttribute('aria-label')) || made;
    known.delete(made.getAttribute('aria-label'));
    if (shown !== made) {
      refill(shown.querySelector('tbody'), ...made.querySelectorAll('tbody > tr'));
    }
    return shown;
  });
  known.forEach((each) => each.remove());
  arrange(root, order);
}

/** The mean of the known values; null when none is known. */
export function mean(values) {
  const known = values.filter((value) => value !== null);
  return known.length ? known.reduce((sum, value) => sum + value, 0) / known.length : null;
}

/** The middle of the known values; null when none is known. */
export function middle(values) {
  const known = values.filter((value) => value !== null).sort((a, b) => a - b);
  return known.length ? known[known.length >> 1] : null;
}

/** The largest known value; null when none is known. */
export function largest(values) {
  return values.reduce((most, value) => (value !== null && (most === null || value > most) ? value : most), null);
}

const FIGURES = [
  ['Workers', (pool) => middle(pool.windows.size), digits],
  ['Throughput', (pool) => mean(pool.windows.throughput), (value) => (value === null ? 'unknown' : `${digits(value)} /s`)],
  ['Queue wait, median', (pool) => middle(pool.windows.waitMedian), duration],
  ['Queue wait, p99', (pool) => middle(pool.windows.waitP99), duration],
  ['Service time, median', (pool) => middle(pool.windows.serviceMedian), duration],
  ['Service time, p99', (pool) => middle(pool.windows.serviceP99), duration],
];

/** A pool with the windows of its last ten seconds only. */
function lately(pool) {
  const { windows } = pool;
  const length = windows.t.length;
  const longest = length > 1 ? windows.t[length - 1] - windows.t[length - 2] : 0;
  const first = windows.t.findIndex((begin) => begin > pool.recording.seconds - 1 - Math.max(10, 1.5 * longest));
  const tail = (values) => (first < 0 ? [] : values.slice(first));
  const cut = Object.entries(windows).map(([name, values]) => [name, name === 'shares' ? values.map(tail) : tail(values)]);
  return { ...pool, windows: Object.fromEntries(cut) };
}

/** The pools as a table: figures of the typical window. */
export function poolTable(recordings, isLive = false) {
  const rows = recordings.flatMap((recording) =>
    recording.pools.map((pool) =>
      element(
        'tr',
        {},
        element('th', { scope: 'row' }, recordings.length > 1 ? `${recording.label}: ${pool.name}` : pool.name),
        ...FIGURES.map(([, of, format]) => element('td', { class: 'number' }, format(of(isLive ? lately(pool) : pool)))),
        element('td', {}, pool.findings.length ? [...new Set(pool.findings.map((each) => each.id))].join(', ') : 'none'),
      ),
    ),
  );
  return table(isLive ? 'Pools in the last ten seconds' : 'Pools', ['Pool', ...FIGURES.map(([name]) => name), 'Findings'], rows);
}

/** The figures of one pool, or of the same pool in two recordings with the change between them. */
export function figures(pools, isLive = false) {
  const shown = isLive ? pools.map(lately) : pools;
  return element(
    'dl',
    { class: 'figures' },
    ...FIGURES.filter(([, of]) => shown.some((pool) => of(pool) !== null)).map(([name, of, format]) => {
      const values = shown.map(of);
      const box = element('div', {}, element('dt', {}, name));
      box.append(element('dd', {}, values.map(format).join(' → ')));
      if (values.length > 1 && values[0] && values[1]) {
        const ratio = values[1] / values[0];
        box.append(element('dd', { class: 'change' }, ratio === 1 ? 'the same' : `× ${digits(ratio)}`));
      }
      return box;
    }),
  );
}
