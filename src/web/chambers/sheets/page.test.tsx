// Guardians' sheets below the browser: typed, scanned, wrong, enough; and the server hears nothing of it.
import { screen, waitFor } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { newKitSecret, splitSecret } from '../../../crypto/guardian-kit.ts';
import { sheetToText, wordsFromSheet } from '../../../crypto/guardian-sheet.ts';
import { openBrowser } from '../../testing/browser.tsx';
import { anInstance } from '../../testing/instance.ts';
import { fill } from '../../testing/steps.ts';

const instance = anInstance();

test('a guardian sees whether a sheet is whole, and several how many are missing; nothing is asked of the server', async () => {
  const sheets = await splitSecret(newKitSecret(), 3, 2);
  const [one = '', two = ''] = sheets.map((sheet) => wordsFromSheet(sheet).join(' '));
  const browser = openBrowser(instance());
  await browser.open('/sheets');
  const field = await screen.findByLabelText('The words of a sheet');
  await fill(browser, field, one.replace(/^\w+/, 'wrongword'));
  await screen.findByText(/Word 1, “wrongword”, is not on the list/);
  await fill(browser, field, one);
  await screen.findByText(/^This sheet is whole\. It is one of kit \d+, of which 2 are needed\.$/);
  await screen.findByText('One more sheet is needed.');
  const second = screen.getByLabelText('Sheet 2');
  await fill(browser, second, one);
  await screen.findByText('Sheet 2 is there already, and counts once.');
  await fill(browser, second, two);
  await screen.findByText('These sheets are enough.');
  expect(browser.network.asked).toEqual([]);
});

test('the link of a code brings its sheet along, and leaves the address', async () => {
  const sheets = await splitSecret(newKitSecret(), 3, 2);
  const [one, two] = sheets.map(sheetToText);
  const browser = openBrowser(instance());
  await browser.open(`/sheets#${one}`);
  await screen.findByText(/^This sheet is whole/);
  await waitFor(() => expect(window.location.hash).toBe(''));
  await browser.reload();
  await screen.findByText(/^This sheet is whole/);
  screen.getByText(/^Each code that you scan opens a page of its own\./);
  // As it stands in the field of the page that another code has opened.
  await fill(browser, screen.getByLabelText('Sheet 2'), two ?? '');
  await screen.findByText('These sheets are enough.');
  await fill(browser, screen.getByLabelText('Sheet 2'), `https://vault.example/sheets#${two}`);
  await screen.findByText('These sheets are enough.');
  expect(browser.network.asked).toEqual([]);
});
