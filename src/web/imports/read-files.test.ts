// What lies in folders, zips and bundles: which files make entries, and which are left out.
import { expect, test } from 'vitest';
import { type NamedBlob, readFiles } from './read-files.ts';
import { BACKUP_KEY, encryptedBackup } from './testing/encrypted-backup.ts';
import { dayOneJournal, zipOfTexts } from './testing/fixtures.ts';

const fileOf = (path: string, content: string | Uint8Array): NamedBlob =>
  new File([typeof content === 'string' ? content : new Uint8Array(content)], path);

/** Of everything that was read: names, titles and what is left out. */
async function read(files: readonly NamedBlob[], keys?: ReadonlyMap<string, Uint8Array>) {
  const { sources, leftOut, refused, locked } = await readFiles(files, { keys });
  return {
    found: sources.map(({ name, entries }) => [name, entries.map(({ title }) => title)]),
    leftOut: Object.fromEntries(leftOut.toArray().map(({ reason, count }) => [reason, count])),
    refused,
    locked,
  };
}

const vault = {
  '.obsidian/app.json': '{}',
  'The lake.md': '---\ntags: [summer]\n---\nWarm.',
  'Trips/We came.canvas': JSON.stringify({
    nodes: [{ id: 'a', type: 'text', x: 0, y: 0, text: 'By train' }],
  }),
  'Trips/plum.jpg': 'a picture',
  'Trips/broken.canvas': '{}',
};
const expected = {
  found: [['Vault', ['We came', 'The lake']]],
  leftOut: { 'other-file': 2, media: 1 },
  refused: [],
  locked: [],
};

const bitwardenEncrypted = JSON.stringify({ encrypted: true, passwordProtected: true, data: '2.x' });
const oldBackup = JSON.stringify({
  ...encryptedBackup,
  keyParams: { ...encryptedBackup.keyParams, version: '003' },
});
const telegramPage = '<html><div class="page_wrap"><div class="history">Hi</div></div></html>';

test('a folder is read as a zip of it is', async () => {
  const files = Object.entries(vault).map(([path, text]) => fileOf(`Vault/${path}`, text));
  expect(await read(files)).toEqual(expected);
  const { found, leftOut } = await read([fileOf('Vault', zipOfTexts(vault))]);
  expect({ found, leftOut }).toEqual({ found: expected.found, leftOut: expected.leftOut });
});

test('folders and files that are chosen together are told apart', async () => {
  const { found } = await read([
    fileOf('A/one.md', 'One.'),
    fileOf('letter.txt', 'Dear Nora'),
    fileOf('B/one.md', 'Other.'),
    fileOf('A/sub/two.md', 'Two.'),
  ]);
  expect(found).toEqual([
    ['A', ['one', 'two']],
    ['letter.txt', ['letter']],
    ['B', ['one']],
  ]);
});

test('a folder has the limits of a zip', async () => {
  const files = ['a', 'b', 'c'].map((name) => fileOf(`Vault/${name}.md`, 'Words and more words.'));
  const limits = { fileBytes: 1000, textBytes: 45, nestedBytes: 1000, files: 3 };
  const { sources, leftOut } = await readFiles(files, { limits });
  expect(sources.map(({ entries }) => entries.length)).toEqual([2]);
  expect(leftOut.toArray()).toMatchObject([{ reason: 'too-large', count: 1, names: ['c.md'] }]);
  expect((await readFiles(files, { limits: { ...limits, files: 2 } })).refused).toEqual([
    { name: 'Vault', reason: 'too-large' },
  ]);
});

test('a backup of Bear, with what its folders say', async () => {
  const info = (more: object) => JSON.stringify({ 'net.shinyfrog.bear': { uniqueIdentifier: 'x', ...more } });
  const backup = zipOfTexts({
    'Notes.bear2bk/The wall.textbundle/text.md': '# The wall\n\nPlums.',
    'Notes.bear2bk/The wall.textbundle/info.json': info({ creationDate: '2023-10-11T08:10:15Z' }),
    'Notes.bear2bk/The wall.textbundle/assets/plum.jpg': 'a picture',
    'Notes.bear2bk/Gone.textbundle/text.md': 'Gone.',
    'Notes.bear2bk/Gone.textbundle/info.json': info({ trashed: 1 }),
    'Notes.bear2bk/tags.json': '{}',
  });
  expect(await read([fileOf('Notes.bear2bk', backup)])).toMatchObject({
    found: [['Notes.bear2bk', ['The wall']]],
    leftOut: { trashed: 1, media: 1, 'other-file': 1 },
  });
});

