// Hashes of secrets that must be recognised but never read back, and salts that only this instance can make.
import { createHash, createHmac, hash, randomBytes } from 'node:crypto';

export interface Digests {
  /** HMAC-SHA-256 under the instance secret, hex; `purpose` keeps one use from standing in for another. */
  keyed(purpose: string, value: string): string;
  /** A salt that looks the same for names that exist and names that do not: 16 bytes, base64url. */
  salt(name: string): string;
}

export function createDigests(secret: Buffer): Digests {
  const mac = (purpose: string, value: string) =>
    createHmac('sha256', secret).update(`${purpose}\0${value}`).digest();
  return {
    keyed: (purpose, value) => mac(purpose, value).toString('hex'),
    salt: (name) => mac('passphrase-salt', name).subarray(0, 16).toString('base64url'),
  };
}

/** SHA-256 in hex. For values of 32 random bytes, which nobody can guess back. */
export function sha256(value: string): string {
  return hash('sha256', value, 'hex');
}

/** SHA-256 over the 32 bytes of a proof, base64url (docs/formats.md, "Share"): what is kept of a door or a claim. */
export function proofHash(proof: string): string {
  return createHash('sha256').update(Buffer.from(proof, 'base64url')).digest('base64url');
}

/** 32 random bytes, base64url. */
export function randomToken(): string {
  return randomBytes(32).toString('base64url');
}
