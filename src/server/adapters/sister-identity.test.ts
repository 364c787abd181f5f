// What an instance opens of what others have sealed to it.
import { Encrypter } from 'age-encryption';
import { expect, it } from 'vitest';
import { createDigests } from '../digests.ts';
import { deriveSisterIdentity, sealToSister } from './sister-identity.ts';

it('opens a box of one stanza, and tries no others: each costs milliseconds of the thread that answers everybody', async () => {
  const identity = await deriveSisterIdentity(createDigests(Buffer.alloc(32, 7)));
  const other = await deriveSisterIdentity(createDigests(Buffer.alloc(32, 8)));
  expect(await identity.open(await sealToSister(identity.recipient, 'for you'))).toBe('for you');
  const encrypter = new Encrypter();
  for (const recipient of [other.recipient, identity.recipient]) encrypter.addRecipient(recipient);
  const box = Buffer.from(await encrypter.encrypt('for two')).toString('base64');
  expect(await identity.open(box)).toBeNull();
  expect(await identity.open('AAAA')).toBeNull();
});
