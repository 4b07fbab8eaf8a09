import { CAUSES, IDLE, NOTHING } from './causes.js';
import { TimeAxis, drawRuler, gutter } from './axis.js';
import { segmentAt, segments, tasks } from './data.js';
import { Lanes, describe } from './lanes.js';
import { Strips } from './strips.js';
import { CurveView } from './curve.js';
import { Where } from './where.js';
import { Sums } from './sums.js';
import { drawn, save, traceEvents } from './export.js';
import { FindingBands, details, figures, findingTable, middle, poolTable, refillTables, verdict, worstFirst } from './findings.js';
import { arrange, code, count, digits, duration, element, moment, refill } from './words.js';

export const find = (selector) => document.querySelector(selector);

/** Dark or light: what the reader chose on this page, otherwise what the system prefers. */
const theme = {
  isPrinting: false,
  system: matchMedia('(prefers-color-scheme: dark)'),
  isDark() {
    const chosen = document.documentElement.dataset.theme;
    return !this.isPrinting && (chosen ? chosen === 'dark' : this.system.matches);
  },
};

/** The page of one recording, which may grow, or of two on the same time axis. */
export class Picture {
  constructor(data) {
    this.recordings = data.recordings;
    this.isLive = Boolean(data.isLive);
    this.pools = data.recordings.flatMap((recording) => recording.pools);
    this.axis = new TimeAxis(Math.max(0, ...data.recordings.map((each) => each.seconds)), data.recordings[0]?.begin);
    this.groups = [];
    this.headings = new Map();
    this.cursor = null;
    this.matches = [];
    this.strips = new Strips(find('#strips'), this.axis, theme);
    this.curve = new CurveView(find('#curves'));
    this.muted = new Set(); // causes that the reader has switched off
    this.selection = null; // `{from, to}` in seconds
    this.where = new Where(find('#where'), theme);
    this.searched = new Sums();
    document.title = data.title;
    find('h1').textContent = data.title;
    this.describe();
    this.choosePool(this.firstPool());
    this.axis.listen(() => this.draw());
    this.listen();
    this.followLink();
    this.axis.changed();
  }

  /** The pool that is chosen before the reader chooses one. */
  firstPool() {
    return this.sickFirst(this.pools)[0];
  }

  /** Findings that matter for the order: in a picture that grows only those that stand. */
  worst(pools) {
    return worstFirst(pools).filter((finding) => !this.isLive || finding.isOpen);
  }

  sickFirst(pools) {
    const sick = new Set(this.worst(pools).map((finding) => finding.pool));
    return [...sick, ...pools.filter((each) => !sick.has(each))];
  }

  /** Shows what a recording that grows holds now. */
  renew() {
    this.pools = this.recordings.flatMap((recording) => recording.pools);
    this.axis.reach(this.recordings[0].begin, this.recordings[0].seconds);
    this.describe();
    if (!this.pools.includes(this.pool)) {
      this.choosePool(this.firstPool());
    } else {
      this.strips.renew();
      this.strips.read(this.cursor);
      this.curve.renew(this.pool);
      this.figures();
    }
    if (this.finding) {
      refill(find('#drawer-body'), ...details(this.finding));
    }
    if (this.query) {
      this.search(this.query);
    }
    if (this.hovered) {
      this.hover(this.hovered);
    }
  }

  /** Writes all that the recordings tell, apart from the figures of the chosen pool. */
  describe() {
    for (const part of ['#timeline', '#tables']) {
      find(part).closest('.card').hidden = this.pools.length === 0; // an axis without a time says nothing
    }
    this.title();
    this.verdicts();
    this.legend();
    this.timeline();
    refillTables(find('#tables'), [findingTable(this.recordings), poolTable(this.recordings, this.isLive)]);
  }

  title() {
    const first = this.recordings[0];
    const begun = first && first.start > 0 ? new Date(first.start).toISOString().replace(/\.\d+Z/, ' UTC').replace('T', ' ') : '';
    const time = this.isLive ? `the last ${duration(Math.round(this.axis.whole))}` : duration(this.axis.seconds);
    find('#when').textContent = this.isLive && this.pools.length === 0 ? '' : [this.isLive ? '' : begun, time, count(this.pools.length, 'pool', 'pools')]
      .filter((each) => each)
      .join(' · ');
  }

  verdicts() {
    const isPair = this.recordings.length > 1;
    refill(
      find('#verdicts'),
      ...this.recordings.map((recording) => {
        const box = verdict(recording, this.isLive, (finding) => this.openFinding(finding, true));
        if (isPair) {
          box.prepend(element('h2', {}, recording.label));
        }
        return box;
      }),
    );
  }

