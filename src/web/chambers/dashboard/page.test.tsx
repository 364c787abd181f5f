// The desk: a line that loses nothing, the latest entries, this day in other years, the letters that watch, and the chambers
// with what they count.
import { screen, waitFor, within } from '@testing-library/dom';
import { expect, test, vi } from 'vitest';
import type { Memory } from '../../../shared/nouns/memory.ts';
import { makeWebhook } from '../../../testing/deliveries.ts';
import { makeAdministrator } from '../../../testing/people.ts';
import { aDelivery, aPayload, pathOf } from '../../../testing/signed-deliveries.ts';
import { NEWEST } from '../../../vault/replica/entry-list.ts';
import { aDevice } from '../../testing/devices.ts';
import { anInstance } from '../../testing/instance.ts';
import { asPerson, enterAsMember, type Member } from '../../testing/member.ts';
import { MEMORIES, memoryForm, postMemory } from '../../testing/memories.ts';
import { answerInstead } from '../../testing/mishaps.ts';
import { leaveScroll, sealScroll } from '../../testing/scrolls.ts';
import { fill, keptIn, press, pressEscape, textIn } from '../../testing/steps.ts';
import { KeptDraft } from '../../vault/entries/kept-draft.ts';

const instance = anInstance();
const DAY = 24 * 60 * 60 * 1000;

const line = () => screen.findByRole('textbox', { name: 'Write a memory' });
const words = async () => within(await memoryForm()).findByRole('textbox', { name: 'Memory' });
const lately = () => screen.findByRole('region', { name: 'Lately' });
const main = () => within(screen.getByRole('main'));

async function openDesk(member?: Member): Promise<Member> {
  const there = member ?? (await enterAsMember(instance()));
  await there.browser.open('/');
  await there.browser.network.idle();
  return there;
}

/** A day of another year as an entry's details have it. */
function happened(yearsAgo: number, daysAgo = 0): string {
  const then = new Date(Date.now() - daysAgo * DAY);
  const two = (part: number) => String(part).padStart(2, '0');
  const day = `${then.getFullYear() - yearsAgo}-${two(then.getMonth() + 1)}-${two(then.getDate())}`;
  return JSON.stringify({ happenedOn: day, v: 1 });
}

test('Enter in the line opens the form with what was typed, and the line is empty afterwards', async () => {
  const { browser, user } = await openDesk();
  await browser.user.type(await line(), 'The bell rang{Shift>}{Enter}{/Shift}twice.{Enter}');
  await waitFor(async () => expect(textIn(await words())).toBe('The bell rang\ntwice.'));
  expect(window.location.pathname).toBe('/memory-vault/new');
  // Neither the address nor the history has a word of it.
  expect(JSON.stringify([window.location.href, window.history.state])).not.toContain('bell');
  await pressEscape(browser);
  // It waits as the draft of the form, and no longer in the line.
  await waitFor(() => expect(keptIn(`latebra.draft:${user.id}:`)).toBe(1));
  await browser.open('/');
  expect(textIn(await line())).toBe('');
  await browser.open('/memory-vault/new');
  await waitFor(async () => expect(textIn(await words())).toBe('The bell rang\ntwice.'));
});

test('what waits in the form is kept, and the line follows it', async () => {
  const { browser, user } = await openDesk();
  await press(browser, 'New Memory');
  await fill(browser, await words(), 'Half a thought');
  await pressEscape(browser);
  await waitFor(() => expect(keptIn(`latebra.draft:${user.id}:`)).toBe(1));
  await browser.open('/');
  await fill(browser, await line(), 'and the other half');
  await press(browser, 'New Memory');
  await waitFor(async () => expect(textIn(await words())).toBe('Half a thought\n\nand the other half'));
});

test('a reload brings back what stands in the line, sealed until then', async () => {
  const { browser, user } = await openDesk();
  await fill(browser, await line(), 'An unfinished sentence');
  await waitFor(() => expect(keptIn(`latebra.draft:${user.id}:`)).toBe(1));
  expect(JSON.stringify({ ...localStorage })).not.toContain('unfinished');
  await browser.reload();
  await waitFor(async () => expect(textIn(await line())).toBe('An unfinished sentence'));
  await browser.user.clear(await line());
  expect(keptIn(`latebra.draft:${user.id}:`)).toBe(0);
});

