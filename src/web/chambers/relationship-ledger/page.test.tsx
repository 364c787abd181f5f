// The Relationship Ledger below the browser: recording, reading, changing, finding, and one person's moments.

import { screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { type EventType, eventTypes } from '../../../shared/nouns/relationship.ts';
import { DAY } from '../../../shared/time.ts';
import { aHouse } from '../../testing/instance.ts';
import { unreachable } from '../../testing/network.ts';
import { enterAsResident, type Resident } from '../../testing/member.ts';
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

const house = aHouse();
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

async function openLedger(): Promise<Resident> {
  const resident = await enterAsResident(house());
  await resident.browser.open('/relationship-ledger');
  await screen.findByText('Nobody is written of here yet');
  return resident;
}

const form = () => screen.findByRole('dialog');

async function fillIn({ browser }: Resident, { person, kind, content, weight }: Partial<Written>) {
  const dialog = within(await form());
  if (person !== undefined) await fill(browser, dialog.getByLabelText('Person'), person);
  if (kind !== undefined) await browser.user.selectOptions(dialog.getByLabelText('Kind'), kind);
  if (content !== undefined) await fill(browser, dialog.getByLabelText('What happened'), content);
  if (weight !== undefined) await browser.user.click(dialog.getByRole('radio', { name: weight }));
}

const begin = ({ browser }: Resident) => press(browser, 'Record Moment', screen.getByRole('main'));
const finish = async ({ browser }: Resident) => press(browser, 'Record Moment', await form());

async function record(resident: Resident, moment: Written): Promise<void> {
  await begin(resident);
  await fillIn(resident, moment);
  await finish(resident);
  await expectNoDialog();
}

/** Opens a row for reading. */
async function read({ browser }: Resident, row: HTMLElement): Promise<HTMLElement> {
  const [opener] = within(row).getAllByRole('button');
  if (opener) await browser.user.click(opener);
  return form();
}

async function edit(resident: Resident, row: HTMLElement): Promise<void> {
  await press(resident.browser, 'Edit', await read(resident, row));
}

interface Past {
  person: string;
  kind: EventType;
  weight: number;
  /** Epoch milliseconds. */
  at: number;
}

/** Moments of earlier days, as an import would bring them. */
async function bringPast(resident: Resident, moments: readonly Past[]): Promise<void> {
  for (const { person, kind, weight, at } of moments) {
    await resident.postSealed(
      LIST,
      'relationship',
      { personName: person, encryptedContent: `Of another day: ${kind}.` },
      { eventType: kind, emotionalWeight: weight, createdAt: new Date(at).toISOString() },
    );
  }
  await resident.browser.reload();
}

const threeMoments: Past[] = [
  { person: 'Nora', kind: 'beginning', weight: 2, at: MARCH - 400 * DAY },
  { person: ' nora ', kind: 'argument', weight: 5, at: MARCH - 30 * DAY },
  { person: 'NORA', kind: 'confession', weight: 4, at: MARCH },
];

const showPeople = ({ browser }: Resident) => browser.user.click(screen.getByRole('tab', { name: 'People' }));
const dots = () => within(screen.getByRole('toolbar')).getAllByRole('button');
const search = async ({ browser }: Resident, text: string) =>
  fill(browser, await screen.findByRole('searchbox'), text);

test('a moment is recorded, stands in the list and can be read', async () => {
  const resident = await openLedger();
  await record(resident, ferry);
  await expectToast('Entry Recorded');
  expect((await findRow('Nora')).textContent).toMatch(/Confession.*Intense, 4 of 5/);
  await resident.browser.reload();
  const reader = await read(resident, await findRow('Nora'));
  within(reader).getByRole('heading', { name: 'Nora' });
  for (const part of ['Confession', 'Intense, 4 of 5', 'Recorded 1 June 2030', ferry.content]) {
    expect(reader.textContent).toContain(part);
  }
  await press(resident.browser, 'Close the book');
  await expectNoDialog();
});

test('a moment needs a person, a kind and words; its weight is meaningful unless said otherwise', async () => {
  const resident = await openLedger();
  await begin(resident);
  const dialog = within(await form());
  expect(dialog.getByRole<HTMLInputElement>('radio', { name: 'Meaningful' }).checked).toBe(true);
  const kind = dialog.getByLabelText('Kind');
  expect(textIn(kind)).toBe('');
  expect(
    within(kind)
      .getAllByRole('option')
      .map(({ textContent }) => textContent),
  ).toEqual(['Choose one', ...eventTypes.map(({ label }) => label)]);
  for (const part of [{ person: 'Nora' }, { content: 'Words' }, { kind: 'Ending', content: '  ' }]) {
    await fillIn(resident, part);
    await finish(resident);
    await expectToast('Incomplete Entry', 'Please fill in all fields before recording this moment.');
    await form();
  }
  expect(resident.browser.network.asked).not.toContain(`POST ${LIST}`);
  await fillIn(resident, { content: 'Words' });
  await finish(resident);
  expect((await findRow('Nora')).textContent).toContain('Meaningful, 3 of 5');
});

test('people who are in the ledger are offered, and no name leaves the browser or enters its address', async () => {
  const resident = await openLedger();
  const sent: string[] = [];
  resident.browser.network.intercept(async (request, goOn) => {
    sent.push(`${request.url} ${await request.clone().text()}`);
    return goOn();
  });
  await record(resident, { ...ferry, person: 'Nora Lindqvist' });
  await record(resident, { ...ferry, person: ' nora  lindqvist' });
  await begin(resident);
  const offered = (await form()).querySelectorAll<HTMLOptionElement>('datalist option');
  expect([...offered].map(({ value }) => value)).toEqual(['nora  lindqvist']);
  await pressEscape(resident.browser);
  await search(resident, 'lindqvist');
  await showPeople(resident);
  await press(resident.browser, /lindqvist/, await findRow('lindqvist'));
  await screen.findByRole('toolbar');
  const { pathname, hash } = window.location;
  expect([pathname, window.location.search, hash]).toEqual(['/relationship-ledger', '', '']);
  expect(JSON.stringify([window.history.state, { ...localStorage }])).not.toMatch(/lindqvist/i);
  expect(sent.length).toBeGreaterThan(1);
  expect(sent.join('\n')).not.toMatch(/lindqvist|ferry/i);
});

test('a draft survives a reload, sealed, and can be discarded', async () => {
  const resident = await openLedger();
  await begin(resident);
  await fillIn(resident, { person: 'Half a name', kind: 'Betrayal', weight: 'Life-changing' });
  const drafts = () => Object.keys(localStorage).filter((slot) => slot.startsWith('latebra.draft'));
  await waitFor(() => expect(drafts()).toHaveLength(1));
  expect(JSON.stringify({ ...localStorage })).not.toContain('Half a name');
  await resident.browser.reload();
  await screen.findByText('Nobody is written of here yet');
  await begin(resident);
  await screen.findByText(/What you had begun to write is still here/);
  const dialog = within(await form());
  expect(textIn(dialog.getByLabelText('Person'))).toBe('Half a name');
  expect(textIn(dialog.getByLabelText('Kind'))).toBe('betrayal');
  const weight = (name: string) => dialog.getByRole<HTMLInputElement>('radio', { name });
  expect(weight('Life-changing').checked).toBe(true);
  await press(resident.browser, 'Discard it');
  expect(textIn(dialog.getByLabelText('Person'))).toBe('');
  expect(weight('Meaningful').checked).toBe(true);
  expect(drafts()).toEqual([]);
});

test('the search finds people, words, kinds and weights', async () => {
  const resident = await openLedger();
  await record(resident, { ...ferry, person: 'Zoë' });
  const lake = { person: 'Father', kind: 'Forgiveness', content: 'At the lake house.', weight: 'Gentle' };
  await record(resident, lake);
  for (const [query, person] of [
    ['zoe', 'Zoë'],
    ['LAKE', 'Father'],
    ['forgiveness', 'Father'],
    ['intense', 'Zoë'],
    ['father gentle house', 'Father'],
  ] as const) {
    await search(resident, query);
    await expectRows(person);
  }
  await search(resident, 'submarine');
  await screen.findByText('No moment holds these words.');
  await resident.browser.user.keyboard('{Escape}');
  await expectRows('Father', 'Zoë');
});

test('a moment can be changed, kind and weight too', async () => {
  const resident = await openLedger();
  await record(resident, ferry);
  await edit(resident, await findRow('Nora'));
  await fillIn(resident, { kind: 'Reconciliation', weight: 'Light', content: 'She said it twice.' });
  await finish(resident);
  await expectNoDialog();
  await resident.browser.reload();
  const row = await findRow('Nora');
  expect(row.textContent).toMatch(/Reconciliation.*Light, 1 of 5/);
  expect((await read(resident, row)).textContent).toMatch(/Changed.*She said it twice\./);
});

/** Puts other words into the only moment, as another tab would. */
async function changeElsewhere(resident: Resident, content: string): Promise<void> {
  const [row] = await resident.call<{ id: number; version: number; sealId: string }[]>('GET', LIST);
  if (!row) throw new Error('there is no moment');
  const { id, version, sealId } = row;
  const texts = await resident.sealed('relationship', sealId, {
    personName: 'Nora',
    encryptedContent: content,
  });
  const clear = { eventType: 'betrayal', emotionalWeight: 5, version };
  await resident.call('PATCH', `${LIST}/${id}`, { ...texts, ...clear, keyFingerprint: resident.fingerprint });
}

test('a moment that was changed elsewhere meanwhile stands beside what was written, and both can be kept', async () => {
  const resident = await openLedger();
  await record(resident, ferry);
  await edit(resident, await findRow('Nora'));
  await fillIn(resident, { content: 'Written on the quay.' });
  await changeElsewhere(resident, 'Written elsewhere.');
  await finish(resident);
  const other = await within(await form()).findByRole('alert');
  for (const part of ['changed elsewhere', 'Written elsewhere.', 'Betrayal', 'Life-changing, 5 of 5']) {
    expect(other.textContent).toContain(part);
  }
  expect(textIn(screen.getByLabelText('What happened'))).toBe('Written on the quay.');
  await press(resident.browser, 'Keep both');
  await expectNoDialog();
  await expectRows('Confession', 'Betrayal');
  for (const [words, kind] of [
    ['on the quay', 'Confession'],
    ['written elsewhere', 'Betrayal'],
  ] as const) {
    await search(resident, words);
    await expectRows(kind);
  }
});

test('a moment that was changed elsewhere can be replaced', async () => {
  const resident = await openLedger();
  await record(resident, ferry);
  await edit(resident, await findRow('Nora'));
  await fillIn(resident, { content: 'Written on the quay.' });
  await changeElsewhere(resident, 'Written elsewhere.');
  await finish(resident);
  await press(resident.browser, 'Replace it with mine');
  await expectNoDialog();
  const [row] = await expectRows('Confession');
  if (row) expect((await read(resident, row)).textContent).toContain('Written on the quay.');
});

test('a moment is deleted after a question', async () => {
  const resident = await openLedger();
  const { browser } = resident;
  await record(resident, ferry);
  await press(browser, 'Delete Confession with Nora');
  await press(browser, 'Cancel', await screen.findByRole('alertdialog'));
  await expectNoDialog();
  await expectRows('Nora');
  await press(browser, 'Delete Confession with Nora');
  const question = await screen.findByRole('alertdialog', { name: 'Delete “Confession” with Nora?' });
  await press(browser, 'Delete it', question);
  await expectToast('Entry Deleted');
  await screen.findByText('Nobody is written of here yet');
  expect(await resident.call('GET', LIST)).toEqual([]);
});

test('one that was deleted elsewhere crashes nothing', async () => {
  const resident = await openLedger();
  await record(resident, ferry);
  const [row] = await resident.call<{ id: number }[]>('GET', LIST);
  await resident.call('DELETE', `${LIST}/${row?.id}`);
  await press(resident.browser, 'Delete', await read(resident, await findRow('Nora')));
  await press(resident.browser, 'Delete it', await screen.findByRole('alertdialog'));
  await expectToast('Entry is gone');
  await screen.findByText('Nobody is written of here yet');
});

test('a cut connection loses nothing that was written', async () => {
  const resident = await openLedger();
  const { network } = resident.browser;
  await begin(resident);
  await fillIn(resident, ferry);
  network.cut();
  await finish(resident);
  await expectToast('Failed to Record Entry', 'The house could not be reached.');
  expect(textIn(screen.getByLabelText('What happened'))).toBe(ferry.content);
  network.cut(false);
  await finish(resident);
  await findRow('Nora');
});

test('a lost answer keeps nothing twice', async () => {
  const resident = await openLedger();
  const { network } = resident.browser;
  await begin(resident);
  await fillIn(resident, ferry);
  const mend = network.intercept(async (request, goOn) => {
    const answer = await goOn();
    if (request.method === 'POST') throw unreachable();
    return answer;
  });
  await finish(resident);
  await expectToast('Failed to Record Entry');
  mend();
  await fillIn(resident, { content: 'She said it, and more.' });
  await finish(resident);
  await expectNoDialog();
  const [row] = await expectRows('Nora');
  if (row) expect((await read(resident, row)).textContent).toContain('She said it, and more.');
  expect(await resident.call('GET', LIST)).toHaveLength(1);
});

test('a list that cannot be fetched says so, and can be asked for again', async () => {
  const resident = await enterAsResident(house());
  const { browser } = resident;
  const mend = browser.network.intercept(async (request, goOn) => {
    if (new URL(request.url).pathname === LIST) throw unreachable();
    return goOn();
  });
  await browser.open('/relationship-ledger');
  expect((await screen.findByRole('alert')).textContent).toContain('This could not be fetched');
  mend();
  await press(browser, 'Try again');
  await screen.findByText('Nobody is written of here yet');
});

test('what another key has sealed stays listed, unreadable, and stands in nobody’s timeline', async () => {
  const resident = await openLedger();
  const { browser } = resident;
  await record(resident, ferry);
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
  expect(row.textContent).toContain('Confession');
  await press(browser, /Unreadable/, row);
  await expectToast(
    'Failed to Decrypt',
    'Unable to decrypt this entry. Your encryption key may have changed.',
  );
  await showPeople(resident);
  await screen.findByText(/One entry cannot be read with this key/);
  await record(resident, { ...ferry, person: 'After' });
  await press(browser, /After/, await findRow('After'));
  await screen.findByRole('toolbar');
  expect(dots()).toHaveLength(1);
});

test('the timeline shows one person’s moments, each of which opens', async () => {
  const resident = await openLedger();
  const { browser } = resident;
  await record(resident, { ...ferry, person: 'Father' });
  await bringPast(resident, threeMoments);
  await expectRows('Father', 'NORA', 'nora', 'Nora');
  await showPeople(resident);
  await expectRows('Father', '3 moments');
  await search(resident, 'nor');
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
  await begin(resident);
  expect(textIn(within(await form()).getByLabelText('Person'))).toBe('NORA');
  await fillIn(resident, { kind: 'Ending', content: 'The last boat.' });
  await finish(resident);
  await waitFor(() => expect(dots()).toHaveLength(4));
  await press(browser, 'All people');
  const back = await findRow('NORA');
  await waitFor(() => expect(document.activeElement).toBe(within(back).getByRole('button')));
});

test('from a moment to its person, and away when the last of it is renamed or deleted', async () => {
  const resident = await openLedger();
  const { browser } = resident;
  await record(resident, ferry);
  await press(browser, 'Timeline', await read(resident, await findRow('Nora')));
  const heading = await screen.findByRole('heading', { name: 'Nora' });
  await waitFor(() => expect(document.activeElement).toBe(heading));
  const [row] = await expectRows('Confession');
  if (row) await edit(resident, row);
  await fillIn(resident, { person: 'Somebody else' });
  await finish(resident);
  await press(browser, /Somebody else/, await findRow('Somebody else'));
  await press(browser, 'Delete Confession with Somebody else');
  await press(browser, 'Delete it', await screen.findByRole('alertdialog'));
  await screen.findByText('Nobody is written of here yet');
});

test('strange writing comes back as it was written', async () => {
  const resident = await openLedger();
  const strange = '<script>alert(1)</script> ‮right to left‬ 🜁 e\u0301 漢字\n\n\n   indented\ttab';
  await record(resident, { ...ferry, person: 'محمد <img src=x onerror=alert(1)> 🜁', content: strange });
  await record(resident, { ...ferry, person: 'W'.repeat(1000) });
  await resident.browser.reload();
  await search(resident, 'onerror');
  const [row] = await expectRows('onerror');
  const reader = row && (await read(resident, row));
  for (const part of ['<script>alert(1)</script>', '漢字', 'indented', 'محمد']) {
    expect(reader?.textContent).toContain(part);
  }
  expect(document.querySelector('img, script')).toBeNull();
  await press(resident.browser, 'Timeline', reader);
  await screen.findByRole('heading', { name: /محمد/ });
});

test('a moment stands in the ledger, and on a person’s line, where it happened', async () => {
  const resident = await openLedger();
  const { browser } = resident;
  await record(resident, { ...ferry, content: 'On the ferry.' });
  await begin(resident);
  await fillIn(resident, { ...ferry, content: 'At school.' });
  const dialog = within(await form());
  await fill(browser, dialog.getByLabelText(/^When it happened/), '1999-09-01');
  await fill(browser, dialog.getByLabelText(/^Tags/), 'school');
  await finish(resident);
  await expectNoDialog();
  const [, earlier] = await expectRows('1 June', '1 September 1999');
  expect(earlier?.textContent).toContain('school');
  await showPeople(resident);
  await press(browser, /Nora/, await findRow('Nora'));
  await screen.findByText(/2 moments, from 1 September 1999/);
  expect((await expectRows('1 June', '1 September 1999'))[1]?.textContent).toContain('school');
});
