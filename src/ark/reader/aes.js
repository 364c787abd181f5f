// AES-256-GCM (FIPS 197, NIST SP 800-38D), for browsers that hand a page which was opened from a disk no `crypto.subtle`.
import { joined } from './sha256.js';

/** The table of substitutions, and the same with each value already mixed over a column. */
const [AES_BOX, AES_MIXED] = aesTables();

function aesTables() {
  const box = new Uint8Array(256);
  const mixed = new Uint32Array(256);
  // p runs through all bytes but 0 as powers of 3, and q through their inverses.
  let [p, q] = [1, 1];
  do {
    p = p ^ twice(p);
    q ^= q << 1;
    q ^= q << 2;
    q = (q ^ (q << 4)) & 0xff;
    if (q & 0x80) q ^= 0x09;
    box[p] = q ^ turnByte(q, 1) ^ turnByte(q, 2) ^ turnByte(q, 3) ^ turnByte(q, 4) ^ 0x63;
  } while (p !== 1);
  box[0] = 0x63;
  for (let i = 0; i < 256; i++) {
    const s = box[i];
    mixed[i] = (twice(s) << 24) | (s << 16) | (s << 8) | (twice(s) ^ s);
  }
  return /** @type {const} */ ([box, mixed]);
}

/** @param {number} byte @param {number} by */
function turnByte(byte, by) {
  return ((byte << by) | (byte >>> (8 - by))) & 0xff;
}

/** Times x in the field of AES. @param {number} byte */
function twice(byte) {
  return ((byte << 1) ^ (byte & 0x80 ? 0x11b : 0)) & 0xff;
}

/** @param {number} word each byte by the table */
function substituted(word) {
  return (
    (AES_BOX[word >>> 24] << 24) |
    (AES_BOX[(word >>> 16) & 0xff] << 16) |
    (AES_BOX[(word >>> 8) & 0xff] << 8) |
    AES_BOX[word & 0xff]
  );
}

/** @param {Uint8Array} key 32 bytes @returns {Uint32Array} the 60 words of its 15 round keys */
function aesRoundKeys(key) {
  const words = new Uint32Array(60);
  const view = new DataView(key.buffer, key.byteOffset, 32);
  for (let i = 0, round = 1; i < 60; i++) {
    if (i < 8) {
      words[i] = view.getUint32(4 * i);
      continue;
    }
    let word = words[i - 1];
    if (i % 8 === 0) {
      word = substituted((word << 8) | (word >>> 24)) ^ (round << 24);
      round = twice(round);
    } else if (i % 8 === 4) word = substituted(word);
    words[i] = words[i - 8] ^ word;
  }
  return words;
}

/** Enciphers one block of four words in place. @param {Uint32Array} keys @param {Uint32Array} block */
function aesBlock(keys, block) {
  let [a, b, c, d] = [block[0] ^ keys[0], block[1] ^ keys[1], block[2] ^ keys[2], block[3] ^ keys[3]];
  /** @param {number} i @param {number} j @param {number} k @param {number} l @param {number} key */
  const column = (i, j, k, l, key) => {
    const [m1, m2, m3] = [AES_MIXED[(j >>> 16) & 0xff], AES_MIXED[(k >>> 8) & 0xff], AES_MIXED[l & 0xff]];
    return (
      AES_MIXED[i >>> 24] ^
      ((m1 >>> 8) | (m1 << 24)) ^
      ((m2 >>> 16) | (m2 << 16)) ^
      ((m3 >>> 24) | (m3 << 8)) ^
      keys[key]
    );
  };
  for (let key = 4; key < 56; key += 4) {
    const [e, f, g] = [column(a, b, c, d, key), column(b, c, d, a, key + 1), column(c, d, a, b, key + 2)];
    [a, b, c, d] = [e, f, g, column(d, a, b, c, key + 3)];
  }
  /** @param {number} i @param {number} j @param {number} k @param {number} l @param {number} key */
  const last = (i, j, k, l, key) =>
    substituted((i & 0xff000000) | (j & 0xff0000) | (k & 0xff00) | (l & 0xff)) ^ keys[key];
  block[0] = last(a, b, c, d, 56);
  block[1] = last(b, c, d, a, 57);
  block[2] = last(c, d, a, b, 58);
  block[3] = last(d, a, b, c, 59);
}

/**
 * What one step of GHASH multiplies with: the hash key times each value of four bits, and what four bits that fall out at
 * the end come to.
 * @param {Uint32Array} key the hash key, four words
 */
