// Recently deleted, below the browser: what stands there, bringing it back, and deleting it for good.
import { screen, waitFor, within } from '@testing-library/dom';
import { describe, expect, it, test } from 'vitest';
import type { Memory } from '../../../shared/nouns/memory.ts';
import type { Relationship } from '../../../shared/nouns/relationship.ts';
import { DAY, HOUR } from '../../../shared/time.ts';
import { aVaultWith, type Device } from '../../testing/devices.ts';
import { expectDraft } from '../../testing/drafts.ts';
import { anInstance } from '../../testing/instance.ts';
import { enterAsMember, type Member } from '../../testing/member.ts';
import {
  editMemory,
  finishMemory,
  MEMORIES,
  memoryForm,
  postMemory,
  typeMemory,
} from '../../testing/memories.ts';
import {
  expectNoDialog,
  expectRows,
  expectToast,
  findRow,
  keptIn,
  press,
  textIn,
} from '../../testing/steps.ts';
import { timeLeft } from './deleted-rows.tsx';

const instance = anInstance();
const DELETED = '/api/deleted-memory-entries';

const aMemory = (member: Member, title: string, clear: object = {}) =>
  postMemory(member, { title, encryptedContent: `${title}, and what it says.` }, clear);

async function aDeletedMemory(member: Member, title: string, clear: object = {}): Promise<Memory> {
  const memory = await aMemory(member, title, clear);
  await member.call('DELETE', `${MEMORIES}/${memory.id}`);
  // The list shows what was deleted last first.
  instance().clock.advance(1000);
  return memory;
}

async function openDeleted(member: Member): Promise<void> {
  await member.browser.open('/recently-deleted');
  await screen.findByRole('heading', { name: 'Recently deleted', level: 1 });
}

const living = ({ call }: Member) => call<Memory[]>('GET', MEMORIES);
const deleted = ({ call }: Member) => call<Memory[]>('GET', DELETED);

test('a deletion is undone at once by its toast', async () => {
  const member = await enterAsMember(instance());
  const memory = await aMemory(member, 'The orchard');
  const { browser } = member;
  await browser.open('/memory-vault');
  await press(browser, 'Delete The orchard');
  const question = await screen.findByRole('alertdialog', { name: 'Delete “The orchard”?' });
  expect(question.textContent).toContain('you can bring it back for 30 days under Recently deleted');
  await press(browser, 'Delete it', question);
  await screen.findByText('Nothing is kept here yet');
  await press(browser, 'Undo');
  await expectToast('Restored');
  await expectRows('The orchard');
  expect(await living(member)).toEqual([memory]);
});

test('one that the server restores as it once was is shown as it was deleted', async () => {
  const { member, devices } = await aVaultWith(instance(), 1);
  const [device] = devices as [Device];
  const old = await device.writeMemory('The orchard');
  await device.deleteMemory(await device.changeMemory(old, 'The orchard, again'));
  member.browser.network.intercept(async (request, forward) => {
    const answer = await forward();
    return request.method === 'POST' && new URL(request.url).pathname.startsWith(DELETED)
      ? Response.json(old)
      : answer;
  });
  const { browser } = member;
  await browser.open('/memory-vault');
  await screen.findByText('Nothing is kept here yet');
  await browser.user.click(screen.getByRole('link', { name: /Recently deleted/ }));
  await press(browser, 'Restore The orchard, again');
  await screen.findByText('Nothing is deleted');
  window.history.back();
  await expectRows('The orchard, again');
});

test('a list in which an entry ends at another time than thirty days after its deletion is not shown', async () => {
  const member = await enterAsMember(instance());
  await aDeletedMemory(member, 'The orchard');
  member.browser.network.intercept(async (request, forward) => {
    const answer = await forward();
    if (!request.url.includes(DELETED)) return answer;
    const rows = (await answer.json()) as Memory[];
    return Response.json(rows.map((row) => ({ ...row, erasedAt: '2099-01-01T00:00:00.000Z' })));
  });
  await openDeleted(member);
  await screen.findByText('This could not be fetched');
  expect(screen.queryByText('The orchard')).toBeNull();
});

