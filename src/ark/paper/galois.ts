// Arithmetic in the field of 256 elements, modulo x^8 + x^4 + x^3 + x^2 + 1: the field that QR codes themselves use (ISO/IEC 18004,
// annex A). Adding is exclusive or. Pure.

const MODULUS = 0x11d;
/** The powers of x, twice over, so that a sum of two logarithms needs no reduction. */
const powers = new Uint8Array(510);
const logarithms = new Uint8Array(256);
for (let i = 0, value = 1; i < 255; i++) {
  powers[i] = value;
  powers[i + 255] = value;
  logarithms[value] = i;
  value = (value << 1) ^ (value & 0x80 ? MODULUS : 0);
}

/** @param a and `b`, 0 to 255 */
export const multiply = (a: number, b: number): number =>
  a === 0 || b === 0 ? 0 : powers[logarithms[a] + logarithms[b]];

/** @throws RangeError for 0, which has none */
export function inverse(a: number): number {
  if (a === 0) throw new RangeError('0 has no inverse');
  return powers[255 - logarithms[a]];
}

/** Adds a multiple of one block to another of the same length, in place. */
export function addMultiple(to: Uint8Array, block: Uint8Array, factor: number): void {
  if (factor === 0) return;
  const log = logarithms[factor];
  for (let i = 0; i < to.length; i++) if (block[i] !== 0) to[i] ^= powers[logarithms[block[i]] + log];
}

/** Multiplies a block, in place. */
export function scale(block: Uint8Array, factor: number): void {
  for (let i = 0; i < block.length; i++) block[i] = multiply(block[i], factor);
}
