// What people do on any screen, and what they are told, as steps that web tests are written in.
import { screen, waitFor, within } from '@testing-library/dom';
import { expect } from 'vitest';
import { toasts } from '../ui/toast-store.ts';
import type { Browser } from './browser.tsx';

/** Puts text into a field at once, in place of what stands there. */
export async function fill({ user }: Browser, field: HTMLElement, text: string): Promise<void> {
  await user.clear(field);
  if (text !== '') await user.paste(text);
}

/** The button of this name, pressed once it is there and can be pressed. */
export async function press({ user }: Browser, name: string | RegExp, place?: HTMLElement): Promise<void> {
  const there = place ? within(place) : screen;
  const button = await waitFor(() => {
    const found = there.getByRole('button', { name });
    return found.matches(':disabled, [aria-disabled="true"]') ? expect.fail(`${name} is disabled`) : found;
  });
  await user.click(button);
}

/** Goes to a chamber by its name, which stands in More of the head. */
export async function goToChamber({ user }: Browser, name: string): Promise<void> {
  const head = within(await screen.findByRole('navigation', { name: 'Chambers' }));
  await user.click(head.getByRole('button', { name: 'More' }));
  await user.click(await head.findByRole('link', { name }));
}

/** Expects a toast with this title and, if given, these words beneath it. */
export async function expectToast(title: string, words?: string): Promise<void> {
  const corner = await screen.findByRole('region', { name: /Notifications/ });
  await within(corner).findAllByText(title);
  // An earlier one of the same title may still stand there.
  if (words) await waitFor(() => expect(corner.textContent).toContain(words));
}

/** Puts every toast away, so that the next is known to be new. */
export async function dismissToasts(): Promise<void> {
  toasts.dismiss();
  const corner = await screen.findByRole('region', { name: /Notifications/ });
  await waitFor(() => expect(corner.textContent).toBe(''));
}

const DIALOG = '[role="dialog"], [role="alertdialog"]';

/** Waits until no dialog stands open. */
export const expectNoDialog = () => waitFor(() => expect(document.querySelector(DIALOG)).toBeNull());

/** Closes the dialog that takes the focus with one Esc. */
export async function pressEscape({ user }: Browser): Promise<void> {
  const focused = () => document.activeElement?.closest(DIALOG);
  const dialog = await waitFor(() => focused() ?? expect.fail('no dialog has the focus'));
  await user.keyboard('{Escape}');
  await waitFor(() => expect(dialog.isConnected).toBe(false));
}

const rows = () => within(screen.getByRole('main')).queryAllByRole('listitem');

/** Waits until the list in the middle of the page has exactly these rows, each known by a part of its text. */
export async function expectRows(...texts: string[]): Promise<HTMLElement[]> {
  const wanted = texts.map((text) => expect.stringContaining(text));
  await waitFor(() => expect(rows().map(({ textContent }) => textContent)).toEqual(wanted));
  return rows();
}

/** Waits for the one row of the list that says this. */
export const findRow = (text: string) =>
  waitFor(() => {
    const [row, ...others] = rows().filter(({ textContent }) => textContent.includes(text));
    if (!row || others.length > 0) throw new Error(`${row ? 'several rows say' : 'no row says'} ${text}`);
    return row;
  });

/** The text of a field, whatever kind it is. */
export const textIn = (field: HTMLElement) => (field as HTMLInputElement).value;

/** How many things this browser keeps in slots whose names begin so, such as `latebra.draft`. */
export const keptIn = (start: string) =>
  [...Object.keys(sessionStorage), ...Object.keys(localStorage)].filter((slot) => slot.startsWith(start))
    .length;
