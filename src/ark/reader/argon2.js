// Argon2id with one lane (RFC 9106), over BLAKE2b (RFC 7693): slow on purpose, so that nobody guesses a passphrase fast.
import { joined } from './sha256.js';

const BLAKE_START = [
  0x6a09e667f3bcc908n,
  0xbb67ae8584caa73bn,
  0x3c6ef372fe94f82bn,
  0xa54ff53a5f1d36f1n,
  0x510e527fade682d1n,
  0x9b05688c2b3e6c1fn,
  0x1f83d9abfb41bd6bn,
  0x5be0cd19137e2179n,
];
/** In which order each round takes the words of a message, a hexadecimal digit each. Two more rounds take the first two. */
const BLAKE_ORDER =
  '0123456789abcdef ea489fd61c02b753 b8c052fdae367194 7931dcbe265a40f8 905724afe1bc683d 2c6a0b834d75fe19 c51fed4a0763928b db7ec13950f4862a 6fe9b308c2d714a5 a2847615fb9e3cd0'.split(
    ' ',
  );
/** The columns and diagonals of sixteen words. */
const BLAKE_QUARTERS = ['048c', '159d', '26ae', '37bf', '05af', '16bc', '278d', '349e'].map((quarter) =>
  [...quarter].map((digit) => Number.parseInt(digit, 16)),
);

/** BLAKE2b without a key. @param {Uint8Array} message @param {number} length of the hash, up to 64 bytes */
export function blake2b(message, length) {
  /** @param {bigint} word @param {bigint} by */
  const turn = (word, by) => BigInt.asUintN(64, (word >> by) | (word << (64n - by)));
  const state = [...BLAKE_START];
  state[0] ^= 0x01010000n ^ BigInt(length);
  const blocks = Math.max(1, Math.ceil(message.length / 128));
  for (let index = 0; index < blocks; index++) {
    const block = new Uint8Array(128);
    block.set(message.subarray(128 * index, 128 * index + 128));
    const words = new BigUint64Array(16);
    words.forEach((_, i) => {
      words[i] = new DataView(block.buffer).getBigUint64(8 * i, true);
    });
    const v = BigUint64Array.from([...state, ...BLAKE_START]);
    v[12] ^= BigInt(Math.min(message.length, 128 * index + 128));
    if (index === blocks - 1) v[14] = ~v[14];
    for (let round = 0; round < 12; round++) {
      BLAKE_QUARTERS.forEach(([a, b, c, d], i) => {
        const [x, y] = [0, 1].map((j) => words[Number.parseInt(BLAKE_ORDER[round % 10][2 * i + j], 16)]);
        v[a] += v[b] + x;
        v[d] = turn(v[d] ^ v[a], 32n);
        v[c] += v[d];
        v[b] = turn(v[b] ^ v[c], 24n);
        v[a] += v[b] + y;
        v[d] = turn(v[d] ^ v[a], 16n);
        v[c] += v[d];
        v[b] = turn(v[b] ^ v[c], 63n);
      });
    }
    for (let i = 0; i < 8; i++) state[i] ^= v[i] ^ v[i + 8];
  }
  return new Uint8Array(BigUint64Array.from(state).buffer, 0, length);
}

/** A hash of any length. @param {Uint8Array} message @param {number} length */
function longHash(message, length) {
  const first = joined(wordsBytes(length), message);
  if (length <= 64) return blake2b(first, length);
  let last = blake2b(first, 64);
  const parts = [last.slice(0, 32)];
  let left = length - 32;
  for (; left > 64; left -= 32) {
    last = blake2b(last, 64);
    parts.push(last.slice(0, 32));
  }
  return joined(...parts, blake2b(last, left));
}

/** @param {number[]} words @returns {Uint8Array} each as 4 bytes, the lowest first */
function wordsBytes(...words) {
  return new Uint8Array(Uint32Array.from(words).buffer);
}

/** The upper 32 bits of a product. @param {number} a @param {number} b */
function upperProduct(a, b) {
  const [a0, a1, b0, b1] = [a & 0xffff, a >>> 16, b & 0xffff, b >>> 16];
  const middle = Math.imul(a1, b0);
  const carry = (Math.imul(a0, b0) >>> 16) + (middle & 0xffff) + Math.imul(a0, b1);
  return Math.imul(a1, b1) + (middle >>> 16) + (carry >>> 16);
}

/**
 * Adds word b to word a, and twice the product of their lower halves; then turns word d, less the new a, to the right. Words
 * have 64 bits: two places of `v`, the lower half first.
 * @param {Uint32Array} v @param {number} a @param {number} b @param {number} d @param {number} by 16, 24, 32 or 63
 */
