// The number in a mail's link: this server alone can make one, and any other changes nothing.
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createDigests } from '../../digests.ts';
import { linkToken, readLinkToken } from './link-token.ts';
import { newMessageId } from './message-store.ts';

const digests = createDigests(Buffer.alloc(32, 7));

it('a press token names its message, fits in a link, and is the same each time', () => {
  const id = newMessageId();
  const token = linkToken(digests, id);
  expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(linkToken(digests, id)).toBe(token);
  expect(readLinkToken(digests, token)).toBe(id);
  expect(readLinkToken(createDigests(randomBytes(32)), token)).toBeNull();
});

it('a press token with any bit changed is none', () => {
  const bytes = Buffer.from(linkToken(digests, newMessageId()), 'base64url');
  for (let bit = 0; bit < bytes.length * 8; bit += 1) {
    const other = Buffer.from(bytes);
    other[bit >> 3] = (other[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    expect(readLinkToken(digests, other.toString('base64url'))).toBeNull();
  }
});

it('whatever else is typed is none, and the proof of another purpose is none', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (text) => {
      expect(readLinkToken(digests, text)).toBeNull();
    }),
  );
  const id = newMessageId();
  const proof = Buffer.from(digests.keyed('release', id), 'hex').subarray(0, 16);
  const forged = Buffer.concat([Buffer.from(id, 'base64url'), proof]).toString('base64url');
  expect(readLinkToken(digests, forged)).toBeNull();
});
