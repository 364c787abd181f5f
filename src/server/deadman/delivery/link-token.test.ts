// The number in a mail's link: this server alone can make one, and any other changes nothing.
import { randomBytes, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createDigests } from '../../digests.ts';
import { linkToken, type PressLink, pressToken, readLinkToken, readPressToken } from './link-token.ts';
import { newMessageId } from './message-store.ts';

const digests = createDigests(Buffer.alloc(32, 7));

const aLink = (): PressLink => ({
  purpose: 'press-warning',
  publicId: newMessageId(),
  uid: randomUUID(),
});

it('a press token names its message and its account, fits in a link, and is the same each time', () => {
  const link = aLink();
  const token = pressToken(digests, link);
  expect(token).toMatch(/^[A-Za-z0-9_-]{64}$/);
  expect(pressToken(digests, link)).toBe(token);
  expect(readPressToken(digests, token)).toEqual(link);
  expect(readPressToken(createDigests(randomBytes(32)), token)).toBeNull();
});

it('a token that ends reminders names its recipient, and is none for another purpose', () => {
  const id = newMessageId();
  const token = linkToken(digests, id, 'stop-reminders');
  expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(readLinkToken(digests, token, 'stop-reminders')).toBe(id);
  expect(readLinkToken(digests, token, 'outside-look')).toBeNull();
  expect(readPressToken(digests, token)).toBeNull();
});

it('a press token with any bit changed is none', () => {
  const bytes = Buffer.from(pressToken(digests, aLink()), 'base64url');
  for (let bit = 0; bit < bytes.length * 8; bit += 1) {
    const other = Buffer.from(bytes);
    other[bit >> 3] = (other[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    expect(readPressToken(digests, other.toString('base64url'))).toBeNull();
  }
});

it('whatever else is typed is none, and the proof of another purpose is none', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (text) => {
      expect(readPressToken(digests, text)).toBeNull();
      expect(readLinkToken(digests, text, 'stop-reminders')).toBeNull();
    }),
  );
  const id = newMessageId();
  const proof = Buffer.from(digests.keyed('release', id), 'hex').subarray(0, 16);
  const forged = Buffer.concat([Buffer.from(id, 'base64url'), proof]).toString('base64url');
  expect(readLinkToken(digests, forged, 'stop-reminders')).toBeNull();
});
