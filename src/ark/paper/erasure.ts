// Bytes as blocks of which some may be lost: a systematic code by a Cauchy matrix over GF(2^8), after Blömer et al., "An XOR-based
// erasure-resilient coding scheme" (ICSI TR-95-048, 1995). Any as many blocks of a stripe as it has blocks of data are enough, because every square
// part of a Cauchy matrix can be inverted. Pure.
import { addMultiple, inverse, scale } from './galois.ts';

/** How bytes are spread. Block `n` belongs to stripe `n % stripes` and is element `floor(n / stripes)` of it. */
export interface Spread {
  /** Bytes of a block. */
  blockBytes: number;
  /** How many blocks are the bytes themselves: numbers 0 to `data` − 1. */
  data: number;
  /** How many there are with the spare ones. */
  total: number;
  /** Into how many parts of their own the blocks fall: 256 blocks of one stripe at most. */
  stripes: number;
}

/** What a spare block `n` has of block `c` of its stripe. They are two elements of one stripe, so that their sum is never 0. */
const coefficient = (n: number, c: number, stripes: number) =>
  inverse(Math.floor(n / stripes) ^ Math.floor(c / stripes));

/** The numbers from `from` up to `to` that are of the stripe of `n`. */
function inStripe(n: number, from: number, to: number, stripes: number): number[] {
  const stripe = n % stripes;
  const first = from + ((stripe - (from % stripes) + stripes) % stripes);
  const found: number[] = [];
  for (let i = first; i < to; i += stripes) found.push(i);
  return found;
}

/**
 * All blocks, those of the bytes first; the last of them is filled with zeros.
 * @throws RangeError where the bytes do not fit, or a stripe would have more than 256 blocks
 */
export function spreadOut(bytes: Uint8Array, spread: Spread): Uint8Array[] {
  const { blockBytes, data, total, stripes } = spread;
  if (bytes.length > data * blockBytes || data > total || total > 256 * stripes)
    throw new RangeError('these bytes cannot be spread so');
  const blocks = Array.from({ length: data }, (_, at) => {
    const block = new Uint8Array(blockBytes);
    block.set(bytes.subarray(at * blockBytes, (at + 1) * blockBytes));
    return block;
  });
  for (let n = data; n < total; n++) {
    const spare = new Uint8Array(blockBytes);
    for (const c of inStripe(n, 0, data, stripes)) addMultiple(spare, blocks[c], coefficient(n, c, stripes));
    blocks.push(spare);
  }
  return blocks;
}

/** How many more blocks each stripe needs, together. 0 where everything can be made again. */
export function blocksMissing(have: ReadonlySet<number>, { data, total, stripes }: Spread): number {
  let missing = 0;
  for (let stripe = 0; stripe < stripes; stripe++) {
    const needed = inStripe(stripe, 0, data, stripes).length;
    const here = inStripe(stripe, 0, total, stripes).filter((n) => have.has(n)).length;
    missing += Math.max(0, needed - here);
  }
  return missing;
}

/** Solves a square system whose right side are blocks (Gauss and Jordan). It changes both. */
function solve(matrix: Uint8Array[], right: Uint8Array[]): void {
  for (let column = 0; column < matrix.length; column++) {
    // A Cauchy matrix and what eliminating leaves of it have no zero pivot: every leading part of it can be inverted.
    const factor = inverse(matrix[column][column]);
    scale(matrix[column], factor);
    scale(right[column], factor);
    for (let row = 0; row < matrix.length; row++) {
      const by = matrix[row][column];
      if (row === column || by === 0) continue;
      addMultiple(matrix[row], matrix[column], by);
      addMultiple(right[row], right[column], by);
    }
  }
}

/** The blocks of the bytes in one stripe that are lost, from as many spare ones. */
function restore(blocks: Map<number, Uint8Array>, stripe: number, { data, total, stripes }: Spread): void {
  const ofData = inStripe(stripe, 0, data, stripes);
  const lost = ofData.filter((n) => !blocks.has(n));
  const spare = inStripe(stripe, data, total, stripes)
    .filter((n) => blocks.has(n))
    .slice(0, lost.length);
  const right = spare.map((n) => {
    const sum = new Uint8Array(blocks.get(n) as Uint8Array);
    for (const c of ofData) {
      const block = blocks.get(c);
      if (block) addMultiple(sum, block, coefficient(n, c, stripes));
    }
    return sum;
  });
  solve(
    spare.map((n) => Uint8Array.from(lost, (c) => coefficient(n, c, stripes))),
    right,
  );
  for (const [at, n] of lost.entries()) blocks.set(n, right[at]);
}

/**
 * The bytes of any blocks that are enough, filled with zeros up to whole blocks; null where more are needed.
 * @param have blocks by their numbers, each of `blockBytes`
 */
export function gatherIn(have: ReadonlyMap<number, Uint8Array>, spread: Spread): Uint8Array | null {
  if (blocksMissing(new Set(have.keys()), spread) > 0) return null;
  const blocks = new Map(have);
  for (let stripe = 0; stripe < spread.stripes; stripe++) restore(blocks, stripe, spread);
  const bytes = new Uint8Array(spread.data * spread.blockBytes);
  for (let n = 0; n < spread.data; n++) bytes.set(blocks.get(n) as Uint8Array, n * spread.blockBytes);
  return bytes;
}