test('what every list has lost stands there with its days, the last one first', async () => {
  const member = await enterAsMember(instance());
  await aDeletedMemory(member, 'The orchard');
  const moment = await member.postSealed<Relationship>(
    '/api/relationship-entries',
    'relationship',
    { personName: 'Nora', encryptedContent: 'She said it on the ferry.' },
    { eventType: 'confession', emotionalWeight: 4 },
  );
  await member.call('DELETE', `/api/relationship-entries/${moment.id}`);
  instance().clock.advance(1000);
  const texts = { title: 'The hives', encryptedContent: 'They hum.' };
  const myth = await member.postSealed<Memory>('/api/myth-stories', 'myth', texts, { storyType: 'eulogy' });
  await member.call('DELETE', `/api/myth-stories/${myth.id}`);
  instance().clock.advance(1000);
  const until = new Date(instance().clock.now() + 400 * DAY).toISOString();
  await aDeletedMemory(member, 'Locked away', { timeLockUntil: until });
  await member.browser.open('/memory-vault');
  await member.browser.user.click(await screen.findByRole('link', { name: 'Recently deleted' }));
  const rows = await expectRows('Locked away', 'The hives', 'Confession with Nora', 'The orchard');
  expect(rows[0]?.textContent).toContain('Locked until');
  expect(rows[3]?.textContent).toMatch(/MemoryDeleted \d+ \w+30 days left/);
});

test('one is restored, locked or not, and stands in its list again', async () => {
  const member = await enterAsMember(instance());
  const until = new Date(instance().clock.now() + 400 * DAY).toISOString();
  const locked = await aDeletedMemory(member, 'Locked away', { timeLockUntil: until });
  await aDeletedMemory(member, 'The orchard');
  const { browser } = member;
  // A list that was fetched before learns of it.
  await browser.open('/memory-vault');
  await screen.findByText('Nothing is kept here yet');
  await browser.user.click(await screen.findByRole('link', { name: 'Recently deleted' }));
  await press(browser, 'Restore Locked away');
  await expectToast('Memory Restored');
  await expectRows('The orchard');
  // The button that was pressed is gone: the focus is on that of the row in its place.
  const focused = () => document.activeElement?.textContent;
  await waitFor(() => expect(focused()).toBe('Restore The orchard'));
  expect(await living(member)).toMatchObject([
    { id: locked.id, timeLockUntil: until, encryptedContent: null },
  ]);
  await press(browser, 'Restore The orchard');
  await screen.findByText('Nothing is deleted');
  expect(focused()).toBe('Recently deleted');
  await browser.open('/memory-vault');
  await expectRows('The orchard', 'Locked away');
});

test('one is deleted for good after a question, with the draft of a change to it', async () => {
  const member = await enterAsMember(instance());
  const memory = await aMemory(member, 'The orchard');
  await aDeletedMemory(member, 'The bell');
  const { browser } = member;
  await browser.open('/memory-vault');
  await editMemory(member, await findRow('The orchard'));
  await typeMemory(member, { content: 'Half a change.' });
  await expectDraft(member, 'Half a change.');
  await press(browser, 'Cancel');
  await expectNoDialog();
  await member.call('DELETE', `${MEMORIES}/${memory.id}`);
  await openDeleted(member);
  await press(browser, 'Delete now The orchard');
  const question = await screen.findByRole('alertdialog', { name: 'Delete “The orchard” now?' });
  expect(question.textContent).toContain('it cannot be brought back');
  await press(browser, 'Cancel', question);
  await expectNoDialog();
  expect(await deleted(member)).toHaveLength(2);
  expect(keptIn('latebra.draft')).toBe(1);
  await press(browser, 'Delete now The orchard');
  await press(browser, 'Delete now', await screen.findByRole('alertdialog'));
  await expectToast('Memory Deleted for Good');
  await expectRows('The bell');
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Restore The bell'));
  expect(await deleted(member)).toHaveLength(1);
  expect(keptIn('latebra.draft')).toBe(0);
});

