// Ed25519 keys for which anybody can sign. Verifiers accept such signatures, so whoever lets a key speak for somebody has
// to refuse them first.

/**
 * The points of small order, in every encoding, with the sign bit cleared, in hex. One of them is the address 1111…, the
 * system program's, to which tokens are sent to be burned.
 */
const SMALL_ORDER: ReadonlySet<string> = new Set([
  '00'.repeat(32),
  `01${'00'.repeat(31)}`,
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  `ec${'ff'.repeat(30)}7f`,
  `ed${'ff'.repeat(30)}7f`,
  `ee${'ff'.repeat(30)}7f`,
]);

/** @param key 32 bytes */
export function isOfSmallOrder(key: Uint8Array): boolean {
  const last = key.length - 1;
  const hex = Array.from(key, (byte, at) => (at === last ? byte & 0x7f : byte).toString(16).padStart(2, '0'));
  return SMALL_ORDER.has(hex.join(''));
}
