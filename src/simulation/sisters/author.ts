// Whoever has a letter kept by sisters, as their browser does: boxes, signs of life, and what recipients show. It holds the
// truth that the rest is compared with.
import { createCipheriv, randomBytes } from 'node:crypto';
import { split } from 'shamir-secret-sharing';
import {
  sisterAddressesBound,
  sisterLetterMessage,
  sisterSignMessage,
} from '../../server/adapters/signatures.ts';
import { hashOfShare } from '../../server/adapters/sister-shares.ts';
import { proofHash } from '../../server/digests.ts';
import type { SignKind } from '../../shared/byte-formats.ts';
import type { Keys } from './keys.ts';

export interface Named {
  origin: string;
  address: string;
  /** Where boxes for it are sealed to. */
  recipient: string;
}

export interface Recipient {
  address: string;
  token: string;
  /** True time when a page of theirs has shown the token; null until then. */
  openedAt: number | null;
  /** Whether they have read it at home before. */
  readAtHome: boolean;
}

export interface Author {
  id: string;
  needed: number;
  days: number;
  /** Numbers of its sisters among the instances. */
  places: readonly number[];
  letterKey: Buffer;
  recipients: Recipient[];
  /** True time when they die; null for never. */
  diesAt: number | null;
  /** When they open their vault next. */
  comesAt: number;
  /** A box for each of its sisters, in their order. */
  boxes: string[];
  /** What each of them was told. */
  shares: { ofAddresses: string; ofLetter: string }[];
  sign(address: string, challenge: string, kind: SignKind): string;
}

const b64url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');

export async function anAuthor(
  keys: Keys,
  sisters: readonly Named[],
  letter: Pick<Author, 'id' | 'needed' | 'days' | 'places' | 'diesAt'> & { recipients: number; now: number },
): Promise<Author> {
  const { id, needed, days, places, diesAt, now } = letter;
  const life = keys.life(randomBytes(32));
  const [letterKey, addressesKey] = [randomBytes(32), randomBytes(32)];
  const shared = async (secret: Buffer) =>
    (await split(new Uint8Array(secret), sisters.length, needed)).map(b64url);
  const [ofAddresses, ofLetter] = [await shared(addressesKey), await shared(letterKey)];
  const recipients = Array.from({ length: letter.recipients }, (_, i) => ({
    ...{
      address: `${id.slice(0, 8).toLowerCase()}.${i}@mail.example`,
      token: b64url(randomBytes(32)),
      openedAt: null,
      readAtHome: false,
    },
  }));
  const told = recipients.map(({ address, token }) => ({ address, token }));
  const common = {
    ...{ id, edition: 1, lifeKey: life.verifyingKey, needed, days },
    sisters: sisters.map(({ origin, address }) => ({ origin, address })),
    ...{ encryptedContent: 'c2VhbGVk', sealId: b64url(randomBytes(16)) },
    encryptedAddresses: sealed(
      JSON.stringify({ v: 1, authorName: null, recipients: told }),
      addressesKey,
      id,
    ),
    tokens: told.map(({ token }) => proofHash(token)),
    sharesOfAddresses: ofAddresses.map(hashOfShare),
  };
  const boxes = await Promise.all(
    sisters.map(({ address, recipient }, place) => {
      const own = { shareOfAddresses: ofAddresses[place], shareOfLetter: ofLetter[place] };
      const text = JSON.stringify({ ...common, ...own });
      const signature = life.sign('latebra/v1/sister-letter', sisterLetterMessage(address, text));
      return keys.seal(recipient, JSON.stringify({ v: 1, letter: text, signature }));
    }),
  );
  return {
    ...{ id, needed, days, places, letterKey, recipients, diesAt, comesAt: now, boxes },
    shares: ofAddresses.map((share, place) => ({ ofAddresses: share, ofLetter: ofLetter[place] ?? '' })),
    sign: (address, challenge, kind) =>
      life.sign('latebra/v1/sister-sign', sisterSignMessage(address, { id, challenge, kind })),
  };
}

function sealed(text: string, key: Buffer, id: string): string {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(sisterAddressesBound(id, 1));
  return Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString(
    'base64',
  );
}
