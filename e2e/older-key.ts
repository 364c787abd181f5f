// A vault whose key was replaced while something stays under the old one, made without the screen that does it.
import type { Page } from '@playwright/test';
import { createClientKey } from '../src/crypto/client-key.ts';
import { sealKeyRing } from '../src/crypto/key-ring.ts';
import {
  deriveContentKey,
  fingerprintOf,
  generateVaultKey,
  vaultKeyFromHex,
  vaultKeyToHex,
} from '../src/crypto/vault-key.ts';
import { expect, type TestInstance } from './instance.ts';

/**
 * Puts a new key in place; the old one goes into the ring, with every ghost and the breath noted under it. Returns both
 * fingerprints.
 */
export async function replaceKey(
  page: Page,
  instance: TestInstance,
): Promise<{ before: string; after: string }> {
  const [slot = '', hex = ''] = await page.evaluate(
    () => Object.entries(localStorage).find(([name]) => name.startsWith('latebra.vault-key:')) ?? [],
  );
  const old = vaultKeyFromHex(hex);
  const key = generateVaultKey();
  const before = await fingerprintOf(old);
  const path = `${instance.url}/api/encryption-key/regeneration`;
  const begun = await page.request.post(path, { data: { fingerprint: before } });
  expect(begun.status()).toBe(201);
  const { id } = await begun.json();
  const rows = async (what: string) => (await page.request.get(`${instance.url}/api/${what}`)).json();
  const ghosts: { id: number; sealId: string }[] = await rows('ghost-entries');
  const breath: { sealId: string } | null = await rows('final-breath');
  // So are the answers to the three questions.
  const answers: { sealId: string } = await rows('onboarding');
  const left = [
    { kind: 'onboarding', id: null },
    ...ghosts.map((ghost) => ({ kind: 'ghost', id: ghost.id })),
    ...(breath ? [{ kind: 'breath', id: null }] : []),
  ];
  const stayed = [...ghosts, ...(breath ? [breath] : []), answers].map(({ sealId }) => sealId);
  expect((await page.request.put(path, { data: { id, entries: [], left } })).status()).toBe(204);
  const data = {
    id,
    previousFingerprint: before,
    clientKey: await createClientKey(key, { generation: 2, before: old }),
    keyRing: await sealKeyRing([{ key: old, stayed }], await deriveContentKey(key)),
    wordsKept: true,
  };
  const finished = await page.request.post(`${path}/finish`, { data });
  expect(finished.status(), await finished.text()).toBe(201);
  await page.evaluate(
    ([name, value]) => localStorage.setItem(name ?? '', value ?? ''),
    [slot, vaultKeyToHex(key)],
  );
  await page.reload();
  return { before, after: await fingerprintOf(key) };
}
