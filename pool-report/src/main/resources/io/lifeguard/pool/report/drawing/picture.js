import { CAUSES, NOTHING } from './causes.js';
import { TimeAxis, drawRuler, gutter } from './axis.js';
import { segments, tasks } from './data.js';
import { Lanes, describe } from './lanes.js';
import { Strips } from './strips.js';
import { CurveView } from './curve.js';
import { FindingBands, details, figures, findingTable, middle, poolTable, refillTables, verdict, worstFirst } from './findings.js';
import { arrange, count, duration, element, moment, refill } from './words.js';

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
    find('#when').textContent = [this.isLive ? '' : begun, time, count(this.pools.length, 'pool', 'pools')]
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
          return element('li', {}, mark, cause.label);
        }),
    );
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
      for (const pool of this.sickFirst(recording.pools)) {
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
    const lanes = new Lanes(pool, this.axis, canvas, scroller, theme);
    const show = () => {
      toggle.textContent = lanes.isExpanded ? '▾' : '▸';
      toggle.setAttribute('aria-expanded', String(lanes.isExpanded));
      toggle.setAttribute('aria-label', `${lanes.isExpanded ? 'Collapse' : 'Expand'} the workers of ${full}`);
    };
    lanes.toggle = () => {
      lanes.expand(!lanes.isExpanded);
      show();
      lanes.draw();
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
    return parts.join(' · ');
  }

  /** Shows the strips and the curve of a pool, and of the same pool in the other recording. */
  choosePool(pool) {
    if (!pool) {
      find('#strips').closest('section').hidden = true;
      find('#curves').closest('section').hidden = true;
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
    const shown = `${moment(this.axis.from, this.axis.length / 100)} to ${moment(this.axis.to, this.axis.length / 100)}`;
    find('#shown').textContent = `${shown} (${duration(this.isLive ? Math.round(this.axis.length) : this.axis.length)})`;
    if (this.isLive) {
      refill(find('#follow'), this.axis.follows ? 'Pause' : 'Follow');
    }
    this.link();
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

  openMoment(title, lines) {
    this.finding = null;
    find('#drawer-title').textContent = title;
    find('#drawer-body').replaceChildren(...lines.map((line) => element('p', {}, line)));
    this.openDrawer();
  }

  openDrawer() {
    this.before = document.activeElement;
    find('#drawer').hidden = false;
    find('#drawer-title').focus();
  }

  closeDrawer() {
    if (!find('#drawer').hidden) {
      find('#drawer').hidden = true;
      this.finding = null;
      this.groups.forEach((group) => group.pool.findings.forEach((each) => each.band.removeAttribute('aria-pressed')));
      this.before?.focus?.();
      this.link();
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

  /** Drags the time along; with Shift, chooses the time to show. A press without a move is a click. */
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
      find('#range').hidden = true;
      if (now.type === 'pointerup' && !hasMoved) {
        this.click(now);
      } else if (now.type === 'pointerup' && event.shiftKey) {
        const end = this.timeAt(now.clientX);
        this.axis.show(Math.min(start, end), Math.max(start, end));
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
      this.openMoment(found.lines[0], found.lines.slice(1));
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
    if (found) {
      tip.replaceChildren(...found.lines.map((line, i) => element(i === 0 ? 'strong' : 'span', {}, line)));
      const { width, height } = tip.getBoundingClientRect();
      const left = event.clientX + 16 + width > window.innerWidth ? event.clientX - width - 12 : event.clientX + 16;
      const top = Math.min(window.innerHeight - height - 8, event.clientY + 14);
      tip.style.left = `${Math.max(4, left)}px`;
      tip.style.top = `${Math.max(4, top)}px`;
    }
  }

  leave() {
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
      const lines = describe(selected, this.cursor ?? (this.axis.from + this.axis.to) / 2);
      this.openMoment(lines[0], lines.slice(1));
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
      write(parts);
    }, 150);
  }

  followLink() {
    const parts = new URLSearchParams(location.hash.slice(1));
    if (this.isLive) {
      const named = this.pools.find((each) => each.name === parts.get('name'));
      if (named && named !== this.pool) {
        this.choosePool(named);
      }
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
  }

  switchTheme() {
    document.documentElement.dataset.theme = theme.isDark() ? 'light' : 'dark';
    this.recolor();
  }

  recolor() {
    this.strips.redraw();
    this.curve.redraw();
    this.draw();
  }

  resized() {
    this.groups.forEach((group) => group.lanes.layOut());
    this.strips.resize();
    this.curve.resize();
    this.draw();
  }

  print(begins) {
    theme.isPrinting = begins;
    document.documentElement.classList.toggle('printing', begins);
    this.resized();
    this.recolor();
  }
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