test('a letter that is typed at the moment at which the draft comes back is behind it', async () => {
  const { browser, user } = await openDesk();
  await fill(browser, await line(), 'An unfinished');
  await waitFor(() => expect(keptIn(`latebra.draft:${user.id}:`)).toBe(1));
  const { claim } = KeptDraft.prototype;
  const comes = vi.spyOn(KeptDraft.prototype, 'claim').mockImplementation(async function (
    this: KeptDraft<unknown>,
    ...given
  ) {
    const claimed = await claim.apply(this, given);
    // Between the draft and what draws it.
    let turn = Promise.resolve();
    for (let n = 0; n < 8; n += 1) turn = turn.then(() => {});
    void turn.then(type);
    return claimed;
  });
  function type() {
    const field = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Write a memory' });
    field.value += ' sentence';
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }
  await browser.reload();
  await waitFor(() => expect(comes).toHaveBeenCalled());
  await waitFor(async () => expect(textIn(await line())).toBe('An unfinished sentence'));
  comes.mockRestore();
  await browser.reload();
  await waitFor(async () => expect(textIn(await line())).toBe('An unfinished sentence'));
});

test('the latest entries of every kind stand with their first line, and lead to themselves', async () => {
  const member = await enterAsMember(instance());
  await postMemory(member, { title: 'The orchard', encryptedContent: '# Pears\n\nNobody picked them.' });
  await member.postSealed(
    '/api/relationship-entries',
    'relationship',
    { personName: 'Agnes', encryptedContent: 'She **laughed**.' },
    { eventType: 'moment', emotionalWeight: 3 },
  );
  const until = new Date(Date.now() + 400 * DAY).toISOString();
  await postMemory(member, { title: 'For later', encryptedContent: 'A secret.' }, { timeLockUntil: until });
  await openDesk(member);
  const rows = await within(await lately()).findAllByRole('listitem');
  expect(rows).toHaveLength(3);
  const all = rows.map(({ textContent }) => textContent).join('\n');
  for (const part of ['The orchard', 'Pears', 'Agnes', 'She laughed.', 'For later', 'until '])
    expect(all).toContain(part);
  expect(all).not.toMatch(/secret|Nobody picked|\*|#/);
  await member.browser.user.click(within(await lately()).getByRole('link', { name: /The orchard/ }));
  expect((await screen.findByRole('dialog', { name: 'The orchard' })).textContent).toContain(
    'Nobody picked them.',
  );
});

test('one short page of each list is fetched, and none where the list stands open', async () => {
  const member = await enterAsMember(instance());
  const limits: string[] = [];
  member.browser.network.intercept(async (request, forward) => {
    const { pathname, searchParams } = new URL(request.url);
    if (/-entries$|-stories$/.test(pathname)) limits.push(`${pathname} ${searchParams.get('limit')}`);
    return forward();
  });
  await openDesk(member);
  await lately();
  expect(limits.sort()).toEqual(
    ['/api/memory-entries', '/api/myth-stories', '/api/relationship-entries'].map(
      (path) => `${path} ${NEWEST}`,
    ),
  );
});

/** How a server bends the lists of memories. */
interface Bent {
  bend: (rows: Memory[]) => Memory[];
  /** Whether the desk has no more than a part of a list: there are more than its short page has. */
  isPart?: boolean;
  /** Whether each page is said to be followed by another one. */
  saysMore?: boolean;
  /** Which lists, by how many rows are asked for. */
  isMeant?: (limit: string | null) => boolean;
}

const DESK = String(NEWEST);

/** A member whose memories are in the book, and a server that bends their lists. The desk is opened. */
async function openBent({ bend, isPart, saysMore, isMeant = () => true }: Bent): Promise<Member> {
  const member = await enterAsMember(instance());
  const { network } = member.browser;
  const more = isPart ? Array.from({ length: NEWEST }, (_, i) => `Day ${i}`) : [];
  for (const title of [...more, 'The orchard', 'The well', 'The bell'])
    await postMemory(member, { title, encryptedContent: `Words of ${title}.`, details: happened(1, 9) });
  await aDevice(instance(), member).bookSync.acceptAsShown();
  network.intercept(async (request, forward) => {
    const answer = await forward();
    const { pathname, searchParams } = new URL(request.url);
    const limit = searchParams.get('limit');
    if (request.method !== 'GET' || pathname !== MEMORIES || !isMeant(limit)) return answer;
    const rows = bend((await answer.json()) as Memory[]);
    const link = saysMore ? '<>; rel="next"' : answer.headers.get('link');
    return Response.json(rows, link ? { headers: { link } } : {});
  });
  await openDesk(member);
  await waitFor(() => expect(network.asked.some((call) => call.startsWith('GET /api/book'))).toBe(true));
  await network.idle();
  return member;
}
const fetched = ({ browser }: Member) =>
  browser.network.asked.filter((call) => call === `GET ${MEMORIES}`).length;

const withoutDetails = (rows: Memory[]) => rows.map((row) => ({ ...row, details: null }));
const MISSING = /^This server does not show 1 entry that/;
const OTHERWISE = /^This server shows something that your vault’s book does not/;
const isDesk = (limit: string | null) => limit === DESK;

test.each<[string, RegExp, Bent]>([
  ['what a server leaves out of the desk', MISSING, { bend: (rows) => rows.slice(1) }],
  ['what it leaves out there alone', MISSING, { bend: (rows) => rows.slice(1), isMeant: isDesk }],
  [
    'what it leaves out of a page that is not full, and that it says is not the last',
    MISSING,
    { bend: (rows) => rows.slice(1), isMeant: isDesk, saysMore: true },
  ],
  ['what it shows otherwise', OTHERWISE, { bend: withoutDetails }],
  ['what it shows otherwise in a part of a list', OTHERWISE, { bend: withoutDetails, isPart: true }],
  ['what it shows otherwise on the desk alone', OTHERWISE, { bend: withoutDetails, isMeant: isDesk }],
  [
    'what it shows otherwise on the desk alone, in a part of a list',
    OTHERWISE,
    { bend: withoutDetails, isMeant: isDesk, isPart: true },
  ],
])('%s is noticed', async (_, words, bent) => {
  await openBent(bent);
  expect(await screen.findByText(words)).not.toBeNull();
});

test('a part of a list in which all is right accuses nobody, and has nothing fetched for it', async () => {
  const member = await openBent({ bend: (rows) => rows, isPart: true });
  expect(fetched(member)).toBe(1);
  expect(screen.queryByText(/^This server/)).toBeNull();
});

test('what was not written in this vault says so on the desk', async () => {
  const member = await enterAsMember(instance());
  const webhook = await makeWebhook(asPerson(instance(), member), {
    ...(await member.sealed('webhook', 'A'.repeat(22), { name: 'Telephone' })),
    ...{ sealId: 'A'.repeat(22), keyFingerprint: member.fingerprint },
  });
  const then = new Date();
  const happenedOn = `${then.getFullYear() - 1}${then.toISOString().slice(4, 10)}`;
  const data = { title: 'The harbour', content: 'Nobody here wrote this.', happenedOn };
  const sent = aDelivery(webhook, { at: Date.now(), payload: aPayload(data) });
  expect((await instance().request('POST', pathOf(webhook), sent)).status).toBe(204);
  await openDesk(member);
  const row = await within(await lately()).findByRole('listitem');
  expect(row.textContent).toContain('Arrived by webhook');
  expect((await screen.findByRole('region', { name: 'On this day' })).textContent).toContain(
    'Arrived by webhook',
  );
});

test('this day in other years is told, and what is locked or of another day is not', async () => {
  const member = await enterAsMember(instance());
  await postMemory(member, { title: 'Porto', encryptedContent: 'We missed the tram.', details: happened(7) });
  await postMemory(member, { title: 'Yesterday', encryptedContent: 'No.', details: happened(7, 1) });
  await postMemory(member, { title: 'This year', encryptedContent: 'No.', details: happened(0) });
  await openDesk(member);
  const day = await screen.findByRole('region', { name: 'On this day' });
  expect(day.textContent).toContain(`Porto, ${new Date().getFullYear() - 7}`);
  expect(day.textContent).toContain('We missed the tram.');
  expect(day.textContent).not.toMatch(/Yesterday|This year|further/);
});

test('what was written today of another time says of which, and a long title leaves its year to be read', async () => {
  const member = await enterAsMember(instance());
  const title = 'We missed the last tram, and it was the best part of the whole journey.';
  await postMemory(member, { title, encryptedContent: title, details: happened(7) });
  await postMemory(member, {
    title: 'The orchard',
    encryptedContent: 'Ladders.',
    details: JSON.stringify({ happenedOn: '1962-22', v: 1 }),
  });
  await openDesk(member);
  const rows = await within(await lately()).findAllByRole('listitem');
  const year = String(new Date().getFullYear() - 7);
  expect(rows.map((row) => row.textContent)).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^Today.*orchard.*summer 1962$/),
      expect.stringContaining(year),
    ]),
  );
  // Its one line is its title, and is not said twice.
  expect(rows.filter((row) => row.textContent?.split(title).length === 2)).toHaveLength(1);
  const day = await screen.findByRole('region', { name: 'On this day' });
  expect(within(day).getByText(`, ${year}`).className).toContain('shrink-0');
});

