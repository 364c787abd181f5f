// The Memory Vault as a step of other tests: memories that are written there, found, opened and changed.
import { screen, within } from '@testing-library/dom';
import type { Memory } from '../../shared/nouns/memory.ts';
import { enterAsResident, type Resident } from './member.ts';
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

/** A new resident before an empty Memory Vault. */
export async function openMemoryVault(house: Parameters<typeof enterAsResident>[0]): Promise<Resident> {
  const resident = await enterAsResident(house);
  await resident.browser.open('/memory-vault');
  await screen.findByText('Nothing is kept here yet');
  return resident;
}

/** Seals a memory by calls, as another device would. */
export const postMemory = (
  { postSealed }: Resident,
  texts: { title: string; encryptedContent: string; details?: string },
  clear: object = {},
) => postSealed<Memory>(MEMORIES, 'memory', texts, clear);

export const memoryForm = () => screen.findByRole('dialog');

export const beginMemory = ({ browser }: Resident) => press(browser, 'New Memory');
export const finishMemory = async ({ browser }: Resident) =>
  press(browser, 'Seal Memory', await memoryForm());

export async function typeMemory({ browser }: Resident, typed: TypedMemory): Promise<void> {
  const { findByLabelText, findByRole } = within(await memoryForm());
  const { title, content, lock, day, time, tags } = typed;
  if (title !== undefined) await fill(browser, await findByLabelText('Title'), title);
  if (content !== undefined) await fill(browser, await findByRole('textbox', { name: 'Memory' }), content);
  if (day !== undefined) await fill(browser, await findByLabelText(/^When it happened/), day);
  if (time !== undefined) await fill(browser, await findByLabelText(/^At what time/), time);
  if (tags !== undefined) await fill(browser, await findByLabelText(/^Tags/), tags);
  if (lock !== undefined) await browser.user.selectOptions(await findByLabelText('Time lock'), lock);
}

export async function sealMemory(resident: Resident, typed: TypedMemory): Promise<void> {
  await beginMemory(resident);
  await typeMemory(resident, typed);
  await finishMemory(resident);
  await expectNoDialog();
}

/** Presses a row, which may open nothing. */
export async function pressRow({ browser }: Resident, row: HTMLElement): Promise<void> {
  const [opener] = within(row).getAllByRole('button');
  if (opener) await browser.user.click(opener);
}

/** Opens a row for reading. */
export async function readMemory(resident: Resident, row: HTMLElement): Promise<HTMLElement> {
  await pressRow(resident, row);
  return memoryForm();
}

/** Opens a row for writing. */
export async function editMemory(resident: Resident, row: HTMLElement): Promise<void> {
  await press(resident.browser, 'Edit', await readMemory(resident, row));
}
