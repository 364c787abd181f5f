// What somebody who has a key of AES-GCM can do: another ciphertext with the same tag. GCM does not commit to what it seals
// (NIST SP 800-38D, section 6.4: the tag is a polynomial of the ciphertext's blocks in H, which the key gives).

/**
 * The ciphertext, but for one bit of its first block, and its second block so that the tag stays.
 * @param sealed two blocks of 16 bytes or more, with the tag
 */
export async function withSameTag(
  sealed: Uint8Array<ArrayBuffer>,
  key: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer>> {
  const zeros = new Uint8Array(16);
  const raw = await crypto.subtle.importKey('raw', key, 'AES-CTR', false, ['encrypt']);
  const h = new Uint8Array(
    await crypto.subtle.encrypt({ name: 'AES-CTR', counter: zeros, length: 128 }, raw, zeros),
  );
  const changed = zeros.slice();
  changed[0] = 1;
  const undone = fromBits(times(toBits(changed), toBits(h)));
  return sealed.map(
    (byte, at) => byte ^ (at < 16 ? (changed[at] ?? 0) : at < 32 ? (undone[at - 16] ?? 0) : 0),
  );
}

/** Multiplication in GF(2^128) as GCM has it: the first bit is the coefficient of 1 (SP 800-38D, section 6.3). */
function times(x: bigint, y: bigint): bigint {
  let [product, v] = [0n, y];
  for (let bit = 127n; bit >= 0n; bit--) {
    if ((x >> bit) & 1n) product ^= v;
    v = v & 1n ? (v >> 1n) ^ (0xe1n << 120n) : v >> 1n;
  }
  return product;
}

const toBits = (block: Uint8Array): bigint => block.reduce((bits, byte) => (bits << 8n) | BigInt(byte), 0n);
const fromBits = (bits: bigint): Uint8Array =>
  Uint8Array.from({ length: 16 }, (_, at) => Number((bits >> BigInt(8 * (15 - at))) & 0xffn));
