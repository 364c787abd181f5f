// The lists that a device of one owner keeps between visits, as only a browser has them: in IndexedDB, sealed. What is done
// with them is told in src/web/vault/entries/kept-list.test.tsx.
import type { Page } from '@playwright/test';
import { expect, test } from './instance.ts';
import { enterAsMember } from './member.ts';
import { rowOf } from './rites.ts';
import { keyIn, postMemory } from './sealing.ts';

/** Every key and every byte that IndexedDB has of lists, as one text. */
const onDisk = (page: Page) =>
  page.evaluate(async () => {
    const ofRequest = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    const database = await ofRequest(indexedDB.open('latebra-lists'));
    if (!database.objectStoreNames.contains('blocks')) {
      database.close();
      return '';
    }
    const store = database.transaction('blocks').objectStore('blocks');
    const [keys, values] = await Promise.all([ofRequest(store.getAllKeys()), ofRequest(store.getAll())]);
    database.close();
    const texts = values.map((value) =>
      value instanceof Uint8Array ? new TextDecoder('latin1').decode(value) : JSON.stringify(value),
    );
    return [JSON.stringify(keys), ...texts].join('\n');
  });

const isKept = (page: Page) => onDisk(page).then((text) => text !== '' && text !== '[]');

test('a second visit asks for what has changed; nothing on the disk can be read, and a shared device keeps nothing', async ({
  page,
  instance,
}) => {
  await enterAsMember(page, instance, 'agnes', '/memory-vault');
  const key = await keyIn(page);
  await postMemory(page, instance, key, 'The orchard', 'Ladders in an apple tree.');
  await page.reload();
  await expect(rowOf(page, 'The orchard')).toBeVisible();
  await expect.poll(() => isKept(page)).toBe(true);

  await postMemory(page, instance, key, 'The harbour', 'Herring and rain.');
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.reload();
  await expect(rowOf(page, 'The harbour')).toBeVisible();
  await expect(rowOf(page, 'The orchard')).toBeVisible();
  expect(asked).toContain('/api/changes');
  expect(asked).not.toContain('/api/memory-entries');
  const text = await onDisk(page);
  for (const secret of ['orchard', 'harbour', 'Ladders', 'Herring']) expect(text).not.toContain(secret);

  // A device that others use keeps nothing.
  await page.goto(`${instance.url}/settings`);
  const shared = page.getByRole('checkbox', { name: /^Lock the vault after 30 minutes/ });
  await shared.check();
  await expect.poll(() => isKept(page)).toBe(false);
  await page.goto(`${instance.url}/memory-vault`);
  await expect(rowOf(page, 'The orchard')).toBeVisible();
  expect(await isKept(page)).toBe(false);
  await page.goto(`${instance.url}/settings`);
  await shared.uncheck();
  await page.goto(`${instance.url}/memory-vault`);
  await expect.poll(() => isKept(page)).toBe(true);
});
