import { gutter } from './axis.js';
import { digits, duration, element } from './words.js';
import { lastAtMost, lastKnown } from './data.js';

const percent = (value) => (value === null || value === undefined ? 'unknown' : `${digits(value)} %`);

/**
 * The strips: which columns of a pool's windows or of its process each shows. `of` returns the values, with null where
 * a value is not known. A strip of which nothing is known is not shown, and neither is a rare series that is always 0.
 */
const STRIPS = [
  {
    title: 'Queue',
    unit: 'tasks',
    format: digits,
    series: [
      { label: 'queued', color: '--c1', fill: true, of: (pool) => pool.windows.queued },
      { label: 'capacity', color: '--quiet', dash: true, of: (pool) => pool.windows.capacity },
    ],
  },
  {
    title: 'Queue wait',
    unit: 'median and p99',
    format: duration,
    series: [
      { label: 'median', color: '--c1', of: (pool) => pool.windows.waitMedian },
      { label: 'p99', color: '--c2', of: (pool) => pool.windows.waitP99 },
    ],
  },
  {
    title: 'Service time',
    unit: 'median and p99',
    format: duration,
    series: [
      { label: 'median', color: '--c1', of: (pool) => pool.windows.serviceMedian },
      { label: 'p99', color: '--c2', of: (pool) => pool.windows.serviceP99 },
    ],
  },
  {
    title: 'Throughput',
    unit: 'tasks/s',
    format: digits,
    series: [
      { label: 'by workers', color: '--c1', fill: true, of: (pool) => pool.windows.throughput },
      { label: 'by submitters', color: '--c2', isRare: true, of: (pool) => pool.windows.callerRuns },
    ],
  },
  {
    title: 'Workers',
    unit: 'all and busy',
    format: digits,
    series: [
      { label: 'busy', color: '--c1', fill: true, of: (pool) => pool.windows.busy || pool.windows.active },
      { label: 'workers', color: '--quiet', dash: true, of: (pool) => pool.windows.size },
    ],
  },
  {
    title: 'Lost',
    unit: 'tasks/s',
    format: digits,
    series: [
      { label: 'rejected', color: '--c2', isRare: true, of: (pool) => pool.windows.rejected },
      { label: 'failed', color: '--c3', isRare: true, of: (pool) => pool.windows.failed || [] },
    ],
  },
  {
    title: 'CPU',
    unit: 'CPUs',
    format: digits,
    isProcess: true,
    series: [
      { label: 'process', color: '--c1', fill: true, of: (pool) => pool.recording.process.cpu },
      { label: 'available', color: '--quiet', dash: true, of: (pool) => pool.recording.process.cores },
    ],
  },
  {
    title: 'Disturbances',
    unit: '% of time',
    format: percent,
    isProcess: true,
    least: 10,
    series: [
      { label: 'other processes', color: '--c1', of: (pool) => pool.recording.process.others },
      { label: 'collections', color: '--c2', of: (pool) => pool.recording.process.gc },
      { label: 'stopped by quota', color: '--c3', isRare: true, of: (pool) => pool.recording.process.throttled },
    ],
  },
];

const LINE_WIDTH = 1.6;
const stepped = uPlot.paths.stepped({ align: 1 });
const straight = uPlot.paths.linear();

/**
 * Draws steps. With more points than pixels, straight lines look the same: they keep the extremes of each column of
 * pixels, and leave out the rest. Lines of many points are one pixel wide, because browsers draw such lines three times
 * as fast as wider ones, so that the picture moves without a jerk.
 */
function paths(plot, series, first, last) {
  const count = last - first;
  plot.series[series].width = count > plot.bbox.width / 4 ? 1 / (window.devicePixelRatio || 1) : LINE_WIDTH;
  return (count > plot.bbox.width ? straight : stepped)(plot, series, first, last);
}

/** The strips of one pool, or of two pools on the same axes. */
export class Strips {
  constructor(root, axis, theme) {
    this.root = root;
    this.axis = axis;
    this.theme = theme;
    this.made = [];
  }

  /** Shows these pools. With two, the colour tells the pools apart, and broken lines tell the series apart. */
  show(pools) {
    this.pools = pools;
    this.made.forEach(({ plot }) => plot.destroy());
    this.root.replaceChildren();
    this.made = STRIPS.map((strip) => this.make(strip, this.lines(strip))).filter((made) => made !== null);
  }

  /** Shows what the same pools hold now. */
  renew() {
    const now = STRIPS.map((strip) => this.lines(strip)).filter((lines) => lines.length > 0);
    const names = (lines) => lines.map((line) => line.label).join();
    if (now.length !== this.made.length || now.some((lines, i) => names(lines) !== names(this.made[i].lines))) {
      this.show(this.pools);
      return;
    }
    this.made.forEach((made, i) => {
      made.lines = now[i];
      made.measure();
      made.plot.batch(() => {
        made.plot.setData(joined(made.lines), false);
        made.plot.setScale('y', { min: 0, max: made.most });
        made.plot.setScale('x', { min: this.axis.from, max: this.axis.to });
      });
    });
  }

