// Raw deflate (RFC 1951), for browsers without `DecompressionStream`.

/** How often each length of code occurs, and the symbols by their codes. @typedef {{counts: number[], symbols: number[]}} Codes */

const LENGTH_BASE = [
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195,
  227, 258,
];
const DISTANCE_BASE = [
  1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097,
  6145, 8193, 12289, 16385, 24577,
];
/** In which order the lengths of the codes for lengths of codes stand. */
const CODES_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/** @param {number[]} lengths of the code of each symbol @returns {Codes} */
function codesOf(lengths) {
  const counts = new Array(16).fill(0);
  for (const length of lengths) counts[length]++;
  counts[0] = 0;
  const starts = [0];
  for (let length = 1; length < 16; length++) starts[length] = starts[length - 1] + counts[length - 1];
  /** @type {number[]} */
  const symbols = [];
  lengths.forEach((length, symbol) => {
    if (length > 0) symbols[starts[length]++] = symbol;
  });
  return { counts, symbols };
}

/**
 * @param {Uint8Array} input @param {number} length of what comes out: it is known before
 * @returns {Uint8Array<ArrayBuffer> | null} null for what is no deflate, or has another length
 */
export function inflate(input, length) {
  const out = new Uint8Array(length);
  let [at, bits, held, to] = [0, 0, 0, 0];

  /** The next bits, the lowest first. @param {number} count */
  const take = (count) => {
    while (held < count) {
      bits |= (input[at++] ?? 0) << held;
      held += 8;
    }
    const value = bits & ((1 << count) - 1);
    bits >>>= count;
    held -= count;
    return value;
  };

  /** The next symbol. @param {Codes} codes */
  const next = ({ counts, symbols }) => {
    let [code, first, index] = [0, 0, 0];
    for (let length = 1; length < 16; length++) {
      code |= take(1);
      const count = counts[length];
      if (code - count < first) return symbols[index + (code - first)];
      index += count;
      first = (first + count) << 1;
      code <<= 1;
    }
    return -1;
  };

  /** What a block says of its own codes. */
  const readCodes = () => {
    const [literals, distances, count] = [take(5) + 257, take(5) + 1, take(4) + 4];
    const ofLengths = new Array(19).fill(0);
    for (let i = 0; i < count; i++) ofLengths[CODES_ORDER[i]] = take(3);
    const codes = codesOf(ofLengths);
    /** @type {number[]} */
    const lengths = [];
    while (lengths.length < literals + distances && at <= input.length) {
      const symbol = next(codes);
      if (symbol < 16) lengths.push(symbol);
      else {
        const value = symbol === 16 ? (lengths[lengths.length - 1] ?? 0) : 0;
        const times = symbol === 16 ? 3 + take(2) : symbol === 17 ? 3 + take(3) : 11 + take(7);
        for (let i = 0; i < times; i++) lengths.push(value);
      }
    }
    return [codesOf(lengths.slice(0, literals)), codesOf(lengths.slice(literals))];
  };

  const fixed = [
    codesOf(Array.from({ length: 288 }, (_, i) => (i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8))),
    codesOf(new Array(30).fill(5)),
  ];
  for (let isLast = false; !isLast; ) {
    isLast = take(1) === 1;
    const type = take(2);
    if (type === 3 || at > input.length + 4) return null;
    if (type === 0) {
      // As it is, from the next whole byte on.
      at -= held >> 3;
      [bits, held] = [0, 0];
      const count = input[at] | (input[at + 1] << 8);
      out.set(input.subarray(at + 4, at + 4 + count), to);
      at += 4 + count;
      to += count;
      continue;
    }
    const [literals, distances] = type === 1 ? fixed : readCodes();
    for (;;) {
      const symbol = next(literals);
      if (symbol === 256) break;
      if (symbol < 0 || symbol > 285 || at > input.length + 4 || to >= length) return null;
      if (symbol < 256) {
        out[to++] = symbol;
        continue;
      }
      const size = symbol - 257;
      const count = LENGTH_BASE[size] + take(size < 8 || size === 28 ? 0 : (size >> 2) - 1);
      const far = next(distances);
      const distance = DISTANCE_BASE[far] + take(far < 4 ? 0 : (far >> 1) - 1);
      if (!(distance <= to) || to + count > length) return null;
      for (let i = 0; i < count; i++, to++) out[to] = out[to - distance];
    }
  }
  return to === length ? out : null;
}
