// SHA-256 (FIPS 180-4), HMAC (RFC 2104) and HKDF (RFC 5869). Little is ever hashed with them: the keys, the head of the Ark,
// and the check of the 24 words.

/** The first 32 bits of the fractions of the cube roots of the first 64 primes. */
const SHA256_ROUNDS = new Uint32Array([
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98,
  0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
  0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8,
  0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
  0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819,
  0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
  0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
  0xc67178f2,
]);

/**
 * @param {Uint8Array} message
 * @returns {Uint8Array<ArrayBuffer>} 32 bytes
 */
export function sha256(message) {
  const state = new Uint32Array([
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
  ]);
  // The message, one bit, zeros, and its length in bits, up to a multiple of 64 bytes.
  const padded = new Uint8Array(Math.ceil((message.length + 9) / 64) * 64);
  padded.set(message);
  padded[message.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(message.length / 2 ** 29));
  view.setUint32(padded.length - 4, message.length * 8);
  const w = new Uint32Array(64);
  for (let at = 0; at < padded.length; at += 64) {
    for (let i = 0; i < 16; i++) w[i] = view.getUint32(at + 4 * i);
    for (let i = 16; i < 64; i++) {
      const [x, y] = [w[i - 15], w[i - 2]];
      const s0 = turnRight(x, 7) ^ turnRight(x, 18) ^ (x >>> 3);
      const s1 = turnRight(y, 17) ^ turnRight(y, 19) ^ (y >>> 10);
      w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let i = 0; i < 64; i++) {
      const s1 = turnRight(e, 6) ^ turnRight(e, 11) ^ turnRight(e, 25);
      const t1 = (h + s1 + ((e & f) ^ (~e & g)) + SHA256_ROUNDS[i] + w[i]) | 0;
      const s0 = turnRight(a, 2) ^ turnRight(a, 13) ^ turnRight(a, 22);
      const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, i) => {
      state[i] += word;
    });
  }
  const hash = new Uint8Array(32);
  const out = new DataView(hash.buffer);
  state.forEach((word, i) => {
    out.setUint32(4 * i, word);
  });
  return hash;
}

/** @param {number} word @param {number} by */
function turnRight(word, by) {
  return (word >>> by) | (word << (32 - by));
}

/** @param {Uint8Array[]} parts @returns {Uint8Array<ArrayBuffer>} one behind the other */
export function joined(...parts) {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** HMAC-SHA-256. @param {Uint8Array} key @param {Uint8Array} message */
export function hmac(key, message) {
  const block = new Uint8Array(64);
  block.set(key.length > 64 ? sha256(key) : key);
  const inner = sha256(
    joined(
      block.map((byte) => byte ^ 0x36),
      message,
    ),
  );
  return sha256(
    joined(
      block.map((byte) => byte ^ 0x5c),
      inner,
    ),
  );
}

/**
 * HKDF-SHA-256.
 * @param {Uint8Array} secret @param {Uint8Array} salt @param {string} info @param {number} length in bytes
 */
export function hkdf(secret, salt, info, length) {
  const key = hmac(salt, secret);
  let [out, last] = [joined(), joined()];
  for (let count = 1; out.length < length; count++) {
    last = hmac(key, joined(last, new TextEncoder().encode(info), new Uint8Array([count])));
    out = joined(out, last);
  }
  return out.slice(0, length);
}
