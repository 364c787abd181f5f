// Somebody who lives in the house already. How people come to that is told in first-visit.spec.ts; a test that is about
// something else begins here, without pressing its way through the gate.
import { randomBytes } from 'node:crypto';
import type { Page } from '@playwright/test';
import { createClientKey } from '../src/crypto/client-key.ts';
import { newSealId, seal } from '../src/crypto/seal.ts';
import { deriveContentKey, generateVaultKey, vaultKeyToHex } from '../src/crypto/vault-key.ts';
import { expect, type TestHouse } from './house.ts';
import { ANSWERS } from './rites.ts';

/**
 * Gives a page's browser an account with a key and its three answers, and opens the chambers. The account has no way
 * back; it has proved who it is just now.
 */
export async function enterAsResident(
  page: Page,
  house: Pick<TestHouse, 'url'>,
  name = 'agnes',
): Promise<void> {
  async function post(path: string, data: object) {
    const answer = await page.request.post(`${house.url}${path}`, { data });
    expect(answer.status(), path).toBe(201);
    return answer.json();
  }
  const authKey = randomBytes(32).toString('base64url');
  const { id } = await post('/api/gate/passphrase/begin', { name, authKey });
  const key = generateVaultKey();
  const clientKey = await createClientKey(key);
  await post('/api/encryption-key', { clientKey });
  const contentKey = await deriveContentKey(key);
  const sealId = newSealId();
  const answer = (i: number) =>
    seal(ANSWERS[i] ?? '', contentKey, { kind: 'onboarding', field: `question${i + 1}`, sealId });
  const [question1, question2, question3] = await Promise.all([answer(0), answer(1), answer(2)]);
  const keyFingerprint = clientKey.fingerprint;
  await post('/api/onboarding', { question1, question2, question3, sealId, keyFingerprint });

  await page.goto(`${house.url}/robots.txt`);
  await page.evaluate(
    ([slot = '', hex = '']) => localStorage.setItem(slot, hex),
    [`latebra.vault-key:${id}`, vaultKeyToHex(key)],
  );
  await page.goto(house.url);
  await expect(page.getByRole('heading', { name: 'The chambers' })).toBeVisible();
}
