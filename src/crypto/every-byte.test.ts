// Every byte of what is signed, each by itself. Each costs a verification, some thousand in all: `npm test` runs it, and
// `npm run check` tries some of them beside what they are about.
import { expect, test, vi } from 'vitest';
import { fromBase64, toBase64 } from './base64.ts';
import { createClientKey, verifySuccession } from './client-key.ts';
import { utf8 } from './encoding.ts';
import { deriveIdentity, verifySignature } from './identity.ts';
import { flip } from './testing/flip.ts';
import { generateVaultKey } from './vault-key.ts';

// Minutes on a busy machine.
vi.setConfig({ testTimeout: 10 * 60_000 });

const key = generateVaultKey();

test('no byte of a signature can be changed', async () => {
  const identity = await deriveIdentity(key);
  const message = utf8('message');
  const signature = identity.sign('latebra/v1/identity', message);
  for (const i of signature.keys()) {
    const changed = flip(signature, i);
    expect(verifySignature(identity.verifyingKey, 'latebra/v1/identity', message, changed)).toBe(false);
  }
});

test('no byte of a succession can be changed', async () => {
  const { verifyingKey } = await createClientKey(key);
  const next = await createClientKey(generateVaultKey(), { generation: 2, before: key });
  expect(await verifySuccession(next, verifyingKey)).toBe(true);
  const bytes = fromBase64(next.succession ?? '');
  for (const i of bytes.keys()) {
    const forged = { ...next, succession: toBase64(flip(bytes, i)) };
    if (await verifySuccession(forged, verifyingKey)) expect.fail(`byte ${i} was changed`);
  }
});
