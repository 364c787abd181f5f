// Who signs and seals in a simulation of sisters: the product's own keys, or stand-ins that are a thousand times as fast. A
// stand-in's public key is its secret, which nothing here that lies makes use of; shares and sealed addresses are always real.
import { createHash } from 'node:crypto';
import { ml_dsa44 } from '@noble/post-quantum/ml-dsa.js';
import { verifySignature } from '../../server/adapters/signatures.ts';
import {
  deriveSisterIdentity,
  type SisterIdentity,
  sealToSister,
} from '../../server/adapters/sister-identity.ts';
import type { Sisters } from '../../server/adapters/sisters.ts';
import { createDigests } from '../../server/digests.ts';
import type { SignatureContext } from '../../shared/byte-formats.ts';

/** Of one author's letter. */
export interface LifeKeys {
  verifyingKey: string;
  sign(context: SignatureContext, message: Uint8Array): string;
}

export interface Keys extends Pick<Sisters, 'seal' | 'verify'> {
  identity(secret: Buffer): Promise<SisterIdentity>;
  life(seed: Buffer): LifeKeys;
}

export const realKeys: Keys = {
  identity: (secret) => deriveSisterIdentity(createDigests(secret)),
  seal: sealToSister,
  verify: verifySignature,
  life(seed) {
    const { publicKey, secretKey } = ml_dsa44.keygen(new Uint8Array(seed));
    return {
      verifyingKey: Buffer.from(publicKey).toString('base64'),
      sign: (context, message) =>
        Buffer.from(ml_dsa44.sign(message, secretKey, { context: Buffer.from(context) })).toString('base64'),
    };
  },
};

const hashOf = (...parts: (string | Uint8Array)[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\0');
  return hash.digest();
};
const signedBy = (key: string, context: string, message: Uint8Array): string =>
  hashOf(key, context, message).toString('base64');

export const standInKeys: Keys = {
  async identity(secret) {
    const address = hashOf('sister', secret).toString('hex').slice(0, 32);
    return {
      ...{ address, recipient: address, verifyingKey: address },
      sign: (context, message) => signedBy(address, context, message),
      open: async (box) => {
        const { to, text } = JSON.parse(box) as { to: string; text: string };
        return to === address ? text : null;
      },
    };
  },
  seal: async (recipient, text) => JSON.stringify({ to: recipient, text }),
  verify: (key, context, message, signature) => signature === signedBy(key, context, message),
  life(seed) {
    const verifyingKey = hashOf('life', seed).toString('base64');
    return { verifyingKey, sign: (context, message) => signedBy(verifyingKey, context, message) };
  },
};
