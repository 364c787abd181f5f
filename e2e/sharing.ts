// Steps around one-time links: leaving words for somebody without the owner's screens, and opening them elsewhere.
import type { Browser, BrowserContextOptions, Page } from '@playwright/test';
import { stretch } from '../src/crypto/argon2.ts';
import { deriveShare, newShareSecret, proofHash, shareSalt, shareSecretToText } from '../src/crypto/claim.ts';
import { PASSPHRASE_PARAMS } from '../src/crypto/passphrase.ts';
import { newSealId, seal } from '../src/crypto/seal.ts';
import { type ConsoleWatch, expect, type TestHouse } from './house.ts';

export const WORDS = {
  v: 1,
  entryType: 'memory',
  title: 'The bell under the lake',
  content: 'She told me about the flooded village.\n\nThe bell still rings.',
  createdAt: '2026-03-01T10:00:00.000Z',
};

export interface LeftWords {
  id: number;
  keyId: string;
  /** What stands after `#`. */
  secret: string;
  link: string;
  /** What proves that the link is whole. */
  door: string;
}

/** Leaves words under a one-time link, as the account that a page is signed in to. */
export async function leaveWords(
  owner: Page,
  house: Pick<TestHouse, 'url'>,
  { passphrase, entry = WORDS }: { passphrase?: string; entry?: object } = {},
): Promise<LeftWords> {
  const post = async (path: string, data: object) =>
    (await owner.request.post(`${house.url}${path}`, { data })).json();
  const memory = await post('/api/memory-entries', { title: 'dA==', encryptedContent: 'dA==' });
  const { id, keyId, shareUrl } = await post('/api/shareable-keys', {
    entryType: 'memory',
    entryId: memory.id,
  });
  const secret = newShareSecret();
  const stretched =
    passphrase === undefined ? null : await stretch(passphrase, await shareSalt(secret), PASSPHRASE_PARAMS);
  const { door, claim, contentKey } = await deriveShare(secret, stretched);
  const context = { kind: 'share', field: 'encryptedContent', sealId: keyId };
  const response = await owner.request.put(`${house.url}/api/shareable-keys/${id}/seal`, {
    data: {
      encryptedContent: await seal(JSON.stringify(entry), contentKey, context),
      doorHash: await proofHash(door),
      claimHash: await proofHash(claim),
      stretching: stretched && PASSPHRASE_PARAMS,
      encryptedSecret: 'AAAA',
      sealId: newSealId(),
    },
  });
  expect(response.status()).toBe(200);
  const text = shareSecretToText(secret);
  return { id, keyId, secret: text, link: `${shareUrl}#${text}`, door };
}

/** A page of somebody who has never been here, on another device; its console is watched as well. */
export async function stranger(
  browser: Browser,
  quiet: ConsoleWatch,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const context = await browser.newContext(options);
  quiet.watch(context);
  return context.newPage();
}

/** Presses, and finds these words. */
export async function breakSeal(page: Page, words: string[]): Promise<void> {
  await page.getByRole('button', { name: 'Break the seal' }).click();
  for (const part of words) await expect(page.getByRole('article')).toContainText(part);
}