  /** Explains the causes that the recordings hold; those that never occur need no explanation. */
  legend() {
    const seen = new Set();
    for (const pool of this.pools) {
      pool.windows.shares.forEach((values, state) => values.some((value) => value > 0) && seen.add(state));
      for (const state of pool.states) {
        seen.add(state);
      }
    }
    refill(
      find('#legend'),
      ...CAUSES.map((cause, index) => [cause, index])
        .filter(([, index]) => seen.has(index))
        .map(([cause, index]) => {
          const mark = element('i', { class: cause.hatch ? 'hatch' : '', 'aria-hidden': 'true' });
          mark.style.setProperty('--mark', `var(--cause-${index}, ${cause.color})`);
          const isShown = !this.muted.has(index);
          return element('li', {}, element('button', {
            type: 'button', 'aria-pressed': String(isShown), title: isShown ? 'Click to fade it' : 'Click to show it again',
            onclick: () => this.mute(index),
          }, mark, cause.label));
        }),
    );
  }

  /** Fades a cause in all lanes and leaves it out of the flame graph, or shows it again. */
  mute(index) {
    if (!this.muted.delete(index)) {
      this.muted.add(index);
    }
    this.legend();
    this.draw();
  }

  /** Puts the pools below each other, the sick ones first. Pools that are shown already keep their lanes. */
  timeline() {
    const known = new Map(this.groups.map((group) => [group.pool, group]));
    const order = [];
    this.groups = [];
    for (const recording of this.recordings) {
      if (this.recordings.length > 1) {
        if (!this.headings.has(recording)) {
          this.headings.set(recording, element('h3', { class: 'recording' }, recording.label));
        }
        order.push(this.headings.get(recording));
      }
      for (const pool of recording.pools) {
        pool.band = recording.pools.find((each) => each.name === `${pool.name} (virtual threads)`);
      }
      const bands = new Set(recording.pools.map((each) => each.band));
      const pools = this.sickFirst(recording.pools).filter((each) => !bands.has(each));
      for (const pool of pools.flatMap((each) => (each.band ? [each, each.band] : [each]))) {
        const group = known.get(pool) || this.group(pool);
        known.delete(pool);
        group.renew();
        this.groups.push(group);
        order.push(group.section);
      }
    }
    known.forEach((group) => group.remove());
    arrange(find('#lanes'), order);
  }

  group(pool) {
    const full = pool.recording.label ? `${pool.name}, ${pool.recording.label}` : pool.name;
    const canvas = element('canvas', { class: 'lanes', 'aria-hidden': 'true' });
    const scroller = element(
      'div',
      {
        class: 'scroller',
        tabindex: '0',
        role: 'group',
        'aria-roledescription': 'timeline',
        'aria-label': `Lanes of pool ${full}. Arrow keys move, up and down choose a lane.`,
      },
      element('div', { class: 'spacer' }),
    );
    scroller.firstElementChild.append(canvas);
    const toggle = element('button', { type: 'button', class: 'toggle' });
    const choose = element('button', { type: 'button', class: 'choose', onclick: () => this.choosePool(pool) }, pool.name);
    const words = element('span', { class: 'quiet' });
    const bands = element('div', { class: 'bands' });
    const section = element(
      'section',
      { class: 'group', 'aria-label': `Pool ${full}` },
      element('div', { class: 'group-head' }, toggle, choose, words),
      bands,
      scroller,
    );
    find('#lanes').append(section);
    const lanes = new Lanes(pool, this.axis, canvas, scroller, theme, this.muted);
    const show = () => {
      toggle.textContent = lanes.isExpanded ? '▾' : '▸';
      toggle.setAttribute('aria-expanded', String(lanes.isExpanded));
      toggle.setAttribute('aria-label', `${lanes.isExpanded ? 'Collapse' : 'Expand'} the workers of ${full}`);
    };
    lanes.toggle = () => {
      lanes.expand(!lanes.isExpanded);
      show();
      lanes.draw();
      this.link();
    };
    toggle.addEventListener('click', lanes.toggle);
    scroller.addEventListener('scroll', () => requestAnimationFrame(() => lanes.draw()));
    const bandsView = new FindingBands(pool, this.axis, bands, (finding) => this.openFinding(finding, false));
    const observer = new IntersectionObserver(([entry]) => {
      lanes.isVisible = entry.isIntersecting;
      lanes.draw();
    }, { rootMargin: '200px' });
    observer.observe(section);
    return {
      pool,
      lanes,
      section,
      choose,
      bands: bandsView,
      renew: () => {
        words.textContent = this.describePool(pool);
        lanes.renew();
        bandsView.layOut();
        show();
      },
      remove: () => {
        observer.disconnect();
        section.remove();
      },
    };
  }