function ghashTable(key) {
  const table = Array.from({ length: 16 }, () => new Uint32Array(4));
  table[8].set(key);
  for (let i = 4; i > 0; i >>= 1) {
    const from = table[2 * i];
    const low = from[3] & 1;
    for (let w = 3; w > 0; w--) table[i][w] = (from[w] >>> 1) | (from[w - 1] << 31);
    table[i][0] = (from[0] >>> 1) ^ (low ? 0xe1000000 : 0);
  }
  for (let i = 2; i < 16; i *= 2)
    for (let j = 1; j < i; j++) for (let w = 0; w < 4; w++) table[i + j][w] = table[i][w] ^ table[j][w];
  const reduced = Uint32Array.from({ length: 16 }, (_, i) => {
    let carry = 0;
    for (let bit = 0; bit < 4; bit++) if (i & (1 << bit)) carry ^= 0xe1000000 >>> (3 - bit);
    return carry;
  });
  return { table, reduced };
}

/**
 * GHASH over the additional data and the ciphertext.
 * @param {Uint32Array} key @param {Uint8Array} additional @param {Uint8Array} ciphertext
 */
function ghash(key, additional, ciphertext) {
  const { table, reduced } = ghashTable(key);
  const lengths = new Uint8Array(16);
  const view = new DataView(lengths.buffer);
  for (const [at, { length }] of /** @type {const} */ ([
    [0, additional],
    [8, ciphertext],
  ])) {
    view.setUint32(at, Math.floor(length / 2 ** 29));
    view.setUint32(at + 4, length * 8);
  }
  const sum = new Uint8Array(16);
  for (const bytes of [additional, ciphertext, lengths]) {
    for (let at = 0; at < bytes.length; at += 16) {
      for (let i = 0; i < 16 && at + i < bytes.length; i++) sum[i] ^= bytes[at + i];
      let [a, b, c, d] = [0, 0, 0, 0];
      for (let i = 31; i >= 0; i--) {
        const nibble = i % 2 ? sum[i >> 1] & 15 : sum[i >> 1] >> 4;
        if (i < 31) {
          const out = d & 15;
          d = (d >>> 4) | (c << 28);
          c = (c >>> 4) | (b << 28);
          b = (b >>> 4) | (a << 28);
          a = (a >>> 4) ^ reduced[out];
        }
        const product = table[nibble];
        a ^= product[0];
        b ^= product[1];
        c ^= product[2];
        d ^= product[3];
      }
      [a, b, c, d].forEach((word, i) => {
        new DataView(sum.buffer).setUint32(4 * i, word);
      });
    }
  }
  return sum;
}

/**
 * Both directions: the stream is the same, and the tag is always that of the ciphertext.
 * @param {Uint8Array} key @param {Uint8Array} nonce 12 bytes @param {Uint8Array} additional @param {Uint8Array} input
 * @param {boolean} opening whether `input` is ciphertext
 */
function gcm(key, nonce, additional, input, opening) {
  const keys = aesRoundKeys(key);
  const hashKey = new Uint32Array(4);
  aesBlock(keys, hashKey);
  const start = new DataView(nonce.buffer, nonce.byteOffset, 12);
  const block = new Uint32Array(4);
  /** @param {number} count */
  const stream = (count) => {
    for (let i = 0; i < 3; i++) block[i] = start.getUint32(4 * i);
    block[3] = count;
    aesBlock(keys, block);
    return block;
  };
  const output = new Uint8Array(input.length);
  for (let at = 0, count = 2; at < input.length; at += 16, count++) {
    stream(count);
    for (let i = 0; i < 16 && at + i < input.length; i++)
      output[at + i] = input[at + i] ^ (block[i >> 2] >>> (24 - 8 * (i & 3)));
  }
  const tag = ghash(hashKey, additional, opening ? input : output);
  stream(1);
  for (let i = 0; i < 16; i++) tag[i] ^= block[i >> 2] >>> (24 - 8 * (i & 3));
  return { output, tag };
}

/**
 * @param {Uint8Array} key 32 bytes @param {Uint8Array} nonce 12 bytes @param {Uint8Array} additional @param {Uint8Array} plain
 * @returns {Uint8Array<ArrayBuffer>} the ciphertext and its tag of 16 bytes
 */
export function gcmSeal(key, nonce, additional, plain) {
  const { output, tag } = gcm(key, nonce, additional, plain, false);
  return joined(output, tag);
}

/**
 * @param {Uint8Array} key @param {Uint8Array} nonce @param {Uint8Array} additional @param {Uint8Array} sealed
 * @returns {Uint8Array<ArrayBuffer> | null} null where a single bit is another one
 */
export function gcmOpen(key, nonce, additional, sealed) {
  const end = sealed.length - 16;
  if (end < 0) return null;
  const { output, tag } = gcm(key, nonce, additional, sealed.subarray(0, end), true);
  return tag.every((byte, i) => byte === sealed[end + i]) ? output : null;
}
