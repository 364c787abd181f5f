// The screen of the book, and the line about it on every page, before a real server that is bent as an operator would.
import { screen, waitFor, within } from '@testing-library/dom';
import { describe, expect, test, vi } from 'vitest';
import { wordsOfPin } from '../../../crypto/book-words.ts';
import type { Memory } from '../../../shared/nouns/memory.ts';
import { DAY, MINUTE } from '../../../shared/time.ts';
import { openSettings, postMemory } from '../../testing/another-key.ts';
import { aVaultWith, type Device } from '../../testing/devices.ts';
import { anInstance } from '../../testing/instance.ts';
import { enterAsMember, type Member } from '../../testing/member.ts';
import { answerInstead } from '../../testing/mishaps.ts';
import { expectNoDialog, fill, findRow, goToChamber, press } from '../../testing/steps.ts';

const instance = anInstance();
const MEMORIES = '/api/memory-entries';
const AS_WRITTEN = 'Everything that was shown so far is as it was written.';
const SHOWN_OTHERWISE = 'This server shows something that your vault’s book does not have.';

interface World {
  member: Member;
  /** Another device of the vault, which writes what the browser reads. */
  phone: Device;
}

/** A vault with the three answers in its book, and a browser that has not seen it yet. */
async function aVault(): Promise<World> {
  const { member, devices } = await aVaultWith(instance(), 1);
  // It has the key and nothing else, as after unlocking in a new browser.
  localStorage.removeItem(`latebra.book-pin:${member.user.id}`);
  return { member, phone: devices[0] as Device };
}

/** The same, in a browser that knows the book. */
async function aKnownVault(...titles: string[]): Promise<World & { memories: Memory[] }> {
  const world = await aVault();
  const memories: Memory[] = [];
  for (const title of titles) {
    instance().clock.advance(MINUTE);
    memories.push(await world.phone.writeMemory(title));
  }
  await openBook(world.member);
  await press(world.member.browser, 'That is right');
  await screen.findByText(AS_WRITTEN);
  return { ...world, memories };
}

async function openBook({ browser }: Member): Promise<void> {
  await browser.open('/book');
  await screen.findByRole('heading', { name: 'The Book', level: 1 });
}

async function checkEverything({ browser }: Member): Promise<void> {
  await press(browser, 'Check everything now');
  await waitFor(() => expect(document.querySelector('[aria-busy="true"]')).toBeNull());
}

const part = (name: string) => screen.findByRole('region', { name });
const expectText = (element: HTMLElement, text: string | RegExp) =>
  waitFor(() => expect(element.textContent).toMatch(text));
const db = () => instance().deps.db;

/** What the page notices when somebody comes back to it after a while. */
function comeBack(): void {
  instance().clock.advance(5 * MINUTE);
  document.dispatchEvent(new Event('visibilitychange'));
}

/** The account's number in the database. */
async function accountOf({ user }: Member): Promise<number> {
  const row = await db().selectFrom('accounts').select('id').where('uid', '=', user.id).executeTakeFirst();
  return row?.id ?? expect.fail('there is no such account');
}

/** Takes from the server what was written behind a change, as putting a backup back does. */
async function goBackTo(n: number, { member }: World, lost: readonly Memory[]): Promise<void> {
  await db()
    .deleteFrom('book_entries')
    .where('account_id', '=', await accountOf(member))
    .where('n', '>', n)
    .execute();
  for (const { id } of lost) await db().deleteFrom('memory_entries').where('id', '=', id).execute();
}