  describePool(pool) {
    const parts = [count(middle(pool.windows.size) ?? pool.workers.length, 'worker', 'workers')];
    if (pool.submitters.length) {
      parts.push(count(pool.submitters.length, 'submitter', 'submitters'));
    }
    if (pool.rejections.length) {
      parts.push(`${count(pool.rejections.length, 'rejected task', 'rejected tasks')}`);
    }
    if (pool.blind) {
      parts.push(`what they do is unknown, because ${pool.blind}`);
    }
    return parts.join(' · ');
  }

  /** Shows the strips and the curve of a pool, and of the same pool in the other recording. */
  choosePool(pool) {
    if (!pool) {
      find('#strips').closest('section').hidden = true;
      find('#curves').closest('section').hidden = true;
      find('#where').hidden = true;
      return;
    }
    this.pool = pool;
    const twins = this.recordings.map(
      (recording) =>
        recording.pools.find((each) => each.name === pool.name) ||
        recording.pools[pool.recording.pools.indexOf(pool)] ||
        recording.pools[0],
    );
    this.shown = twins.filter((each) => each);
    find('#strips').closest('section').hidden = false;
    find('#where').hidden = false;
    this.strips.show(this.shown);
    this.strips.read(null);
    this.curve.show(pool);
    this.figures();
    document.querySelectorAll('.of-pool').forEach((each) => (each.textContent = pool.name));
    this.groups.forEach((group) => group.choose.setAttribute('aria-pressed', String(group.pool === pool)));
    this.draw();
    this.link();
  }

  figures() {
    refill(find('#figures'), figures(this.shown, this.isLive));
  }

  draw() {
    drawRuler(find('#ruler'), this.axis);
    this.groups.forEach((group) => {
      group.lanes.draw();
      group.bands.draw();
    });
    this.strips.draw();
    this.placeCursor();
    this.placeSelection();
    this.showWhere();
    const shown = `${moment(this.axis.from, this.axis.length / 100)} to ${moment(this.axis.to, this.axis.length / 100)}`;
    find('#shown').textContent = `${shown} (${duration(this.isLive ? Math.round(this.axis.length) : this.axis.length)})`;
    if (this.isLive) {
      refill(find('#follow'), this.axis.follows ? 'Pause' : 'Follow');
    }
    this.link();
  }

  // --- selection -----------------------------------------------------------------------------------------------

  /** Selects a span, whose figures are shown below; null selects what is shown. */
  select(selection) {
    this.selection = selection && selection.to > selection.from ? selection : null;
    find('#zoom-in-selection').disabled = find('#unselect').disabled = this.selection === null;
    this.placeSelection();
    this.showWhere();
    this.link();
  }

  get span() {
    return this.selection || { from: this.axis.from, to: this.axis.to };
  }

  placeSelection() {
    if (this.isDragging) {
      return;
    }
    const range = find('#range');
    const { from, to } = this.selection || {};
    range.hidden = this.selection === null || to <= this.axis.from || from >= this.axis.to;
    if (!range.hidden) {
      this.choose(Math.max(from, this.axis.from), Math.min(to, this.axis.to));
    }
  }

  /** A picture that grows is summed each five seconds. */
  showWhere() {
    const key = JSON.stringify([this.selection, this.pool?.name, this.pool?.recording.label, [...this.muted],
      this.isLive ? Math.floor(this.axis.to / 5) : [this.axis.from, this.axis.to], this.where.before?.from]);
    if (this.pool && key !== this.summed && this.axis.whole > 0.01) {
      this.summed = key;
      this.where.show(this.pool, this.span.from, this.span.to, this.selection !== null, this.muted);
    }
  }

  /** Keeps the span, or forgets it: others are compared with it. */
  keepBefore() {
    this.where.before = this.where.before ? null : { pool: this.pool, ...this.span };
    find('#keep-before').textContent = this.where.before ? 'Compare no longer' : 'Compare others with this';
    this.showWhere();
  }

  trace(from, to) {
    return traceEvents(this.pools, from, to);
  }

  image() {
    return drawn(find('#timeline'), find('#legend'));
  }

  saveTrace() {
    const trace = this.trace(this.span.from, this.span.to);
    if (trace === null) {
      find('#found').textContent = 'Too many events: select less time.';
      return;
    }
    save(new Blob([JSON.stringify(trace)], { type: 'application/json' }), 'pools.trace.json');
  }

  savePicture() {
    this.image().toBlob((blob) => save(blob, 'pools.png'));
  }

  // --- details -------------------------------------------------------------------------------------------------

