// Where moments stand on a line of time. Pure: epoch milliseconds in, places from 0 to 1 out.

interface Moment {
  /** Epoch milliseconds. */
  at: number;
  weight: number;
}

/** How far apart moments of one day and weight are kept, as a part of the line. */
const GAP = 0.01;
/** How much of the line one day may take for that. */
const DAY_MAX = 0.06;
/** How far apart moments stand where one day is all there is. */
const ONLY_DAY_GAP = 0.06;

const dayOf = (at: number) => new Date(at).toDateString();

/** A place for each moment, in the order given: oldest first. */
export function placeMoments(moments: readonly Moment[]): number[] {
  const from = moments[0]?.at ?? 0;
  const to = moments.at(-1)?.at ?? 0;
  if (dayOf(from) === dayOf(to)) {
    const gap = Math.min(ONLY_DAY_GAP, 1 / moments.length);
    return moments.map((_, i) => 0.5 + (i - (moments.length - 1) / 2) * gap);
  }
  const places = moments.map(({ at }) => (at - from) / (to - from));
  const groups = new Map<string, number[]>();
  moments.forEach(({ at, weight }, i) => {
    const key = `${weight} ${dayOf(at)}`;
    const group = groups.get(key);
    if (group) group.push(i);
    else groups.set(key, [i]);
  });
  for (const group of groups.values()) partGroup(places, group);
  return places;
}

/** Moves moments that would cover each other apart, around where they were. */
function partGroup(places: number[], group: readonly number[]): void {
  if (group.length === 1) return;
  const wanted = group.map((i) => places[i] ?? 0);
  const gap = Math.min(GAP, DAY_MAX / (group.length - 1));
  const parted: number[] = [];
  for (const place of wanted) parted.push(Math.max(place, (parted.at(-1) ?? -gap) + gap));
  const mean = (all: readonly number[]) => all.reduce((sum, place) => sum + place, 0) / all.length;
  const first = parted[0] ?? 0;
  const last = parted.at(-1) ?? 0;
  const shift = Math.max(-first, Math.min(1 - last, mean(wanted) - mean(parted)));
  group.forEach((i, n) => {
    places[i] = (parted[n] ?? 0) + shift;
  });
}

export interface Tick {
  /** From 0 to 1. */
  place: number;
  label: string;
}

const TICKS_MAX = 6;
/** Nearer to an end than this a tick would run into it. */
const EDGE = 0.03;
const STEPS = [1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1200, 6000, 12_000];

const monthName = new Intl.DateTimeFormat('en-GB', { month: 'short' });

/** The beginnings of months or years between two moments, few enough to be read. */
export function ticksBetween(from: number, to: number): Tick[] {
  const start = new Date(from);
  const months =
    (new Date(to).getFullYear() - start.getFullYear()) * 12 + new Date(to).getMonth() - start.getMonth();
  const step = STEPS.find((candidate) => months / candidate <= TICKS_MAX);
  if (!step || to <= from) return [];
  const ticks: Tick[] = [];
  const first = start.getFullYear() * 12 + start.getMonth();
  for (let month = Math.ceil(first / step) * step; month <= first + months; month += step) {
    const date = new Date(start.getTime());
    date.setFullYear(Math.floor(month / 12), month % 12, 1);
    date.setHours(0, 0, 0, 0);
    const place = (date.getTime() - from) / (to - from);
    if (place < EDGE || place > 1 - EDGE) continue;
    ticks.push({ place, label: month % 12 === 0 ? String(date.getFullYear()) : monthName.format(date) });
  }
  return ticks;
}

/** Which moment is nearest to a point, all in pixels; null when none is within `reach`. */
export function nearest(
  points: readonly { x: number; y: number }[],
  to: { x: number; y: number },
  reach: number,
): number | null {
  let best: number | null = null;
  let bestDistance = reach;
  points.forEach(({ x, y }, i) => {
    const distance = Math.hypot(x - to.x, y - to.y);
    // Of two at the same place the later one lies on top.
    if (distance <= bestDistance) {
      best = i;
      bestDistance = distance;
    }
  });
  return best;
}
