// Leaving with everything and coming back with it, below the browser: what an archive holds, what stays behind, and who
// signed it.
import { fireEvent, screen, waitFor, within } from '@testing-library/dom';
import { unzipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { sealBytes } from '../../../../crypto/testing/archives.ts';
import { DAY, SECOND } from '../../../../shared/time.ts';
import { NEUTRAL, sealMoment } from '../../../../vault/entries/sealed-moment.ts';
import { readFiles } from '../../../../vault/files/file-ref.ts';
import { openSettings, postMemory } from '../../../testing/another-key.ts';
import {
  entriesIn,
  expectText,
  exportReadable,
  offerArchive,
  saveReadable,
  textsIn,
} from '../../../testing/archives.ts';
import { fillFields } from '../../../testing/authoring.ts';
import type { Browser } from '../../../testing/browser.tsx';
import { aVaultWith } from '../../../testing/devices.ts';
import type { SavedFile } from '../../../testing/downloads.ts';
import { aFile, areReady, beginWith, bytesOf, isFileCall } from '../../../testing/files-of-memories.ts';
import { anInstance } from '../../../testing/instance.ts';
import { ANSWERS, enterAsMember, type Member } from '../../../testing/member.ts';
import { finishMemory, openMemoryVault } from '../../../testing/memories.ts';
import { holdAnswer } from '../../../testing/mishaps.ts';
import { unreachable } from '../../../testing/network.ts';
import { expectNoDialog, expectToast, fill, findRow, press, pressEscape } from '../../../testing/steps.ts';

const instance = anInstance();
/** Room for one small file, which takes 64 KiB, and for words. */
const narrow = anInstance({ env: { QUOTA_BYTES: '150K' } });
const PASSPHRASE = 'six words for one archive alone';
const MEMORIES = '/api/memory-entries';
const RELATIONSHIPS = '/api/relationship-entries';
const texts = new Map([
  ['A bell under the lake', 'It still rings.\n\tTwice, on Sundays. 🜏'],
  ['سرّ', 'Right to left, e\u0301 composed late, and “quotes”.'],
  ['Long', 'All of it, word for word. '.repeat(20_000)],
]);

const sealAll = async (member: Member) => {
  for (const [title, content] of texts) {
    instance().clock.advance(SECOND);
    await postMemory(member, title, content);
  }
};

/** Somebody before the settings, with one memory. */
async function withABell(): Promise<Member> {
  const member = await enterAsMember(instance());
  await postMemory(member, 'A bell', 'It rings.');
  await openSettings(member.browser);
  return member;
}

/** When a row was last changed is when it was brought in. */
const withoutChange = ({ updatedAt: _, ...entry }: { updatedAt: string }) => entry;

test('a vault is exported, and comes back byte for byte in a new account, once', async () => {
  const member = await enterAsMember(instance());
  await sealAll(member);
  const timeLockUntil = new Date(Date.now() + 365 * DAY).toISOString();
  await postMemory(member, 'For later', 'Not yet.', { timeLockUntil });
  await member.postSealed(
    '/api/relationship-entries',
    'relationship',
    { personName: 'Nora', encryptedContent: 'She said it on the ferry.' },
    { eventType: 'confession', emotionalWeight: 4 },
  );
  await openSettings(member.browser);
  const file = await exportReadable(member.browser);
  expect(file.name).toMatch(/^latebra-\d{4}-\d\d-\d\d\.zip$/);
  const entries = entriesIn(file);
  expect(new Map(entries.memories.map(({ title, content }) => [title, content]))).toEqual(texts);
  expect(entries.relationships).toMatchObject([
    { personName: 'Nora', eventType: 'confession', emotionalWeight: 4, content: 'She said it on the ferry.' },
  ]);
  expect(entries.answers).toMatchObject({ question1: ANSWERS[0], question3: ANSWERS[2] });
  const { 'README.md': readMe, 'activity.json': activity } = textsIn(file);
  expect(readMe).toMatch(/Locked until .*: For later/);
  expect(readMe).not.toContain('Not yet.');
  const told = JSON.parse(activity ?? '{}') as { activity: { kind: string }[] };
  expect(told.activity.map(({ kind }) => kind)).toContain('account-created');
  await member.browser.reload();
  await expectText(await screen.findByRole('list', { name: 'Account activity' }), 'Everything was exported');

  const { browser } = await enterAsMember(instance());
  await openSettings(browser);
  const dialog = await offerArchive(browser, file);
  await expectText(dialog, '3 memories and 1 moment with people.');
  await expectText(dialog, 'signed by another vault');
  await press(browser, 'Bring in 4', dialog);
  await expectToast('Import Complete', '4 of 4 entries');
  await expectNoDialog();

  // What the archive says in the clear is sealed again: this server reads no kind of moment.
  const columns = ['event_type', 'emotional_weight'] as const;
  const newest = instance().deps.db.selectFrom('relationship_entries').select(columns).orderBy('id', 'desc');
  expect(await newest.executeTakeFirst()).toEqual({ event_type: 'moment', emotional_weight: 3 });

  const again = await exportReadable(browser);
  const { memories, relationships } = entriesIn(again);
  expect(memories.map(withoutChange)).toEqual(entries.memories.map(withoutChange));
  expect(relationships.map(withoutChange)).toEqual(entries.relationships.map(withoutChange));
  const own = await offerArchive(browser, again);
  await expectText(own, 'There is nothing to bring in.');
  await expectText(own, 'signed by this vault.');
});

test('what was deleted stays behind, which is said, and an archive of before brings it back as it was', async () => {
  const { browser, call } = await withABell();
  const before = await exportReadable(browser);
  const [bell] = await call<{ id: number; sealId: string }[]>('GET', MEMORIES);
  await call('DELETE', `${MEMORIES}/${bell?.id}`);
  const after = await exportReadable(browser);
  expect(entriesIn(after)).toMatchObject({ memories: [], leftOut: { deleted: 1 } });
  expect(textsIn(after)['README.md']).toContain('Recently deleted entries: 1.');
  const dialog = await offerArchive(browser, before);
  await expectText(dialog, '1 memory');
  await press(browser, 'Bring in 1', dialog);
  await expectToast('Import Complete', '1 of 1');
  await expectNoDialog();
  expect(await call('GET', MEMORIES)).toEqual([bell]);
  expect(await call('GET', '/api/deleted-memory-entries')).toEqual([]);
});

test('an export of a server that leaves something out says so before it is saved, and in the file', async () => {
  const { member, devices } = await aVaultWith(instance(), 1);
  await devices[0]?.writeMemory('The orchard');
  const hidden = await devices[0]?.writeMemory('The well');
  await openSettings(member.browser);
  expect(textsIn(await exportReadable(member.browser))['README.md']).not.toContain('Something was wrong');

  await instance()
    .deps.db.deleteFrom('memory_entries')
    .where('id', '=', hidden?.id ?? 0)
    .execute();
  await press(member.browser, 'Export');
  const dialog = await screen.findByRole('dialog', { name: 'Export' });
  await expectText(dialog, 'This server does not show 1 entry that your vault’s book has.');
  expect(within(dialog).getByRole('link', { name: 'See what' }).getAttribute('href')).toBe('/book');
  await pressEscape(member.browser);
  expect(textsIn(await exportReadable(member.browser))['README.md']).toContain(
    'Something was wrong when this was made: This server does not show 1 entry that your vault’s book has.',
  );
});

test('an export counts what stays behind by itself, whatever number the server says', async () => {
  const { member, devices } = await aVaultWith(instance(), 1);
  const [device] = devices;
  await device?.writeGhost();
  const hidden = await device?.writeGhost();
  member.browser.network.intercept(async (request, forward) => {
    const answer = await forward();
    const { pathname } = new URL(request.url);
    if (pathname === '/api/summary')
      return Response.json({ ...((await answer.json()) as object), ghosts: -3, shareableKeys: 1e9 });
    if (pathname !== '/api/ghost-entries' || request.method !== 'GET') return answer;
    const rows = (await answer.json()) as { sealId: string }[];
    return Response.json(rows.filter(({ sealId }) => sealId !== hidden?.sealId));
  });
  await openSettings(member.browser);
  const file = await exportReadable(member.browser);
  expect(entriesIn(file).leftOut).toMatchObject({ ghosts: 1, links: 0 });
  // What it leaves out of the list is missed, as in every other list.
  expect(textsIn(file)['README.md']).toContain(
    'This server does not show 1 entry that your vault’s book has.',
  );
});

test('an export has what a server leaves out once and shows when it is asked again', async () => {
  const { member, devices } = await aVaultWith(instance(), 1);
  await devices[0]?.writeMemory('The orchard');
  const hidden = await devices[0]?.writeMemory('The well');
  let times = 0;
  member.browser.network.intercept(async (request, forward) => {
    const answer = await forward();
    if (request.method !== 'GET' || new URL(request.url).pathname !== MEMORIES) return answer;
    times += 1;
    const rows = (await answer.json()) as { sealId: string }[];
    return Response.json(times === 1 ? rows.filter(({ sealId }) => sealId !== hidden?.sealId) : rows);
  });
  await openSettings(member.browser);
  const { memories } = entriesIn(await exportReadable(member.browser));
  expect(memories.map(({ title }) => title).toSorted()).toEqual(['The orchard', 'The well']);
});

test('a moment whose sealed kind and weight the server hides is exported without them, and comes back with neutral ones', async () => {
  const { member, devices } = await aVaultWith(instance(), 1);
  const tagged = '{"tags":["ferry"],"v":1}';
  const sealed = sealMoment(tagged, { kind: 'betrayal', weight: 5 });
  // The last one was written by a client that seals neither.
  const moments = [
    ['Nora', sealed.details, NEUTRAL],
    ['Otto', sealed.details, NEUTRAL],
    ['Ada', null, NEUTRAL],
    ['Edith', tagged, { eventType: 'confession', emotionalWeight: 4 }],
  ] as const;
  const seals = new Map<string, string>();
  for (const [personName, details, clear] of moments) {
    instance().clock.advance(SECOND);
    const { sealId } = await member.postSealed<{ sealId: string }>(
      RELATIONSHIPS,
      'relationship',
      { personName, encryptedContent: `Of ${personName}.`, ...(details && { details }) },
      clear,
    );
    seals.set(sealId, personName);
  }
  // The book has them with their details.
  const [device] = devices;
  await device?.check();
  await device?.bookSync.adopt(device.found());
  const hide = (row: { sealId: string; details: string | null }) => {
    const who = seals.get(row.sealId);
    // Of Otto's, the details are there and do not open.
    return who === 'Otto'
      ? { ...row, details: row.details?.replace(/^.{8}/, 'AAAAAAAA') }
      : { ...row, details: null };
  };
  const stop = member.browser.network.intercept(async (request, forward) => {
    const answer = await forward();
    if (request.method !== 'GET' || new URL(request.url).pathname !== RELATIONSHIPS) return answer;
    return Response.json(((await answer.json()) as Parameters<typeof hide>[0][]).map(hide));
  });
  await openSettings(member.browser);
  const file = await exportReadable(member.browser);
  stop();
  const said = (saved: SavedFile) =>
    Object.fromEntries(
      entriesIn(saved).relationships.map(({ personName, eventType, emotionalWeight }) => [
        personName,
        [eventType, emotionalWeight],
      ]),
    );
  expect(said(file)).toEqual({
    Nora: [undefined, undefined],
    Otto: [undefined, undefined],
    Ada: ['moment', 3],
    Edith: ['confession', 4],
  });
  const words = Object.entries(textsIn(file)).filter(([name]) => name.startsWith('relationships/'));
  expect(words).toHaveLength(4);
  for (const [name, text] of words) {
    expect(text.includes('- Its kind and weight could not be read\n')).toBe(/nora|otto/.test(name));
    expect(/- Weight \d of 5/.test(text)).toBe(/ada|edith/.test(name));
  }

  const { browser } = await enterAsMember(instance());
  await openSettings(browser);
  await press(browser, 'Bring in 4', await offerArchive(browser, file));
  await expectToast('Import Complete', '4 of 4 entries');
  await expectNoDialog();
  expect(said(await exportReadable(browser))).toEqual({
    Nora: ['moment', 3],
    Otto: ['moment', 3],
    Ada: ['moment', 3],
    Edith: ['confession', 4],
  });
});

test('an export names a memory whose lock the server has taken away or moved, since neither explains why it is closed', async () => {
  const { member, devices } = await aVaultWith(instance(), 1);
  await devices[0]?.writeMemory('Locked', new Date(instance().clock.now() + DAY).toISOString());
  await openSettings(member.browser);
  expect(textsIn(await exportReadable(member.browser))['README.md']).toContain('- Locked until ');
  for (const timeLockUntil of [null, new Date(instance().clock.now() + 9 * DAY).toISOString()]) {
    const stop = member.browser.network.intercept(async (request, forward) => {
      const answer = await forward();
      if (!`${request.method} ${request.url}`.includes(`GET http://localhost:3000${MEMORIES}`)) return answer;
      return Response.json(((await answer.json()) as object[]).map((row) => ({ ...row, timeLockUntil })));
    });
    const readMe = textsIn(await exportReadable(member.browser))['README.md'];
    expect(readMe).toContain('- Could not be opened: memory ');
    expect(readMe).not.toContain('- Locked until ');
    stop();
  }
});

test('an export that is opened again at once shows what is there now, and not what the one before has found', async () => {
  const { browser, call } = await withABell();
  const button = screen.getByRole('button', { name: 'Export' });
  await browser.user.click(button);
  const first = await screen.findByRole('dialog', { name: 'Export' });
  await expectText(first, '1 memory and your three answers.');
  const [bell] = await call<{ id: number }[]>('GET', MEMORIES);
  await call('DELETE', `${MEMORIES}/${bell?.id}`);
  const release = holdAnswer(browser, 'GET /api/deleted-memory-entries');
  // In one turn: nothing that waits for the next one has been thrown away.
  fireEvent.click(within(first).getByRole('button', { name: 'Cancel' }));
  await Promise.resolve();
  expect(first.isConnected).toBe(false);
  fireEvent.click(button);
  const second = await screen.findByRole('dialog', { name: 'Export' });
  expect(within(second).queryByLabelText('Form')).toBeNull();
  expect(second.textContent).not.toContain('1 memory');
  release();
  await expectText(second, 'Your three answers.');
});

test('what is no archive, was changed, or has another passphrase is refused in a sentence', async () => {
  const { browser } = await withABell();
  const { bytes } = await exportReadable(browser);
  const alert = async () => (await within(dialog).findByRole('alert')).textContent;
  const dialog = await offerArchive(browser, {
    name: 'letter.zip',
    bytes: new TextEncoder().encode('Dear reader'),
  });
  await waitFor(async () => expect(await alert()).toContain('no archive of a Latebra vault'));
  await offerArchive(browser, { name: 'cut.zip', bytes: bytes.subarray(0, bytes.length - 40) });
  await waitFor(async () => expect(await alert()).toMatch(/no archive|damaged/));
  await offerArchive(browser, {
    name: 'sealed.zip.age',
    bytes: await sealBytes(bytes, PASSPHRASE, 8),
  });
  const field = await within(dialog).findByLabelText('Passphrase of the archive');
  await fill(browser, field, 'another passphrase altogether');
  await press(browser, 'Open', dialog);
  await waitFor(async () => expect(await alert()).toContain('That passphrase does not open this archive'));
  await fill(browser, within(dialog).getByLabelText('Passphrase of the archive'), PASSPHRASE);
  await press(browser, 'Open', dialog);
  await expectText(dialog, 'signed by this vault.');
});

test('the reading of an archive says what it is at, and ends at once', async () => {
  const { browser } = await withABell();
  const { bytes } = await exportReadable(browser);
  const dialog = await offerArchive(browser, {
    name: 'sealed.zip.age',
    bytes: await sealBytes(bytes, PASSPHRASE, 14),
  });
  await fill(browser, await within(dialog).findByLabelText('Passphrase of the archive'), PASSPHRASE);
  await press(browser, 'Open', dialog);
  await within(dialog).findByRole('progressbar', { name: 'Unsealing the archive' });
  await press(browser, 'Cancel', dialog);
  // Nothing of it comes after all: the dialog asks for a file again, and the next press closes it.
  await waitFor(() => expect(within(dialog).queryByRole('progressbar')).toBeNull());
  expect(within(dialog).getByLabelText<HTMLInputElement>('Archive').disabled).toBe(false);
  expect(within(dialog).queryByRole('alert')).toBeNull();
  await press(browser, 'Cancel', dialog);
  await expectNoDialog();
});

test('an import that was cut off goes on where it ended', async () => {
  const owner = await enterAsMember(instance());
  await sealAll(owner);
  await openSettings(owner.browser);
  const file = await exportReadable(owner.browser);
  const { browser, call } = await enterAsMember(instance());
  await openSettings(browser);
  let allowed = 1;
  const mend = browser.network.intercept(async (request, forward) => {
    if (request.method !== 'POST' || new URL(request.url).pathname !== MEMORIES) return forward();
    allowed -= 1;
    if (allowed < 0) throw unreachable();
    return forward();
  });
  const dialog = await offerArchive(browser, file);
  await press(browser, 'Bring in 3', dialog);
  const alert = await within(dialog).findByRole('alert');
  expect(alert.textContent).toContain('could not be reached');
  expect(alert.textContent).toContain('1 entry was brought in before that, and stays.');
  mend();
  await press(browser, 'Bring in 2', dialog);
  await expectNoDialog();
  expect(await call<unknown[]>('GET', MEMORIES)).toHaveLength(3);
});

/** Writes a letter in the chamber's form, which goes out by hand. */
async function writeLetter(
  { browser }: Member,
  title: string,
  content: string,
  recipient: () => Promise<void>,
) {
  await fill(browser, await screen.findByRole('textbox', { name: 'Title' }), title);
  await fill(browser, screen.getByRole('textbox', { name: 'Letter' }), content);
  await browser.user.selectOptions(screen.getByLabelText('When'), 'manual');
  await recipient();
  const input = await screen.findByLabelText('Photos and files to add');
  await browser.user.upload(
    input,
    aFile(`${title}.pdf`, title.length * 100, 'application/pdf', title.length),
  );
  await screen.findByText(/Ready$/);
  await press(browser, 'Seal the letter');
  await expectToast('Legacy Scroll Created');
}

test('letters and whispers are in the export with their files, are named before the vault is destroyed, and come back', async () => {
  // Otto writes to Agnes's vault; she writes a letter of her own.
  const agnes = await enterAsMember(instance());
  await agnes.browser.open('/legacy-scroll');
  await press(agnes.browser, 'Show my address');
  const address = (await screen.findByText(/^(?:[0-9a-f]{4} ?){8}$/)).textContent;
  await writeLetter(agnes, 'For Ada', 'The key hangs behind the clock.', () =>
    fillFields(agnes.browser, { 'Email address': 'ada@example.org' }),
  );
  await press(agnes.browser, 'Later');
  const otto = await enterAsMember(instance());
  await otto.browser.open('/legacy-scroll');
  await writeLetter(otto, 'Under the stairs', 'Look there, and forgive me.', async () => {
    await otto.browser.user.selectOptions(screen.getByLabelText('Recipient'), 'whisper');
    await fill(otto.browser, screen.getByLabelText('Vault address'), address);
    await screen.findByText(/This vault is known here/);
  });
  await expectNoDialog();
  await press(otto.browser, /^Activate Watch/, screen.getByRole('main'));
  await press(otto.browser, 'Activate Watch', await screen.findByRole('dialog'));
  await expectNoDialog();
  await press(otto.browser, /More/, screen.getByRole('main'));
  await press(otto.browser, /^Release now/, screen.getByRole('main'));
  await press(otto.browser, 'Release now', await screen.findByRole('alertdialog'));
  await waitFor(async () => expect((await findRow('Under the stairs')).textContent).toContain('Released'));

  const { browser } = agnes;
  await openSettings(browser);
  await press(browser, 'Destroy Vault');
  await expectText(
    await screen.findByRole('alertdialog', { name: 'Destroy the vault?' }),
    'You lose 1 letter that you wrote as legacy scrolls and 1 whisper left for you.',
  );
  await pressEscape(browser);

  // To look at what an export would hold opens no whisper; to make it does, and says so before.
  const whispers = () => agnes.call<{ openedAt: string | null }[]>('GET', '/api/whispers');
  await press(browser, 'Export');
  await expectText(
    await screen.findByRole('dialog', { name: 'Export' }),
    'You have not opened 1 whisper yet. Exporting opens it',
  );
  expect(await whispers()).toMatchObject([{ openedAt: null }]);
  await pressEscape(browser);
  const file = await exportReadable(browser);
  expect(await whispers()).toMatchObject([{ openedAt: expect.any(String) }]);
  const entries = entriesIn(file);
  expect(entries.letters).toMatchObject([
    { title: 'For Ada', content: 'The key hangs behind the clock.', state: 'dormant' },
  ]);
  expect(entries.whispers).toMatchObject([
    { title: 'Under the stairs', content: 'Look there, and forgive me.' },
  ]);
  expect(entries.leftOut.lost).toBeUndefined();
  const filesIn = ({ bytes }: SavedFile) =>
    Object.entries(unzipSync(bytes))
      .filter(([path]) => path.startsWith('files/'))
      .map(([path, content]) => [path.replace(/^.*\//, ''), content]);
  const both = [
    ['1-For Ada.pdf', bytesOf(700, 7)],
    ['1-Under the stairs.pdf', bytesOf(1600, 16)],
  ];
  expect(filesIn(file)).toEqual(both);
  const named = Object.keys(textsIn(file)).join('\n');
  expect(named).toMatch(/^letters\/.*for-ada\.md$/m);
  expect(named).toMatch(/^whispers\/.*under-the-stairs\.md$/m);

  const berta = await enterAsMember(instance());
  await openSettings(berta.browser);
  const dialog = await offerArchive(berta.browser, file);
  await expectText(dialog, '1 letter, 1 whisper and 2 files.');
  await expectText(dialog, 'Letters come back as legacy scrolls that do not watch');
  await press(berta.browser, 'Bring in 2', dialog);
  await expectToast('Import Complete', '2 files came along.');
  await expectNoDialog();
  const again = entriesIn(await exportReadable(berta.browser));
  const idsOf = (entry?: { details?: object | null | undefined }) =>
    readFiles(JSON.stringify(entry?.details)).files.map(({ id, key }) => id + key);
  for (const [before, after] of [
    [entries.letters[0], again.letters[0]],
    [entries.whispers[0], again.memories[0]],
  ] as const) {
    expect([idsOf(before).length, idsOf(after).length]).toEqual([1, 1]);
    expect(idsOf(after)).not.toEqual(idsOf(before));
  }
  const belongTo = await instance()
    .deps.db.selectFrom('files')
    .innerJoin('accounts', 'accounts.id', 'files.account_id')
    .select('files.seal_id')
    .where('accounts.uid', '=', berta.user.id)
    .execute();
  const sealed = [again.letters[0]?.sealId, again.memories[0]?.sealId];
  expect(new Set(belongTo.map(({ seal_id }) => seal_id))).toEqual(new Set(sealed));
  await berta.browser.open('/legacy-scroll');
  const row = await findRow('For Ada');
  expect(row.textContent).toContain('ada@example.org');
  expect(row.textContent).toContain('Dormant');
  await berta.browser.open('/memory-vault');
  const [opener] = within(await findRow('Under the stairs')).getAllByRole('button');
  if (opener) await berta.browser.user.click(opener);
  const reader = await screen.findByRole('dialog');
  await expectText(reader, 'Look there, and forgive me.');
  await expectText(reader, 'A whisper from the vault');

  // Once more there is nothing to bring in, here or where the whisper still is one.
  for (const { browser: where } of [berta, agnes]) {
    await openSettings(where);
    await expectText(await offerArchive(where, file), 'There is nothing to bring in.');
  }
});

test('who signed an archive is said by the key in this browser, whatever the server says', async () => {
  const agnes = await withABell();
  const file = await exportReadable(agnes.browser);
  const theirs = await agnes.call<unknown>('GET', '/api/encryption-key');
  const berta = await enterAsMember(instance());
  await openSettings(berta.browser);
  berta.browser.network.intercept(async (request, forward) =>
    request.method === 'GET' && new URL(request.url).pathname === '/api/encryption-key'
      ? Response.json(theirs)
      : forward(),
  );
  await expectText(await offerArchive(berta.browser, file), 'signed by another vault');
  await openSettings(agnes.browser);
  await expectText(await offerArchive(agnes.browser, file), 'signed by this vault.');
});

describe('the files of entries', () => {
  /** A memory with two files, and the settings. */
  async function withFiles(): Promise<Member> {
    const member = await openMemoryVault(instance());
    await beginWith(
      member,
      aFile('Hives.png', 2000, 'image/png'),
      aFile('../Voice\u202e.ogg', 70_000, 'audio/ogg', 5),
    );
    await areReady(2);
    await finishMemory(member);
    await expectNoDialog();
    await openSettings(member.browser);
    return member;
  }

  const filesIn = ({ bytes }: SavedFile) =>
    Object.entries(unzipSync(bytes)).filter(([path]) => path.startsWith('files/'));

  /** Exports what lacks files, which is said in these words. */
  async function exportLacking(browser: Browser, words: string): Promise<SavedFile> {
    const file = await saveReadable(browser);
    await expectText(await screen.findByRole('dialog', { name: 'Export' }), words);
    return file;
  }

  test('lie beside the words, and come back as they were in another account, under keys of their own', async () => {
    const member = await withFiles();
    const file = await exportReadable(member.browser);
    expect(filesIn(file).map(([path]) => path.replace(/\d{4}-\d\d-\d\d/, 'DAY'))).toEqual([
      'files/DAY-the-hives/1-Hives.png',
      'files/DAY-the-hives/2-_Voice.ogg',
    ]);
    expect(filesIn(file).map(([, bytes]) => bytes)).toEqual([bytesOf(2000), bytesOf(70_000, 5)]);
    const [exported] = entriesIn(file).memories;
    const texts = textsIn(file);
    const page = Object.entries(texts).find(([path]) => path.startsWith('memories/'))?.[1] ?? '';
    expect(page).toContain('- File: [Hives.png](../files/');

    const { browser, ...other } = await enterAsMember(instance());
    await openSettings(browser);
    const dialog = await offerArchive(browser, file);
    await expectText(dialog, '1 memory and 2 files.');
    await press(browser, 'Bring in 1', dialog);
    await expectToast('Import Complete', '2 files came along.');
    await expectNoDialog();
    const again = await exportReadable(browser);
    expect(filesIn(again)).toEqual(filesIn(file));
    const [brought] = entriesIn(again).memories;
    const idsOf = (entry: typeof exported) =>
      readFiles(JSON.stringify(entry?.details)).files.map(({ id, key }) => id + key);
    expect(idsOf(brought).filter((id) => idsOf(exported).includes(id))).toEqual([]);
    expect(other.user).toBeDefined();

    // What is here already is left as it is.
    const offered = await offerArchive(browser, file);
    await expectText(offered, 'There is nothing to bring in.');
  });

  test('that the server does not give out are named, in the archive and on the screen', async () => {
    const member = await withFiles();
    member.browser.network.intercept(async (request, forward) =>
      isFileCall(request) && new URL(request.url).pathname.endsWith('/bytes')
        ? Response.json({ code: 'not-found', message: 'Gone.' }, { status: 404 })
        : forward(),
    );
    const file = await exportLacking(member.browser, '2 files are not in');
    expect(filesIn(file)).toEqual([]);
    const { 'README.md': readMe } = textsIn(file);
    expect(readMe).toContain('A file that did not open: Hives.png, of The hives');
    expect(entriesIn(file).leftOut.lost).toHaveLength(2);
    const { browser } = await enterAsMember(instance());
    await openSettings(browser);
    const offered = await offerArchive(browser, file);
    await expectText(offered, '1 memory.');
    await expectText(
      offered,
      '2 files did not open when it was made, and are not in it: Hives.png (The hives), _Voice.ogg (The hives).',
    );
  });

  test('that were changed in the archive do not come, and are named', async () => {
    const file = await exportReadable((await withFiles()).browser);
    const at = new TextDecoder('latin1').decode(file.bytes).indexOf('1-Hives.png') + 400;
    file.bytes[at] = (file.bytes[at] ?? 0) ^ 1;
    const { browser } = await enterAsMember(instance());
    await openSettings(browser);
    const dialog = await offerArchive(browser, file);
    await press(browser, 'Bring in 1', dialog);
    await expectToast('Import Complete', '1 file is damaged in the archive and did not come: Hives.png');
  });

  test('that are described in a later way are counted before and in the export', async () => {
    const member = await enterAsMember(instance());
    const details = '{"files":[{"id":"of a later version"}],"v":1}';
    await member.postSealed(MEMORIES, 'memory', { title: 'A bell', encryptedContent: 'It rings.', details });
    await openSettings(member.browser);
    await press(member.browser, 'Export');
    await expectText(
      await screen.findByRole('dialog', { name: 'Export' }),
      'Files that are described in a way that this version does not understand: 1',
    );
    await pressEscape(member.browser);
    const file = await exportReadable(member.browser);
    expect(entriesIn(file).leftOut.undescribed).toBe(1);
  });

  test('that have no room do not come, and are named; their entries come all the same', async () => {
    const file = await exportReadable((await withFiles()).browser);
    const { browser } = await enterAsMember(narrow());
    await openSettings(browser);
    const dialog = await offerArchive(browser, file);
    await expectText(dialog, 'Photos and files that have no room are left out, and named at the end.');
    await press(browser, 'Bring in 1', dialog);
    await expectToast(
      'Import Complete',
      '1 file came along. There was no room for 1 file, which did not come: _Voice.ogg.',
    );
    await expectNoDialog();
    const [brought] = entriesIn(await exportLacking(browser, '1 file is not in')).memories;
    expect(readFiles(JSON.stringify(brought?.details)).files.map(({ name }) => name)).toEqual([
      'Hives.png',
      '_Voice.ogg',
    ]);
  });

  test('stay behind where they are not wanted', async () => {
    const file = await exportReadable((await withFiles()).browser);
    const { browser } = await enterAsMember(instance());
    await openSettings(browser);
    const dialog = await offerArchive(browser, file);
    await browser.user.click(
      await within(dialog).findByRole('checkbox', { name: 'Bring photos and files too' }),
    );
    await press(browser, 'Bring in 1', dialog);
    await expectToast('Import Complete', '1 of 1 entries were sealed into this vault.');
    expect(browser.network.asked.join()).not.toContain('/api/files');
  });
});
