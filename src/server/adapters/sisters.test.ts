// How an instance knows its sisters, and is known: keys that its secret makes again, answers that are bounded, and shares that
// open addresses only together.
import { randomBytes } from 'node:crypto';
import { split } from 'shamir-secret-sharing';
import { expect, it } from 'vitest';
import { createDigests } from '../digests.ts';
import { verifySignature } from './signatures.ts';
import { addressOfKeys, deriveSisterIdentity, sealToSister } from './sister-identity.ts';
import { hashOfShare, openAddresses, openAtRest, sealAtRest } from './sister-shares.ts';
import { type AskSister, createSisters } from './sisters.ts';

const digests = createDigests(Buffer.alloc(32, 7));
const identity = await deriveSisterIdentity(digests);
const other = await deriveSisterIdentity(createDigests(Buffer.alloc(32, 8)));

function sistersThat(ask: AskSister, listed = { origin: 'https://one.example', address: other.address }) {
  let elapsed = 0;
  const sisters = createSisters({
    config: { publicUrl: new URL('https://vault.example'), sisters: [listed] },
    digests,
    elapsed: () => elapsed,
    ask,
  });
  if (!sisters) throw new Error('it is joined with none');
  return {
    sisters,
    listed,
    pass: (by: number) => {
      elapsed += by;
    },
  };
}

it('an instance secret makes the same keys at each start, and their address', async () => {
  const again = await deriveSisterIdentity(digests);
  expect([again.address, again.recipient, again.verifyingKey]).toEqual([
    ...[identity.address, identity.recipient, identity.verifyingKey],
  ]);
  expect(addressOfKeys(identity)).toBe(identity.address);
  expect(identity.address).toMatch(/^[0-9a-f]{32}$/);
  expect(other.address).not.toBe(identity.address);
  expect(addressOfKeys({ ...identity, recipient: 'age1pq1short' })).toBeNull();
});

it('a box opens at the instance that it is sealed to, and nowhere else', async () => {
  const box = await sealToSister(identity.recipient, 'a share');
  expect(await identity.open(box)).toBe('a share');
  expect(await other.open(box)).toBeNull();
  expect(await identity.open(`${box.slice(0, -8)}AAAAAAA=`)).toBeNull();
});

it('a signature of an instance holds for its own keys and its use', () => {
  const signature = identity.sign('latebra/v1/sister-call', Buffer.from('words'));
  const holds = (key: string, context: Parameters<typeof verifySignature>[1], words: string) =>
    verifySignature(key, context, Buffer.from(words), signature);
  expect(holds(identity.verifyingKey, 'latebra/v1/sister-call', 'words')).toBe(true);
  expect(holds(identity.verifyingKey, 'latebra/v1/sister-sign', 'words')).toBe(false);
  expect(holds(identity.verifyingKey, 'latebra/v1/sister-call', 'other words')).toBe(false);
  expect(holds(other.verifyingKey, 'latebra/v1/sister-call', 'words')).toBe(false);
});

it('enough shares of their key open addresses, for one letter and edition; fewer, and wrong ones, nothing', async () => {
  const { createCipheriv } = await import('node:crypto');
  const { sisterAddressesBound } = await import('./signatures.ts');
  const key = randomBytes(32);
  const shares = (await split(new Uint8Array(key), 3, 2)).map((share) =>
    Buffer.from(share).toString('base64url'),
  );
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(sisterAddressesBound('id', 3));
  const sealed = Buffer.concat([iv, cipher.update('whom'), cipher.final(), cipher.getAuthTag()]);
  const letter = { id: 'id', edition: 3, encryptedAddresses: sealed.toString('base64') };
  expect(await openAddresses(letter, shares.slice(0, 2))).toBe('whom');
  expect(await openAddresses(letter, shares.slice(1))).toBe('whom');
  expect(await openAddresses(letter, shares)).toBe('whom');
  expect(await openAddresses(letter, shares.slice(0, 1))).toBeNull();
  expect(await openAddresses(letter, [shares[0] ?? '', randomBytes(33).toString('base64url')])).toBeNull();
  expect(await openAddresses(letter, [shares[0] ?? '', shares[0] ?? ''])).toBeNull();
  expect(await openAddresses({ ...letter, edition: 4 }, shares)).toBeNull();
  expect(await openAddresses({ ...letter, id: 'another' }, shares)).toBeNull();
  expect(await openAddresses({ ...letter, encryptedAddresses: 'AAAA' }, shares)).toBeNull();
  expect(hashOfShare(shares[0] ?? '')).not.toBe(hashOfShare(shares[1] ?? ''));
});

it('what is kept opens in its place and under the secret that it was kept under', () => {
  const sealed = sealAtRest(digests, 'here', 'a share');
  expect(sealed).not.toContain('share');
  expect(openAtRest(digests, 'here', sealed)).toBe('a share');
  expect(openAtRest(digests, 'there', sealed)).toBeNull();
  expect(openAtRest(createDigests(Buffer.alloc(32, 9)), 'here', sealed)).toBeNull();
});

it('keys are believed where they make the address that was listed, and asked for once in a while', async () => {
  let asked = 0;
  const keys = { recipient: other.recipient, verifyingKey: other.verifyingKey };
  const { sisters, listed, pass } = sistersThat(async (url, options) => {
    asked += 1;
    expect([url.href, options.redirect]).toEqual(['https://one.example/api/sisters/identity', 'error']);
    return Response.json({ address: 'whatever it says', ...keys });
  });
  expect(await sisters.keysOf(listed)).toEqual({ address: other.address, ...keys });
  await sisters.keysOf(listed);
  expect(asked).toBe(1);
  pass(11 * 60_000);
  await sisters.keysOf(listed);
  expect(asked).toBe(2);
  expect(
    await sisters.keysOf({ ...listed, origin: 'https://one.example/', address: identity.address }),
  ).toBeNull();
});

it.each<[string, AskSister]>([
  ['does not answer', async () => Promise.reject(new TypeError('fetch failed'))],
  ['answers something else', async () => new Response('<html>')],
  ['answers no keys', async () => Response.json({ recipient: 1 })],
  ['answers without end', async () => new Response('x'.repeat(100_000))],
  ['answers that it has failed', async () => Response.json({ ...other }, { status: 500 })],
  ['answers the keys of another', async () => Response.json({ ...identity })],
])('an instance that %s has no keys', async (_, ask) => {
  const { sisters, listed } = sistersThat(ask);
  expect(await sisters.keysOf(listed)).toBeNull();
});

it('one that does not answer is asked once by all who ask, and not again for half a minute', async () => {
  let asked = 0;
  const { sisters, listed, pass } = sistersThat(async () => {
    asked += 1;
    throw new TypeError('fetch failed');
  });
  expect(await Promise.all([sisters.keysOf(listed), sisters.keysOf(listed)])).toEqual([null, null]);
  expect(await sisters.keysOf(listed)).toBeNull();
  expect(asked).toBe(1);
  pass(30_000);
  expect(await sisters.keysOf(listed)).toBeNull();
  expect(asked).toBe(2);
});

it('there are none where none are listed', () => {
  const config = { publicUrl: new URL('https://vault.example'), sisters: [] };
  expect(createSisters({ config, digests, elapsed: () => 0 })).toBeNull();
});
