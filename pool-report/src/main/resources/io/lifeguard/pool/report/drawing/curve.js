import { count, digits, duration, element } from './words.js';

/** The predicted throughput and service time of a pool over its size. */
export class CurveView {
  constructor(root) {
    this.root = root;
    this.plots = [];
  }

  /** Shows the present curve of the same pool, when it has changed, every five seconds at most. */
  renew(pool) {
    if (this.drawn !== describeCurve(pool) && performance.now() - this.drawnAt > 5000) {
      this.show(pool);
    }
  }

  show(pool) {
    this.pool = pool;
    this.drawn = describeCurve(pool);
    this.drawnAt = performance.now();
    this.plots.forEach((plot) => plot.destroy());
    this.plots = [];
    const curve = pool.curve;
    const section = this.root.closest('section');
    section.hidden = !pool.noCurve && (!curve || curve.size.length < 2);
    this.root.replaceChildren();
    if (pool.noCurve) {
      section.querySelector('.curve-words').textContent = whyNone(pool.noCurve);
      return;
    }
    if (section.hidden) {
      return;
    }
    this.root.append(
      this.plot('Throughput', 'tasks/s', digits, curve.throughput, curve.low, curve.high, 1),
      this.plot('Service time', 'mean', duration, curve.service, null, null, 2),
    );
    section.querySelector('.curve-words').textContent = this.words(curve);
  }

  words(curve) {
    const at = (size) => {
      const i = nearest(curve.size, size);
      return `${digits(curve.throughput[i])} tasks/s, ${duration(curve.service[i])} per task`;
    };
    const now = `Now ${count(curve.current, 'worker', 'workers')}: ${at(curve.current)}.`;
    if (curve.recommended === null) {
      return `${now} No size can be computed.`;
    }
    return curve.recommended === curve.current
      ? `${now} This size is right.`
      : `${now} Recommended ${curve.recommended}: ${at(curve.recommended)}.`;
  }

  plot(title, unit, format, values, low, high, measuredColumn) {
    const curve = this.pool.curve;
    const box = element(
      'figure',
      { class: 'curve' },
      element('figcaption', {}, element('h3', {}, title), element('span', {}, unit)),
    );
    const color = (name) => getComputedStyle(this.root).getPropertyValue(name).trim();
    const measured = curve.measured.map((point) => [point[0], point[measuredColumn]]);
    const sizes = [...curve.size];
    const most = Math.max(...values, ...(high || []), ...measured.map((point) => point[1] || 0));
    const series = [{}, { stroke: () => color('--c1'), width: 2, points: { show: false } }];
    const data = [sizes, values];
    const bands = [];
    if (low && low.some((each, i) => each !== high[i])) {
      data.push(low, high);
      const edge = { stroke: 'transparent', width: 0, points: { show: false } };
      series.push({ ...edge }, { ...edge });
      bands.push({ series: [3, 2], fill: () => `${color('--c1')}2b` });
    }
    const largest = sizes[sizes.length - 1];
    const mark = (plot, size, name, ink, line) => {
      const pen = plot.ctx;
      const ratio = uPlot.pxRatio;
      const x = Math.round(plot.valToPos(size, 'x', true));
      pen.save();
      pen.strokeStyle = pen.fillStyle = color(ink);
      pen.lineWidth = 1.5 * ratio;
      pen.setLineDash(line.map((each) => each * ratio));
      pen.beginPath();
      pen.moveTo(x, plot.bbox.top + 16 * ratio);
      pen.lineTo(x, plot.bbox.top + plot.bbox.height);
      pen.stroke();
      pen.textAlign = 'left';
      pen.textBaseline = 'alphabetic';
      pen.font = `600 ${11 * ratio}px system-ui, sans-serif`;
      const wide = pen.measureText(name).width;
      const left = Math.min(plot.bbox.left + plot.bbox.width - wide, Math.max(plot.bbox.left, x - wide / 2));
      return { pen, left, wide, top: plot.bbox.top + 11 * ratio, ratio, name };
    };
    const draw = (plot) => {
      const now = mark(plot, curve.current, `now ${curve.current}`, '--text', []);
      now.pen.fillText(now.name, now.left, now.top);
      now.pen.restore();
      if (curve.recommended !== null && curve.recommended !== curve.current) {
        const better = mark(plot, curve.recommended, `recommended ${curve.recommended}`, '--good', [5, 3]);
        const isOver = better.left < now.left + now.wide + 8 && now.left < better.left + better.wide + 8;
        better.pen.fillText(better.name, better.left, better.top + (isOver ? 13 * better.ratio : 0));
        better.pen.restore();
      }
      const pen = plot.ctx;
      pen.fillStyle = color('--c2');
      for (const [size, value] of measured) {
        if (value !== null && size <= largest) {
          pen.beginPath();
          pen.arc(plot.valToPos(size, 'x', true), plot.valToPos(value, 'y', true), 4 * uPlot.pxRatio, 0, 7);
          pen.fill();
        }
      }
    };
    requestAnimationFrame(() => {
      const plot = new uPlot(
        {
          width: Math.max(200, box.clientWidth),
          height: 220,
          padding: [4, 12, 0, 0],
          legend: { show: false },
          cursor: { show: false },
          scales: { x: { time: false, range: [0, largest * 1.02] }, y: { range: [0, most * 1.25] } },
          axes: [
            { stroke: () => color('--quiet'), grid: { show: false }, font: '11px system-ui, sans-serif', size: 30,
              ticks: { stroke: () => color('--line') } },
            { stroke: () => color('--quiet'), grid: { stroke: () => color('--line'), width: 1 }, size: 66,
              font: '11px system-ui, sans-serif', ticks: { show: false },
              values: (_, splits) => splits.map((value) => format(value)) },
          ],
          series,
          bands,
          hooks: { draw: [draw] },
        },
        data,
        box,
      );
      plot.root.querySelector('canvas').setAttribute('aria-hidden', 'true');
      this.plots.push(plot);
      box.append(element('p', { class: 'axis-name' }, 'workers'));
    });
    return box;
  }

  redraw() {
    this.plots.forEach((plot) => plot.redraw());
  }

  resize() {
    this.plots.forEach((plot) => plot.setSize({ width: plot.root.parentElement.clientWidth, height: 220 }));
  }
}

function nearest(sizes, size) {
  let best = 0;
  sizes.forEach((each, i) => {
    if (Math.abs(each - size) < Math.abs(sizes[best] - size)) {
      best = i;
    }
  });
  return best;
}

function describeCurve({ curve, noCurve }) {
  return JSON.stringify([curve, noCurve]);
}

/** What limits a pool where no curve knows of it. */
const LIMITS = {
  LINE: 'workers queue for a limited resource',
  OWN_TASKS: 'workers wait for tasks in their own queue',
  OTHER_POOL: 'workers wait for results of another pool',
  DISPATCHER: 'the submitter brings too few tasks',
};

/** Why there is no curve: the name of what limits the pool, or a size with the expected and the measured rate. */
function whyNone(noCurve) {
  if (typeof noCurve === 'string') {
    return `No curve: ${LIMITS[noCurve] || 'something else limits this pool'}, and the curve knows of CPUs, locks and waits outside only.`;
  }
  const [size, expected, measured] = noCurve;
  return `No curve: for ${size} workers it says ${digits(expected)} tasks/s, but ${digits(measured)} were measured.`
    + ' So something else limits this pool than what the curve is about.';
}
