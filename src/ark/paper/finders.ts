// Where QR codes may be on a page: the squares in three of their corners, and which three of them belong together. A page has many
// codes; the library that reads one code is handed one at a time. Pure.
import type { GrayImage } from './gray.ts';

/** The square in a corner of a QR code: its middle, and how wide a module is there, in pixels. */
export interface Finder {
  x: number;
  y: number;
  module: number;
  /** How many rows of pixels have crossed it. */
  seen: number;
}

/** Three squares as they stand in a code that is held upright: top left, top right, bottom left. */
export interface Triple {
  corner: Finder;
  right: Finder;
  down: Finder;
  /** How long its sides are together, in pixels. */
  sides: number;
  /** How unlike a code it is: 0 for a perfect square, and more for each other corner that lies within it. */
  unlike: number;
}

/** Whether five runs of pixels, dark and light in turn, are as 1, 1, 3, 1, 1. */
function isFinder(runs: readonly number[]): boolean {
  const module = (runs[0] + runs[1] + runs[2] + runs[3] + runs[4]) / 7;
  if (module < 1) return false;
  const near = (run: number, modules: number) =>
    Math.abs(run - modules * module) <= Math.max(1, modules * module * 0.5);
  return near(runs[0], 1) && near(runs[1], 1) && near(runs[2], 3) && near(runs[3], 1) && near(runs[4], 1);
}

/**
 * The five runs through a pixel along a row or a column, and the middle of the third; null where they are no finder's.
 * @param step how far it is from one pixel to the next; `at` its place on the line, `length` that of the line
 */
function across(dark: Uint8Array, from: number, step: number, at: number, length: number) {
  const walk = (direction: 1 | -1) => {
    const found = [0, 0, 0];
    let place = at + (direction === 1 ? 1 : 0);
    for (let part = 0; part < 3; part++) {
      const wanted = part === 1 ? 0 : 1;
      for (let next = place + (direction === 1 ? 0 : -1); next >= 0 && next < length; next += direction) {
        if (dark[from + next * step] !== wanted) break;
        found[part]++;
        place += direction;
      }
      if (found[part] === 0 && part > 0) return null;
    }
    return found;
  };
  if (dark[from + at * step] !== 1) return null;
  const [before, after] = [walk(-1), walk(1)];
  if (!before || !after) return null;
  const runs = [before[2], before[1], before[0] + 1 + after[0], after[1], after[2]];
  if (!isFinder(runs)) return null;
  return {
    middle: at + (after[0] - before[0]) / 2,
    module: runs.reduce((sum, run) => sum + run, 0) / 7,
  };
}

/** A place where a row crosses a finder, made certain by its column and once more by its row. */
function certain(dark: Uint8Array, { width, height }: GrayImage, x: number, y: number): Finder | null {
  const column = across(dark, x, width, y, height);
  if (!column) return null;
  const middle = Math.round(column.middle);
  const row = across(dark, middle * width, 1, x, width);
  if (!row || Math.max(row.module, column.module) > 1.5 * Math.min(row.module, column.module)) return null;
  return { x: row.middle, y: column.middle, module: (row.module + column.module) / 2, seen: 1 };
}

/** How many places are looked at on a page, and how many squares are kept: six codes have eighteen, a page full of squares has thousands. */
const PLACES_MAX = 1000;
const FINDERS_MAX = 120;

function addTo(finders: Finder[], { x, y, module }: Finder): void {
  const known = finders.find(
    (one) => Math.abs(one.x - x) < 2 * module && Math.abs(one.y - y) < 2 * module && one.module < 2 * module,
  );
  if (!known) {
    if (finders.length < PLACES_MAX) finders.push({ x, y, module, seen: 1 });
    return;
  }
  const weight = 1 / (known.seen + 1);
  known.x += (x - known.x) * weight;
  known.y += (y - known.y) * weight;
  known.module += (module - known.module) * weight;
  known.seen++;
}