  openFinding(finding, moves) {
    this.finding = finding;
    find('#drawer-title').textContent = finding.id;
    find('#drawer-body').replaceChildren(...details(finding));
    this.openDrawer();
    if (finding.pool !== this.pool) {
      this.choosePool(finding.pool);
    }
    if (moves && (finding.to < this.axis.from || finding.from > this.axis.to)) {
      this.axis.show(finding.from - this.axis.length / 4, finding.from + (this.axis.length * 3) / 4);
    }
    this.groups.forEach((group) => group.pool.findings.forEach((each) =>
      each.band.setAttribute('aria-pressed', String(each === finding))));
    this.link();
  }

  openMoment([title, ...lines], lane, time) {
    this.finding = null;
    find('#drawer-title').textContent = title;
    const holder = lane && this.holderOf(lane, segmentAt(lane, time)?.detail?.holder);
    const jump = holder
      ? [element('button', { type: 'button', onclick: () => this.showLane(holder) }, `Show ${holder.lane.n}`)]
      : [];
    find('#drawer-body').replaceChildren(...lines.map((line) => element('p', {}, code(line))), ...jump,
      ...(lane ? stackAt(lane, time) : []));
    this.openDrawer();
  }

  openDrawer() {
    this.before = document.activeElement;
    find('#drawer').hidden = false;
    this.fit(true);
    find('#drawer-title').focus();
  }

  closeDrawer() {
    if (!find('#drawer').hidden) {
      find('#drawer').hidden = true;
      this.fit(false);
      this.finding = null;
      this.groups.forEach((group) => group.pool.findings.forEach((each) => each.band.removeAttribute('aria-pressed')));
      this.before?.focus?.();
      this.link();
    }
  }

  /** Makes room for the drawer, so that it hides nothing of a wide page. */
  fit(hasDrawer) {
    if (document.body.classList.contains('with-drawer') !== hasDrawer) {
      document.body.classList.toggle('with-drawer', hasDrawer);
      if (window.innerWidth >= 1100) {
        this.resized();
      }
    }
  }

  nextFinding(direction) {
    const all = this.pools.flatMap((pool) => pool.findings).sort((a, b) => a.from - b.from);
    if (all.length) {
      const now = all.indexOf(this.finding);
      const next = now < 0 ? (direction > 0 ? 0 : all.length - 1) : (now + direction + all.length) % all.length;
      this.openFinding(all[next], true);
      all[next].band.scrollIntoView({ block: 'nearest' });
    }
  }

  // --- pointer -------------------------------------------------------------------------------------------------

  listen() {
    const area = find('#timeline');
    area.addEventListener('wheel', (event) => this.wheel(event), { passive: false });
    area.addEventListener('pointerdown', (event) => this.press(event));
    area.addEventListener('pointermove', (event) => this.hover(event));
    area.addEventListener('pointerleave', () => this.leave());
    area.addEventListener('dblclick', (event) => {
      if (!event.target.closest('button')) {
        this.axis.zoom(1 / 4, this.timeAt(event.clientX));
      }
    });
    document.addEventListener('keydown', (event) => this.key(event));
    window.addEventListener('resize', () => this.resized());
    window.addEventListener('hashchange', () => this.followLink());
    theme.system.addEventListener('change', () => this.recolor());
    find('#theme').addEventListener('click', () => this.switchTheme());
    find('#help-open').addEventListener('click', () => find('#help').showModal());
    find('#help-close').addEventListener('click', () => find('#help').close());
    find('#drawer-close').addEventListener('click', () => this.closeDrawer());
    find('#in').addEventListener('click', () => this.axis.zoom(0.5));
    find('#out').addEventListener('click', () => this.axis.zoom(2));
    find('#follow').addEventListener('click', () => this.pauseOrFollow());
    find('#all').addEventListener('click', () => this.axis.showAll());
    find('#select').addEventListener('click', () => this.select({ from: this.axis.from, to: this.axis.to }));
    find('#unselect').addEventListener('click', () => this.select(null));
    find('#zoom-in-selection').addEventListener('click', () => this.axis.show(this.selection.from, this.selection.to));
    find('#keep-before').addEventListener('click', () => this.keepBefore());
    find('#save-trace').addEventListener('click', () => this.saveTrace());
    find('#save-picture').addEventListener('click', () => this.savePicture());
    find('#search').addEventListener('input', (event) => this.search(event.target.value));
    window.addEventListener('beforeprint', () => this.print(true));
    window.addEventListener('afterprint', () => this.print(false));
  }

  /** Lets the picture stand still, or makes it follow the present moment again. */
  pauseOrFollow() {
    if (this.axis.follows) {
      this.axis.follows = false;
      this.axis.changed();
    } else {
      this.axis.follow();
    }
  }

  timeAt(x) {
    const { left, width } = find('#timeline').getBoundingClientRect();
    const share = (x - left - gutter()) / (width - gutter());
    return this.axis.from + Math.max(0, Math.min(1, share)) * this.axis.length;
  }

