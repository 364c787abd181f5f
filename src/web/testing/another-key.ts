// The rite of another key, as steps that web tests are written in; and what lies in a vault before and after it.
import { screen, waitFor, within } from '@testing-library/dom';
import { expect } from 'vitest';
import { fromHex } from '../../crypto/base64.ts';
import { deriveContentKey, fingerprintOf } from '../../crypto/vault-key.ts';
import { openField } from '../vault/entries/testing/sealing.ts';
import type { Browser } from './browser.tsx';
import type { Member } from './member.ts';
import { expectNoDialog, expectToast, fill, findRow, press } from './steps.ts';

const MEMORIES = '/api/memory-entries';

export interface KeyInBrowser {
  hex: string;
  contentKey: CryptoKey;
  fingerprint: string;
}

/** The key that stands in the slot of the member's browser. */
export async function keyIn({ user }: Pick<Member, 'user'>): Promise<KeyInBrowser> {
  const hex = localStorage.getItem(`latebra.vault-key:${user.id}`) ?? expect.fail('there is no key');
  const key = fromHex(hex);
  return { hex, contentKey: await deriveContentKey(key), fingerprint: await fingerprintOf(key) };
}

/** The slots of this browser that have to do with keys, without the account's number. */
export const keySlots = () =>
  Object.keys({ ...localStorage })
    .filter((name) => name.startsWith('latebra.vault-key'))
    .map((name) => name.split(':')[0])
    .sort();

export interface MemoryRow {
  id: number;
  version: number;
  title: string;
  encryptedContent: string | null;
  sealId: string | null;
  keyFingerprint: string | null;
}

/** Every memory as the server keeps it, the newest first. */
export const memoryRows = ({ call }: Pick<Member, 'call'>) => call<MemoryRow[]>('GET', MEMORIES);

/** The title and the words of a memory, under a key. @throws OpenError */
export async function openMemory(row: MemoryRow, { contentKey }: KeyInBrowser): Promise<[string, string]> {
  return [
    await openField(contentKey, 'memory', 'title', row, row.title),
    await openField(contentKey, 'memory', 'encryptedContent', row, row.encryptedContent),
  ];
}

export const postMemory = (member: Member, title: string, content: string, clear: object = {}) =>
  member.postSealed<MemoryRow>(MEMORIES, 'memory', { title, encryptedContent: content }, clear);

/** Opens a memory from the Memory Vault, finds these words in it, and closes it. */
export async function readMemory(browser: Browser, title: string, words: string): Promise<void> {
  // Without layout a list shows one row of many.
  await fill(browser, await screen.findByRole('searchbox'), title);
  const [opener] = within(await findRow(title)).getAllByRole('button');
  if (opener) await browser.user.click(opener);
  await waitFor(() => expect(screen.getByRole('dialog').textContent).toContain(words));
  await press(browser, 'Close');
  await expectNoDialog();
  await fill(browser, screen.getByRole('searchbox'), '');
}

export async function openSettings(browser: Browser): Promise<void> {
  await browser.open('/settings');
  await screen.findByRole('heading', { name: 'Sacred Settings', level: 1 });
}

/** From the settings to the step in which a recovery method is proved. */
export async function beginResealing(browser: Browser): Promise<void> {
  await press(browser, 'Regenerate');
  await press(browser, 'Re-seal everything');
  await press(browser, 'Go on', await screen.findByRole('dialog', { name: 'What was found' }));
}

/** Waits until this many recovery methods are proved for the new key. */
export const expectProved = (ways: number) =>
  waitFor(() => expect(screen.queryAllByText('Confirmed for the new key.')).toHaveLength(ways));

/** Reads the words of the dialog that shows them, and answers for three. Returns all twenty-four. */
export async function answerForWords(browser: Browser, name: string): Promise<string[]> {
  const dialog = within(await screen.findByRole('dialog', { name }));
  const items = await dialog.findAllByRole('listitem');
  const words = items.map(({ textContent }) => textContent.replace(/^\d+/, '').trim());
  expect(words).toHaveLength(24);
  await browser.user.click(dialog.getByRole('button', { name: 'I have written them down' }));
  for (const field of await dialog.findAllByLabelText(/^Word \d+$/)) {
    const [label] = (field as HTMLInputElement).labels ?? [];
    await fill(browser, field, words[Number(/\d+/.exec(label?.textContent ?? '')?.[0]) - 1] ?? '');
  }
  await press(browser, 'Prove it');
  return words;
}

/** Writes the new words down and answers for three of them, so that this many ways are proved. Returns all. */
export async function writeNewWords(browser: Browser, ways = 1): Promise<string[]> {
  const dialog = await screen.findByRole('dialog', { name: 'Recovery for the new key' });
  await press(browser, 'Write them down', dialog);
  const words = await answerForWords(browser, 'The new twenty-four words');
  await expectProved(ways);
  return words;
}

/** Presses the button that changes the key, and waits until the settings show the new one. */
export async function changeKey(member: Member, words?: string): Promise<void> {
  await press(member.browser, 'Change the key');
  await expectToast('Encryption Key Regenerated', words);
  await expectNoDialog();
  await screen.findByText((await keyIn(member)).fingerprint);
}