/** The squares that may be corners of codes: 120 at most, the largest ones. Every three of them are compared. */
export function findFinders(image: GrayImage, dark: Uint8Array): Finder[] {
  const { width, height } = image;
  const finders: Finder[] = [];
  for (let y = 0; y < height; y++) {
    // The last five runs of the row, and where the last one began.
    const runs = [0, 0, 0, 0, 0];
    let begin = 0;
    for (let x = 0; x <= width; x++) {
      const at = y * width + x;
      if (x < width && x > 0 && dark[at] === dark[at - 1]) continue;
      if (x > 0) {
        runs.shift();
        runs.push(x - begin);
        begin = x;
        if (dark[at - 1] === 1 && isFinder(runs)) {
          const middle = x - runs[4] - runs[3] - Math.ceil(runs[2] / 2);
          const found = certain(dark, image, middle, y);
          if (found) addTo(finders, found);
        }
      }
    }
  }
  // The dark middle is three modules high; where little of it was seen, it is none.
  const certainly = finders.filter(({ seen, module }) => seen >= Math.max(2, module));
  return certainly.length <= FINDERS_MAX
    ? certainly
    : certainly.sort((a, b) => b.seen - a.seen).slice(0, FINDERS_MAX);
}

/** How far the sides and modules of three squares may differ: a sheet that is photographed aslant is no square. */
const SIDES_MAX = 1.3;
const MODULES_MAX = 1.6;
/** The cosine of the angle at the corner, at most: 70 to 110 degrees. */
const SLANT_MAX = 0.35;
/** The sides of the smallest and of the largest code, in modules, between the middles of their squares. */
const MODULES = { least: 10, most: 200 };

function tripleOf(corner: Finder, right: Finder, down: Finder): Triple | null {
  const [ax, ay] = [right.x - corner.x, right.y - corner.y];
  const [bx, by] = [down.x - corner.x, down.y - corner.y];
  // Seen from the corner, the one on the right comes first, clockwise.
  if (ax * by - ay * bx <= 0) return null;
  const [a, b] = [Math.hypot(ax, ay), Math.hypot(bx, by)];
  const slant = Math.abs(ax * bx + ay * by) / (a * b);
  const longer = Math.max(a, b) / Math.min(a, b);
  const modules = [corner.module, right.module, down.module];
  const module = (corner.module + right.module + down.module) / 3;
  const isCode =
    longer <= SIDES_MAX &&
    slant <= SLANT_MAX &&
    Math.max(...modules) <= MODULES_MAX * Math.min(...modules) &&
    Math.min(a, b) >= MODULES.least * module &&
    Math.max(a, b) <= MODULES.most * module;
  return isCode ? { corner, right, down, sides: a + b, unlike: longer - 1 + slant } : null;
}

/** How many other squares lie within three, or on the edges between them: those of one code have none, those of two have some. */
function othersWithin({ corner, right, down }: Triple, finders: readonly Finder[]): number {
  const [ax, ay] = [right.x - corner.x, right.y - corner.y];
  const [bx, by] = [down.x - corner.x, down.y - corner.y];
  const area = ax * by - ay * bx;
  return finders.filter((one) => {
    if (one === corner || one === right || one === down) return false;
    const [x, y] = [one.x - corner.x, one.y - corner.y];
    const [u, v] = [(x * by - y * bx) / area, (ax * y - ay * x) / area];
    return Math.min(u, v) > -0.05 && Math.max(u, v) < 1.05;
  }).length;
}

/** Every three squares that may be one code, the likeliest first. */
export function findTriples(finders: readonly Finder[]): Triple[] {
  const triples: Triple[] = [];
  for (const corner of finders)
    for (const right of finders)
      for (const down of finders) {
        if (corner === right || corner === down || right === down) continue;
        const triple = tripleOf(corner, right, down);
        if (triple) triples.push({ ...triple, unlike: triple.unlike + othersWithin(triple, finders) });
      }
  return triples.sort((a, b) => a.unlike - b.unlike);
}
