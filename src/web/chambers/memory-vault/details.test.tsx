// When something happened, and its tags, below the browser: written, sorted by, found by, changed, and passed on only as
// far as a reader wants.
import { screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import type { Memory } from '../../../shared/nouns/memory.ts';
import { openBrowser } from '../../testing/browser.tsx';
import { expectDraft } from '../../testing/drafts.ts';
import { add, aFile, isFileCall, refused } from '../../testing/files-of-memories.ts';
import { anInstance } from '../../testing/instance.ts';
import type { Member } from '../../testing/member.ts';
import {
  beginMemory,
  editMemory,
  finishMemory,
  memoryForm,
  openMemoryVault,
  readMemory,
  sealMemory,
  type TypedMemory,
  typeMemory,
} from '../../testing/memories.ts';
import { expectNoDialog, expectRows, fill, findRow, press, textIn } from '../../testing/steps.ts';

const instance = anInstance();

const memory = (title: string, details: TypedMemory): TypedMemory => ({
  title,
  content: `What there is to say of ${title}.`,
  ...details,
});

test('a memory says when it happened, is sorted by it, and is found by its tags', async () => {
  const member = await openMemoryVault(instance());
  const { browser } = member;
  const gate = { day: '2019-05-17', time: '14:30', tags: 'garden, Agnes' };
  await sealMemory(member, memory('The garden gate', gate));
  await sealMemory(member, memory('Written today', {}));
  await sealMemory(member, memory('The flood', { day: '1997-07-20' }));
  const expectOrder = async () => {
    const [, second, third] = await expectRows('Written today', 'The garden gate', 'The flood');
    expect(second?.textContent).toMatch(/17 MayThe garden gate.*garden · Agnes/);
    expect(third?.textContent).toMatch(/20 JulyThe flood/);
  };
  await expectOrder();
  await browser.reload();
  await expectOrder();

  await fill(browser, screen.getByLabelText('Search your memories'), 'agnes');
  const [row] = await expectRows('The garden gate');
  if (!row) return;
  const reader = await readMemory(member, row);
  expect(reader.textContent).toContain('Happened 17 May 2019, 14:30');
  expect(reader.textContent).toContain('garden · Agnes');
  await press(browser, 'Edit', reader);
  const form = within(await memoryForm());
  expect(textIn(form.getByLabelText(/^When it happened/))).toBe('2019-05-17');
  expect(textIn(form.getByLabelText(/^At what time/))).toBe('14:30');
  expect(textIn(form.getByLabelText(/^Tags/))).toBe('garden, Agnes');
  await typeMemory(member, { day: '2999-01-01' });
  await finishMemory(member);
  await form.findByText('That is still to come. Choose a moment in the past.');
  await typeMemory(member, { day: '', tags: 'Agnes' });
  await finishMemory(member);
  await expectNoDialog();
  const [changed] = await expectRows('The garden gate');
  await waitFor(() => expect(changed?.textContent).not.toContain('garden ·'));
  expect(changed?.textContent).not.toContain('2019');
});

test('a day without a time is one, and a time goes with its day', async () => {
  const member = await openMemoryVault(instance());
  await sealMemory(member, memory('The gate', { day: '2019-05-17', time: '14:30' }));
  await editMemory(member, await findRow('The gate'));
  const form = within(await memoryForm());
  await typeMemory(member, { day: '' });
  expect(form.queryByLabelText(/^At what time/)).toBeNull();
  await typeMemory(member, { day: '2018-01-02' });
  expect(textIn(form.getByLabelText(/^At what time/))).toBe('');
  await finishMemory(member);
  await expectNoDialog();
  const reader = await readMemory(member, await findRow('The gate'));
  within(reader).getByText('Happened 2 January 2018');
});

test('a day may be as vague as it is remembered', async () => {
  const member = await openMemoryVault(instance());
  const { browser } = member;
  await beginMemory(member);
  await typeMemory(member, { title: 'The orchard', content: 'Ladders in the trees.' });
  const form = within(await memoryForm());
  await browser.user.selectOptions(form.getByLabelText('How exactly'), 'To the season');
  await browser.user.selectOptions(form.getByLabelText('Season'), 'Summer');
  await finishMemory(member);
  await form.findByText('Enter the year with four digits.');
  await fill(browser, form.getByLabelText('Year'), '1962');
  await browser.user.click(form.getByLabelText('About then, not for certain'));
  await finishMemory(member);
  await expectNoDialog();
  const row = await findRow('The orchard');
  expect(row.textContent).toContain('About summer');
  const reader = await readMemory(member, row);
  within(reader).getByText('Happened about summer 1962');
  await browser.user.keyboard('{Escape}');

  // Said more exactly later, and with what is known already.
  await editMemory(member, await findRow('The orchard'));
  const again = within(await memoryForm());
  expect(again.getByLabelText<HTMLSelectElement>('Season').value).toBe('22');
  await browser.user.selectOptions(again.getByLabelText('How exactly'), 'To the month');
  expect(again.getByLabelText<HTMLInputElement>('Year').value).toBe('1962');
  await finishMemory(member);
  await again.findByText('Choose the month, or say only the year.');
  await browser.user.selectOptions(again.getByLabelText('Month'), 'July');
  await browser.user.click(again.getByLabelText('About then, not for certain'));
  await finishMemory(member);
  await expectNoDialog();
  expect((await findRow('The orchard')).textContent).toContain('1962July');
});

test('a one-time link tells its reader when it was, and no tags', async () => {
  const member = await openMemoryVault(instance());
  const { browser } = member;
  await sealMemory(member, memory('The garden gate', { day: '2019-05-17', tags: 'private' }));
  await browser.open('/sacred-keys');
  await press(browser, 'Create Sacred Key');
  const form = within(await screen.findByRole('dialog'));
  await browser.user.selectOptions(form.getByLabelText('Content type'), 'Memory');
  const entry = await form.findByLabelText('Specific entry');
  const choice = await within(entry).findByRole('option', { name: /The garden gate/ });
  await browser.user.selectOptions(entry, choice);
  await press(browser, 'Create Sacred Key', screen.getByRole('dialog'));
  const link = textIn(await screen.findByRole('textbox', { name: 'Link' }));

  const reader = openBrowser(instance());
  await reader.open(link);
  await press(reader, /Open and read/i);
  await screen.findByText('Happened 17 May 2019');
  screen.getByText(/What there is to say of The garden gate/);
  expect(document.body.textContent).not.toContain('private');
});

const NOT_IN_THE_BOOK = 'This server shows something that your vault’s book does not have.';

/** A server that shows memories without their details, and lists also without what else `lie` takes. */
const hideDetails = ({ browser }: Member, lie: Partial<Memory>) =>
  browser.network.intercept(async (request, forward) => {
    const answer = await forward();
    const { pathname } = new URL(request.url);
    if (request.method !== 'GET' || !pathname.startsWith('/api/memory-entries')) return answer;
    const body = (await answer.json()) as Memory | Memory[];
    if (!Array.isArray(body)) return Response.json({ ...body, details: null });
    return Response.json(body.map((row) => ({ ...row, ...lie })));
  });

test.each([
  ['and its words', { details: null, encryptedContent: null }],
  ['alone', { details: null }],
] as const)(
  'what a server shows without its date and tags %s is not sealed over; what is written waits for them',
  async (_, lie) => {
    const member = await openMemoryVault(instance());
    const { browser } = member;
    await sealMemory(member, memory('The gate', { day: '2019-05-17', tags: 'garden' }));
    const before = await member.call<Memory[]>('GET', '/api/memory-entries');
    // The list is without them; the words come when they are asked for once more, and the date and tags do not.
    const stop = hideDetails(member, lie);
    await browser.reload();
    await screen.findByText(NOT_IN_THE_BOOK);
    await editMemory(member, await findRow('The gate'));
    const form = within(await memoryForm());
    await form.findByText(/^It has a date or tags, and this server does not show them/);
    expect(form.queryByLabelText(/^Tags/)).toBeNull();
    await typeMemory(member, { content: 'It was green.' });
    await finishMemory(member);
    await form.findByText(/^Not sealed\. This server does not show its date and tags/);
    stop();
    expect(await member.call<Memory[]>('GET', '/api/memory-entries')).toEqual(before);
    await expectDraft(member, 'It was green.');
    // The address is the entry's, which opens for reading.
    await browser.reload();
    await press(browser, 'Edit', await screen.findByRole('dialog'));
    const anew = within(await memoryForm());
    await waitFor(() => expect(textIn(anew.getByRole('textbox', { name: 'Memory' }))).toBe('It was green.'));
    expect(textIn(anew.getByLabelText(/^Tags/))).toBe('garden');
    await finishMemory(member);
    await expectNoDialog();
    await browser.reload();
    expect((await findRow('The gate')).textContent).toMatch(/17 May.*garden/);
  },
);

test('a draft with a file under way says why it is not sealed where a server hides what was there', async () => {
  const member = await openMemoryVault(instance());
  const { browser } = member;
  await sealMemory(member, memory('The gate', { day: '2019-05-17', tags: 'garden' }));
  await editMemory(member, await findRow('The gate'));
  await typeMemory(member, { content: 'It was green.' });
  const mend = browser.network.intercept(async (request, forward) =>
    isFileCall(request) ? refused() : forward(),
  );
  await add(member, aFile('Hives.txt'));
  await within(await memoryForm()).findByText('Not kept.');
  await expectDraft(member, 'Hives.txt');
  mend();
  hideDetails(member, { details: null });
  await browser.reload();
  await press(browser, 'Edit', await screen.findByRole('dialog'));
  const form = within(await memoryForm());
  await form.findByText(/^It has a date or tags, and this server does not show them/);
  await finishMemory(member);
  await form.findByText(/^Not sealed\. This server does not show its date and tags/);
  expect(textIn(form.getByRole('textbox', { name: 'Memory' }))).toBe('It was green.');
});