test('a locked backup waits for its password beside what can be read', async () => {
  const files = [fileOf('backup.txt', JSON.stringify(encryptedBackup)), fileOf('letter.txt', 'Dear Nora')];
  const { found, locked } = await read(files);
  expect(found).toEqual([['letter.txt', ['letter']]]);
  expect(locked).toMatchObject([{ name: 'backup.txt', wrong: false }]);
  expect(locked[0]?.salt).toHaveLength(16);
  expect((await read(files, new Map([['backup.txt', new Uint8Array(32)]]))).locked).toMatchObject([
    { name: 'backup.txt', wrong: true },
  ]);
  expect(await read(files, new Map([['backup.txt', BACKUP_KEY]]))).toMatchObject({
    found: [
      ['backup.txt', ['The orchard']],
      ['letter.txt', ['letter']],
    ],
    leftOut: { trashed: 1 },
    locked: [],
  });
});

test('texts beside a conversation are texts of their own', async () => {
  const { found, leftOut } = await read([
    fileOf('Documents/WhatsApp Chat with Nora.txt', '31.12.23, 23:59 - Nora: A good year'),
    fileOf('Documents/The lake.md', 'Warm.'),
  ]);
  expect(found).toEqual([['Documents', ['The lake']]]);
  expect(leftOut).toEqual({});
});

test.each([
  ['an encrypted export of Bitwarden', 'Vault/b.json', 'encrypted-export', bitwardenEncrypted],
  ['an old backup of Standard Notes', 'Vault/b.json', 'encrypted-backup', oldBackup],
  ['a page of Telegram', 'Vault/messages.html', 'foreign', telegramPage],
])('%s is left out among notes, and refuses only where there is nothing else', async (_, path, why, text) => {
  const notes = [fileOf('Vault/The lake.md', 'Warm.'), fileOf(path, text)];
  expect(await read(notes)).toMatchObject({ found: [['Vault', ['The lake']]], refused: [] });
  const { found, refused } = await read([fileOf(path, text), fileOf('Vault/plum.jpg', 'a picture')]);
  expect(found).toEqual([]);
  expect(refused.map(({ reason }) => reason)).toEqual([why]);
});

test('a zip that deceives is left out of a folder, and what lies beside it is read', async () => {
  const zip = zipOfTexts({ 'Plums.txt': 'By the wall. '.repeat(500) });
  const at = zip.findLastIndex((_, i) => [0x50, 0x4b, 1, 2].every((byte, k) => zip[i + k] === byte));
  // Its directory and the header of its file declare fewer bytes than there are.
  const view = new DataView(zip.buffer, zip.byteOffset);
  for (const place of [at + 24, 22]) view.setUint32(place, 100, true);
  const { found, leftOut, refused } = await read([
    fileOf('Vault/Old.zip', zip),
    fileOf('Vault/The lake.md', 'Warm.'),
  ]);
  expect(refused).toEqual([]);
  expect(found).toEqual([['Vault', ['The lake']]]);
  expect(leftOut).toEqual({ damaged: 1 });
  expect((await read([fileOf('Old.zip', zip)])).refused).toMatchObject([{ reason: 'crafted' }]);
});

test('an archive of Latebra in a folder is counted, and what lies beside it is read', async () => {
  const archive = zipOfTexts({ 'entries.json': '{"format":"latebra/entries"}', 'a.txt': 'A copy.' });
  const { found, leftOut } = await read([
    fileOf('Vault/The lake.md', 'Warm.'),
    fileOf('Vault/Latebra.zip', archive),
  ]);
  expect(found).toEqual([['Vault', ['The lake']]]);
  expect(leftOut).toEqual({ 'other-file': 1 });
});

test('a zip of another application makes no copies of the texts in the zip beside it', async () => {
  const notes = zipOfTexts({ 'The lake.md': 'Warm.', 'Plums.txt': 'By the wall.' });
  const journal = zipOfTexts({ 'Journal.json': dayOneJournal });
  const { found, leftOut } = await read([fileOf('All/a.zip', journal), fileOf('All/b.zip', notes)]);
  expect(found).toEqual([['All', expect.arrayContaining(['The lake', 'Plums'])]]);
  expect(leftOut).not.toHaveProperty('copy');
});

test('a decrypted backup of Standard Notes with an item that did not open brings in the others', async () => {
  const [, sealed] = encryptedBackup.items;
  const note = { uuid: 'n1', content_type: 'Note', content: { title: 'Bees', text: 'They came back.' } };
  const backup = JSON.stringify({ version: '004', items: [note, sealed] });
  expect(await read([fileOf('backup.txt', backup)])).toMatchObject({
    found: [['backup.txt', ['Bees']]],
    leftOut: { encrypted: 1 },
  });
});

test('beginnings that are made to cost much are read at once', async () => {
  const comments = `${'<!--x-->'.repeat(200)}<html><body>Words.</body></html>`;
  const blanks = `# a${' '.repeat(100_000)}b\n\nWords.`;
  const { found } = await read([fileOf('page.html', comments), fileOf('blanks.md', blanks)]);
  expect(found).toHaveLength(2);
});