test('where not everything is open, looking further back is a press', async () => {
  const member = await enterAsMember(instance());
  await postMemory(member, { title: 'Porto', encryptedContent: 'We missed the tram.', details: happened(7) });
  for (let i = 0; i < NEWEST; i += 1)
    await postMemory(member, { title: `Note ${i}`, encryptedContent: 'Words.' });
  await openDesk(member);
  const day = await screen.findByRole('region', { name: 'On this day' });
  expect(day.textContent).toContain(`Nothing among the newest ${NEWEST} of each list.`);
  await press(member.browser, 'Look further back', day);
  await waitFor(() => expect(day.textContent).toContain('Porto'));
  expect(within(await lately()).getByRole('link', { name: `All ${NEWEST + 1} memories` })).not.toBeNull();
});

test('letters that watch say when they are sent', async () => {
  const member = await enterAsMember(instance());
  await leaveScroll(member.call, await sealScroll(), { days: 30 });
  await openDesk(member);
  const letters = await screen.findByRole('region', { name: 'Letters that watch' });
  expect(letters.textContent).toMatch(/Sent on \d+ \w+( \d{4})? if you do not sign in before\./);
  expect(main().getByRole('link', { name: /Legacy Scroll/ }).textContent).toContain("deadman's watch · 1");
});

