// The Relationship Ledger below the browser: recording, reading, changing, finding, and one person's moments.

import { screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { type EventType, eventTypes } from '../../../shared/nouns/moment-kinds.ts';
import type { Relationship } from '../../../shared/nouns/relationship.ts';
import { DAY } from '../../../shared/time.ts';
import { sealMoment } from '../../../vault/entries/sealed-moment.ts';
import { expectDraft } from '../../testing/drafts.ts';
import { anInstance } from '../../testing/instance.ts';
import { enterAsMember, type Member } from '../../testing/member.ts';
import { unreachable } from '../../testing/network.ts';
import {
  expectNoDialog,
  expectRows,
  expectToast,
  fill,
  findRow,
  press,
  pressEscape,
  textIn,
} from '../../testing/steps.ts';

const instance = anInstance();
const LIST = '/api/relationship-entries';
const MARCH = Date.parse('2026-03-12T12:00:00Z');

interface Written {
  person: string;
  /** By its label. */
  kind: string;
  content: string;
  /** By its label. */
  weight?: string;
}

const ferry: Written = {
  person: 'Nora',
  kind: 'Confession',
  content: 'She said it on the ferry.',
  weight: 'Intense',
};

async function openLedger(): Promise<Member> {
  const member = await enterAsMember(instance());
  await member.browser.open('/relationship-ledger');
  await screen.findByText('Nobody is written of here yet');
  return member;
}

const form = () => screen.findByRole('dialog');

async function fillIn({ browser }: Member, { person, kind, content, weight }: Partial<Written>) {
  const dialog = within(await form());
  if (person !== undefined) await fill(browser, dialog.getByLabelText('Person'), person);
  if (kind !== undefined) await browser.user.selectOptions(dialog.getByLabelText('Kind'), kind);
  if (content !== undefined) await fill(browser, dialog.getByLabelText('What happened'), content);
  if (weight !== undefined) await browser.user.click(dialog.getByRole('radio', { name: weight }));
}

const begin = ({ browser }: Member) => press(browser, 'Record Moment', screen.getByRole('main'));
const finish = async ({ browser }: Member) => press(browser, 'Record Moment', await form());

async function record(member: Member, moment: Written): Promise<void> {
  await begin(member);
  await fillIn(member, moment);
  await finish(member);
  await expectNoDialog();
}

/** Opens a row for reading. */
async function read({ browser }: Member, row: HTMLElement): Promise<HTMLElement> {
  const [opener] = within(row).getAllByRole('button');
  if (opener) await browser.user.click(opener);
  return form();
}

async function edit(member: Member, row: HTMLElement): Promise<void> {
  await press(member.browser, 'Edit', await read(member, row));
}

interface Past {
  person: string;
  kind: EventType;
  weight: number;
  /** Epoch milliseconds. */
  at: number;
}

/** Moments of earlier days, as an import would bring them. */
async function bringPast(member: Member, moments: readonly Past[]): Promise<void> {
  for (const { person, kind, weight, at } of moments) {
    await member.postSealed(
      LIST,
      'relationship',
      { personName: person, encryptedContent: `Of another day: ${kind}.` },
      { eventType: kind, emotionalWeight: weight, createdAt: new Date(at).toISOString() },
    );
  }
  await member.browser.reload();
}

const threeMoments: Past[] = [
  { person: 'Nora', kind: 'beginning', weight: 2, at: MARCH - 400 * DAY },
  { person: ' nora ', kind: 'argument', weight: 5, at: MARCH - 30 * DAY },
  { person: 'NORA', kind: 'confession', weight: 4, at: MARCH },
];

const showPeople = ({ browser }: Member) => browser.user.click(screen.getByRole('tab', { name: 'People' }));
const dots = () => within(screen.getByRole('toolbar')).getAllByRole('button');
const search = async ({ browser }: Member, text: string) =>
  fill(browser, await screen.findByRole('searchbox'), text);

test('a moment is recorded, stands in the list and can be read', async () => {
  const member = await openLedger();
  await record(member, ferry);
  await expectToast('Entry Recorded');
  expect((await findRow('Nora')).textContent).toMatch(/Confession.*Intense, 4 of 5/);
  await member.browser.reload();
  const reader = await read(member, await findRow('Nora'));
  within(reader).getByRole('heading', { name: 'Nora' });
  for (const part of ['Confession', 'Intense, 4 of 5', 'Recorded 1 June 2030', ferry.content]) {
    expect(reader.textContent).toContain(part);
  }
  await press(member.browser, 'Close');
  await expectNoDialog();
});

test('a moment needs a person, a kind and words; its weight is meaningful unless said otherwise', async () => {
  const member = await openLedger();
  await begin(member);
  const dialog = within(await form());
  expect(dialog.getByRole<HTMLInputElement>('radio', { name: 'Meaningful' }).checked).toBe(true);
  const kind = dialog.getByLabelText('Kind');
  expect(textIn(kind)).toBe('');
  expect(
    within(kind)
      .getAllByRole('option')
      .map(({ textContent }) => textContent),
  ).toEqual(['Choose one', ...eventTypes.map(({ label }) => label)]);
  for (const { first, ...part } of [
    { first: 'Person' },
    { person: 'Nora', first: 'Kind' },
    { content: 'Words', first: 'Kind' },
    { kind: 'Ending', content: '  ', first: 'What happened' },
  ]) {
    await fillIn(member, part);
    await finish(member);
    await expectToast('Incomplete Entry', 'Please fill in all fields before recording this moment.');
    const field = within(await form()).getByLabelText(first);
    expect(document.activeElement).toBe(field);
    expect(field.getAttribute('aria-invalid')).toBe('true');
  }
  expect(member.browser.network.asked).not.toContain(`POST ${LIST}`);
  await fillIn(member, { content: 'Words' });
  await finish(member);
  expect((await findRow('Nora')).textContent).toContain('Meaningful, 3 of 5');
});

test('people who are in the ledger are offered, and no name leaves the browser or enters its address', async () => {
  const member = await openLedger();
  const sent: string[] = [];
  member.browser.network.intercept(async (request, forward) => {
    sent.push(`${request.url} ${await request.clone().text()}`);
    return forward();
  });
  await record(member, { ...ferry, person: 'Nora Lindqvist' });
  await record(member, { ...ferry, person: ' nora  lindqvist' });
  await begin(member);
  const offered = (await form()).querySelectorAll<HTMLOptionElement>('datalist option');
  expect([...offered].map(({ value }) => value)).toEqual(['Nora Lindqvist']);
  await pressEscape(member.browser);
  await search(member, 'lindqvist');
  await showPeople(member);
  await press(member.browser, /Lindqvist/, await findRow('Lindqvist'));
  await screen.findByRole('toolbar');
  expect(window.location.href).toMatch(/\/relationship-ledger\/people\/[\w-]{22}$/);
  expect(JSON.stringify([window.history.state, { ...localStorage }])).not.toMatch(/lindqvist/i);
  expect(sent.length).toBeGreaterThan(1);
  expect(sent.join('\n')).not.toMatch(/lindqvist|ferry/i);
});

test('a name that is known already is completed to the known one, and changed only on purpose', async () => {
  const member = await openLedger();
  await record(member, ferry);
  await begin(member);
  await fillIn(member, { ...ferry, person: ' NORA ' });
  // The next field is reached: the name stands there as it will be kept.
  await waitFor(() => expect(textIn(screen.getByLabelText('Person'))).toBe('Nora'));
  await finish(member);
  await expectNoDialog();
  for (const row of await expectRows('Nora', 'Nora')) expect(row.textContent).not.toContain('NORA');
  const [newest] = await expectRows('Nora', 'Nora');
  if (!newest) return;
  await edit(member, newest);
  await fillIn(member, { person: 'NORA', content: 'Renamed.' });
  await finish(member);
  await expectNoDialog();
  await expectRows('NORA', 'Nora');
});

test('a draft survives a reload, sealed, and can be discarded', async () => {
  const member = await openLedger();
  await begin(member);
  await fillIn(member, { person: 'Half a name', kind: 'Betrayal', weight: 'Life-changing' });
  const drafts = () => Object.keys(localStorage).filter((slot) => slot.startsWith('latebra.draft'));
  await waitFor(() => expect(drafts()).toHaveLength(1));
  expect(JSON.stringify({ ...localStorage })).not.toContain('Half a name');
  await member.browser.reload();
  await screen.findByText(/What you had begun to write is still here/);
  const dialog = within(await form());
  expect(textIn(dialog.getByLabelText('Person'))).toBe('Half a name');
  expect(textIn(dialog.getByLabelText('Kind'))).toBe('betrayal');
  const weight = (name: string) => dialog.getByRole<HTMLInputElement>('radio', { name });
  expect(weight('Life-changing').checked).toBe(true);
  await press(member.browser, 'Discard it');
  expect(textIn(dialog.getByLabelText('Person'))).toBe('');
  expect(weight('Meaningful').checked).toBe(true);
  expect(drafts()).toEqual([]);
});

test('the search finds people, words, kinds and weights', async () => {
  const member = await openLedger();
  await record(member, { ...ferry, person: 'Zoë' });
  const lake = { person: 'Father', kind: 'Forgiveness', content: 'At the lake server.', weight: 'Gentle' };
  await record(member, lake);
  for (const [query, person] of [
    ['zoe', 'Zoë'],
    ['LAKE', 'Father'],
    ['forgiveness', 'Father'],
    ['intense', 'Zoë'],
    ['father gentle server', 'Father'],
  ] as const) {
    await search(member, query);
    await expectRows(person);
  }
  await search(member, 'submarine');
  await screen.findByText('No moment holds these words.');
  await member.browser.user.keyboard('{Escape}');
  await expectRows('Father', 'Zoë');
});

test('a moment can be changed, kind and weight too', async () => {
  const member = await openLedger();
  await record(member, ferry);
  await edit(member, await findRow('Nora'));
  await fillIn(member, { kind: 'Reconciliation', weight: 'Light', content: 'She said it twice.' });
  await finish(member);
  await expectNoDialog();
  await member.browser.reload();
  const row = await findRow('Nora');
  expect(row.textContent).toMatch(/Reconciliation.*Light, 1 of 5/);
  expect((await read(member, row)).textContent).toMatch(/Changed.*She said it twice\./);
});

/** Puts other words into the only moment, as another tab would. */
async function changeElsewhere(member: Member, content: string): Promise<void> {
  const [row] = await member.call<{ id: number; version: number; sealId: string }[]>('GET', LIST);
  if (!row) throw new Error('there is no moment');
  const { id, version, sealId } = row;
  const { details, clear } = sealMoment(null, { kind: 'betrayal', weight: 5 });
  const texts = await member.sealed(
    'relationship',
    sealId,
    { personName: 'Nora', encryptedContent: content, details: details ?? '' },
    { ...clear, version: version + 1 },
  );
  const { fingerprint: keyFingerprint } = member;
  await member.call('PATCH', `${LIST}/${id}`, { ...texts, ...clear, version, keyFingerprint });
}

/** What the server can read of the kinds and weights of all moments. */
const readable = async ({ call }: Member) =>
  (await call<Relationship[]>('GET', LIST)).map(({ eventType, emotionalWeight }) => [
    ...[eventType, emotionalWeight],
  ]);

test('the server cannot read what kind of moment it was, nor how heavy, and the owner sees both everywhere', async () => {
  const member = await openLedger();
  const { browser } = member;
  await record(member, { ...ferry, kind: 'Betrayal', weight: 'Life-changing' });
  expect(await readable(member)).toEqual([['moment', 3]]);
  await browser.reload();
  expect((await findRow('Nora')).textContent).toMatch(/Betrayal.*Life-changing, 5 of 5/);
  await search(member, 'betrayal');
  await expectRows('Nora');
  await browser.reload();
  await findRow('Nora');
  await showPeople(member);
  await press(browser, /^Nora/);
  expect(dots().map((dot) => dot.getAttribute('aria-label'))).toEqual([
    expect.stringMatching(/^Betrayal, 5 of 5 Life-changing/),
  ]);
});

test('a moment of a program that knows the specification alone is shown as it says, and its kind is sealed with a change', async () => {
  const member = await openLedger();
  await bringPast(member, [{ person: 'Nora', kind: 'betrayal', weight: 5, at: MARCH }]);
  expect(await readable(member)).toEqual([['betrayal', 5]]);
  expect((await findRow('Nora')).textContent).toMatch(/Betrayal.*Life-changing, 5 of 5/);
  await edit(member, await findRow('Nora'));
  await fillIn(member, { content: 'On the ferry.' });
  await finish(member);
  await expectNoDialog();
  expect(await readable(member)).toEqual([['moment', 3]]);
  await member.browser.reload();
  expect((await findRow('Nora')).textContent).toMatch(/Betrayal.*Life-changing, 5 of 5/);
});

test('a moment that was changed elsewhere meanwhile stands beside what was written, and both can be kept', async () => {
  const member = await openLedger();
  await record(member, ferry);
  await edit(member, await findRow('Nora'));
  await fillIn(member, { content: 'Written on the quay.' });
  await changeElsewhere(member, 'Written elsewhere.');
  await finish(member);
  const other = await within(await form()).findByRole('alert');
  for (const part of ['changed elsewhere', 'Written elsewhere.', 'Betrayal', 'Life-changing, 5 of 5']) {
    expect(other.textContent).toContain(part);
  }
  expect(textIn(screen.getByLabelText('What happened'))).toBe('Written on the quay.');
  await press(member.browser, 'Keep both');
  await expectNoDialog();
  await expectRows('Confession', 'Betrayal');
  for (const [words, kind] of [
    ['on the quay', 'Confession'],
    ['written elsewhere', 'Betrayal'],
  ] as const) {
    await search(member, words);
    await expectRows(kind);
  }
});

test('a moment that was changed elsewhere can be replaced', async () => {
  const member = await openLedger();
  await record(member, ferry);
  await edit(member, await findRow('Nora'));
  await fillIn(member, { content: 'Written on the quay.' });
  await changeElsewhere(member, 'Written elsewhere.');
  await finish(member);
  await press(member.browser, 'Replace it with mine');
  await expectNoDialog();
  const [row] = await expectRows('Confession');
  if (row) expect((await read(member, row)).textContent).toContain('Written on the quay.');
});

test('a moment is deleted after a question', async () => {
  const member = await openLedger();
  const { browser } = member;
  await record(member, ferry);
  await press(browser, 'Delete Confession with Nora');
  await press(browser, 'Cancel', await screen.findByRole('alertdialog'));
  await expectNoDialog();
  await expectRows('Nora');
  await press(browser, 'Delete Confession with Nora');
  const question = await screen.findByRole('alertdialog', { name: 'Delete “Confession” with Nora?' });
  await press(browser, 'Delete it', question);
  await expectToast('Entry Deleted');
  await screen.findByText('Nobody is written of here yet');
  expect(await member.call('GET', LIST)).toEqual([]);
});

test('one that was deleted elsewhere crashes nothing', async () => {
  const member = await openLedger();
  await record(member, ferry);
  const [row] = await member.call<{ id: number }[]>('GET', LIST);
  await member.call('DELETE', `${LIST}/${row?.id}`);
  await press(member.browser, 'Delete', await read(member, await findRow('Nora')));
  await press(member.browser, 'Delete it', await screen.findByRole('alertdialog'));
  await expectToast('Entry is gone');
  await screen.findByText('Nobody is written of here yet');
});

test('a cut connection loses nothing that was written', async () => {
  const member = await openLedger();
  const { network } = member.browser;
  await begin(member);
  await fillIn(member, ferry);
  network.cut();
  await finish(member);
  await expectToast('Failed to Record Entry', 'The server could not be reached.');
  expect(textIn(screen.getByLabelText('What happened'))).toBe(ferry.content);
  network.cut(false);
  await finish(member);
  await findRow('Nora');
});

test('a lost answer keeps nothing twice', async () => {
  const member = await openLedger();
  const { network } = member.browser;
  await begin(member);
  await fillIn(member, ferry);
  const mend = network.intercept(async (request, forward) => {
    const answer = await forward();
    if (request.method === 'POST') throw unreachable();
    return answer;
  });
  await finish(member);
  await expectToast('Failed to Record Entry');
  mend();
  await fillIn(member, { content: 'She said it, and more.' });
  await finish(member);
  await expectNoDialog();
  const [row] = await expectRows('Nora');
  if (row) expect((await read(member, row)).textContent).toContain('She said it, and more.');
  expect(await member.call('GET', LIST)).toHaveLength(1);
});

test('a list that cannot be fetched says so, and can be asked for again', async () => {
  const member = await enterAsMember(instance());
  const { browser } = member;
  const mend = browser.network.intercept(async (request, forward) => {
    if (new URL(request.url).pathname === LIST) throw unreachable();
    return forward();
  });
  await browser.open('/relationship-ledger');
  expect((await screen.findByRole('alert')).textContent).toContain('This could not be fetched');
  mend();
  await press(browser, 'Try again');
  await screen.findByText('Nobody is written of here yet');
});

test('what another key has sealed stays listed, unreadable, and stands in nobody’s timeline', async () => {
  const member = await openLedger();
  const { browser } = member;
  await record(member, ferry);
  browser.forgetStorage();
  await browser.open('/');
  await press(browser, 'I have none of these');
  const question = await screen.findByRole('alertdialog');
  await fill(browser, within(question).getByLabelText('Type UNREADABLE to go on'), 'UNREADABLE');
  await press(browser, 'Make a new key', question);
  await expectToast('Encryption Key Regenerated');
  await screen.findByRole('heading', { name: 'The chambers' });
  await browser.open('/relationship-ledger');
  const row = await findRow('Unreadable with this key');
  // What it was is sealed with its words: the neutral kind that the server has would be a false one.
  expect(row.textContent).not.toContain('Beautiful Moment');
  await press(browser, /Unreadable/, row);
  await expectToast(
    'Failed to Decrypt',
    'Unable to decrypt this entry. Your encryption key may have changed.',
  );
  await showPeople(member);
  await screen.findByText(/One entry cannot be read with this key/);
  await record(member, { ...ferry, person: 'After' });
  await press(browser, /After/, await findRow('After'));
  await screen.findByRole('toolbar');
  expect(dots()).toHaveLength(1);
});

test('the timeline shows one person’s moments, each of which opens', async () => {
  const member = await openLedger();
  const { browser } = member;
  await record(member, { ...ferry, person: 'Father' });
  await bringPast(member, threeMoments);
  await expectRows('Father', 'NORA', 'nora', 'Nora');
  await showPeople(member);
  await expectRows('Father', '3 moments');
  await search(member, 'nor');
  await expectRows('3 moments');
  await press(browser, /NORA/);

  const heading = await screen.findByRole('heading', { name: /^nora$/i });
  expect(document.activeElement).toBe(heading);
  screen.getByText('3 moments, from 5 February 2025 to 12 March 2026');
  expect(dots()).toHaveLength(3);
  expect(dots()[2]?.getAttribute('aria-label')).toBe('Confession, 4 of 5 Intense, 12 March 2026');
  await expectRows('Confession', 'Argument', 'Beginning');

  // By keyboard: where a pointer is, only a browser knows.
  dots()[1]?.focus();
  expect((await screen.findByRole('figure')).textContent).toContain('10 February 2026');
  await browser.user.keyboard('{Enter}');
  const reader = await form();
  expect(reader.textContent).toContain('Of another day: argument.');
  expect(within(reader).queryByRole('button', { name: 'Timeline' })).toBeNull();
  await pressEscape(browser);
  await waitFor(() => expect(document.activeElement).toBe(dots()[1]));

  // Whom one looks at is offered for the next moment, which takes its place at once.
  await begin(member);
  expect(textIn(within(await form()).getByLabelText('Person'))).toBe('NORA');
  await fillIn(member, { kind: 'Ending', content: 'The last boat.' });
  await finish(member);
  await waitFor(() => expect(dots()).toHaveLength(4));
  await press(browser, 'All people');
  const back = await findRow('NORA');
  await waitFor(() => expect(document.activeElement).toBe(within(back).getByRole('button')));
});

const numberOf = () => window.location.pathname.split('/people/')[1];
const sealIds = async ({ call }: Member) =>
  (await call<Relationship[]>('GET', LIST)).map(({ sealId }) => sealId);

test('a person has an address, which a reload opens, and going back leads to where one came from', async () => {
  const member = await openLedger();
  const { browser } = member;
  await record(member, { ...ferry, person: 'Father' });
  await bringPast(member, threeMoments);
  await read(member, await findRow('NORA'));
  await press(browser, 'Timeline', await form());
  await screen.findByRole('heading', { name: 'NORA' });
  // The moment that was kept first stands for them.
  expect(numberOf()).toBe((await sealIds(member)).at(-2));
  await browser.reload();
  await screen.findByRole('heading', { name: 'NORA' });
  await read(member, (await expectRows('Confession', 'Argument', 'Beginning'))[1] as HTMLElement);
  await browser.reload();
  await pressEscape(browser);
  await screen.findByRole('heading', { name: 'NORA' });
  window.history.back();
  expect((await form()).textContent).toContain('Of another day: confession.');
  window.history.back();
  await expectNoDialog();
  await expectRows('Father', 'NORA', 'nora', 'Nora');
  expect(window.location.pathname).toBe('/relationship-ledger');
});

test('every moment’s number leads to its person, and a deletion leaves them their address', async () => {
  const member = await openLedger();
  const { browser } = member;
  await bringPast(member, threeMoments);
  await expectRows('NORA', 'nora', 'Nora');
  const numbers = await sealIds(member);
  await browser.open(`/relationship-ledger/people/${numbers[0]}`);
  await screen.findByRole('heading', { name: 'NORA' });
  await browser.open(`/relationship-ledger/people/${numbers.at(-1)}`);
  await expectRows('Confession', 'Argument', 'Beginning');
  await press(browser, 'Delete Beginning with Nora');
  await press(browser, 'Delete it', await screen.findByRole('alertdialog'));
  await expectRows('Confession', 'Argument');
  await screen.findByRole('heading', { name: 'NORA' });
  await waitFor(() => expect(numberOf()).toBe(numbers[1]));
});

test('the address of nobody says so above the people, in whatever it ends', async () => {
  const member = await openLedger();
  await record(member, ferry);
  for (const end of ['AAAAAAAAAAAAAAAAAAAAAA', '%00', '__proto__']) {
    await member.browser.open(`/relationship-ledger/people/${end}`);
    await screen.findByText(/There is nobody at this address/);
    await findRow('1 moment');
  }
  await press(member.browser, 'Show the list');
  await waitFor(() => expect(screen.queryByText(/There is nobody/)).toBeNull());
  expect(window.location.pathname).toBe('/relationship-ledger/people');
});

test('a tag that is pressed in a moment of a person shows every moment that has it', async () => {
  const member = await openLedger();
  await member.postSealed(
    LIST,
    'relationship',
    { personName: 'Nora', encryptedContent: 'Words.', details: JSON.stringify({ tags: ['lake'], v: 1 }) },
    { eventType: 'moment', emotionalWeight: 3 },
  );
  await member.browser.open('/relationship-ledger/people');
  await press(member.browser, /^Nora/);
  await screen.findByRole('heading', { name: 'Nora' });
  const reader = await read(member, await findRow('Beautiful Moment'));
  await press(member.browser, 'Show what has the tag lake', reader);
  await expectNoDialog();
  await screen.findByText('With the tag', { exact: false });
  expect(window.location.pathname).toBe('/relationship-ledger');
});

test('from a moment to its person, and on when the last of it is renamed or deleted', async () => {
  const member = await openLedger();
  const { browser } = member;
  await record(member, ferry);
  await press(browser, 'Timeline', await read(member, await findRow('Nora')));
  const heading = await screen.findByRole('heading', { name: 'Nora' });
  await waitFor(() => expect(document.activeElement).toBe(heading));
  const [row] = await expectRows('Confession');
  if (row) await edit(member, row);
  await fillIn(member, { person: 'Somebody else' });
  await finish(member);
  // Everything of Nora is somebody else's now, and the address goes along.
  await screen.findByRole('heading', { name: 'Somebody else' });
  await press(browser, 'Delete Confession with Somebody else');
  await press(browser, 'Delete it', await screen.findByRole('alertdialog'));
  await screen.findByText('Nobody is written of here yet');
  expect(screen.queryByText(/There is nobody at this address/)).toBeNull();
});

test('strange writing comes back as it was written', async () => {
  const member = await openLedger();
  const strange = '<script>alert(1)</script> ‮right to left‬ 🜁 e\u0301 漢字\n\n\n   indented\ttab';
  await record(member, { ...ferry, person: 'محمد <img src=x onerror=alert(1)> 🜁', content: strange });
  await record(member, { ...ferry, person: 'W'.repeat(1000) });
  await member.browser.reload();
  await search(member, 'onerror');
  const [row] = await expectRows('onerror');
  const reader = row && (await read(member, row));
  for (const part of ['<script>alert(1)</script>', '漢字', 'indented', 'محمد']) {
    expect(reader?.textContent).toContain(part);
  }
  expect(document.querySelector('img, script')).toBeNull();
  await press(member.browser, 'Timeline', reader);
  await screen.findByRole('heading', { name: /محمد/ });
});

test('a moment stands in the ledger, and on a person’s line, where it happened', async () => {
  const member = await openLedger();
  const { browser } = member;
  await record(member, { ...ferry, content: 'On the ferry.' });
  await begin(member);
  await fillIn(member, { ...ferry, content: 'At school.' });
  const dialog = within(await form());
  await fill(browser, dialog.getByLabelText(/^When it happened/), '1999-09-01');
  await fill(browser, dialog.getByLabelText(/^Tags/), 'school');
  await finish(member);
  await expectNoDialog();
  const [, earlier] = await expectRows('20301 June', '19991 September');
  expect(earlier?.textContent).toContain('school');
  await showPeople(member);
  await press(browser, /Nora/, await findRow('Nora'));
  await screen.findByText(/2 moments, from 1 September 1999/);
  expect((await expectRows('20301 June', '19991 September'))[1]?.textContent).toContain('school');
});

test('a moment that is shown without its kind and weight is not sealed over, and keeps both', async () => {
  const member = await openLedger();
  const { browser } = member;
  await record(member, ferry);
  const before = await member.call<Relationship[]>('GET', LIST);
  const stop = browser.network.intercept(async (request, forward) => {
    const answer = await forward();
    const { pathname } = new URL(request.url);
    if (request.method !== 'GET' || !pathname.startsWith(LIST)) return answer;
    const body = (await answer.json()) as Relationship | Relationship[];
    const hide = (row: Relationship) => ({ ...row, details: null });
    return Response.json(Array.isArray(body) ? body.map(hide) : hide(body));
  });
  await browser.reload();
  await screen.findByText('This server shows something that your vault’s book does not have.');
  await edit(member, await findRow('Nora'));
  await screen.findByText(/^Its kind and weight are sealed with its date and tags, and are not shown/);
  await fillIn(member, { content: 'She said it at the pier.' });
  await finish(member);
  await screen.findByText(/^Not sealed\. This server does not show/);
  await expectDraft(member, 'She said it at the pier.');
  stop();
  expect(await member.call<Relationship[]>('GET', LIST)).toEqual(before);
  await browser.reload();
  await press(browser, 'Edit', await form());
  await waitFor(async () =>
    expect(textIn(within(await form()).getByLabelText('What happened'))).toBe('She said it at the pier.'),
  );
  expect(textIn(within(await form()).getByLabelText('Kind'))).toBe('confession');
  await finish(member);
  await expectNoDialog();
  await browser.reload();
  const [row] = await expectRows('Nora');
  expect(row?.textContent).toMatch(/Confession.*Intense, 4 of 5/);
  expect((await read(member, row as HTMLElement)).textContent).toContain('She said it at the pier.');
});
