// Several drafts in one browser: each is listed, opened and discarded by itself, and what was discarded can be had back.
import { screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import type { Memory } from '../../../shared/nouns/memory.ts';
import { expectDraft } from '../../testing/drafts.ts';
import { anInstance } from '../../testing/instance.ts';
import type { Member } from '../../testing/member.ts';
import {
  beginMemory,
  MEMORIES,
  memoryForm,
  openMemoryVault,
  postMemory,
  typeMemory,
} from '../../testing/memories.ts';
import { expectNoDialog, keptIn, press, pressEscape, textIn } from '../../testing/steps.ts';
import { keepDraft } from '../session/drafts.ts';

const instance = anInstance();

const list = () => screen.findByRole('region', { name: 'Drafts' });
const rows = async () =>
  (await within(await list()).findAllByRole('listitem')).map(({ textContent }) => textContent);
const words = async () => textIn(await within(await memoryForm()).findByRole('textbox', { name: 'Memory' }));
const title = async () => textIn(await within(await memoryForm()).findByLabelText('Title'));

/** As another tab leaves it behind. */
const leave = (member: Member, slot: string, draft: object) =>
  keepDraft(member.user.id, slot, member.contentKey, draft);

const memory = (title: string, content: string) => ({
  ...{ title, content, lock: 'none', custom: '', day: '', time: '', tags: '', sealId: `seal-of-${title}` },
  base: null,
});

async function withTwo(): Promise<Member> {
  const member = await openMemoryVault(instance());
  await beginMemory(member);
  await typeMemory(member, { title: 'The orchard', content: 'Ladders.' });
  await expectDraft(member, 'Ladders.');
  await pressEscape(member.browser);
  await expectNoDialog();
  expect(screen.queryByRole('region', { name: 'Drafts' })).toBeNull();
  await leave(member, 'memory~2', memory('The harbour', 'Herring.'));
  return member;
}

test('drafts are listed where there are several, and each is opened by itself', async () => {
  const member = await withTwo();
  await waitFor(async () => expect(await rows()).toHaveLength(2));
  expect((await rows())[0]).toContain('The orchardMemory · Ladders.');
  expect((await rows())[1]).toContain('The harbourMemory · Herring.');
  await press(member.browser, 'Open the draft The harbour');
  await waitFor(async () => expect([await title(), await words()]).toEqual(['The harbour', 'Herring.']));
  await pressEscape(member.browser);
  await expectNoDialog();
  // Going on without a choice brings back what this tab had last.
  await beginMemory(member);
  await waitFor(async () => expect(await title()).toBe('The harbour'));
  await pressEscape(member.browser);

  await member.browser.open('/');
  await waitFor(async () => expect(await rows()).toHaveLength(2));
  await press(member.browser, 'Open the draft The orchard');
  await waitFor(async () => expect([await title(), await words()]).toEqual(['The orchard', 'Ladders.']));
});

test('a draft that is discarded in the list can be brought back until the page is left', async () => {
  const member = await withTwo();
  await press(member.browser, 'Discard the draft The orchard');
  await within(await list()).findByText(/^Discarded\. You can bring it back/);
  expect(document.activeElement?.textContent).toBe('Bring it back');
  expect(keptIn('latebra.draft:')).toBe(1);
  await press(member.browser, 'Bring it back');
  await waitFor(() => expect(keptIn('latebra.draft:')).toBe(2));
  await press(member.browser, 'Open the draft The orchard');
  await waitFor(async () => expect(await words()).toBe('Ladders.'));
});

test('a draft that is discarded in its form can be brought back, and what was written since stays too', async () => {
  const member = await openMemoryVault(instance());
  await beginMemory(member);
  await typeMemory(member, { title: 'The orchard', content: 'Ladders.' });
  await expectDraft(member, 'Ladders.');
  await member.browser.reload();
  await screen.findByText(/^What you had begun to write is still here/);
  await press(member.browser, 'Discard it');
  expect(await title()).toBe('');
  expect(keptIn('latebra.draft:')).toBe(0);
  await press(member.browser, 'Bring it back');
  await waitFor(async () => expect([await title(), await words()]).toEqual(['The orchard', 'Ladders.']));
  await expectDraft(member, 'Ladders.');

  await press(member.browser, 'Discard it');
  await typeMemory(member, { title: 'The harbour' });
  await press(member.browser, 'Bring it back');
  await waitFor(async () => expect([await title(), await words()]).toEqual(['The orchard', 'Ladders.']));
  await pressEscape(member.browser);
  await waitFor(async () => expect((await rows()).join()).toMatch(/The harbour.*The orchard/));
});

test('the draft of a change leads to the form of its entry, from the desk too', async () => {
  const member = await openMemoryVault(instance());
  await postMemory(member, { title: 'The pier', encryptedContent: 'Gulls.' });
  const [kept] = await member.call<Memory[]>('GET', MEMORIES);
  await leave(member, `memory-${kept?.sealId}`, {
    ...memory('The pier', 'Gulls, and a boat.'),
    base: kept?.version,
  });
  await leave(member, 'ghost', { content: 'A thought.', maxReads: 1, hours: 24 });
  await member.browser.open('/');
  await waitFor(async () => expect((await rows()).join()).toContain('Change to a memory'));
  await press(member.browser, 'Open the draft The pier');
  expect((await screen.findByRole('dialog', { name: 'Edit Memory' })).isConnected).toBe(true);
  await waitFor(async () => expect(await words()).toBe('Gulls, and a boat.'));
});