describe('a browser that sees the book for the first time', () => {
  test('is told on every page who has written last, and asked once whether that is right', async () => {
    const { member, phone } = await aVault();
    await phone.writeMemory('The orchard');
    instance().clock.advance(3 * MINUTE);
    await member.browser.open('/memory-vault');
    const words = await screen.findByText(/^This browser sees your vault’s book for the first time\./);
    expect(words.textContent).toMatch(
      /It was last written 3 minutes ago on .+ \(change 2\)\. If you have written something later, this server is hiding it\.$/,
    );
    await press(member.browser, 'That is right');
    await waitFor(() => expect(words.isConnected).toBe(false));
    expect(document.activeElement).toBe(screen.getByRole('main'));
    await openBook(member);
    await screen.findByText(AS_WRITTEN);
    expect(screen.queryByText(/^This browser sees/)).toBeNull();
  });

  test('is asked about an empty book as well, which no answer is wanted of', async () => {
    const { browser, user } = await enterAsMember(instance());
    localStorage.removeItem(`latebra.book-pin:${user.id}`);
    const refused: string[] = [];
    browser.network.intercept(async (request, forward) => {
      const answer = await forward();
      if (!answer.ok) refused.push(request.url);
      return answer;
    });
    await browser.open('/memory-vault');
    const words = await screen.findByText(/^This browser sees your vault’s book for the first time/);
    expect(words.textContent).toContain('It is shown an empty one. If you have written anything,');
    await browser.user.click(screen.getByRole('link', { name: 'I have written' }));
    await expectText(await part('Is this the newest?'), 'It is shown an empty book, as a new vault has it.');
    await press(browser, 'That is right');
    await screen.findByText('This book is empty. Your next change begins it.');
    await browser.network.idle();
    expect(refused).toEqual([]);
  });

  test('finds on the page of the book what to do if it is not, and can be told there that it is', async () => {
    const { member, phone } = await aVault();
    await phone.writeMemory();
    await member.browser.open('/memory-vault');
    await member.browser.user.click(await screen.findByRole('link', { name: 'I wrote something later' }));
    const question = await part('Is this the newest?');
    await expectText(question, 'compare the change number and the four words');
    await expectText(question, 'Export everything on that device');
    await expectText(question, 'Write nothing here until you know.');
    await expectText(await part('What no book can know'), 'believes what it is shown');
    await screen.findByRole('heading', { name: /as it was written, if this book is the newest\.$/ });
    await press(member.browser, 'That is right', question);
    await waitFor(() => expect(question.isConnected).toBe(false));
  });
});

describe('an honest server', () => {
  test('is said to show everything as it was written, with the change that the book ends with', async () => {
    const { member, phone } = await aKnownVault('The orchard', 'The well');
    const { head } = phone.bookSync.state();
    const words = (await wordsOfPin(head)).join(' ');
    await waitFor(() => expect(screen.getAllByText(words)).toHaveLength(2));
    screen.getByText('not on this visit');
    await checkEverything(member);
    await screen.findByText(AS_WRITTEN);
    expect(screen.getAllByText('just now')).toHaveLength(2);
    await member.browser.open('/memory-vault');
    await findRow('The orchard');
    await member.browser.network.idle();
    expect(screen.queryByText(/This server shows/)).toBeNull();
  });

  test('lists what was changed last, on which device, with the newest first', async () => {
    const { member, phone, memories } = await aKnownVault('The orchard', 'The well');
    const [orchard] = memories as [Memory];
    const changed = await phone.changeMemory(orchard, 'The old orchard');
    await phone.deleteMemory(changed);
    await phone.restoreMemory(changed);
    const ghost = await phone.writeGhost();
    await phone.deleteGhost(ghost);
    await openBook(member);
    const list = await screen.findByRole('list', { name: 'Last changes' });
    const said = () =>
      within(list)
        .getAllByRole('listitem')
        .map(({ children }) => children[1]?.textContent);
    expect(said()).toEqual([
      'Removed 1 ghost thought',
      'Wrote 1 ghost thought',
      'Restored 1 memory',
      'Deleted 1 memory',
      'Changed 1 memory',
      'Wrote 1 memory',
      'Wrote 1 memory',
      'Wrote 1 set of three answers',
    ]);
    expect(list.textContent).toContain('1 June 2030');
  });

  test('can be compared by two devices, also where one has seen more', async () => {
    const { member, phone } = await aKnownVault('The orchard', 'The well');
    const [, second] = (await phone.bookSync.history()).map(({ n, hash }) => ({ n, hash }));
    if (!second) throw new Error('there is no second change');
    const compare = await part('Compare two devices');
    const field = within(compare).getByLabelText('Change number on the other device');
    await fill(member.browser, field, String(second.n));
    await expectText(compare, `Change ${second.n} has the words ${(await wordsOfPin(second)).join(' ')}.`);
    await fill(member.browser, field, '40');
    await expectText(compare, 'this server hides changes from this one');
    await fill(member.browser, field, 'four');
    await expectText(compare, 'Type a number');
  });
});