  wheel(event) {
    const isSideways = Math.abs(event.deltaX) > Math.abs(event.deltaY) || event.shiftKey;
    const isRuler = event.target.id === 'ruler';
    if (event.ctrlKey || event.metaKey || isRuler) {
      event.preventDefault();
      this.axis.zoom(Math.exp(Math.max(-0.5, Math.min(0.5, event.deltaY / 400))), this.timeAt(event.clientX));
    } else if (isSideways) {
      event.preventDefault();
      this.axis.pan((event.deltaX || event.deltaY) / 1000);
    }
  }

  /** Drags the time along; with Shift, selects a span. A press without a move is a click. */
  press(event) {
    if (event.button !== 0 || event.target.closest('button, input')) {
      return;
    }
    const { from, length } = this.axis;
    const { width } = find('#timeline').getBoundingClientRect();
    const startX = event.clientX;
    const start = this.timeAt(startX);
    let hasMoved = false;
    const move = (now) => {
      hasMoved = hasMoved || Math.abs(now.clientX - startX) > 3;
      if (!hasMoved) {
        return;
      }
      this.isDragging = true;
      this.leave();
      if (event.shiftKey) {
        this.choose(start, this.timeAt(now.clientX));
      } else {
        const begin = from - ((now.clientX - startX) / (width - gutter())) * length;
        const bounded = Math.max(this.axis.begin, Math.min(this.axis.seconds - length, begin));
        this.axis.show(bounded, bounded + length);
      }
    };
    const up = (now) => {
      window.removeEventListener('pointermove', move);
      window.removeEventListener('pointerup', up);
      window.removeEventListener('pointercancel', up);
      this.isDragging = false;
      this.placeSelection();
      if (now.type === 'pointerup' && !hasMoved) {
        this.click(now);
      } else if (now.type === 'pointerup' && event.shiftKey) {
        const end = this.timeAt(now.clientX);
        this.select({ from: Math.min(start, end), to: Math.max(start, end) });
      }
    };
    window.addEventListener('pointermove', move);
    window.addEventListener('pointerup', up);
    window.addEventListener('pointercancel', up);
  }

  choose(from, to) {
    const { width } = find('#timeline').getBoundingClientRect();
    const scale = (width - gutter()) / this.axis.length;
    const range = find('#range');
    range.hidden = false;
    range.style.left = `${gutter() + (Math.min(from, to) - this.axis.from) * scale}px`;
    range.style.width = `${Math.abs(to - from) * scale}px`;
  }

  under(event) {
    const scroller = event.target.closest?.('.scroller');
    const group = scroller && this.groups.find((each) => each.lanes.scroller === scroller);
    if (!group) {
      return null;
    }
    const box = scroller.getBoundingClientRect();
    return group.lanes.at(event.clientX - box.left, event.clientY - box.top);
  }

  click(event) {
    const found = this.under(event);
    if (found) {
      this.openMoment(found.lines, found.row.lane, found.time);
    }
  }

  hover(event) {
    if (this.isDragging) {
      return;
    }
    const box = find('#timeline').getBoundingClientRect();
    if (event.clientX - box.left < gutter()) {
      this.leave();
      return;
    }
    this.hovered = event;
    this.cursor = this.timeAt(event.clientX);
    this.placeCursor();
    this.strips.read(this.cursor);
    const found = this.under(event);
    const tip = find('#tip');
    tip.hidden = !found;
    this.pointAtHolder(found, event);
    if (found) {
      tip.replaceChildren(...found.lines.map((line, i) => element(i === 0 ? 'strong' : 'span', {}, line)));
      const { width, height } = tip.getBoundingClientRect();
      const left = event.clientX + 16 + width > window.innerWidth ? event.clientX - width - 12 : event.clientX + 16;
      const top = Math.min(window.innerHeight - height - 8, event.clientY + 14);
      tip.style.left = `${Math.max(4, left)}px`;
      tip.style.top = `${Math.max(4, top)}px`;
    }
  }

  /** The lane of the thread that holds what another waits for at a moment, as `{lanes, lane}`; null if there is none. */
  holderOf({ pool }, holder) {
    const groups = this.groups.filter((each) => each.pool.recording === pool.recording);
    groups.sort((a, b) => (b.pool === pool) - (a.pool === pool)); // names may occur in several pools
    for (const { lanes, pool: { workers, submitters } } of holder ? groups : []) {
      const lane = [...workers, ...submitters].find((each) => each.n === holder);
      if (lane) {
        return { lanes, lane };
      }
    }
    return null;
  }

