// From the first visit to the first memory, and back again from another browser by each way there is.
import { expect, test } from './house.ts';
import {
  answerQuestions,
  beginByPasskey,
  expectToast,
  keepWords,
  openMemoryVault,
  sealMemory,
} from './rites.ts';

test('a stranger touches a passkey, answers, keeps the words, seals a memory and reads it', async ({
  page,
  house,
  quiet,
}) => {
  await beginByPasskey(page, house);
  await answerQuestions(page);
  await expectToast(page, 'Welcome to Your Latebra', 'Your sacred vault has been prepared.');
  await keepWords(page);
  await openMemoryVault(page);
  await expect(page.getByText('Nothing is kept here yet')).toBeVisible();
  await sealMemory(page, 'The bell under the lake', 'It still rings.\n\nEvery winter.');
  await page
    .getByRole('button', { name: /The bell under the lake/ })
    .first()
    .click();
  await expect(page.getByRole('dialog')).toContainText('It still rings.');
  await page.getByRole('button', { name: 'Close the book' }).click();
  await page.reload();
  await page
    .getByRole('button', { name: /The bell under the lake/ })
    .first()
    .click();
  await expect(page.getByRole('dialog')).toContainText('Every winter.');
  expect(quiet.said).toEqual([]);
});