describe('what is not in the book yet', () => {
  test('is no finding, and is taken in by its kind or at once', async () => {
    const { member, phone } = await aKnownVault();
    await postMemory(member, 'From a program', 'Words.');
    const texts = { personName: 'Nora', encryptedContent: 'On the ferry.' };
    const clear = { eventType: 'confession', emotionalWeight: 4 };
    await member.postSealed('/api/relationship-entries', 'relationship', texts, clear);
    await member.browser.open('/memory-vault');
    await findRow('From a program');
    await member.browser.network.idle();
    expect(screen.queryByText(/^This server/)).toBeNull();
    // Within the app: what the list has opened stands there still.
    await member.browser.user.click(
      within(screen.getByRole('navigation')).getByRole('link', { name: 'Sacred Settings' }),
    );
    await member.browser.user.click(await screen.findByRole('link', { name: 'The Book' }));
    await checkEverything(member);
    const unknown = await part('Not yet in your book');
    await expectText(unknown, '1 memory“From a program”');
    await expectText(unknown, '1 moment');
    screen.getByText(AS_WRITTEN);
    await press(member.browser, 'Take in 1 memory', unknown);
    await waitFor(() => expect(unknown.textContent).not.toContain('1 memory'));
    await press(member.browser, 'Take in 1 moment', unknown);
    await waitFor(() => expect(unknown.isConnected).toBe(false));
    expect(await phone.check()).toEqual([]);

    await postMemory(member, 'Another', 'Words.');
    const ghost = { maxReads: null, expiresAt: new Date(Date.now() + DAY).toISOString() };
    await member.postSealed('/api/ghost-entries', 'ghost', { encryptedContent: 'A thought' }, ghost);
    await checkEverything(member);
    await press(member.browser, 'Take all in', await part('Not yet in your book'));
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Not yet in your book' })).toBeNull());
    expect(await phone.check()).toEqual([]);
  });
});