function halfMix(v, a, b, d, by) {
  const [al, bl] = [v[a], v[b]];
  const product = Math.imul(al, bl);
  const low = al + bl + ((product << 1) >>> 0);
  const upper = (upperProduct(al, bl) << 1) | (product >>> 31);
  v[a + 1] = v[a + 1] + v[b + 1] + upper + Math.floor(low / 2 ** 32);
  v[a] = low;
  const [dl, dh] = [v[d] ^ v[a], v[d + 1] ^ v[a + 1]];
  if (by === 32) {
    v[d] = dh;
    v[d + 1] = dl;
  } else if (by === 63) {
    v[d] = (dl << 1) | (dh >>> 31);
    v[d + 1] = (dh << 1) | (dl >>> 31);
  } else {
    v[d] = (dl >>> by) | (dh << (32 - by));
    v[d + 1] = (dh >>> by) | (dl << (32 - by));
  }
}

/** Mixes sixteen words of a block. @param {Uint32Array} v @param {number} at the first @param {number} step @param {number} pair */
function mixSixteen(v, at, step, pair) {
  /** Words lie in pairs, and the pairs lie `step` apart. @param {number} i */
  const place = (i) => at + (i >> 1) * step + (i & 1) * pair;
  for (const [a, b, c, d] of BLAKE_QUARTERS) {
    const [pa, pb, pc, pd] = [place(a), place(b), place(c), place(d)];
    halfMix(v, pa, pb, pd, 32);
    halfMix(v, pc, pd, pb, 24);
    halfMix(v, pa, pb, pd, 16);
    halfMix(v, pc, pd, pb, 63);
  }
}

/**
 * One block of 256 halves of words, made of two others.
 * @param {Uint32Array} x @param {Uint32Array} y @param {Uint32Array} out @param {boolean} adding to what stands in `out`
 */
function compress(x, y, out, adding) {
  const v = new Uint32Array(256);
  for (let i = 0; i < 256; i++) {
    v[i] = x[i] ^ y[i];
    out[i] = v[i] ^ (adding ? out[i] : 0);
  }
  for (let row = 0; row < 8; row++) mixSixteen(v, 32 * row, 4, 2);
  for (let column = 0; column < 8; column++) mixSixteen(v, 4 * column, 32, 2);
  for (let i = 0; i < 256; i++) out[i] ^= v[i];
}

/**
 * Argon2id, version 19, one lane, 32 bytes. It lets the page breathe: between two pieces of work it waits for `rest`.
 * @param {string} passphrase @param {Uint8Array} salt
 * @param {{memory: number, iterations: number}} cost memory in KiB
 * @param {(done: number) => Promise<void>} rest learns how much is done, from 0 to 1
 */
export async function argon2id(passphrase, salt, { memory, iterations }, rest) {
  const password = new TextEncoder().encode(passphrase);
  const segment = Math.floor(memory / 4);
  const blocks = 4 * segment;
  const all = new Uint32Array(256 * blocks);
  /** @param {number} index */
  const block = (index) => all.subarray(256 * index, 256 * index + 256);
  const facts = wordsBytes(1, 32, memory, iterations, 0x13, 2, password.length);
  const start = blake2b(joined(facts, password, wordsBytes(salt.length), salt, wordsBytes(0, 0)), 64);
  for (const index of [0, 1])
    block(index).set(new Uint32Array(longHash(joined(start, wordsBytes(index, 0)), 1024).buffer));
  const [zero, input, addresses] = [new Uint32Array(256), new Uint32Array(256), new Uint32Array(256)];
  for (let pass = 0; pass < iterations; pass++) {
    for (let slice = 0; slice < 4; slice++) {
      // Half of the first pass looks where no secret decides; what comes later looks where the last block says.
      const fixed = pass === 0 && slice < 2;
      input.fill(0);
      for (const [i, word] of [pass, 0, slice, blocks, iterations, 2].entries()) input[2 * i] = word;
      for (let i = 0; i < segment; i++) {
        if (fixed && i % 128 === 0) {
          input[12] += 1;
          compress(zero, input, addresses, false);
          compress(zero, addresses, addresses, false);
        }
        if (i % 1024 === 0) await rest((4 * pass + slice + i / segment) / (4 * iterations));
        if (pass === 0 && slice === 0 && i < 2) continue;
        const at = slice * segment + i;
        const before = block((at + blocks - 1) % blocks);
        const random = fixed ? addresses[2 * (i % 128)] : before[0];
        const reach = (pass === 0 ? slice * segment : blocks - segment) + i - 1;
        const squared = upperProduct(random, random) >>> 0;
        const back = upperProduct(reach, squared) >>> 0;
        const first = pass === 0 ? 0 : ((slice + 1) % 4) * segment;
        compress(before, block((first + reach - 1 - back) % blocks), block(at), pass > 0);
      }
    }
  }
  const last = block(blocks - 1);
  return longHash(new Uint8Array(last.buffer, last.byteOffset, 1024), 32);
}