  /** Draws an arrow from a waiting worker to the lane of the thread that holds its lock, or towards it. */
  pointAtHolder(found, event) {
    const arrow = find('#arrow');
    const waiter = found?.row.lane;
    const holder = waiter && this.holderOf(waiter, segmentAt(waiter, found.time)?.detail?.holder);
    const row = holder && holder.lanes.rows.find((each) => each.lane === holder.lane);
    arrow.hidden = !row;
    if (row) {
      const box = holder.lanes.scroller.getBoundingClientRect();
      const place = box.top + row.top + row.height / 2 - holder.lanes.scroller.scrollTop;
      const y = Math.max(box.top, Math.min(box.bottom, place));
      arrow.style.left = `${event.clientX - 1}px`;
      arrow.style.top = `${Math.min(y, event.clientY)}px`;
      arrow.style.height = `${Math.abs(y - event.clientY)}px`;
      arrow.classList.toggle('up', y < event.clientY);
    }
  }

  /** Scrolls to a lane and selects it. */
  showLane({ lanes, lane }) {
    if (!lanes.rows.some((each) => each.lane === lane) && !lanes.isExpanded) {
      lanes.toggle();
    }
    const row = lanes.rows.find((each) => each.lane === lane);
    if (row) {
      lanes.selected = lane;
      lanes.scroller.scrollTop = row.top - lanes.view / 2;
      lanes.scroller.scrollIntoView({ block: 'nearest' });
      this.tell(lanes);
    }
  }

  leave() {
    find('#arrow').hidden = true;
    this.cursor = null;
    this.hovered = null;
    find('#tip').hidden = true;
    this.strips.read(null);
    this.placeCursor();
  }

  placeCursor() {
    const line = find('#cursor');
    line.hidden = this.cursor === null || this.cursor < this.axis.from || this.cursor > this.axis.to;
    if (!line.hidden) {
      const { width } = find('#timeline').getBoundingClientRect();
      const share = (this.cursor - this.axis.from) / this.axis.length;
      line.style.transform = `translateX(${gutter() + share * (width - gutter())}px)`;
    }
  }

  // --- keys ----------------------------------------------------------------------------------------------------

  key(event) {
    const isTyping = event.target.closest?.('input, select, textarea');
    if (event.key === 'Escape') {
      if (isTyping) {
        event.target.value = '';
        this.search('');
        event.target.blur();
      } else if (find('#drawer').hidden) {
        this.select(null);
      } else {
        this.closeDrawer();
      }
      return;
    }
    if (isTyping) {
      if (event.key === 'Enter') {
        this.nextMatch();
      }
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || find('#help').open) {
      return;
    }
    const inLanes = event.target.closest?.('.scroller');
    const far = event.shiftKey ? 0.5 : 0.1;
    const actions = {
      ArrowLeft: () => this.axis.pan(-far),
      ArrowRight: () => this.axis.pan(far),
      '+': () => this.axis.zoom(0.5, this.cursor ?? undefined),
      '=': () => this.axis.zoom(0.5, this.cursor ?? undefined),
      '-': () => this.axis.zoom(2, this.cursor ?? undefined),
      0: () => this.axis.showAll(),
      n: () => this.nextFinding(1),
      p: () => this.nextFinding(-1),
      e: () => this.groups.filter((group) => group.pool === this.pool).forEach((group) => group.lanes.toggle()),
      ...(this.isLive && { f: () => this.pauseOrFollow() }),
      s: () => this.select(this.selection ? null : { from: this.axis.from, to: this.axis.to }),
      d: () => this.switchTheme(),
      '/': () => find('#search').focus(),
      '?': () => find('#help').showModal(),
      ...(inLanes && {
        ArrowUp: () => this.moveLane(inLanes, -1),
        ArrowDown: () => this.moveLane(inLanes, 1),
        ',': () => this.moveChange(inLanes, -1),
        '.': () => this.moveChange(inLanes, 1),
        Enter: () => this.openSelected(inLanes),
      }),
    };
    if (actions[event.key]) {
      event.preventDefault();
      actions[event.key]();
    }
  }

  lanesOf(scroller) {
    return this.groups.find((group) => group.lanes.scroller === scroller).lanes;
  }

  moveLane(scroller, direction) {
    const lanes = this.lanesOf(scroller);
    const rows = lanes.rows.filter((row) => row.lane);
    if (rows.length) {
      const now = rows.findIndex((row) => row.lane === lanes.selected);
      const row = rows[Math.max(0, Math.min(rows.length - 1, now < 0 ? 0 : now + direction))];
      lanes.selected = row.lane;
      scroller.scrollTop = Math.min(row.top, Math.max(scroller.scrollTop, row.top + row.height - lanes.view));
      this.tell(lanes);
    }
  }

