// Importing files, below the browser: what is found and shown, what comes in, once, and what happens when it is cut off.
// The formats themselves are told in src/web/imports/.
import { fireEvent, screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import type { Memory } from '../../../shared/nouns/memory.ts';
import { readFiles } from '../../../vault/files/file-ref.ts';
import { dayOneWithPhotos, sumOfPhoto } from '../../imports/testing/day-one-photos.ts';
import { BACKUP_PASSWORD, encryptedBackup } from '../../imports/testing/encrypted-backup.ts';
import { fixtures } from '../../imports/testing/fixtures.ts';
import { beginResealing, changeKey, keyIn, openSettings, writeNewWords } from '../../testing/another-key.ts';
import { expectText, exportReadable } from '../../testing/archives.ts';
import { watchDownloads } from '../../testing/downloads.ts';
import { anInstance } from '../../testing/instance.ts';
import { enterAsMember, type Member } from '../../testing/member.ts';
import { readMemory } from '../../testing/memories.ts';
import { answerInstead, holdAnswer } from '../../testing/mishaps.ts';
import { unreachable } from '../../testing/network.ts';
import { expectNoDialog, fill, findRow, press } from '../../testing/steps.ts';
import { stretchLightly } from '../../testing/workers.ts';
import { openField } from '../../vault/entries/testing/sealing.ts';

stretchLightly();
const instance = anInstance();
/** A member has a key and three answers: room for three more rows. */
const small = anInstance({ env: { QUOTA_ROWS: '5' } });
/** Room for two small photographs, each of which takes 64 KiB, and for words. */
const narrow = anInstance({ env: { QUOTA_BYTES: '200K' } });
const MEMORIES = '/api/memory-entries';

const fileOf = (name: string, content: Uint8Array | string = fixtures[name] ?? '') =>
  new File([typeof content === 'string' ? content : new Uint8Array(content)], name);
const letters = (count: number) =>
  Array.from({ length: count }, (_, i) => fileOf(`Letter ${i}.txt`, `Words of letter ${i}`));

const main = () => screen.getByRole('main');
const alertText = async () => (await within(main()).findByRole('alert')).textContent;
const counts = async () => {
  await within(main()).findByRole('heading', { name: 'Imported' });
  const terms = within(screen.getByRole('region', { name: 'What was imported' })).getAllByRole('term');
  return Object.fromEntries(terms.map((term) => [term.textContent, term.nextElementSibling?.textContent]));
};

async function openImports(member: Member): Promise<Member> {
  await member.browser.open('/imports');
  await screen.findByRole('heading', { name: 'Imports' });
  return member;
}
const enterImports = async (on = instance) => openImports(await enterAsMember(on()));

const choose = async ({ browser }: Member, ...files: File[]) =>
  browser.user.upload(await screen.findByLabelText('Files to import'), files);

/** Chooses files and imports all that they hold. */
async function importAll(member: Member, ...files: File[]) {
  await choose(member, ...files);
  await press(member.browser, /^Import [\d,]+ memor/);
}

/** What the server keeps, opened under the key that stands in the browser now. */
async function memoriesOf(member: Member) {
  const { contentKey } = await keyIn(member);
  const kept = await member.call<Memory[]>('GET', MEMORIES);
  const opened = kept.map(async ({ title, encryptedContent, details, sealId, createdAt }) => {
    const text = (field: string, sealed: string | null) =>
      sealed === null ? null : openField(contentKey, 'memory', field, { sealId }, sealed);
    return {
      title: await text('title', title),
      content: await text('encryptedContent', encryptedContent),
      details: JSON.parse((await text('details', details)) ?? 'null') as Record<string, unknown>,
      createdAt,
    };
  });
  return (await Promise.all(opened)).sort((a, b) => ((a.title ?? '') < (b.title ?? '') ? -1 : 1));
}

/** Lets so many memories in and cuts the line then. Returns how to mend it. */
function cutAfter({ browser }: Member, allowed: number): () => void {
  let left = allowed;
  return browser.network.intercept(async (request, forward) => {
    if (request.method !== 'POST' || new URL(request.url).pathname !== MEMORIES) return forward();
    left -= 1;
    if (left < 0) throw unreachable();
    return forward();
  });
}

test('exports become memories with their dates and tags, sealed before they leave, and once', async () => {
  const member = await enterImports();
  const { browser } = member;
  const sent: string[] = [];
  browser.network.intercept(async (request, forward) => {
    sent.push(request.url, await request.clone().text());
    return forward();
  });
  const files = [fileOf('Journal.zip'), fileOf('WhatsApp Chat - Nora.zip')];
  await choose(member, ...files);
  const found = await screen.findByRole('list', { name: 'What was found' });
  expect(found.textContent).toContain('Day One');
  expect(found.textContent).toContain('Journal.zip · 2 entries');
  expect(found.textContent).toContain('3 messages in 1 conversation');
  await expectText(main(), '3 of 3 memories, 29 June 2017 to 1 January 2024');
  await expectText(main(), 'With 1 photo or other file, 15 bytes together.');
  await expectText(main(), '4 things are left out');
  await expectText(
    main(),
    '2 pictures, recordings or documents that no entry names, or that are not in the file.',
  );
  await fill(browser, screen.getByRole('textbox', { name: /A tag for all/ }), 'from my phone');
  await press(browser, 'Import 3 memories');
  expect(await counts()).toEqual({
    'Brought in': '3',
    'Already here': '0',
    'Not chosen': '0',
    'Left out': '4',
    'Photos and files': '1',
  });

  const kept = await memoriesOf(member);
  expect(kept).toMatchObject([
    { title: 'Nora, 1 January 2024', content: '00:01 Tom: [Left out]\n00:02 Tom: And to you' },
    { title: 'Nora, 31 December 2023', content: '23:59 Nora: A good year\nto all of you' },
    {
      title: 'The lake',
      content: '[Photo: abc.jpeg]\n\nWarm.',
      details: {
        happenedOn: '2017-06-29T07:38',
        tags: ['from my phone', 'summer', 'starred'],
        imported: { from: 'day-one', id: '1546F37361264E129200B2CA6A885855' },
        v: 1,
      },
    },
  ]);
  // When they happened is sealed: the server learns when they were imported.
  expect(new Set(kept.map(({ createdAt }) => createdAt.slice(0, 10)))).toEqual(new Set(['2030-06-01']));
  expect(sent.filter((text) => /Nora|lake|starred|day-one|1546F3|2017-06|from my phone/.test(text))).toEqual(
    [],
  );

  await press(browser, 'Import more');
  await choose(member, ...files);
  await expectText(main(), '0 of 3 memories');
  await expectText(main(), '3 are here already and stay as they are.');
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Import 0 memories' }).disabled).toBe(true);
});

test('photographs arrive as they were, one that is damaged is named, and what was sent is not sent again', async () => {
  const member = await enterImports();
  const { zip, photos } = dayOneWithPhotos(2, 2);
  // The checksum of the last photograph no longer holds.
  zip[new TextDecoder('latin1').decode(zip).indexOf('photograph 3')] = 0x50;
  await choose(member, fileOf('Journal.zip', zip));
  await expectText(main(), 'With 4 photos and other files');
  const mend = cutAfter(member, 1);
  await press(member.browser, 'Import 2 memories');
  await expectText(main(), 'The import stopped.');
  mend();
  const before = member.browser.network.asked.filter((asked) => asked.startsWith('PUT /api/files')).length;
  await press(member.browser, 'Import 1 memory');
  expect(await counts()).toMatchObject({ 'Brought in': '2', 'Photos and files': '3' });
  await expectText(main(), '1 file is damaged in the export and could not be read.');
  const sent = member.browser.network.asked.filter((asked) => asked.startsWith('PUT /api/files'));
  expect([before, sent.length]).toEqual([3, 3]);

  const kept = await memoriesOf(member);
  const files = kept.flatMap(({ details }) => readFiles(JSON.stringify(details)).files);
  const texts = kept.map(({ content }) => content).join();
  const damaged = `${sumOfPhoto(3)}.jpeg`;
  expect(texts).toContain(`[Photo left out: ${damaged}]`);
  expect(files.map(({ name }) => name).sort()).toEqual([...photos.keys()].filter((name) => name !== damaged));
  await member.browser.open('/memory-vault');
  const saved = watchDownloads();
  for (const { name } of files) {
    const day = kept.find(({ content }) => content?.includes(`[Photo: ${name}]`))?.title ?? '';
    const reader = await readMemory(member, await findRow(day));
    await press(member.browser, `View ${name}`, reader);
    await press(member.browser, `Download ${name}`);
    expect((await saved()).bytes).toEqual(photos.get(name));
    await press(member.browser, 'Close', screen.getAllByRole('dialog').at(-1));
    await press(member.browser, 'Close', screen.getAllByRole('dialog').at(-1));
    await expectNoDialog();
  }
});

test('where the room ends the words come all the same, and the photographs that had none are named', async () => {
  const member = await enterImports(narrow);
  const { zip } = dayOneWithPhotos(4, 1);
  await choose(member, fileOf('Journal.zip', zip));
  await expectText(main(), 'The words come all the same. Photos and files that have no room are left out');
  await press(member.browser, 'Import 4 memories');
  expect(await counts()).toMatchObject({ 'Brought in': '4', 'Photos and files': '2' });
  const outcome = screen.getByRole('region', { name: 'What was imported' }).textContent;
  expect(outcome).toContain('There was no room for 2 photos and other files.');
  const texts = (await memoriesOf(member)).map(({ content }) => content ?? '');
  const absent = [2, 3].map((number) => `${sumOfPhoto(number)}.jpeg`);
  expect(texts.filter((text) => text.includes('[Photo: '))).toHaveLength(2);
  for (const name of absent) {
    expect(outcome).toContain(name);
    expect(texts.join()).toContain(`[Photo left out: ${name}]`);
  }
});

test('the words come without photographs where those are not wanted', async () => {
  const member = await enterImports();
  await choose(member, fileOf('Journal.zip', dayOneWithPhotos(2, 1).zip));
  await expectText(main(), 'They need 144.0 KB, and ');
  await member.browser.user.click(screen.getByRole('checkbox', { name: 'Bring photos and files too' }));
  expect(main().textContent).not.toContain('With 2 photos');
  await press(member.browser, 'Import 2 memories');
  expect(await counts()).not.toHaveProperty('Photos and files');
  expect(member.browser.network.asked.join()).not.toContain('/api/files');
  const texts = (await memoriesOf(member)).map(({ content }) => content ?? '');
  expect(texts.filter((text) => text.includes('[Photo left out: '))).toHaveLength(2);
});

test('files that cannot be imported are named with a reason, beside those that can', async () => {
  const member = await enterImports();
  await choose(
    member,
    fileOf('photo.jpg', new Uint8Array(64)),
    fileOf('other.json', '{"a":1}'),
    fileOf('letter.txt'),
  );
  const refused = await screen.findByRole('alert', { name: 'Files that cannot be imported' });
  expect(refused.textContent).toContain('photo.jpgThis seems to be a picture. Only texts become memories.');
  expect(refused.textContent).toContain('other.jsonThis is no export that can be imported.');
  await expectText(main(), '1 of 1 memory');
  // The list is there as well while something else is looked at.
  await screen.findByRole('heading', { name: 'What can be imported' });
  expect(main().textContent).toContain('Evernote');
  await press(member.browser, 'Close without importing');
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  await screen.findByLabelText('Files to import');
});

test('the focus goes to what takes the place of what was pressed', async () => {
  const member = await enterImports();
  const button = () => screen.getByRole('button', { name: 'Choose files' });
  expect(document.activeElement).not.toBe(button());
  await choose(member, fileOf('letter.txt'));
  const found = await screen.findByRole('list', { name: 'What was found' });
  expect(document.activeElement).toBe(found);
  await press(member.browser, 'Close without importing');
  expect(document.activeElement).toBe(button());
});

test('files can be dropped', async () => {
  await enterImports();
  const place = await screen.findByRole('region', { name: 'Choose files' });
  fireEvent.drop(place, { dataTransfer: { files: [fileOf('letter.txt')] } });
  await expectText(main(), '1 of 1 memory');
});

test('a dropped folder that cannot be read is said', async () => {
  await enterImports();
  const place = await screen.findByRole('region', { name: 'Choose files' });
  const folder = {
    isDirectory: true,
    createReader: () => ({
      readEntries: (_: unknown, refuse: (error: Error) => void) =>
        refuse(new DOMException('No', 'NotFoundError')),
    }),
  };
  fireEvent.drop(place, { dataTransfer: { items: [{ webkitGetAsEntry: () => folder }] } });
  expect(await alertText()).toBe('What was dropped could not be read. Choose it with a button instead.');
});

test('some are left out by their boxes, and the others come', async () => {
  const member = await enterImports();
  const { browser } = member;
  await choose(member, ...letters(3));
  await expectText(main(), '3 of 3 memories');
  // Without layout the list shows some rows of many.
  const [box] = await within(main()).findAllByRole('checkbox');
  if (box) await browser.user.click(box);
  await press(browser, 'Import 2 memories');
  expect(await counts()).toMatchObject({ 'Brought in': '2', 'Not chosen': '1' });
  expect(await memoriesOf(member)).toHaveLength(2);
});

test('all are chosen and none, by a press', async () => {
  const { browser } = await enterImports().then(async (member) => {
    await choose(member, ...letters(3));
    return member;
  });
  await press(browser, 'Choose none');
  await expectText(main(), '0 of 3 memories');
  await press(browser, 'Choose all');
  await expectText(main(), '3 of 3 memories');
});

test('a conversation is one memory or many, and an order of dates that is unclear is asked for', async () => {
  const member = await enterImports();
  const { browser } = member;
  await choose(member, fileOf('Chat.txt', '1/2/24, 10:00 - Nora: one\n1/3/24, 10:00 - Nora: two'));
  const order = await screen.findByLabelText('Dates in Chat.txt');
  await expectText(main(), '2 of 2 memories, 1 February 2024 to 1 March 2024');
  await browser.user.selectOptions(order, 'mdy');
  await expectText(main(), '2 of 2 memories, 2 January 2024 to 3 January 2024');
  await browser.user.selectOptions(screen.getByLabelText('Messages'), 'whole');
  await press(browser, 'Import 1 memory');
  expect(await counts()).toMatchObject({ 'Brought in': '1' });
  expect(await memoriesOf(member)).toMatchObject([
    {
      title: 'Chat',
      content: '2 January 2024\n10:00 Nora: one\n\n3 January 2024\n10:00 Nora: two',
      details: { happenedOn: '2024-01-02' },
    },
  ]);
});

test('a conversation that has grown since comes once more as a whole, which is said', async () => {
  const member = await enterImports();
  const chat = '[31.12.23, 10:00:00] Nora: one';
  await importAll(member, fileOf('Chat.txt', chat));
  await counts();
  await press(member.browser, 'Import more');
  await choose(member, fileOf('Chat.txt', `${chat}\n[31.12.23, 11:00:00] Nora: two`));
  await expectText(main(), '1 part of a conversation changed since an earlier import');
  await press(member.browser, 'Import 1 memory');
  await counts();
  expect(await memoriesOf(member)).toHaveLength(2);
});

test('an import that is cut off says how many are in, and goes on with the rest', async () => {
  const member = await enterImports();
  const mend = cutAfter(member, 2);
  await importAll(member, ...letters(6));
  expect(await alertText()).toBe(
    'The import stopped. The server could not be reached. Check your connection and try again. 2 memories are in and stay. Importing again goes on with the rest.',
  );
  mend();
  await press(member.browser, 'Import 4 memories');
  expect(await counts()).toMatchObject({ 'Brought in': '6', 'Already here': '0' });
  expect(await memoriesOf(member)).toHaveLength(6);
});

test('what a server does not take into the book is said, and written, before anything is brought in', async () => {
  const member = await enterImports();
  const refuse = answerInstead(member.browser, 'POST /api/book', { status: 500, body: '' });
  await importAll(member, ...letters(2));
  const said = await screen.findByRole('heading', { name: 'Not in your vault’s book yet' });
  expect(said.parentElement?.textContent).toMatch(/2 memories were sealed .* 2 of them are in no entry/);
  expect(within(main()).queryByRole('heading', { name: 'Imported' })).toBeNull();
  refuse();
  await press(member.browser, 'Write them into the book');
  expect(await counts()).toMatchObject({ 'Brought in': '2' });
  await member.browser.open('/book');
  await press(member.browser, 'Check everything now');
  await screen.findByRole('heading', { name: /was shown so far is as it was written/ });
});

test('a memory that was deleted since comes back as it was, and once', async () => {
  const member = await enterImports();
  await importAll(member, ...letters(2));
  await counts();
  const [deleted, kept] = await member.call<Memory[]>('GET', MEMORIES);
  await member.call('DELETE', `${MEMORIES}/${deleted?.id}`);
  await openImports(member);
  await choose(member, ...letters(2));
  await press(member.browser, 'Import 1 memory');
  expect(await counts()).toMatchObject({ 'Brought in': '1', 'Already here': '1' });
  expect(await member.call('GET', MEMORIES)).toEqual([deleted, kept]);
});

test('what a server says to have already, and does not show, is not called here', async () => {
  const member = await enterImports();
  member.browser.network.intercept(async (request, forward) =>
    request.method === 'POST' && new URL(request.url).pathname === MEMORIES
      ? Response.json({ code: 'seal-reused', message: 'It is here.' }, { status: 409 })
      : forward(),
  );
  await importAll(member, ...letters(3));
  expect(await alertText()).toContain('says that it has this already, and does not show it');
  expect(screen.queryByRole('heading', { name: 'Imported' })).toBeNull();
});

test('a memory whose answer was lost is not brought twice', async () => {
  const member = await enterImports();
  let lost = 0;
  const mend = member.browser.network.intercept(async (request, forward) => {
    const answer = await forward();
    if (request.method !== 'POST' || new URL(request.url).pathname !== MEMORIES) return answer;
    lost += 1;
    throw unreachable();
  });
  await importAll(member, ...letters(6));
  expect(await alertText()).toContain('None is in yet.');
  mend();
  // What had arrived is known again, by the number of its seal.
  await press(member.browser, `Import ${6 - lost} memor${lost === 5 ? 'y' : 'ies'}`);
  await counts();
  expect(await memoriesOf(member)).toHaveLength(6);
});

test('cancelling lets those on their way arrive, and the same import goes on later, also on a new page', async () => {
  const member = await enterImports();
  const { browser } = member;
  let arrived = 0;
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const mend = browser.network.intercept(async (request, forward) => {
    if (request.method === 'POST' && new URL(request.url).pathname === MEMORIES) {
      arrived += 1;
      await held;
    }
    return forward();
  });
  await importAll(member, ...letters(9));
  await waitFor(() => expect(arrived).toBe(4));
  await press(browser, 'Cancel');
  release();
  expect(await alertText()).toBe(
    'The import stopped. 4 memories are in and stay. Importing again goes on with the rest.',
  );
  mend();
  await browser.reload();
  await importAll(member, ...letters(9));
  expect(await counts()).toMatchObject({ 'Brought in': '5', 'Already here': '4' });
  expect(await memoriesOf(member)).toHaveLength(9);
});

test('a reading is ended at once, and what it finds later is not shown', async () => {
  const member = await enterImports();
  const { browser } = member;
  const release = holdAnswer(browser, 'GET /api/memory-entries');
  await choose(member, fileOf('letter.txt'));
  await screen.findByRole('progressbar', { name: 'Comparing with this vault' });
  await press(browser, 'Cancel');
  expect(screen.queryByRole('progressbar')).toBeNull();
  release();
  await browser.network.idle();
  await screen.findByRole('heading', { name: 'What can be imported' });
  expect(screen.queryByRole('list', { name: 'What was found' })).toBeNull();
  expect(screen.queryByRole('alert')).toBeNull();
});

test('the focus goes to the progress, and to the outcome', async () => {
  const member = await enterImports();
  await importAll(member, fileOf('letter.txt'));
  const heading = await screen.findByRole('heading', { name: 'Imported' });
  await waitFor(() => expect(document.activeElement).toBe(heading));
});

test('a full vault and an ended session stop it with a sentence', async () => {
  const full = await enterImports(small);
  await importAll(full, ...letters(5));
  expect(await alertText()).toMatch(
    /^The import stopped\. Your vault is full: 5 of 5 items\..* 3 memories are in and stay\. Importing again goes on with the rest\.$/,
  );
  const member = await enterImports();
  const { browser } = member;
  await choose(member, ...letters(3));
  await screen.findByRole('button', { name: 'Import 3 memories' });
  browser.network.cookies.clear();
  await press(browser, 'Import 3 memories');
  await waitFor(async () => expect(await alertText()).toContain('Your session has ended.'));
});

test('a server that is asked too often is waited for', async () => {
  const member = await enterImports();
  let refused = 0;
  member.browser.network.intercept(async (request, forward) => {
    if (request.method !== 'POST' || refused > 0) return forward();
    refused += 1;
    return Response.json(
      { code: 'too-many', message: 'Later.' },
      { status: 429, headers: { 'retry-after': '0' } },
    );
  });
  await importAll(member, ...letters(5));
  expect(await counts()).toMatchObject({ 'Brought in': '5' });
  expect(refused).toBe(1);
});

test('a folder is chosen, and its files go by their paths in it', async () => {
  const member = await enterImports();
  const inFolder = (path: string, text: string) => {
    const file = fileOf(path.split('/').at(-1) ?? '', text);
    Object.defineProperty(file, 'webkitRelativePath', { value: path });
    return file;
  };
  await member.browser.user.upload(await screen.findByLabelText('Folder to import'), [
    inFolder('Vault/.obsidian/app.json', '{}'),
    inFolder('Vault/The lake.md', 'Warm.'),
    inFolder('Vault/Trips/The train.md', 'Late.'),
  ]);
  const found = await screen.findByRole('list', { name: 'What was found' });
  expect(found.textContent).toContain('Vault · 2 entries');
  await expectText(main(), '1 thing is left out');
});

test('an encrypted backup asks for its password, and says when it is another one', async () => {
  const member = await enterImports();
  const { browser } = member;
  const sent: string[] = [];
  browser.network.intercept(async (request, forward) => {
    sent.push(request.url, await request.clone().text());
    return forward();
  });
  await choose(member, fileOf('backup.txt', JSON.stringify(encryptedBackup)));
  const form = await screen.findByRole('form', { name: 'backup.txt' });
  await fill(browser, within(form).getByLabelText('Password in Standard Notes'), 'another one');
  await press(browser, 'Open');
  await expectText(main(), 'This password does not open the backup.');
  await fill(browser, within(form).getByLabelText('Password in Standard Notes'), BACKUP_PASSWORD);
  await press(browser, 'Open');
  await press(browser, 'Import 1 memory');
  expect(await counts()).toMatchObject({ 'Brought in': '1', 'Left out': '1' });
  expect(await memoriesOf(member)).toMatchObject([{ title: 'The orchard', details: { tags: ['garden'] } }]);
  expect(sent.join('\n')).not.toMatch(/lantern|orchard|Plums/);
});

test('a backup that is opened comes to what was read before, which stays as it was chosen', async () => {
  const member = await enterImports();
  const { browser } = member;
  await choose(
    member,
    fileOf('backup.txt', JSON.stringify(encryptedBackup)),
    fileOf('Chat.txt', '1/2/24, 10:00 - Nora: one\n1/3/24, 10:00 - Nora: two'),
    ...letters(2),
  );
  await browser.user.selectOptions(await screen.findByLabelText('Dates in Chat.txt'), 'mdy');
  await browser.user.selectOptions(screen.getByLabelText('Messages'), 'whole');
  await expectText(main(), '3 of 3 memories, of 2 January 2024');
  await browser.user.click(screen.getByRole('checkbox', { name: /Letter 0/ }));
  await expectText(main(), '2 of 3 memories');
  const open = async (password: string) => {
    const form = await screen.findByRole('form', { name: 'backup.txt' });
    const field = within(form).getByLabelText('Password in Standard Notes');
    // What was brought in is shown before the list of memories is fetched anew.
    await waitFor(() => expect(field).toHaveProperty('readOnly', false));
    await fill(browser, field, password);
    await press(browser, 'Open');
  };
  await open('another one');
  await expectText(main(), 'This password does not open the backup.');
  await expectText(main(), '2 of 3 memories');
  await press(browser, 'Import 2 memories');
  expect(await counts()).toMatchObject({ 'Brought in': '2', 'Not chosen': '1' });

  await open(BACKUP_PASSWORD);
  await press(browser, 'Import 1 memory');
  await waitFor(async () =>
    expect(await counts()).toMatchObject({ 'Brought in': '3', 'Already here': '0', 'Not chosen': '1' }),
  );
  const kept = await memoriesOf(member);
  expect(kept.map(({ title }) => title)).toEqual(['Chat', 'Letter 1', 'The orchard']);
  expect(kept[0]?.content).toContain('2 January 2024');
});

test('after the key was changed the same file is still known', async () => {
  const member = await enterImports();
  const { browser } = member;
  await importAll(member, fileOf('Journal.json'), fileOf('letter.txt'));
  await counts();
  await openSettings(browser);
  await beginResealing(browser);
  await writeNewWords(browser);
  await changeKey(member);
  await openImports(member);
  await choose(member, fileOf('Journal.json'), fileOf('letter.txt'));
  await expectText(main(), '2 are here already and stay as they are.');
});

test('an archive of Latebra is handed to the settings', async () => {
  const member = await enterImports();
  const { browser } = member;
  await importAll(member, fileOf('letter.txt'));
  await counts();
  await openSettings(browser);
  const { name, bytes } = await exportReadable(browser);
  await openImports(member);
  // Of two, each is offered by its name.
  await choose(member, fileOf('Older.zip', bytes), fileOf(name, bytes));
  expect(await screen.findAllByRole('button', { name: 'Open it in Settings' })).toHaveLength(2);
  screen.getByText('Older.zip');
  screen.getByText(name);
  await choose(member, fileOf(name, bytes));
  await press(browser, 'Open it in Settings');
  const dialog = await screen.findByRole('dialog', { name: 'Import' });
  await expectText(dialog, 'There is nothing to bring in.');
});

test('the empty Memory Vault and the settings lead here', async () => {
  const { browser } = await enterAsMember(instance());
  await browser.open('/memory-vault');
  await browser.user.click(await screen.findByRole('link', { name: 'Bring in what you wrote elsewhere' }));
  await screen.findByRole('heading', { name: 'Imports' });
  await openSettings(browser);
  await browser.user.click(await screen.findByRole('link', { name: 'Imports' }));
  await screen.findByRole('heading', { name: 'Imports' });
});