test('all that is shown is deleted for good, and nothing that was deleted elsewhere since', async () => {
  const member = await enterAsMember(instance());
  for (const title of ['One', 'Two', 'Three']) await aDeletedMemory(member, title);
  const { browser } = member;
  await openDeleted(member);
  await expectRows('Three', 'Two', 'One');
  const [gone] = await deleted(member);
  await member.call('DELETE', `${DELETED}/${gone?.id}`);
  const late = await aDeletedMemory(member, 'Late');
  await press(browser, 'Delete all now');
  const question = await screen.findByRole('alertdialog', { name: 'Delete all 3 entries now?' });
  await press(browser, 'Delete all now', question);
  await expectToast('All Deleted for Good');
  await screen.findByText('Nothing is deleted');
  expect(await deleted(member)).toMatchObject([{ id: late.id }]);
});

test('a cut connection leaves what is not erased in the list, and says so', async () => {
  const member = await enterAsMember(instance());
  for (const title of ['One', 'Two']) await aDeletedMemory(member, title);
  const { browser } = member;
  await openDeleted(member);
  await expectRows('Two', 'One');
  browser.network.cut();
  await press(browser, 'Restore One');
  await expectToast('Not Restored', 'The server could not be reached.');
  await press(browser, 'Delete all now');
  const question = await screen.findByRole('alertdialog');
  await press(browser, 'Delete all now', question);
  await within(question).findByText(/The server could not be reached/);
  await press(browser, 'Cancel', question);
  await expectRows('Two', 'One');
  browser.network.cut(false);
  expect(await deleted(member)).toHaveLength(2);
});

test('one that was restored elsewhere is only taken off the list', async () => {
  const member = await enterAsMember(instance());
  const memory = await aDeletedMemory(member, 'The orchard');
  const { browser } = member;
  await openDeleted(member);
  await expectRows('The orchard');
  await member.call('POST', `${DELETED}/${memory.id}/restore`);
  await press(browser, 'Delete now The orchard');
  await press(browser, 'Delete now', await screen.findByRole('alertdialog'));
  await expectToast('Gone Already', 'It was restored or deleted for good elsewhere.');
  await screen.findByText('Nothing is deleted');
  expect(await living(member)).toEqual([memory]);
});

test('one that no key opens can be told apart and deleted', async () => {
  const member = await enterAsMember(instance());
  const body = { title: 'b3BhcXVl', encryptedContent: 'b3BhcXVl' };
  const { id } = await member.call<Memory>('POST', MEMORIES, body);
  await member.call('DELETE', `${MEMORIES}/${id}`);
  await openDeleted(member);
  await expectRows('Unreadable with this key');
  await press(member.browser, 'Delete now an unreadable memory');
  await screen.findByRole('alertdialog', { name: 'Delete this memory now?' });
});