  /** Moves the cursor to the next or the former change of the selected lane. */
  moveChange(scroller, direction) {
    const lanes = this.lanesOf(scroller);
    if (!lanes.selected) {
      this.moveLane(scroller, 1);
      return;
    }
    const { start, state, count: length } = segments(lanes.selected);
    const known = Array.from(start.subarray(0, length)).filter((_, i) => state[i] !== NOTHING);
    const now = this.cursor ?? this.axis.from - 1e-9;
    const next = direction > 0 ? known.find((time) => time > now + 1e-9) : known.filter((time) => time < now - 1e-9).pop();
    if (next !== undefined) {
      this.cursor = next;
      if (next < this.axis.from || next > this.axis.to) {
        this.axis.show(next - this.axis.length / 2, next + this.axis.length / 2);
      }
      this.strips.read(next);
      this.placeCursor();
      this.tell(lanes);
    }
  }

  tell(lanes) {
    lanes.draw();
    const time = this.cursor ?? (this.axis.from + this.axis.to) / 2;
    find('#live').textContent = describe(lanes.selected, time).join(', ');
  }

  openSelected(scroller) {
    const { selected } = this.lanesOf(scroller);
    if (selected) {
      const time = this.cursor ?? (this.axis.from + this.axis.to) / 2;
      this.openMoment(describe(selected, time), selected, time);
    }
  }

  // --- search --------------------------------------------------------------------------------------------------

  /** Shows only the lanes whose thread, kind or place contains the text. */
  search(text) {
    this.query = text;
    const wanted = text.trim().toLowerCase();
    const contains = (each) => each && each.toLowerCase().includes(wanted);
    this.matches = [];
    for (const group of this.groups) {
      const recording = group.pool.recording;
      const places = new Set();
      recording.details.forEach((detail, i) => {
        if (detail && (contains(detail.place) || contains(detail.awaited) || contains(detail.holder))) {
          places.add(i);
        }
      });
      const isPool = contains(group.pool.name);
      const isKind = recording.kinds.some(contains);
      group.lanes.query = wanted === '' ? null : (lane) => {
        const first = this.firstMatch(lane, contains, places, isKind);
        if (first !== null) {
          this.matches.push({ lane, group, time: first });
        }
        return first !== null || isPool;
      };
      group.lanes.layOut();
      group.section.hidden = wanted !== '' && group.lanes.rows.length === 0;
      group.lanes.draw();
    }
    refill(find('#found'), wanted === '' ? '' : count(this.matches.length, 'lane', 'lanes'));
    this.match = -1;
    this.where.flame.query = wanted === '' ? null : contains;
    this.where.redraw();
    this.sumMatches(wanted, contains);
    this.link();
  }

  /** Says how many places match, and their share of the workers' busy time. Threads and kinds count as lanes only. */
  async sumMatches(wanted, contains) {
    this.searched.cancel();
    if (wanted === '' || this.isLive) {
      return;
    }
    let all = 0;
    let found = 0;
    const places = new Set();
    for (const { pool } of this.groups) {
      const sums = await this.searched.of(pool.workers, this.axis.begin, this.axis.seconds);
      if (!sums) {
        return; // the reader has typed on
      }
      all += sums.time.reduce((sum, each) => sum + each, 0) - sums.time[IDLE];
      for (const [key, seconds] of sums.parts) {
        const detail = pool.recording.details[Math.floor(key / 16)];
        if (detail && (contains(detail.place) || contains(detail.awaited) || contains(detail.holder))) {
          found += seconds;
          places.add(detail.place);
        }
      }
    }
    const share = places.size && all ? `, ${count(places.size, 'place', 'places')} with ${digits((100 * found) / all)} % of the busy time` : '';
    refill(find('#found'), count(this.matches.length, 'lane', 'lanes') + share);
  }

  /** When a lane first matches in the recording: 0 for its name, null for never. */
  firstMatch(lane, contains, places, isKind) {
    if (contains(lane.n)) {
      return 0;
    }
    const task = isKind ? tasks(lane).find((each) => contains(each.kind)) : undefined;
    if (task) {
      return task.from;
    }
    if (places.size) {
      const { start, detail, count: length } = segments(lane);
      for (let i = 0; i < length; i++) {
        if (places.has(detail[i])) {
          return start[i];
        }
      }
    }
    return null;
  }

  nextMatch() {
    if (this.matches.length) {
      this.match = (this.match + 1) % this.matches.length;
      const { lane, group, time } = this.matches[this.match];
      group.lanes.selected = lane;
      this.cursor = time;
      if (time < this.axis.from || time > this.axis.to) {
        this.axis.show(time - this.axis.length / 2, time + this.axis.length / 2);
      }
      this.groups.forEach((each) => each.lanes.draw());
      this.placeCursor();
    }
  }

  // --- links, theme, print -------------------------------------------------------------------------------------

