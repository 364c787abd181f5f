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
import { expect, type TestHouse } from './house.ts';

/** Puts a new key in place; the old one goes into the ring. Returns both fingerprints. */
export async function replaceKey(page: Page, house: TestHouse): Promise<{ before: string; after: string }> {
  const [slot = '', hex = ''] = await page.evaluate(
    () => Object.entries(localStorage).find(([name]) => name.startsWith('latebra.vault-key:')) ?? [],
  );
  const old = vaultKeyFromHex(hex);
  const key = generateVaultKey();
  const before = await fingerprintOf(old);
  const path = `${house.url}/api/encryption-key/regeneration`;
  const begun = await page.request.post(path, { data: { fingerprint: before } });
  expect(begun.status()).toBe(201);
  const { id } = await begun.json();
  // The answers to the three questions stay as they are.
  const left = [{ kind: 'onboarding', id: null }];
  expect((await page.request.put(path, { data: { id, entries: [], left } })).status()).toBe(204);
  const data = {
    id,
    previousFingerprint: before,
    clientKey: await createClientKey(key),
    keyRing: await sealKeyRing([old], await deriveContentKey(key)),
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
