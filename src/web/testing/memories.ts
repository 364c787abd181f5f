// The Memory Vault as a step of other tests: memories that are written there, found, opened and changed.
import { screen, within } from '@testing-library/dom';
import type { Memory } from '../../shared/nouns/memory.ts';
import { enterAsMember, type Member } from './member.ts';
import { expectNoDialog, fill, press } from './steps.ts';

export const MEMORIES = '/api/memory-entries';

/** What is typed into the form of a memory; what is left out stays as it stands there. */
export interface TypedMemory {
  title?: string;
  content?: string;
  /** By its label. */
  lock?: string;
  /** A day as the browser's control has it, such as 2019-05-17. */
  day?: string;
  /** Such as 14:30. */
  time?: string;
  /** With commas between them. */
  tags?: string;
}

/** A new member before an empty Memory Vault. */
export async function openMemoryVault(instance: Parameters<typeof enterAsMember>[0]): Promise<Member> {
  const member = await enterAsMember(instance);
  await member.browser.open('/memory-vault');
  await screen.findByText('Nothing is kept here yet');
  return member;
}

/** Seals a memory by calls, as another device would. */
export const postMemory = (
  { postSealed }: Member,
  texts: { title: string; encryptedContent: string; details?: string },
  clear: object = {},
) => postSealed<Memory>(MEMORIES, 'memory', texts, clear);

export const memoryForm = () => screen.findByRole('dialog');

export const beginMemory = ({ browser }: Member) => press(browser, 'New Memory');
export const finishMemory = async ({ browser }: Member) => press(browser, 'Seal Memory', await memoryForm());

export async function typeMemory({ browser }: Member, typed: TypedMemory): Promise<void> {
  const { findByLabelText, findByRole } = within(await memoryForm());
  const { title, content, lock, day, time, tags } = typed;
  if (title !== undefined) await fill(browser, await findByLabelText('Title'), title);
  if (content !== undefined) await fill(browser, await findByRole('textbox', { name: 'Memory' }), content);
  if (day !== undefined) await fill(browser, await findByLabelText(/^When it happened/), day);
  if (time !== undefined) await fill(browser, await findByLabelText(/^At what time/), time);
  if (tags !== undefined) await fill(browser, await findByLabelText(/^Tags/), tags);
  if (lock !== undefined) await browser.user.selectOptions(await findByLabelText('Time lock'), lock);
}

export async function sealMemory(member: Member, typed: TypedMemory): Promise<void> {
  await beginMemory(member);
  await typeMemory(member, typed);
  await finishMemory(member);
  await expectNoDialog();
}

/** Presses a row, which may open nothing. */
export async function confirmationRow({ browser }: Member, row: HTMLElement): Promise<void> {
  const [opener] = within(row).getAllByRole('button');
  if (opener) await browser.user.click(opener);
}

/** Opens a row for reading. */
export async function readMemory(member: Member, row: HTMLElement): Promise<HTMLElement> {
  await confirmationRow(member, row);
  return memoryForm();
}

/** Opens a row for writing. */
export async function editMemory(member: Member, row: HTMLElement): Promise<void> {
  await press(member.browser, 'Edit', await readMemory(member, row));
}
