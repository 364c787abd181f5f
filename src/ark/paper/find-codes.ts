// All QR codes of a photographed or scanned page. Pure, and slow: a second for a page. Load it lazily, and run it in a worker.
import decodeQR from 'qr/decode.js';
import { type Finder, findFinders, findTriples, type Triple } from './finders.ts';
import { darkPixels, type GrayImage } from './gray.ts';

/** How much around the middles of its squares is cut out with a code, in modules: to its edge, and half of the light margin. */
const AROUND = 3.5 + 4;
/** How hard the library tries: first with what most codes need, then in more ways with those that are hard to see. */
const EFFORTS = [1, 6];
/** How many threes of squares are tried in each round: those of several codes may look like a code. */
const TRIES_PER_FINDER = 2;
/** How much the sides of the codes of one page vary, by how it was held. */
const SIDES_VARY = 0.15;
/** Pixels of a module as the library is given it. */
const PIXELS = 4;
const WHITE = 255;

/** The shade between four pixels; white beyond the edge. */
function shadeAt({ width, height, luma }: GrayImage, x: number, y: number): number {
  const [left, top] = [Math.floor(x), Math.floor(y)];
  if (left < 0 || top < 0 || left >= width - 1 || top >= height - 1) return WHITE;
  const [right, down] = [x - left, y - top];
  const at = top * width + left;
  const above = luma[at] * (1 - right) + luma[at + 1] * right;
  const below = luma[at + width] * (1 - right) + luma[at + width + 1] * right;
  return above * (1 - down) + below * down;
}

/** One code by itself, upright and in a size that the library reads best, with half of its light margin. */
function cutOut(image: GrayImage, { corner, right, down }: Triple) {
  const module = (corner.module + right.module + down.module) / 3;
  const [ax, ay] = [right.x - corner.x, right.y - corner.y];
  const [bx, by] = [down.x - corner.x, down.y - corner.y];
  const modules = Math.round((Math.hypot(ax, ay) + Math.hypot(bx, by)) / 2 / module);
  const side = Math.round((modules + 2 * AROUND) * PIXELS);
  const data = new Uint8Array(side * side * 4).fill(WHITE);
  for (let row = 0, at = 0; row < side; row++) {
    const v = ((row + 0.5) / PIXELS - AROUND) / modules;
    for (let column = 0; column < side; column++, at += 4) {
      const u = ((column + 0.5) / PIXELS - AROUND) / modules;
      const shade = shadeAt(image, corner.x + u * ax + v * bx, corner.y + u * ay + v * by);
      data[at] = data[at + 1] = data[at + 2] = shade;
    }
  }
  return { width: side, height: side, data };
}

/** Null where there is none, or it cannot be read. */
function decoded(image: GrayImage, triple: Triple, effort: number): string | null {
  const cut = cutOut(image, triple);
  try {
    // Without a limit of time, so that the same picture always gives the same.
    return decodeQR(cut, { effort, timeLimit: Number.POSITIVE_INFINITY });
  } catch {
    return null;
  }
}

/** The texts of all codes that can be read on a page, however it lies, in no order. */
export function findCodes(image: GrayImage): string[] {
  const finders = findFinders(image, darkPixels(image));
  const triples = findTriples(finders);
  const used = new Set<Finder>();
  const texts: string[] = [];
  // The codes of a page are of one size.
  let sides: number | null = null;
  for (const effort of EFFORTS) {
    let tries = TRIES_PER_FINDER * finders.length;
    for (const triple of triples) {
      const three = [triple.corner, triple.right, triple.down];
      if (three.some((one) => used.has(one))) continue;
      if (sides !== null && Math.abs(triple.sides - sides) > SIDES_VARY * sides) continue;
      if (tries-- <= 0) break;
      const text = decoded(image, triple, effort);
      if (text === null) continue;
      texts.push(text);
      sides ??= triple.sides;
      for (const one of three) used.add(one);
    }
  }
  return texts;
}
