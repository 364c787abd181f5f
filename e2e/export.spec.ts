// Leaving with everything, and coming back with it, in a real browser: the file that it saves and reads, the workers that
// make and open it, and a vault that is destroyed in between. What an archive holds, what is refused and what is cut off
// is told in src/web/chambers/settings/archive/archive.test.tsx; what is destroyed in settings/destroy-vault.test.tsx.
import { readFileSync, writeFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { unzipSync } from 'fflate';
import { utf8 } from '../src/crypto/encoding.ts';
import { newSealId } from '../src/crypto/seal.ts';
import { buildArchive } from '../src/crypto/testing/archives.ts';
import { axeFindings } from './axe.ts';
import { expect, test } from './instance.ts';
import { enterAsMember } from './member.ts';
import { takePicture } from './pictures.ts';
import { expectToast, pressEscape } from './rites.ts';
import { keyIn, postMemory, postSealed } from './sealing.ts';

/** An archive's passphrase is stretched for seconds, and for many more on a busy machine. */
const STRETCHING = 90_000;
const PASSPHRASE = 'six words for one archive alone';
const texts = new Map([
  ['A bell under the lake', 'It still rings.\n\tTwice, on Sundays. 🜏'],
  ['سرّ', 'Right to left, e\u0301 composed late, and “quotes”.'],
  ['Long', 'All of it, word for word. '.repeat(20_000)],
]);

/** Exports and returns the file's bytes. */
async function exportAs(page: Page, form: 'sealed' | 'readable'): Promise<{ name: string; bytes: Buffer }> {
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Export' });
  await dialog.getByLabel('Form').selectOption(form);
  if (form === 'readable') expect(await axeFindings(page)).toEqual([]);
  if (form === 'sealed') {
    await dialog.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE);
    await dialog.getByLabel('Repeat passphrase').fill(PASSPHRASE);
  }
  const [file] = await Promise.all([
    page.waitForEvent('download', { timeout: STRETCHING }),
    dialog.getByRole('button', { name: `Export ${form}` }).click(),
  ]);
  await Promise.all([expectToast(page, 'Export Initiated'), expect(dialog).toBeHidden()]);
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
}

interface Entry {
  title: string;
  content: string;
  sealId: string;
  createdAt: string;
  updatedAt: string;
}

interface Entries {
  memories: Entry[];
  relationships: Entry[];
  letters: object[];
  whispers: object[];
}

/** What an unsealed archive says of the entries. */
const entriesIn = (zip: Uint8Array): Entries =>
  JSON.parse(Buffer.from(unzipSync(zip)['entries.json'] ?? []).toString('utf8'));

/** When a row was last changed is when it was brought in. */
const withoutChange = ({ updatedAt: _, ...entry }: Entry) => entry;

/** The same archive with a letter and a whisper in it, signed by this key. */
async function withLetters(zip: Uint8Array, key: Uint8Array): Promise<Uint8Array> {
  const createdAt = new Date().toISOString();
  const letter = {
    sealId: newSealId(),
    title: 'For Ada',
    content: 'The key hangs behind the clock.',
    state: 'dormant',
    triggerType: 'manual',
    triggerValue: 'manual',
    timeZone: 'Europe/Berlin',
    authorName: null,
    recipients: [
      { recipientType: 'email', recipientAddress: 'ada@example.org', tell: 'at-release', name: 'Ada' },
    ],
    createdAt,
  };
  const whisper = {
    sealId: newSealId(),
    publicId: newSealId(),
    title: 'Under the stairs',
    content: 'Look there, and forgive me.',
    from: '0123456789abcdef'.repeat(2),
    releasedAt: createdAt,
  };
  const entries = { ...entriesIn(zip), letters: [letter], whispers: [whisper] };
  return buildArchive({ 'entries.json': utf8(JSON.stringify(entries)) }, key, {
    createdAt,
    origin: 'http://localhost',
  });
}

async function look(page: Page, name: string): Promise<void> {
  expect((await axeFindings(page)).map(({ id, nodes }) => `${name}: ${id} ${nodes[0]?.html}`)).toEqual([]);
  for (const [size, viewport] of [
    ['narrow', { width: 390, height: 844 }],
    ['wide', { width: 1440, height: 900 }],
  ] as const) {
    await page.setViewportSize(viewport);
    await takePicture(page, `${size}-${name}`);
  }
}