describe('a server that shows other rows', () => {
  const found = async (title: string) => within(await part(title)).getAllByRole('listitem');

  test('is named on every page, and the page of the book says what is missing, since when and from where', async () => {
    const { member, memories } = await aKnownVault('The orchard', 'The well');
    const [orchard] = memories as [Memory];
    await db().deleteFrom('memory_entries').where('id', '=', orchard.id).execute();
    await member.browser.open('/memory-vault');
    await findRow('The well');
    const notice = await screen.findByText('This server does not show 1 entry that your vault’s book has.');
    expect(notice.getAttribute('role')).toBe('status');
    await member.browser.user.click(screen.getByRole('link', { name: 'See what' }));
    const [row, ...others] = await found('Missing');
    expect(others).toEqual([]);
    await waitFor(() =>
      expect(row?.textContent).toMatch(
        /^A memory that was written on 1 June 2030, \d\d:\d\d, on Linux is missing\./,
      ),
    );
    await screen.findByRole('heading', { name: '1 finding' });
    expect(screen.queryByText(/^This server does not show/)).toBeNull();

    // The way on.
    await press(member.browser, /^It was me: accept/);
    const dialog = await screen.findByRole('alertdialog', { name: 'Accept 1 finding?' });
    await expectText(dialog, 'The book then says that it was removed.');
    await press(member.browser, 'Accept', dialog);
    await expectNoDialog();
    await screen.findByText(AS_WRITTEN);
    await screen.findByText('Removed 1 memory');
  });

  test('and what this page still has of it is written again, into the book', async () => {
    const { member, phone, memories } = await aKnownVault('The orchard');
    const [orchard] = memories as [Memory];
    const changed = await phone.changeMemory(orchard, 'The old orchard');
    await member.browser.open('/memory-vault');
    await findRow('The old orchard');
    await member.browser.network.idle();
    await db().deleteFrom('memory_entries').where('id', '=', changed.id).execute();
    await member.browser.user.click(
      within(screen.getByRole('navigation')).getByRole('link', { name: 'Sacred Settings' }),
    );
    await member.browser.user.click(await screen.findByRole('link', { name: 'The Book' }));
    await checkEverything(member);
    await expectText(
      await part('Missing'),
      /“The old orchard”, a memory that was written on .+, is missing\./,
    );
    await press(member.browser, 'Write it again', await part('What this page still has'));
    await expectText(await part('What this page still has'), '1 entry was written again.');
    await checkEverything(member);
    await screen.findByText(AS_WRITTEN);
    expect(await phone.check()).toEqual([]);
  });

  test('and an account’s activity has a word of it', async () => {
    const { member, memories } = await aKnownVault('The orchard');
    await db()
      .deleteFrom('memory_entries')
      .where('id', '=', memories[0]?.id ?? 0)
      .execute();
    await checkEverything(member);
    await screen.findByRole('heading', { name: '1 finding' });
    await member.browser.network.idle();
    await openSettings(member.browser);
    await screen.findByText('A browser found entries that are not as they were last written');
  });

  test('in an older version, and after they were deleted, all in one list of findings', async () => {
    const { member, phone, memories } = await aKnownVault('The orchard', 'The well', 'The bell');
    const [orchard, well, bell] = memories as [Memory, Memory, Memory];
    const row = await db()
      .selectFrom('memory_entries')
      .selectAll()
      .where('id', '=', orchard.id)
      .executeTakeFirstOrThrow();
    instance().clock.advance(MINUTE);
    await phone.changeMemory(orchard);
    await db()
      .updateTable('memory_entries')
      .set({ title: row.title, encrypted_content: row.encrypted_content, version: row.version })
      .where('id', '=', orchard.id)
      .execute();
    await phone.deleteMemory(well);
    await db().updateTable('memory_entries').set({ deleted_at: null }).where('id', '=', well.id).execute();
    await db()
      .updateTable('memory_entries')
      .set({ deleted_at: Date.now() })
      .where('id', '=', bell.id)
      .execute();
    await checkEverything(member);
    await screen.findByRole('heading', { name: '3 findings' });
    const changed = await found('Changed');
    const said = changed.map(({ textContent }) => textContent).sort();
    expect(said).toMatchObject([
      expect.stringMatching(/^A memory is not shown as it was written on 1 June 2030, \d\d:\d\d, on /),
      expect.stringMatching(
        /^A memory that was written on 1 June 2030, \d\d:\d\d, on .+ is shown as deleted\./,
      ),
    ]);
    const [returned] = await found('Shown again after it was deleted');
    expect(returned?.textContent).toMatch(/^A memory that was deleted on 1 June 2030, .+ is shown again\./);
    await press(member.browser, 'It was me: accept all 2');
    await press(member.browser, 'Accept', await screen.findByRole('alertdialog'));
    await expectNoDialog();
    await screen.findByRole('heading', { name: '1 finding' });
    await press(member.browser, /^It was me: accept/);
    await press(member.browser, 'Accept', await screen.findByRole('alertdialog'));
    await screen.findByText(AS_WRITTEN);
    expect(await phone.check()).toEqual([]);
  });

  test('which show something else again while they are accepted: nothing is accepted', async () => {
    const { member, memories } = await aKnownVault('The orchard');
    const [orchard] = memories as [Memory];
    const rows = () => db().updateTable('memory_entries').where('id', '=', orchard.id);
    await rows()
      .set({ title: orchard.encryptedContent ?? '' })
      .execute();
    await checkEverything(member);
    await press(member.browser, /^It was me: accept/);
    const dialog = await screen.findByRole('alertdialog');
    await rows()
      .set({ title: `${orchard.title.slice(0, -8)}AAAAAAA=` })
      .execute();
    await press(member.browser, 'Accept', dialog);
    await within(dialog).findByText(/^The server shows something else by now\./);
  });
});