test('who has one way back is asked for another beside the entries, and from the third entry on above them', async () => {
  const member = await enterAsMember(instance());
  await member.call('POST', '/api/encryption-key/words', { fingerprint: member.fingerprint });
  await openDesk(member);
  const ways = await screen.findByRole('region', { name: 'Recovery: your ways back' });
  expect(ways.textContent).toContain('You have one.');
  expect(within(ways).getByRole('link', { name: 'Set up another' })).not.toBeNull();
  for (const title of ['One', 'Two', 'Three'])
    await postMemory(member, { title, encryptedContent: 'Words.' });
  await openDesk(member);
  await screen.findByRole('region', { name: 'Before you seal more' });
  expect(screen.queryByText(/^You have one/)).toBeNull();
});

test('an empty desk says where to begin, and has one door for each chamber with its count', async () => {
  await openDesk();
  await within(await lately()).findByText(/Nothing is kept here yet/);
  for (const [name, says] of [
    ['Memory Vault', '0 entries'],
    ['Relationship Ledger', '0 events'],
    ['Ghost Mode', '0 active'],
    ['Myth Builder', '0 stories'],
    ['Sacred Keys', '0 active'],
    ['Final Breath', 'once only'],
    ['Legacy Scroll', "deadman's watch"],
    ['Quantum Security', ''],
    ['Sacred Settings', ''],
  ] as const)
    expect(main().getByRole('link', { name: new RegExp(`^${name}`) }).textContent).toContain(says);
});

test('what the administrator tells everybody stands on the desk until it was read, and so does what follows', async () => {
  const member = await enterAsMember(instance());
  await makeAdministrator(instance(), member);
  const tell = (says: string) => member.call('PUT', '/api/admin/notice', { says });
  const notice = () => screen.queryByRole('region', { name: 'From the administrator' });
  await tell('This is the backup of 3 May.\nWhat was written since is gone.');
  await openDesk(member);
  await waitFor(() => expect(notice()?.textContent).toContain('This is the backup of 3 May.'));
  await press(member.browser, 'I have read it');
  expect(notice()).toBeNull();
  // For good.
  await member.browser.reload();
  await member.browser.network.idle();
  await lately();
  expect(notice()).toBeNull();
  instance().clock.advance(1000);
  await tell('The server is away on Sunday.');
  await openDesk(member);
  await waitFor(() => expect(notice()?.textContent).toContain('The server is away on Sunday.'));
  await tell('');
  await openDesk(member);
  await lately();
  expect(notice()).toBeNull();
});

test('lists that cannot be fetched say so, and leave line and doors', async () => {
  const member = await enterAsMember(instance());
  const mend = answerInstead(member.browser, 'GET /api/memory-entries', 'nothing');
  await openDesk(member);
  const retry = await within(await lately()).findByRole('button', { name: /again|retry/i });
  expect(main().getByRole('link', { name: /^Memory Vault/ })).not.toBeNull();
  await fill(member.browser, await line(), 'Still here');
  mend();
  await member.browser.user.click(retry);
  await within(await lately()).findByText(/Nothing is kept here yet/);
});