test('a vault is exported, destroyed in every tab, and comes back byte for byte in a new account', async ({
  page,
  context,
  instance,
  quiet,
}, testInfo) => {
  test.setTimeout(300_000);
  quiet.expect(/status of 40[13]/);
  await enterAsMember(page, instance, 'agnes', '/settings');
  const key = await keyIn(page);
  for (const [title, content] of texts) await postMemory(page, instance, key, title, content);
  await postSealed(
    page,
    instance,
    '/api/relationship-entries',
    'relationship',
    key,
    { personName: 'Nora', encryptedContent: 'She said it on the ferry.' },
    { eventType: 'confession', emotionalWeight: 4 },
  );
  const sealed = await exportAs(page, 'sealed');
  expect(sealed.name).toMatch(/^latebra-\d{4}-\d\d-\d\d\.zip\.age$/);
  const readable = await exportAs(page, 'readable');
  const entries = entriesIn(readable.bytes);
  expect(new Map(entries.memories.map(({ title, content }) => [title, content]))).toEqual(texts);

  const second = await context.newPage();
  await second.goto(`${instance.url}/memory-vault`);
  await expect(second.getByRole('button', { name: 'A bell under the lake' }).first()).toBeVisible();
  const destroy = page.getByRole('button', { name: 'Destroy Vault' });
  await destroy.click();
  const question = page.getByRole('alertdialog', { name: 'Destroy the vault?' });
  await expect(question.getByRole('textbox')).toBeFocused();
  await look(page, 'destroy');
  await pressEscape(page);
  await expect(question).toBeHidden();
  await expect(destroy).toBeFocused();
  await destroy.click();
  await question.getByRole('textbox').fill('DESTROY');
  await question.getByRole('button', { name: 'Destroy Vault' }).click();
  for (const tab of [page, second]) {
    await expect(tab.getByRole('link', { name: 'Begin the Ritual' }).first()).toBeVisible();
  }
  expect(new URL(page.url()).pathname).toBe('/');
  expect(await page.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)])).toEqual(
    [],
  );
  await second.close();

  // The name is free again.
  await enterAsMember(page, instance, 'agnes', '/settings');
  const dialog = page.getByRole('dialog', { name: 'Import' });
  const offer = async (name: string, bytes: Uint8Array) => {
    const path = testInfo.outputPath(name);
    writeFileSync(path, bytes);
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await dialog.getByLabel('Archive', { exact: true }).setInputFiles(path);
  };
  await offer('letters.zip', await withLetters(readable.bytes, Buffer.from(key.hex, 'hex')));
  await expect(dialog).toContainText('3 memories, 1 moment with people, 1 letter and 1 whisper.');
  await look(page, 'import-letters');
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  // Cancelled while it is unsealed, it ends at once and comes to nothing; the next press goes through.
  await offer(sealed.name, sealed.bytes);
  const unseal = async () => {
    await dialog.getByLabel('Passphrase of the archive').fill(PASSPHRASE);
    await dialog.getByRole('button', { name: 'Open' }).click();
    await expect(dialog.getByRole('progressbar', { name: 'Unsealing the archive' })).toBeVisible();
  };
  await unseal();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog.getByRole('progressbar')).toBeHidden();
  await expect.poll(() => page.workers().length).toBe(0);
  await expect(dialog.getByRole('alert')).toBeHidden();
  await unseal();
  await expect(dialog).toContainText('3 memories and 1 moment with people.', { timeout: STRETCHING });
  await expect(dialog).toContainText('signed by another vault');
  await dialog.getByRole('button', { name: 'Bring in 4' }).click();
  await Promise.all([expectToast(page, 'Import Complete', '4 of 4 entries'), expect(dialog).toBeHidden()]);

  const again = await exportAs(page, 'readable');
  expect(again.name).toMatch(/\.zip$/);
  const { memories, relationships } = entriesIn(again.bytes);
  expect(memories.map(withoutChange)).toEqual(entries.memories.map(withoutChange));
  expect(relationships.map(withoutChange)).toEqual(entries.relationships.map(withoutChange));
});