  lines(strip) {
    const lines = [];
    this.pools.forEach((pool, index) => {
      strip.series.forEach((series, place) => {
        const values = series.of(pool);
        const isKnown = values && values.some((value) => value !== null);
        if (isKnown && !(series.isRare && values.every((value) => !value))) {
          const time = strip.isProcess ? pool.recording.process.t : pool.windows.t;
          const isPair = this.pools.length > 1;
          const color = isPair ? ['--c2', '--c1'][index] : series.color;
          const dash = isPair ? [null, [6, 3], [2, 3]][place] : series.dash ? [6, 4] : null;
          lines.push({ ...series, values, time, index, color, dash });
        }
      });
    });
    return lines;
  }

  make(strip, lines) {
    if (lines.length === 0) {
      return null;
    }
    const readout = element('div', { class: 'readout' });
    const box = element(
      'div',
      { class: 'strip' },
      element('div', { class: 'strip-title' }, element('h3', {}, strip.title), element('span', {}, strip.unit)),
      readout,
    );
    this.root.append(box);
    const color = (name) => getComputedStyle(this.root).getPropertyValue(name).trim();
    const made = { box, readout, lines, strip, most: 0 };
    made.measure = () => {
      made.most = made.lines.reduce((most, line) => Math.max(most, peak(line.values)), strip.least || 0);
    };
    made.measure();
    const plot = new uPlot(
      {
        width: box.clientWidth,
        height: 74,
        padding: [10, 0, 6, 0],
        legend: { show: false },
        cursor: { show: false },
        scales: { x: { time: false, auto: false }, y: { auto: false, range: () => [0, made.most === 0 ? 1 : made.most * 1.08] } },
        axes: [
          { show: false },
          {
            size: gutter(),
            stroke: () => color('--quiet'),
            font: '11px system-ui, sans-serif',
            grid: { stroke: () => color('--line'), width: 1 },
            ticks: { show: false },
            splits: () => [0, made.most],
            values: (_, splits) => splits.map((value) => strip.format(value)),
          },
        ],
        series: [
          {},
          ...lines.map((line) => ({
            label: line.label,
            stroke: () => color(line.color),
            fill: line.fill && this.pools.length === 1 ? () => `${color(line.color)}22` : undefined,
            width: LINE_WIDTH,
            dash: line.dash || undefined,
            paths,
            points: { show: line.time.length < 3, size: 4 },
            spanGaps: false,
          })),
        ],
        hooks: { drawClear: [(drawn) => this.paintFindings(drawn)] },
      },
      joined(lines),
      box,
    );
    plot.root.querySelector('canvas').setAttribute('aria-hidden', 'true');
    plot.setScale('y', { min: 0, max: made.most });
    plot.setScale('x', { min: this.axis.from, max: this.axis.to });
    made.plot = plot;
    return made;
  }

  paintFindings(plot) {
    const pen = plot.ctx;
    const { left, top, width, height } = plot.bbox;
    pen.save();
    pen.beginPath();
    pen.rect(left, top, width, height);
    pen.clip();
    const style = getComputedStyle(this.root);
    for (const finding of this.pools.flatMap((pool) => pool.findings)) {
      const from = plot.valToPos(finding.from, 'x', true);
      const to = plot.valToPos(finding.to, 'x', true);
      pen.fillStyle = style.getPropertyValue(`--${finding.severity.toLowerCase()}-pale`);
      pen.fillRect(from, top, Math.max(1, to - from), height);
    }
    pen.restore();
  }

  draw() {
    this.made.forEach(({ plot }) => plot.setScale('x', { min: this.axis.from, max: this.axis.to }));
  }

  resize() {
    this.made.forEach(({ plot, box }) => {
      plot.axes[1].size = () => gutter();
      plot.setSize({ width: box.clientWidth, height: 74 });
    });
  }

  redraw() {
    this.made.forEach(({ plot }) => plot.redraw());
  }

  /** Writes the values at a moment beside each strip; those of the last window for null. */
  read(time) {
    for (const { readout, lines, strip } of this.made) {
      readout.replaceChildren(
        ...lines.map((line) => {
          const i = time === null ? lastKnown(line.values) : lastAtMost(line.time, time);
          const value = i < 0 ? null : line.values[i];
          const mark = element('i', { 'aria-hidden': 'true', class: line.dash ? 'dashed' : '' });
          mark.style.setProperty('--mark', `var(${line.color})`);
          const whose = this.pools.length > 1 ? `${this.pools[line.index].recording.label} ` : '';
          return element('span', {}, mark, `${whose}${line.label} ${strip.format(value)}`);
        }),
      );
    }
  }
}

/** The largest known value; 0 when none is known. */
function peak(values) {
  return values.reduce((most, value) => Math.max(most, value || 0), 0);
}

function joined(lines) {
  return uPlot.join(lines.map((line) => steps(line.time, line.values)));
}

/** A value holds until the next row; where that is empty, the value ends there. */
function steps(time, values) {
  const times = [];
  const held = [];
  time.forEach((begin, i) => {
    if (values[i] === null && i > 0 && values[i - 1] !== null) {
      times.push(begin);
      held.push(values[i - 1]);
      times.push(begin + 1e-6);
    } else {
      times.push(begin);
    }
    held.push(values[i]);
  });
  return [times, held];
}