  /** Writes what is shown into the address, once it has stood still for a moment. */
  link() {
    clearTimeout(this.linking);
    this.linking = setTimeout(() => {
      const parts = new URLSearchParams();
      if (this.isLive) {
        // moments and numbers of findings mean nothing in another tab
        if (this.pool && this.pools.length > 1) {
          parts.set('name', this.pool.name);
        }
        this.linkSearch(parts);
        write(parts);
        return;
      }
      if (this.axis.length < this.axis.seconds) {
        parts.set('t', `${round(this.axis.from)}-${round(this.axis.to)}`);
      }
      if (this.pool && this.pools.length > 1) {
        parts.set('pool', this.pools.indexOf(this.pool));
      }
      if (this.finding) {
        parts.set('finding', this.pools.flatMap((pool) => pool.findings).indexOf(this.finding));
      }
      if (this.selection) {
        parts.set('selected', `${round(this.selection.from)}-${round(this.selection.to)}`);
      }
      const chosen = this.groups.filter(({ lanes }) => lanes.isChosen);
      const numbers = (isExpanded) =>
        chosen.filter(({ lanes }) => lanes.isExpanded === isExpanded).map(({ pool }) => this.pools.indexOf(pool)).join(' ');
      for (const [name, isExpanded] of [['lanes', true], ['band', false]]) {
        if (numbers(isExpanded) !== '') {
          parts.set(name, numbers(isExpanded));
        }
      }
      this.linkSearch(parts);
      write(parts);
    }, 150);
  }

  linkSearch(parts) {
    if (this.query?.trim()) {
      parts.set('search', this.query.trim());
    }
  }

  /** Follows the part of a link that any page understands. */
  followSearch(parts) {
    const query = parts.get('search') || '';
    if (query !== (this.query?.trim() || '')) {
      find('#search').value = query;
      this.search(query);
    }
  }

  followLink() {
    const parts = new URLSearchParams(location.hash.slice(1));
    if (this.isLive) {
      const named = this.pools.find((each) => each.name === parts.get('name'));
      if (named && named !== this.pool) {
        this.choosePool(named);
      }
      this.followSearch(parts);
      return;
    }
    const time = /^([\d.]+)-([\d.]+)$/.exec(parts.get('t') || '');
    const pool = this.pools[parseInt(parts.get('pool'), 10)];
    const finding = this.pools.flatMap((each) => each.findings)[parseInt(parts.get('finding'), 10)];
    if (pool && pool !== this.pool) {
      this.choosePool(pool);
    }
    if (time && Number(time[1]) < Number(time[2])) {
      this.axis.show(Number(time[1]), Number(time[2]));
    }
    if (finding && finding !== this.finding) {
      this.openFinding(finding, !time);
    }
    for (const [name, isExpanded] of [['lanes', true], ['band', false]]) {
      for (const number of (parts.get(name) || '').split(' ').filter((each) => each)) {
        const group = this.groups.find((each) => each.pool === this.pools[parseInt(number, 10)]);
        if (group && group.lanes.isExpanded !== isExpanded) {
          group.lanes.toggle();
        }
      }
    }
    const selected = /^([\d.]+)-([\d.]+)$/.exec(parts.get('selected') || '');
    if (selected) {
      this.select({ from: Number(selected[1]), to: Number(selected[2]) });
    }
    this.followSearch(parts);
  }

  switchTheme() {
    document.documentElement.dataset.theme = theme.isDark() ? 'light' : 'dark';
    this.recolor();
  }

  recolor() {
    this.strips.redraw();
    this.curve.redraw();
    this.where.redraw();
    this.draw();
  }

  resized() {
    this.groups.forEach((group) => group.lanes.layOut());
    this.strips.resize();
    this.curve.resize();
    this.where.redraw();
    this.draw();
  }

  print(begins) {
    theme.isPrinting = begins;
    document.documentElement.classList.toggle('printing', begins);
    this.resized();
    this.recolor();
  }
}

/** The stack of a lane at a moment, top first and with the frame of its place in bold; nothing where there is none. */
function stackAt(lane, time) {
  const { place, stack } = segmentAt(lane, time)?.detail || {};
  if (stack === undefined) {
    return [];
  }
  const { stacks, frames } = lane.pool.recording;
  const lines = stacks[stack].map((frame) => frames[frame])
    .map((frame) => element(frame === place ? 'strong' : 'span', {}, `${frame}\n`));
  return [element('h3', {}, 'Stack'), element('pre', { tabindex: '0' }, ...lines)];
}

/** Writes the address of what is shown, without a new entry in the browser's history. */
function write(parts) {
  const address = `#${parts}`;
  if (address !== (location.hash || '#')) {
    history.replaceState(null, '', address);
  }
}

function round(seconds) {
  return Number(seconds.toFixed(4));
}
