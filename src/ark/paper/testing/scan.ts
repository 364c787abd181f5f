// Sheets of QR codes as a bad scan or a careless photograph shows them. Everything is drawn from a number: the same one gives the same.
import encodeQR from 'qr';
import type { GrayImage } from '../gray.ts';

/** A generator of numbers from 0 to 1 (Mulberry32, by Tommy Ettinger). */
export function drawing(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const MARGIN = 4;
/** How many grains of noise there are; each row begins at another one. */
const GRAINS = 4099;

/** Codes in rows, one byte a module, 1 for a dark one; with a light margin around each. */
function page(texts: readonly string[], columns: number) {
  const codes = texts.map((text) => encodeQR(text, 'raw', { ecc: 'medium', border: MARGIN }));
  const cell = Math.max(...codes.map(({ length }) => length));
  const width = cell * columns;
  const height = cell * Math.ceil(codes.length / columns);
  const dark = new Uint8Array(width * height);
  for (const [at, code] of codes.entries()) {
    const [left, top] = [(at % columns) * cell, Math.floor(at / columns) * cell];
    for (const [y, row] of code.entries())
      for (const [x, isDark] of row.entries()) if (isDark) dark[(top + y) * width + left + x] = 1;
  }
  return { width, height, dark };
}

export interface Damage {
  /** Pixels of a module. */
  module: number;
  /** Degrees. */
  turned: number;
  /** How much shorter the upper edge is than the lower one, and the left than the right one. */
  skew: readonly [number, number];
  /** What is added to or taken from each pixel, at most. */
  noise: number;
  /** Rounds of blurring by three pixels. */
  blur: number;
  /** The lightest and the darkest shade. */
  shades: readonly [light: number, dark: number];
  /** Dark and light spots; how wide, in modules. */
  blots: readonly number[];
}

/** Damage of every kind, as `draw` has it. */
export const anyDamage = (draw: () => number, module: number): Damage => ({
  module,
  turned: 14 * draw() - 7,
  skew: [0.06 * draw() - 0.03, 0.06 * draw() - 0.03],
  noise: 40 * draw(),
  blur: draw() < 0.5 ? 1 : 0,
  shades: [170 + 80 * draw(), 20 + 60 * draw()],
  blots: draw() < 0.5 ? [] : [4 + 10 * draw(), 2 + 4 * draw()],
});

function blurred({ width, height, luma }: GrayImage): GrayImage['luma'] {
  const out = new Uint8Array(luma);
  for (let y = 1; y < height - 1; y++)
    for (let x = 1; x < width - 1; x++) {
      const at = y * width + x;
      const cross = luma[at - 1] + luma[at + 1] + luma[at - width] + luma[at + width];
      out[at] = (4 * luma[at] + cross) >> 3;
    }
  return out;
}

function stain({ width, height, luma }: GrayImage, size: number, shade: number, draw: () => number): void {
  const [x, y] = [draw() * width, draw() * height];
  for (let row = Math.max(0, Math.floor(y - size)); row < Math.min(height, y + size); row++)
    for (let column = Math.max(0, Math.floor(x - size)); column < Math.min(width, x + size); column++)
      if (Math.hypot(row - y, column - x) < size) luma[row * width + column] = shade;
}

/** A sheet of codes as it was scanned. */
export function scan(texts: readonly string[], damage: Damage, draw: () => number, columns = 3): GrayImage {
  const { width: wide, height: high, dark } = page(texts, columns);
  const { module, turned, skew, noise, shades } = damage;
  const [sine, cosine] = [Math.sin((turned * Math.PI) / 180), Math.cos((turned * Math.PI) / 180)];
  const width = Math.ceil(module * (wide * cosine + high * Math.abs(sine)) * 1.06);
  const height = Math.ceil(module * (high * cosine + wide * Math.abs(sine)) * 1.06);
  const luma = new Uint8Array(width * height);
  const grain = Int16Array.from({ length: GRAINS }, () => noise * (draw() - 0.5));
  for (let y = 0; y < height; y++) {
    const v = (y - height / 2) / module;
    let next = Math.floor(GRAINS * draw());
    for (let x = 0; x < width; x++) {
      const u = (x - width / 2) / module;
      const depth = 1 + (skew[0] * u) / wide + (skew[1] * v) / high;
      const column = Math.floor((u * cosine + v * sine) / depth + wide / 2);
      const row = Math.floor((v * cosine - u * sine) / depth + high / 2);
      const isDark =
        column >= 0 && row >= 0 && column < wide && row < high && dark[row * wide + column] === 1;
      // The light falls from the left.
      const shade = isDark ? shades[1] : shades[0] - (25 * x) / width;
      next = (next + 1) % GRAINS;
      luma[y * width + x] = Math.min(255, Math.max(0, shade + grain[next]));
    }
  }
  const image: GrayImage = { width, height, luma };
  for (const [at, size] of damage.blots.entries())
    stain(image, (size * module) / 2, at % 2 === 0 ? shades[1] : shades[0], draw);
  for (let round = 0; round < damage.blur; round++) image.luma = blurred(image);
  return image;
}