describe('an edit that meets a deletion in another tab', () => {
  async function editing(): Promise<{ member: Member; memory: Memory }> {
    const member = await enterAsMember(instance());
    const memory = await aMemory(member, 'The orchard');
    await member.browser.open('/memory-vault');
    await editMemory(member, await findRow('The orchard'));
    await typeMemory(member, { content: 'Written in this tab.' });
    await member.call('DELETE', `${MEMORIES}/${memory.id}`);
    await finishMemory(member);
    const said = await within(await memoryForm()).findByRole('alert');
    expect(said.textContent).toContain('This memory was deleted elsewhere since you opened it');
    const words = within(await memoryForm()).getByRole('textbox', { name: 'Memory' });
    expect(textIn(words)).toBe('Written in this tab.');
    return { member, memory };
  }

  it('is saved with the entry, restored', async () => {
    const { member, memory } = await editing();
    await press(member.browser, 'Restore it and save', await memoryForm());
    await expectNoDialog();
    await expectRows('The orchard');
    expect(await living(member)).toMatchObject([{ id: memory.id, version: 2 }]);
    expect(await deleted(member)).toEqual([]);
  });

  it('becomes an entry of its own', async () => {
    const { member, memory } = await editing();
    await press(member.browser, 'Keep mine as a new one', await memoryForm());
    await expectNoDialog();
    const [kept, ...others] = await living(member);
    expect(others).toEqual([]);
    expect(kept?.id).not.toBe(memory.id);
    expect(await deleted(member)).toMatchObject([{ id: memory.id }]);
  });

  it('becomes an entry of its own where the other was erased meanwhile', async () => {
    const { member, memory } = await editing();
    await member.call('DELETE', `${DELETED}/${memory.id}`);
    await press(member.browser, 'Restore it and save', await memoryForm());
    await waitFor(async () =>
      expect((await within(await memoryForm()).findByRole('alert')).textContent).toContain('It is erased'),
    );
    await press(member.browser, 'Keep mine as a new one', await memoryForm());
    await expectNoDialog();
    expect(await living(member)).toHaveLength(1);
  });
});

test('the draft of a change is dropped once its entry is erased, and not while it can be restored', async () => {
  const { member, devices } = await aVaultWith(instance(), 1);
  const device = devices[0] as Device;
  const memory = await device.writeMemory('The orchard');
  await device.writeMemory('The bell');
  const { browser } = member;
  await browser.open('/memory-vault');
  await editMemory(member, await findRow('The orchard'));
  await typeMemory(member, { content: 'Half a change.' });
  await expectDraft(member, 'Half a change.');
  await device.deleteMemory(memory);
  await browser.reload();
  await expectRows('The bell');
  expect(keptIn('latebra.draft')).toBe(1);
  await device.eraseMemory(memory);
  await browser.reload();
  await expectRows('The bell');
  await waitFor(() => expect(keptIn('latebra.draft')).toBe(0));
});

test.each([
  ['is gone', (): Memory[] => []],
  ['has another number', (rows: Memory[]) => rows.map((row) => ({ ...row, id: row.id + 100 }))],
])('the draft of a change stays where a server alone says that its entry %s', async (_, say) => {
  const { member, devices } = await aVaultWith(instance(), 1);
  await devices[0]?.writeMemory('The orchard');
  await devices[0]?.writeMemory('The bell');
  const { browser } = member;
  await browser.open('/memory-vault');
  await editMemory(member, await findRow('The orchard'));
  await typeMemory(member, { content: 'Half a change.' });
  await expectDraft(member, 'Half a change.');
  const mend = browser.network.intercept(async (request, forward) => {
    const answer = await forward();
    if (request.method !== 'GET' || new URL(request.url).pathname !== MEMORIES) return answer;
    const rows = (await answer.json()) as Memory[];
    const [first] = rows.toSorted((one, other) => one.id - other.id);
    return Response.json([...say(first ? [first] : []), ...rows.filter((row) => row !== first)]);
  });
  await browser.open('/memory-vault');
  await findRow('The bell');
  // What would have it dropped is done by then.
  await browser.open('/recently-deleted');
  await screen.findByText('Nothing is deleted');
  await browser.network.idle();
  mend();
  await browser.open('/memory-vault');
  await editMemory(member, await findRow('The orchard'));
  await waitFor(async () =>
    expect(textIn(await within(await memoryForm()).findByRole('textbox', { name: 'Memory' }))).toBe(
      'Half a change.',
    ),
  );
});

test.each([
  [30 * DAY, '30 days left'],
  [30 * DAY - HOUR, '30 days left'],
  [1.4 * DAY, '1 day left'],
  [DAY - 1, 'Less than a day left'],
  [-HOUR, 'Less than a day left'],
])('%i milliseconds before the end it says "%s"', (left, words) => {
  expect(timeLeft(new Date(1e12 + left).toISOString(), 1e12)).toBe(words);
});
