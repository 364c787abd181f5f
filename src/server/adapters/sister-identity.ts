// Who this instance is among its sisters (docs/formats.md, "Sisters"): two key pairs that the instance secret makes again at
// each start, so that nothing of them is stored. Heavy (age, ML-DSA): load it lazily.
import { createHash } from 'node:crypto';
import { ml_dsa44 } from '@noble/post-quantum/ml-dsa.js';
import { bech32 } from '@scure/base';
import { Decrypter, Encrypter, identityToRecipient } from 'age-encryption';
import type { SignatureContext } from '../../shared/byte-formats.ts';
import type { Digests } from '../digests.ts';

/** The public keys of an instance, with the address that they make. */
export interface SisterKeys {
  /** 32 hexadecimal characters. */
  address: string;
  /** `age1pq1…`. */
  recipient: string;
  /** ML-DSA-44, base64. */
  verifyingKey: string;
}

export interface SisterIdentity extends SisterKeys {
  /** ML-DSA-44, base64. */
  sign(context: SignatureContext, message: Uint8Array): string;
  /** @returns what is inside a binary age file in base64; null for anything that is not for this instance */
  open(box: string): Promise<string | null>;
}

const RECIPIENT = /^age1pq1[a-z0-9]{1952}$/;
const VERIFYING_KEY = /^[A-Za-z0-9+/]{1750}==$/;

/** The address that public keys make, as a vault's is made; null for what are none. */
export function addressOfKeys({ recipient, verifyingKey }: Omit<SisterKeys, 'address'>): string | null {
  if (!RECIPIENT.test(recipient) || !VERIFYING_KEY.test(verifyingKey)) return null;
  return createHash('sha256')
    .update(recipient + verifyingKey)
    .digest('hex')
    .slice(0, 32);
}

/**
 * The header of what was sealed to one instance (C2SP age): each stanza more would be tried as well, which takes milliseconds of the
 * thread that answers everybody.
 */
const ONE_STANZA =
  /^age-encryption\.org\/v1\n-> mlkem768x25519 [A-Za-z0-9+/]{1494}\n[A-Za-z0-9+/]{43}\n--- [A-Za-z0-9+/]{43}\n/;
const HEADER_BYTES = 2048;

/** Always the same one for an instance secret. */
export async function deriveSisterIdentity(digests: Pick<Digests, 'keyed'>): Promise<SisterIdentity> {
  const seed = (of: string) => new Uint8Array(Buffer.from(digests.keyed(of, 'v1'), 'hex'));
  // C2SP age: the identity is the KEM's 32-byte seed in Bech32, in upper case.
  const ageIdentity = bech32.encodeFromBytes('AGE-SECRET-KEY-PQ-', seed('sister-age')).toUpperCase();
  const { publicKey, secretKey } = ml_dsa44.keygen(seed('sister-signing'));
  const recipient = await identityToRecipient(ageIdentity);
  const verifyingKey = Buffer.from(publicKey).toString('base64');
  const address = addressOfKeys({ recipient, verifyingKey });
  if (address === null) throw new Error('the keys of this instance have another form');
  return {
    ...{ address, recipient, verifyingKey },
    sign: (context, message) =>
      Buffer.from(ml_dsa44.sign(message, secretKey, { context: Buffer.from(context, 'utf8') })).toString(
        'base64',
      ),
    async open(box) {
      const file = Buffer.from(box, 'base64');
      if (!ONE_STANZA.test(file.toString('latin1', 0, HEADER_BYTES))) return null;
      const decrypter = new Decrypter();
      decrypter.addIdentity(ageIdentity);
      try {
        return await decrypter.decrypt(new Uint8Array(file), 'text');
      } catch {
        return null;
      }
    },
  };
}

/** Seals a text to another instance: a binary age file in base64. */
export async function sealToSister(recipient: string, text: string): Promise<string> {
  const encrypter = new Encrypter();
  encrypter.addRecipient(recipient);
  return Buffer.from(await encrypter.encrypt(text)).toString('base64');
}
