import { GrowingRecording } from './growing.js';
import { Picture, find } from './picture.js';
import { moment, showClock } from './words.js';

// The live page: asks the server beside it for what is new, and draws the recording as it grows.

/** Milliseconds between an answer and the next question; longer while nobody can see the page. */
const PAUSE = 1000;
const HIDDEN_PAUSE = 20_000;
const LONGEST_PAUSE = 10_000;
const PATIENCE = 15_000;

/** How many seconds are shown at first. */
const FIRST_VIEW = 60;

const growing = new GrowingRecording();
window.growing = growing;
let failures = 0;
let answeredAt = null;
let announced = new Set();
let timer = 0;
let isAsking = false;

async function ask() {
  const since = growing.isEmpty ? '' : `?since=${growing.end}`;
  const request = { cache: 'no-store', redirect: 'manual', signal: AbortSignal.timeout(PATIENCE) };
  const answer = await fetch(`data${since}`, request).catch(() => {
    throw new Error('the server does not answer');
  });
  if (answer.type === 'opaqueredirect' || answer.status === 401 || answer.status === 403) {
    throw new Error('the server wants you to sign in: load the page again');
  }
  if (!answer.ok) {
    throw new Error(`the server answers ${answer.status}`);
  }
  const data = await answer.json().catch(() => {
    throw new Error('the answer of the server breaks off');
  });
  if (data.version !== 1) {
    throw new Error('the server has another version: load the page again');
  }
  return data;
}

function show(data) {
  const isNew = growing.take(data);
  showClock(growing.recording.start);
  if (!window.picture) {
    window.picture = new Picture({ title: data.title, isLive: true, recordings: [growing.recording] });
    window.picture.axis.follow(FIRST_VIEW);
    for (const each of document.querySelectorAll('#follow, #save, .growing')) {
      each.hidden = false;
    }
    document.documentElement.dataset.ready = 'true';
  } else if (isNew) {
    window.picture.recordings = [growing.recording];
    window.picture.renew();
  }
  announce();
  const behind = data.now - growing.end;
  if (growing.isMixed) {
    tell('mixed', 'Answers come from several processes in turn. Open the page of one of them.');
  } else if (growing.isEmpty || behind < 15_000) {
    tell('live', 'Live');
  } else {
    tell('late', `Nothing new since ${clockOf(growing.end)}`);
  }
}

/** Reads new findings aloud. */
function announce() {
  const standing = growing.recording.pools.flatMap((pool) => pool.findings).filter((each) => each.isOpen);
  const fresh = standing.filter((each) => !announced.has(each));
  if (fresh.length) {
    find('#live').textContent = fresh.map((each) => `${each.severity.toLowerCase()}: ${each.id} in pool ${each.pool.name}`).join('. ');
  }
  announced = new Set(standing);
}

/** Says how fresh the page is, when that changes. */
function tell(kind, text) {
  const state = find('#state');
  state.hidden = false;
  if (state.textContent !== text) {
    state.className = kind;
    state.textContent = text;
  }
}

function clockOf(millis) {
  return moment((millis - growing.recording.start) / 1000, 1);
}

/** Asks, shows the answer, and asks again after a pause, whatever happens. */
async function turn() {
  isAsking = true;
  let pause = PAUSE;
  try {
    const data = await ask().catch((error) => {
      pause = Math.min(LONGEST_PAUSE, PAUSE * 2 ** failures++);
      const since = answeredAt === null ? '' : ` since ${new Date(answeredAt).toTimeString().slice(0, 8)}`;
      tell('lost', `Not connected${since}: ${error.message}`);
    });
    if (data) {
      failures = 0;
      answeredAt = Date.now();
      show(data);
    }
  } finally {
    isAsking = false;
    schedule(document.hidden ? Math.max(HIDDEN_PAUSE, pause) : pause);
  }
}

function schedule(pause) {
  clearTimeout(timer);
  timer = setTimeout(turn, pause);
}

document.addEventListener('visibilitychange', () => {
  if (!document.hidden && !isAsking) {
    schedule(0);
  }
});
schedule(0);
