// A letter whose key is split among people, below the browser: sheets made and printed by its author, put together by its
// recipient, and ended by new ones.
import { screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { createScroll, openScrolls, pressInRow, SCROLL_WORDS, setToWatch } from '../../testing/authoring.ts';
import { type Browser, openBrowser } from '../../testing/browser.tsx';
import { anInstance } from '../../testing/instance.ts';
import { enterAsMember } from '../../testing/member.ts';
import { expectToast, fill, press } from '../../testing/steps.ts';

const instance = anInstance();
const heading = (name: string) => screen.findByRole('heading', { name, level: 1 });

/** Makes three sheets, of which two are needed, from the card that stands open. @returns what is printed on each */
async function makeSheets(browser: Browser): Promise<{ words: string[]; address: string; text: string }[]> {
  await press(browser, /^(Split among people|Make new sheets)$/);
  const form = await screen.findByRole('dialog', { name: /Split the key among people|New sheets/ });
  await fill(browser, within(form).getByLabelText(/^Guardian 1/), 'Ben of the Ferry');
  await press(browser, 'Make the sheets', form);
  const made = await screen.findByRole('dialog', { name: 'The sheets' });
  await press(browser, 'Print the 3 sheets', made);
  return [...document.querySelectorAll('[data-printed] section')].map((page) => ({
    words: [...(page.querySelector('ol')?.querySelectorAll('li') ?? [])].map(
      (item) => item.lastChild?.textContent ?? '',
    ),
    address: /http\S+\/legacy\/[\w-]{22}/.exec(page.textContent ?? '')?.[0] ?? '',
    text: page.textContent ?? '',
  }));
}

async function putTogether(reader: Browser, one: string, other: string): Promise<void> {
  await fill(reader, await screen.findByLabelText('The words of a sheet'), one);
  await screen.findByText('One more sheet is needed.');
  await fill(reader, screen.getByLabelText('Sheet 2'), other);
  await screen.findByText('These sheets are enough.');
  await press(reader, 'Use these sheets');
}

test('a letter opens by the sheets of any two of three people, and by older ones no more; no sheet and no name is sent', async () => {
  window.print = () => {};
  const { browser, call } = await enterAsMember(instance());
  const sent: string[] = [];
  browser.network.intercept(async (request, forward) => {
    sent.push(await request.clone().text());
    return forward();
  });
  await openScrolls(browser);
  await createScroll(browser, { When: 'manual' });
  await screen.findByRole('dialog', { name: /^The key card/ });
  const old = await makeSheets(browser);
  expect(old).toHaveLength(3);
  expect(old.map(({ words }) => words.length)).toEqual([27, 27, 27]);
  expect(old[0]?.text).toContain('Ben of the Ferry');
  expect(old[1]?.text).not.toContain('Ben of the Ferry');
  await press(browser, 'Later');
  // They cannot be shown again, and new ones end them.
  await pressInRow(browser, 'Sheets');
  await screen.findByText(/split into sheets, of which 2 are needed/);
  expect(document.querySelector('[data-printed]')).toBeNull();
  const sheets = await makeSheets(browser);
  const [one = '', two = '', three = ''] = sheets.map(({ words }) => words.join(' '));
  await press(browser, 'I have handed them over');
  await setToWatch(browser);
  expect(sent.join('\n')).not.toContain('Ben of the Ferry');
  for (const { words } of sheets) expect(sent.join('\n')).not.toContain(words.slice(0, 3).join(' '));

  const path = new URL(sheets[0]?.address ?? '').pathname;
  const reader = openBrowser(instance());
  await reader.open(path);
  await heading('A scroll that waits');
  await putTogether(reader, one, two);
  await press(reader, 'Try the sheets');
  await heading('The sheets are whole');
  await reader.open(path);
  await putTogether(reader, ...(old.slice(0, 2).map(({ words }) => words.join(' ')) as [string, string]));
  await press(reader, 'Try the sheets');
  await heading('These are not its sheets');
  await press(reader, 'Use other sheets');
  await screen.findByLabelText('The words of a sheet');

  await openScrolls(browser);
  await pressInRow(browser, 'Release now');
  await press(browser, 'Release now', await screen.findByRole('alertdialog'));
  await expectToast('Legacy Scroll Released');
  expect(await call('GET', `/api${path}`)).toMatchObject({ state: 'released', sheetsNeeded: 2 });
  await reader.open(path);
  await heading('A scroll was left for you');
  await putTogether(reader, three, one);
  await press(reader, 'Open the scroll');
  const article = await screen.findByRole('article');
  await within(article).findByText(SCROLL_WORDS.split('\n')[0] ?? '');
  within(article).getByText(/come back with the same sheets/);
  await waitFor(() => expect(window.location.hash).toBe(''));
  expect(reader.network.asked.filter((call) => call.includes('/open'))).not.toEqual([]);
});
