// Steps of somebody who writes legacy scrolls, in the chamber of that name.
import { screen, within } from '@testing-library/dom';
import type { Browser } from './browser.tsx';
import { expectNoDialog, fill, findRow, press, textIn } from './steps.ts';

export const SCROLL_TITLE = 'Where the key lies';
export const SCROLL_WORDS = 'Under the third stone from the gate.\n\nForgive me the rest.';

export async function openScrolls(browser: Browser): Promise<void> {
  await browser.open('/legacy-scroll');
  await screen.findByRole('heading', { name: 'Active Legacies' });
}

/** Fills fields of the form, or of a dialog, by their labels. */
export async function fillFields(
  browser: Browser,
  fields: Record<string, string>,
  place?: HTMLElement,
): Promise<void> {
  const there = place ? within(place) : screen;
  for (const [label, text] of Object.entries(fields)) {
    // Where the server sends no mail it is no choice before it is made, and has to be agreed to.
    if (label === 'Email address' && !place) await chooseEmail(browser);
    const field = await there.findByLabelText(label);
    if (field instanceof HTMLSelectElement) await browser.user.selectOptions(field, text);
    else await fill(browser, field, text);
  }
}

/** Chooses mail as the way to the recipient, also on a server that sends none. */
async function chooseEmail(browser: Browser): Promise<void> {
  await screen.findAllByText(/They are sent a link|sends no mail|Nothing is sent to anybody/);
  await browser.user.selectOptions(screen.getByLabelText('Recipient'), 'Email');
  const agreement = screen.queryByRole<HTMLInputElement>('checkbox', { name: /^Yes, I know/ });
  if (agreement && !agreement.checked) await browser.user.click(agreement);
}

/** Writes a scroll with these fields besides its words, and makes it. Where there is none yet, the form stands open. */
export async function createScroll(browser: Browser, fields: Record<string, string> = {}): Promise<void> {
  const [there] = await Promise.any([
    screen.findAllByLabelText('Title'),
    screen.findAllByRole('button', { name: 'Write a letter' }),
  ]);
  if (there?.matches('button')) await press(browser, 'Write a letter');
  await fillFields(browser, { Title: SCROLL_TITLE, Letter: SCROLL_WORDS, ...fields });
  await press(browser, 'Seal the letter');
}

/** Reads the link off the card that stands open, and puts it aside. */
export async function putCardAside(browser: Browser, word: string): Promise<string> {
  const card = await screen.findByRole('dialog', { name: /^The key card/ });
  const link = textIn(await within(card).findByRole('textbox', { name: 'Link' }));
  await press(browser, word, card);
  return link;
}

/** Presses what the row of a title offers, unfolding it where that is needed. */
export async function pressInRow(browser: Browser, word: string, title = SCROLL_TITLE): Promise<void> {
  const row = await findRow(title);
  const name = new RegExp(`^${word}`);
  if (within(row).queryByRole('button', { name }) === null) await press(browser, /More/, row);
  await press(browser, name, row);
}

/** Goes through the dialog that sets a scroll to watch. */
export async function setToWatch(browser: Browser, { warnings }: { warnings?: string } = {}): Promise<void> {
  const dialog = await screen.findByRole('dialog', { name: 'Activate Watch' });
  const said = within(dialog).queryByRole<HTMLInputElement>('checkbox', {
    name: /I have handed (it|them) over/,
  });
  if (said && !said.checked) await browser.user.click(said);
  if (warnings) await browser.user.selectOptions(within(dialog).getByLabelText('Warnings'), warnings);
  await press(browser, 'Activate Watch', dialog);
  await expectNoDialog();
}
