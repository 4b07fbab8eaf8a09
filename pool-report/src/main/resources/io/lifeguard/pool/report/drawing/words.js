/** A duration in words: seconds in, three significant digits out; "unknown" for null. */
export function duration(seconds) {
  if (seconds === null || seconds === undefined) {
    return 'unknown';
  }
  const size = Math.abs(seconds);
  if (size === 0) {
    return '0 s';
  }
  if (size < 1e-6) {
    return digits(seconds * 1e9) + ' ns';
  }
  if (size < 1e-3) {
    return digits(seconds * 1e6) + ' µs';
  }
  if (size < 1) {
    return digits(seconds * 1e3) + ' ms';
  }
  if (size < 100) {
    return digits(seconds) + ' s';
  }
  return size < 6000 ? digits(seconds / 60) + ' min' : digits(seconds / 3600) + ' h';
}

/** A number with three significant digits, and commas between thousands; whole numbers below a million exactly. */
export function digits(number) {
  if (number === null || number === undefined) {
    return 'unknown';
  }
  const shown = Number.isInteger(number) && Math.abs(number) < 1e6 ? number : Number(number.toPrecision(3));
  return shown.toLocaleString('en-US', { maximumFractionDigits: 6 });
}

let clock = null; // when second 0 was, in milliseconds since 1970; null while moments count from the beginning

/** Shows moments by the clock on the wall from now on. */
export function showClock(millis) {
  clock = millis;
}

/** A moment as minutes, seconds and as many decimals as its step needs; by the clock if there is one. */
export function moment(seconds, step) {
  const decimals = step >= 1 ? 0 : Math.min(4, Math.ceil(-Math.log10(step) - 1e-9));
  if (clock !== null) {
    const time = new Date(clock + seconds * 1000);
    const two = (number) => String(number).padStart(2, '0');
    const millis = `.${String(time.getMilliseconds()).padStart(3, '0')}`.slice(0, decimals ? decimals + 1 : 0);
    return `${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}${millis}`;
  }
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  const rest = (seconds % 60).toFixed(decimals).padStart(decimals ? decimals + 3 : 2, '0');
  return hours ? `${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${minutes}:${rest}`;
}

/** What is known of the time before a pool's first window. */
export function beforeFirstWindow({ to, busy, callers }) {
  const done = busy === null ? 'what was done before it is not known'
    : `workers had run tasks for ${duration(busy)} before it, submitters for ${duration(callers)}`;
  return `not recorded before ${moment(to, 0.1)}: the first window began then, and ${done}`;
}

/** What is known of the time after a pool's last window. */
export function afterLastWindow({ from }) {
  return `not recorded after ${moment(from, 0.1)}: the monitor got too little CPU to end another window`;
}

export function count(number, singular, plural) {
  return `${digits(number)} ${number === 1 ? singular : plural}`;
}

/** A text in which packages are one letter each, as `c.e.Orders` for `com.example.Orders`. */
export function short(text) {
  return text.replace(/\b(?:[a-z_][\w]*\.)+(?=[A-Z])/g, (packages) =>
    packages.split('.').map((each) => each.slice(0, 1)).join('.'));
}

/** A text with names of code, which may break before brackets, and shows all of it on hover. */
export function code(text) {
  const parts = short(text).split(/(?<=\$)|(?=[(@])/);
  return element('span', { class: 'code', title: text }, ...parts.flatMap((each, i) => (i ? [element('wbr'), each] : [each])));
}

/** Creates an element. Text is set as text and never parsed, so that no name of the user's becomes markup. */
export function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name === 'class') {
      made.className = value;
    } else if (name.startsWith('on')) {
      made.addEventListener(name.slice(2), value);
    } else if (value !== null && value !== undefined && value !== false) {
      made.setAttribute(name, value === true ? '' : value);
    }
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

/** Replaces what an element holds, unless the new content looks the same. The focus stays at its place. */
export function refill(root, ...children) {
  const made = element('div', {}, ...children);
  if (made.innerHTML === root.innerHTML) {
    return;
  }
  const places = () => [...root.querySelectorAll('button, a, [tabindex]')];
  const place = places().indexOf(document.activeElement);
  root.replaceChildren(...made.childNodes);
  if (place >= 0) {
    places()[place]?.focus({ preventScroll: true });
  }
}

/** Puts elements into a parent in this order. Those that are in their place are not touched, and the focus stays. */
export function arrange(parent, elements) {
  const focused = document.activeElement;
  elements.forEach((each, i) => {
    if (parent.children[i] !== each) {
      parent.insertBefore(each, parent.children[i] || null);
    }
  });
  if (focused !== document.activeElement && parent.contains(focused)) {
    focused.focus({ preventScroll: true });
  }
}
