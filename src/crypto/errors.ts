// The errors of this folder, but for the one that speaks of what is authentic (seal.ts). They must never say, in message or cause, why something failed:
// whoever can watch reasons differ (wrong key, wrong row, damaged bytes) learns from them.

/** A failed opening, whatever the reason: wrong key, wrong context, damaged bytes, wrong shape. */
export class OpenError extends Error {
  override readonly name = 'OpenError';
  constructor() {
    super('Decryption failed');
  }
}

/** A failed sealing, whatever the reason: a key that may not encrypt, a malformed context or recipient. */
export class SealError extends Error {
  override readonly name = 'SealError';
  constructor() {
    super('Encryption failed');
  }
}
