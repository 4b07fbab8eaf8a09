import { moment } from './words.js';

/** The width of the labels left of every lane and strip, in CSS pixels. */
export function gutter() {
  return window.innerWidth < 620 ? 92 : 176;
}

/**
 * The part of time that all views show: `from` to `to`, within `begin` to `seconds`. Views register and are told of each
 * change, once per frame.
 */
export class TimeAxis {
  constructor(seconds, begin = 0) {
    this.begin = begin;
    this.seconds = Math.max(seconds, begin + 1e-3);
    this.from = this.begin;
    this.to = this.seconds;
    this.follows = false;
    this.listeners = [];
    this.isAsked = false;
  }

  listen(listener) {
    this.listeners.push(listener);
  }

  get length() {
    return this.to - this.from;
  }

  get whole() {
    return this.seconds - this.begin;
  }

  /** Moves the ends. What is shown follows the later end, if it should, and otherwise stays as far as it can. */
  reach(begin, seconds) {
    const wasAll = this.showsAll;
    const length = this.length;
    this.begin = begin;
    this.seconds = Math.max(seconds, begin + 1e-3);
    if (this.follows) {
      this.from = wasAll ? this.begin : Math.max(this.begin, this.seconds - Math.max(length, this.wanted || 0));
      this.to = this.seconds;
    } else {
      this.from = Math.max(this.begin, Math.min(this.seconds - Math.min(length, this.whole), this.from));
      this.to = Math.min(this.seconds, this.from + length);
    }
    this.changed();
  }

  /** Shows the latest `length` seconds, also when time goes on. */
  follow(length = this.length) {
    this.follows = true;
    this.showsAll = false;
    this.wanted = length;
    this.from = Math.max(this.begin, this.seconds - length);
    this.to = this.seconds;
    this.changed();
  }

  show(from, to) {
    const shortest = Math.min(this.whole, 1e-3);
    const length = Math.min(this.whole, Math.max(shortest, to - from));
    const middle = (from + to) / 2;
    const latest = this.seconds - length;
    this.from = Math.max(this.begin, Math.min(latest, to - from === length ? from : middle - length / 2));
    this.to = this.from + length;
    this.follows = this.follows && this.to >= this.seconds - 1e-6;
    this.showsAll = false;
    this.wanted = length;
    this.changed();
  }

  showAll() {
    this.show(this.begin, this.seconds);
    this.showsAll = true;
  }

  /** Makes the visible time `factor` times as long, with `around` at the same place. */
  zoom(factor, around = this.follows ? this.to : (this.from + this.to) / 2) {
    const length = Math.min(this.whole, Math.max(Math.min(this.whole, 1e-3), this.length * factor));
    const share = (around - this.from) / this.length;
    const from = Math.max(this.begin, Math.min(this.seconds - length, around - share * length));
    this.show(from, from + length);
  }

  /** Moves by a share of the visible time. */
  pan(share) {
    const latest = this.seconds - this.length;
    const from = Math.max(this.begin, Math.min(latest, this.from + share * this.length));
    this.show(from, from + this.length);
  }

  changed() {
    if (!this.isAsked) {
      this.isAsked = true;
      requestAnimationFrame(() => {
        this.isAsked = false;
        this.listeners.forEach((listener) => listener());
      });
    }
  }
}

/** The distance of marks on a time axis: 1, 2 or 5 times a power of ten below a minute, then whole minutes. */
export function step(length, marks) {
  const least = length / marks;
  const nice = [15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400];
  if (least > 10) {
    return nice.find((each) => each >= least) || 86400;
  }
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((each) => each * power).find((each) => each >= least * 0.999);
}

/** Draws the marks of the time axis. */
export function drawRuler(canvas, axis) {
  const width = canvas.clientWidth;
  const height = canvas.clientHeight;
  const pen = penOf(canvas, width, height);
  const style = getComputedStyle(canvas);
  pen.font = '12px system-ui, sans-serif';
  pen.fillStyle = style.getPropertyValue('--quiet');
  pen.strokeStyle = style.getPropertyValue('--line');
  if (axis.whole < 0.01) {
    return; // nothing is recorded yet
  }
  const left = gutter();
  const scale = (width - left) / axis.length;
  const each = step(axis.length, Math.max(2, (width - left) / 90));
  for (let i = Math.ceil(axis.from / each - 1e-9); i * each <= axis.to + 1e-9; i++) {
    const x = left + (i * each - axis.from) * scale;
    pen.beginPath();
    pen.moveTo(Math.round(x) + 0.5, height - 6);
    pen.lineTo(Math.round(x) + 0.5, height);
    pen.stroke();
    const text = moment(i * each, each);
    const wide = pen.measureText(text).width;
    pen.fillText(text, Math.min(width - wide, Math.max(left, x - wide / 2)), height - 10);
  }
}

/** Makes a canvas as sharp as the screen, and returns its cleared context in CSS pixels. */
export function penOf(canvas, width, height) {
  const ratio = window.devicePixelRatio || 1;
  const wide = Math.max(1, Math.round(width * ratio));
  const high = Math.max(1, Math.round(height * ratio));
  if (canvas.width !== wide || canvas.height !== high) {
    canvas.width = wide;
    canvas.height = high;
  }
  const pen = canvas.getContext('2d');
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, width, height);
  return pen;
}
