// A letter with pictures on paper, below the browser: printed by its author, and by whoever it was left for.
import { screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import {
  createScroll,
  fillFields,
  openScrolls,
  pressInRow,
  putCardAside,
  setToWatch,
} from '../../testing/authoring.ts';
import { openBrowser } from '../../testing/browser.tsx';
import { aFile, aPicture } from '../../testing/files-of-memories.ts';
import { anInstance } from '../../testing/instance.ts';
import { enterAsMember } from '../../testing/member.ts';
import { expectToast, press } from '../../testing/steps.ts';

const instance = anInstance();

test('its pictures are opened before the printer is asked, and other files are named with their sizes', async () => {
  const { browser } = await enterAsMember(instance());
  await openScrolls(browser);
  await fillFields(browser, { When: 'manual' });
  const chosen = [aPicture('Hives.png'), aFile('Hives.txt', 3000)];
  await browser.user.upload(await screen.findByLabelText('Photos and files to add'), chosen);
  await waitFor(() => expect(screen.getAllByText(/Ready$/)).toHaveLength(2));
  await createScroll(browser);
  const link = await putCardAside(browser, 'I have handed it over');
  await setToWatch(browser);
  await pressInRow(browser, 'Release now');
  await press(browser, 'Release now', await screen.findByRole('alertdialog'));
  await expectToast('Legacy Scroll Released');

  const printed: string[] = [];
  window.print = () => {
    const list = screen.getByRole('list', { name: 'Printed files', hidden: true });
    const pictures = [...list.querySelectorAll('img')].map(({ alt, src }) => `${alt} ${src.slice(0, 5)}`);
    printed.push(`${pictures.join()} ${list.textContent}`);
    window.dispatchEvent(new Event('afterprint'));
  };
  await pressInRow(browser, 'Read');
  const own = await screen.findByRole('dialog');
  await within(own).findByRole('button', { name: 'View Hives.png' });
  await press(browser, 'Print', own);
  await waitFor(() => expect(printed).toHaveLength(1));
  const reader = openBrowser(instance());
  await reader.open(link.replace('http://localhost:3000', ''));
  await press(reader, 'Open the scroll');
  const article = await screen.findByRole('article');
  await within(article).findByRole('button', { name: 'View Hives.png' });
  await press(reader, 'Print', article);
  await waitFor(() => expect(printed).toHaveLength(2));
  expect(new Set(printed)).toEqual(new Set(['Hives.png blob: Hives.txt, 2.9 KB']));
});
