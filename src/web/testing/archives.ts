// Exporting and importing in the settings, as steps that web tests are written in.
import { screen, waitFor, within } from '@testing-library/dom';
import { unzipSync } from 'fflate';
import type { EntriesFile } from '../../vault/archive/entries-file.ts';
import type { Browser } from './browser.tsx';
import { type SavedFile, watchDownloads } from './downloads.ts';
import { expectNoDialog, expectToast, press } from './steps.ts';

/** Begins to export for everyone to read what the settings' page can open. Answers the file once it is saved. */
export async function saveReadable(browser: Browser): Promise<SavedFile> {
  const nextDownload = watchDownloads();
  await press(browser, 'Export');
  const dialog = await screen.findByRole('dialog', { name: 'Export' });
  await browser.user.selectOptions(await within(dialog).findByLabelText('Form'), 'readable');
  await press(browser, 'Export readable', dialog);
  return nextDownload();
}

/** The same, of a vault of which nothing is left out. */
export async function exportReadable(browser: Browser): Promise<SavedFile> {
  const file = await saveReadable(browser);
  await expectToast('Export Initiated');
  await expectNoDialog();
  return file;
}

/** The texts of an archive that is not sealed, by their names. */
export function textsIn({ bytes }: SavedFile): Record<string, string> {
  const files = Object.entries(unzipSync(bytes));
  return Object.fromEntries(files.map(([name, content]) => [name, new TextDecoder().decode(content)]));
}

/** What an archive that is not sealed says of the entries. */
export const entriesIn = (file: SavedFile) =>
  JSON.parse(textsIn(file)['entries.json'] ?? 'null') as EntriesFile;

/** Opens the import and chooses a file. Returns the dialog. */
export async function offerArchive(browser: Browser, { name, bytes }: SavedFile): Promise<HTMLElement> {
  const open = screen.queryByRole('dialog', { name: 'Import' });
  if (!open) await press(browser, 'Import');
  const dialog = await screen.findByRole('dialog', { name: 'Import' });
  const input = within(dialog).getByLabelText('Archive');
  await browser.user.upload(input, new File([new Uint8Array(bytes)], name));
  return dialog;
}

/** Waits until an element says this. */
export const expectText = (element: HTMLElement, text: string) =>
  waitFor(() => {
    if (!element.textContent.includes(text)) throw new Error(`${element.textContent} lacks ${text}`);
  });
