// Whether an address is a public key of Ed25519, and thus may have somebody who signs for it. The addresses of pools and
// other accounts of programs are chosen off the curve, so that nobody does.

const P = 2n ** 255n - 19n;
const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n;
const LOW_255_BITS = 2n ** 255n - 1n;

/**
 * Whether 32 bytes decompress to a point of edwards25519 (RFC 8032, 5.1.3), decided as `isOffCurveAddress` of
 * `@solana/kit` decides it.
 *
 * That function takes the square root of u/v, with 254 squarings, although only its existence is asked for. u/v is a
 * square where u·v is one, which the Jacobi symbol tells: 20 microseconds an address in place of 114, and a list of
 * holders has tens of thousands.
 */
export function isOnCurve(address: Uint8Array): boolean {
  const y = readLittleEndian(address) & LOW_255_BITS;
  const ySquared = (y * y) % P;
  const u = ySquared === 0n ? P - 1n : ySquared - 1n;
  // v is never 0, because -1/d has no root.
  const v = (D * ySquared + 1n) % P;
  // x is 0, which has no sign.
  if (u === 0n) return ((address[31] ?? 0) & 0x80) === 0;
  return jacobi((u * v) % P, P) === 1;
}

function readLittleEndian(bytes: Uint8Array): bigint {
  const view = new DataView(bytes.buffer, bytes.byteOffset, 32);
  const word = (at: number) => view.getBigUint64(at, true);
  return (((((word(24) << 64n) | word(16)) << 64n) | word(8)) << 64n) | word(0);
}

/** The Jacobi symbol (a/n) for 0 < a < n, n odd: 1, -1, or 0 where they have a common factor. */
function jacobi(a: bigint, n: bigint): number {
  let sign = 1;
  let upper = a;
  let lower = n;
  while (upper !== 0n) {
    const zeros = trailingZeros(upper);
    upper >>= BigInt(zeros);
    const lowerBits = Number(lower & 7n);
    // (2/n) is -1 for n = 3 or 5 modulo 8.
    if ((zeros & 1) === 1 && (lowerBits === 3 || lowerBits === 5)) sign = -sign;
    // Reciprocity: the sign changes where both are 3 modulo 4.
    if ((Number(upper & 3n) & lowerBits & 3) === 3) sign = -sign;
    const rest = lower % upper;
    lower = upper;
    upper = rest;
  }
  return lower === 1n ? sign : 0;
}

function trailingZeros(value: bigint): number {
  let zeros = 0;
  let rest = value;
  for (;;) {
    const low = Number(rest & 0x3fffffffn);
    if (low !== 0) return zeros + 31 - Math.clz32(low & -low);
    zeros += 30;
    rest >>= 30n;
  }
}
