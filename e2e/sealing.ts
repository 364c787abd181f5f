// Sealing outside the page, with the key that its browser keeps: how a test fills a vault with more than anybody would
// type, and reads everything in it.
import type { Page } from '@playwright/test';
import { fromHex } from '../src/crypto/base64.ts';
import { newSealId } from '../src/crypto/seal.ts';
import { deriveContentKey, fingerprintOf } from '../src/crypto/vault-key.ts';
import type { KindName } from '../src/shared/sealed-kinds.ts';
import { openField, sealRow } from '../src/web/vault/entries/testing/sealing.ts';
import type { TestInstance } from './instance.ts';

type Instance = Pick<TestInstance, 'url'>;

export interface HandKey {
  hex: string;
  contentKey: CryptoKey;
  fingerprint: string;
}

/** The key that stands in this browser's slot. */
export async function keyIn(page: Page): Promise<HandKey> {
  const hex = await page.evaluate(
    () =>
      Object.entries({ ...localStorage }).find(([name]) => name.startsWith('latebra.vault-key:'))?.[1] ?? '',
  );
  const key = fromHex(hex);
  return { hex, contentKey: await deriveContentKey(key), fingerprint: await fingerprintOf(key) };
}

/** Posts one row of a kind, its fields sealed. Answers the row. */
export async function postSealed(
  page: Page,
  instance: Instance,
  path: string,
  kind: KindName,
  key: HandKey,
  texts: Record<string, string>,
  clear: object = {},
): Promise<{ id: number; version: number }> {
  const sealId = newSealId();
  const data = {
    ...(await sealRow(key.contentKey, kind, sealId, texts, clear)),
    ...clear,
    sealId,
    keyFingerprint: key.fingerprint,
  };
  const answer = await fetch(`${instance.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: await cookiesOf(page) },
    body: JSON.stringify(data),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as { id: number; version: number };
}

/** The page's session. Playwright's own requests go into its trace, and thousands of them take minutes there. */
async function cookiesOf(page: Page): Promise<string> {
  return (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
}

export const postMemory = (
  page: Page,
  instance: Instance,
  key: HandKey,
  title: string,
  content: string,
  clear: object = {},
  details?: object,
) =>
  postSealed(
    page,
    instance,
    '/api/memory-entries',
    'memory',
    key,
    {
      ...{ title, encryptedContent: content },
      ...(details && { details: JSON.stringify({ ...details, v: 1 }) }),
    },
    clear,
  );

/** Does something `count` times, a few at once. */
export async function many(count: number, work: (i: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: 8 }, worker));
}

export interface Row {
  id: number;
  title: string;
  encryptedContent: string | null;
  sealId: string | null;
  keyFingerprint: string | null;
}

/** Every memory as the server keeps it. */
export async function memoryRows(page: Page, instance: Instance): Promise<Row[]> {
  const rows: Row[] = [];
  for (let more = true; more; ) {
    const before = rows.length > 0 ? `&before=${rows.at(-1)?.id}` : '';
    const answer = await page.request.get(`${instance.url}/api/memory-entries?limit=500${before}`);
    rows.push(...((await answer.json()) as Row[]));
    more = (answer.headers().link ?? '').includes('next');
  }
  return rows;
}

/** The title and the words of a memory, under a key. @throws when they do not open */
export async function openRow(row: Row, key: HandKey): Promise<[title: string, content: string]> {
  return [
    await openField(key.contentKey, 'memory', 'title', row, row.title),
    await openField(key.contentKey, 'memory', 'encryptedContent', row, row.encryptedContent),
  ];
}
