// A member. How people come to that is told in first-visit.spec.ts; a test that is about
// something else begins here, without pressing its way through the gate.
import { randomBytes } from 'node:crypto';
import type { Page } from '@playwright/test';
import { NO_ENTRY } from '../src/crypto/book-entry.ts';
import { createClientKey } from '../src/crypto/client-key.ts';
import { newSealId } from '../src/crypto/seal.ts';
import { deriveContentKey, generateVaultKey, vaultKeyToHex } from '../src/crypto/vault-key.ts';
import { wordsFromKey } from '../src/crypto/words.ts';
import type { Call } from '../src/web/testing/one-time-links.ts';
import { sealRow } from '../src/web/vault/entries/testing/sealing.ts';
import { expect, type TestInstance } from './instance.ts';
import { ANSWERS } from './rites.ts';
import { keyIn } from './sealing.ts';

type Instance = Pick<TestInstance, 'url'>;

/** Calls with the session of a page's browser, which shows nothing of them. They throw when they are refused. */
export function callsOf(page: Page, instance: Instance): Call {
  return async <Reply>(method: string, path: string, data?: unknown) => {
    const answer = await page.request.fetch(instance.url + path, {
      method,
      ...(data === undefined ? {} : { data }),
    });
    const text = await answer.text();
    if (!answer.ok()) throw new Error(`${method} ${path}: ${answer.status()} ${text}`);
    return (text ? JSON.parse(text) : undefined) as Reply;
  };
}

/**
 * Gives a page's browser the session of a new account with a key and its three answers. Nothing is shown, and the browser
 * does not hold the key. The account has no recovery method; it has proved who it is just now.
 */
export async function signUpMember(page: Page, instance: Instance, name = 'agnes', answers = ANSWERS) {
  async function post(path: string, data: object) {
    const answer = await page.request.post(`${instance.url}${path}`, { data });
    expect(answer.status(), path).toBe(201);
    return answer.json();
  }
  const authKey = randomBytes(32).toString('base64url');
  const { id } = (await post('/api/gate/passphrase/begin', { name, authKey })) as { id: string };
  const key = generateVaultKey();
  const clientKey = await createClientKey(key);
  await post('/api/encryption-key', { clientKey });
  const contentKey = await deriveContentKey(key);
  const sealId = newSealId();
  const [question1 = '', question2 = '', question3 = ''] = answers;
  const sealed = await sealRow(contentKey, 'onboarding', sealId, { question1, question2, question3 });
  await post('/api/onboarding', { ...sealed, sealId, keyFingerprint: clientKey.fingerprint });
  return { id, key, clientKey };
}

/** As `signUpMember`, with the key in that browser, which has seen it to be the vault's; opens a screen. */
export async function enterAsMember(
  page: Page,
  instance: Instance,
  name = 'agnes',
  path = '/',
  answers = ANSWERS,
): Promise<void> {
  const { id, key, clientKey } = await signUpMember(page, instance, name, answers);
  const { generation, fingerprint, verifyingKey } = clientKey;
  // What vault/device/key-slot.ts and vault/device/key-pin.ts keep of a key that was made here; and a question is answered.
  const kept = {
    [`latebra.vault-key:${id}`]: vaultKeyToHex(key),
    [`latebra.key-pin:${id}`]: JSON.stringify({ generation, fingerprint, verifyingKey }),
    [`latebra.key-record:${id}`]: JSON.stringify({ fingerprint, keyRing: null }),
    [`latebra.device:${id}`]: 'own',
    // And vault/device/pin-slot.ts: whoever has made the key knows that no book was there.
    [`latebra.book-pin:${id}`]: JSON.stringify({ n: 0, hash: NO_ENTRY }),
  };
  await page.goto(`${instance.url}/robots.txt`);
  await page.evaluate((slots) => {
    for (const [slot, text] of Object.entries(slots)) localStorage.setItem(slot, text);
  }, kept);
  await page.goto(instance.url + path);
  const heading = path === '/' ? { name: 'The chambers' } : { level: 1 };
  await expect(page.getByRole('heading', heading)).toBeVisible();
  await untilDrawn(page);
}

/** Waits until the app has drawn itself in the place of what its document shows of the desk. */
export const untilDrawn = (page: Page) =>
  expect(page.locator('header [inert], #root > [role=status]')).toHaveCount(0);

/** Notes that the words were written down in this browser, so that there is a recovery method. Returns them as they are typed. */
export async function keepWords(page: Page, instance: Instance): Promise<string> {
  const { hex, fingerprint } = await keyIn(page);
  const answer = await page.request.post(`${instance.url}/api/encryption-key/words`, {
    data: { fingerprint },
  });
  expect(answer.ok()).toBe(true);
  // What vault/device/methods-set-here.ts keeps of it.
  await page.evaluate(
    (methods) => {
      const [, uid] = /^latebra\.vault-key:(.+)$/m.exec(Object.keys(localStorage).join('\n')) ?? [];
      localStorage.setItem(`latebra.methods:${uid}`, JSON.stringify(methods));
    },
    { fingerprint, passkeys: [], passphrase: false, words: true },
  );
  return wordsFromKey(Buffer.from(hex, 'hex')).join(' ');
}
