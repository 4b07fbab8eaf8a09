// What a worker can do, and what a submitter can do. A segment's state is an index into this list.
//
// The hues are those of M. Okabe and K. Ito, "Color Universal Design", 2008. They differ for people who cannot tell
// red from green. `rank` says which cause is drawn on top where one pixel holds several: the greatest rank is the worst.
export const CAUSES = [
  { id: 'COMPUTING', label: 'computing', color: '#009e73', rank: 3 },
  { id: 'WAITING_FOR_CPU', label: 'waiting for a CPU', color: '#e69f00', hatch: true, rank: 8 },
  { id: 'WAITING_FOR_LOCK', label: 'waiting for a lock', color: '#d55e00', rank: 9 },
  { id: 'WAITING_FOR_RESULT', label: 'waiting for a result', color: '#cc79a7', hatch: true, rank: 7 },
  { id: 'WAITING_IN_LINE', label: 'in line for a limited resource', color: '#f0e442', rank: 6 },
  { id: 'WAITING_OUTSIDE', label: 'waiting for something outside', color: '#0072b2', rank: 5 },
  { id: 'SLEEPING', label: 'sleeping', color: '#56b4e9', rank: 4 },
  { id: 'IDLE', label: 'idle', color: '#d5d9de', dark: '#3b424b', rank: 1 },
  { id: 'UNKNOWN', label: 'unknown', color: '#b3a99c', dark: '#6b737d', hatch: true, rank: 2 },
  { id: 'CALLER_RUNS', label: 'submitter runs a task itself', color: '#111111', dark: '#ffffff', rank: 11 },
  { id: 'SUBMIT_WAIT', label: 'submitter waits for room', color: '#7a4fd0', hatch: true, rank: 10 },
];

/** The state of a segment of which there is no record. */
export const NOTHING = 11;

export const UNKNOWN = 8;
export const IDLE = 7;

/** The first nine causes are those of workers, in the order in which a band stacks them: idle on top. */
export const BAND_ORDER = [0, 2, 1, 3, 4, 5, 6, 8, 7];

export function causeColor(index, isDark) {
  const cause = CAUSES[index];
  return isDark && cause.dark ? cause.dark : cause.color;
}