describe('a server that went back', () => {
  test('is named at once, what this page still has is written again, and what is left is accepted', async () => {
    const world = await aKnownVault('The orchard');
    const { member, phone } = world;
    const before = phone.bookSync.state().head.n;
    instance().clock.advance(MINUTE);
    const well = await phone.writeMemory('The well');
    const bell = await phone.writeMemory('The bell');
    await member.browser.open('/memory-vault');
    await findRow('The bell');
    await member.browser.network.idle();

    await goBackTo(before, world, [well, bell]);
    comeBack();
    await screen.findByText('This server shows an older state of your vault than this browser has seen.');
    await member.browser.user.click(screen.getByRole('link', { name: 'See what' }));
    const finding = await part('What was found');
    await expectText(
      finding,
      `This server went back from change ${before + 2} to ${before}: 2 changes are missing.`,
    );
    await expectText(finding, 'It is harmless if the administrator has put back a backup.');
    const kept = await part('What this page still has');
    await expectText(kept, '2 entries stand open here:');
    expect(
      within(kept)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual(['The bell', 'The well']);
    await press(member.browser, 'Write them again', kept);
    await expectText(kept, '2 entries were written again.');
    const written = await member.call<Memory[]>('GET', MEMORIES);
    expect(new Set(written.map(({ sealId }) => sealId))).toEqual(
      new Set([...world.memories, well, bell].map(({ sealId }) => sealId)),
    );

    await press(member.browser, 'Accept what the server has now');
    const dialog = await screen.findByRole('alertdialog');
    await expectText(dialog, 'What is missing stays missing');
    await press(member.browser, 'Accept', dialog);
    await expectNoDialog();
    await screen.findByText(AS_WRITTEN);
    const accepted = await part('What was accepted');
    await expectText(
      accepted,
      new RegExp(
        `On 1 June 2030, .+ accepted that the server lost changes ${before + 1} to ${before + 2}\\.`,
      ),
    );
    await checkEverything(member);
    await screen.findByText(AS_WRITTEN);
    await openSettings(member.browser);
    await screen.findByText('A browser found that the server shows an older state of the vault');
  });

  test.each([
    ['forked', 'This server shows another history of your vault than this browser has seen.'],
    ['unreadable', 'The list of changes that this server shows of your vault was altered or damaged.'],
  ])('or shows another book (%s), is named in words', async (kind, notice) => {
    const { member, phone } = await aKnownVault('The orchard');
    const { n } = phone.bookSync.state().head;
    if (kind === 'unreadable') await phone.writeMemory('Later');
    const exchanged = kind === 'unreadable' ? n + 1 : n;
    await db()
      .updateTable('book_entries')
      .set({ sealed: 'QUJD'.repeat(40) })
      .where('account_id', '=', await accountOf(member))
      .where('n', '=', exchanged)
      .execute();
    await member.browser.open('/memory-vault');
    await screen.findByText(notice);
    await openBook(member);
    const finding = await part('What was found');
    await expectText(
      finding,
      kind === 'forked'
        ? `What this server shows as change ${n} is not what this browser has seen.`
        : `Change ${n + 1} does not open with your key, or is missing.`,
    );
    await part('The way on');
  });
});

describe.each([
  ['answers an error', () => Response.json({ code: 'internal', message: 'So it is.' }, { status: 500 })],
  ['cuts the call off', () => Promise.reject(new TypeError('Failed to fetch'))],
])('a server that %s when it is asked for the book', (_how, answer) => {
  test('is said on every page to have kept the book back, until it shows it', async () => {
    const { member } = await aKnownVault('The orchard');
    const { browser } = member;
    const stop = browser.network.intercept(async (request, forward) =>
      new URL(request.url).pathname === '/api/book' ? answer() : forward(),
    );
    await browser.open('/memory-vault');
    await findRow('The orchard');
    const said = /^This server did not show your vault’s book just now,/;
    await screen.findByText(said);
    await browser.user.click(screen.getByRole('link', { name: 'See the book' }));
    await screen.findByRole('heading', { name: 'This server did not show the book just now.' });
    await screen.findByRole('heading', { name: 'The book could not be read' });
    stop();
    await press(browser, 'Try again');
    await screen.findByText(AS_WRITTEN);
    await goToChamber(browser, 'Memory Vault');
    await findRow('The orchard');
    expect(screen.queryByText(said)).toBeNull();
  });
});

describe('the watch over the book', () => {
  const looks = ({ browser }: Member) =>
    browser.network.asked.filter((one) => one === 'GET /api/book').length;

  test('looks again when somebody comes back after five minutes, and not before', async () => {
    const { member } = await aKnownVault();
    await member.browser.open('/settings');
    await waitFor(() => expect(looks(member)).toBeGreaterThan(1));
    await member.browser.network.idle();
    const before = looks(member);
    instance().clock.advance(4 * MINUTE);
    document.dispatchEvent(new Event('visibilitychange'));
    await member.browser.network.idle();
    expect(looks(member)).toBe(before);
    comeBack();
    await waitFor(() => expect(looks(member)).toBe(before + 1));
  });

  test('says nothing without a connection, and the page of the book says so', async () => {
    const { member } = await aKnownVault();
    await openSettings(member.browser);
    // The list of kits is here before the connection goes, and is asked for no more.
    await screen.findByRole('button', { name: 'Make a kit' });
    await member.browser.network.idle();
    member.browser.network.cut();
    comeBack();
    await member.browser.network.idle();
    expect(screen.queryByRole('alert')).toBeNull();
    await member.browser.user.click(await screen.findByRole('link', { name: 'The Book' }));
    await screen.findByRole('heading', { name: 'The book could not be read' });
    member.browser.network.cut(false);
    await press(member.browser, 'Try again');
    await screen.findByText(AS_WRITTEN);
  });

  test('says that the session has ended, takes nothing away, and leads to signing in', async () => {
    const { member } = await aKnownVault();
    await openSettings(member.browser);
    await member.browser.network.idle();
    await db().deleteFrom('sessions').execute();
    comeBack();
    await screen.findByText(/^This server says that your session has ended/);
    expect(screen.queryByRole('heading', { name: 'Sacred Settings' })).not.toBeNull();
    const asked = member.browser.network.asked.length;
    await press(member.browser, 'Sign in again');
    await member.browser.network.idle();
    expect(member.browser.network.asked.slice(asked)).toContain('GET /api/auth/user');
  });

  test('asks again, every minute, as long as the book is kept back', async () => {
    const { member } = await aKnownVault();
    // The watch begins with the page.
    const every = vi.spyOn(globalThis, 'setInterval');
    await openSettings(member.browser);
    await member.browser.network.idle();
    const again = every.mock.calls.find(([, time]) => time === MINUTE) ?? expect.fail();
    every.mockRestore();
    const stop = answerInstead(member.browser, 'GET /api/book', { status: 200, body: '<p>' });
    comeBack();
    await screen.findByText(/^This server did not show your vault’s book just now,/);
    stop();
    (again[0] as () => void)();
    await waitFor(() => expect(screen.queryByText(/^This server did not show/)).toBeNull());
  });

  test('ends with the lock: nothing of the book stands on the screen', async () => {
    const { member, memories } = await aKnownVault('The orchard');
    await db()
      .deleteFrom('memory_entries')
      .where('id', '=', memories[0]?.id ?? 0)
      .execute();
    await checkEverything(member);
    await part('Missing');
    localStorage.removeItem(`latebra.vault-key:${member.user.id}`);
    window.dispatchEvent(new StorageEvent('storage', { key: `latebra.vault-key:${member.user.id}` }));
    await screen.findByRole('heading', { name: 'Unlock the vault' });
    expect(document.body.textContent).not.toMatch(/book|missing|change/i);
  });
});

test('what is shown otherwise is told in one sentence', async () => {
  const { member, memories } = await aKnownVault('The orchard');
  const [orchard] = memories as [Memory];
  await db()
    .updateTable('memory_entries')
    .set({ title: orchard.encryptedContent ?? '' })
    .where('id', '=', orchard.id)
    .execute();
  await checkEverything(member);
  await member.browser.user.click(
    within(screen.getByRole('navigation')).getByRole('link', { name: 'Sacred Settings' }),
  );
  await screen.findByText(SHOWN_OTHERWISE);
});
