// The three questions, below the browser.
import { screen, waitFor } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { type Browser, openBrowser } from '../../testing/browser.tsx';
import { answerQuestions, beginByPassphrase } from '../../testing/gate-steps.ts';
import { anInstance } from '../../testing/instance.ts';
import { expectToast, fill, press, textIn } from '../../testing/steps.ts';
import { stretchLightly } from '../../testing/workers.ts';

stretchLightly();
const instance = anInstance();

const first = () => screen.findByLabelText<HTMLTextAreaElement>('What are you hiding?');
const second = () => screen.findByLabelText<HTMLTextAreaElement>('Who do you trust?');
const third = () => screen.findByLabelText('What would you burn to keep it safe?');
const isDisabled = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name }).disabled;

async function beginAs(name: string): Promise<Browser> {
  const browser = openBrowser(instance());
  await beginByPassphrase(browser, name, 'plum cake on a stone wall');
  await first();
  return browser;
}

test('each question wants an answer, one can go back, and what was answered survives a reload', async () => {
  const browser = await beginAs('agnes');
  expect(screen.queryByRole('button', { name: 'Previous' })).toBeNull();
  expect(isDisabled('Continue')).toBe(true);
  await fill(browser, await first(), '   ');
  expect(isDisabled('Continue')).toBe(true);
  await fill(browser, await first(), 'A bell');
  await press(browser, 'Continue');
  await waitFor(async () => expect(document.activeElement).toBe(await second()));
  expect((await second()).getAttribute('rows')).toBe('8');
  await press(browser, 'Previous');
  expect(textIn(await first())).toBe('A bell');
  await waitFor(() => expect(Object.keys({ ...localStorage }).join()).toContain('latebra.draft'));
  await browser.reload();
  await waitFor(async () => expect(textIn(await first())).toBe('A bell'));
  await answerQuestions(browser);
});

test('a failing ritual says why, and keeps the answers', async () => {
  const browser = await beginAs('boris');
  const mend = browser.network.intercept(async (request, forward) =>
    new URL(request.url).pathname === '/api/onboarding'
      ? Response.json({ message: 'Something went wrong here.', code: 'internal' }, { status: 500 })
      : forward(),
  );
  await fill(browser, await first(), 'An answer');
  await press(browser, 'Continue');
  await fill(browser, await second(), 'An answer');
  await press(browser, 'Continue');
  await fill(browser, await third(), 'An answer');
  await press(browser, 'Enter the Vault');
  await expectToast('Ritual Failed', 'Something went wrong here.');
  expect(textIn(await third())).toBe('An answer');
  mend();
  await press(browser, 'Enter the Vault');
  await screen.findByRole('heading', { name: 'The chambers' });
});

test('answers that the server says it has already, and does not show, are not let go', async () => {
  const browser = await beginAs('clara');
  const mend = browser.network.intercept(async (request, forward) =>
    request.method === 'POST' && new URL(request.url).pathname === '/api/onboarding'
      ? Response.json({ message: 'You have answered before.', code: 'already-onboarded' }, { status: 409 })
      : forward(),
  );
  for (const field of [first, second]) {
    await fill(browser, await field(), 'An answer');
    await press(browser, 'Continue');
  }
  await fill(browser, await third(), 'The last answer');
  await press(browser, 'Enter the Vault');
  await expectToast('Ritual Failed', 'does not show it. It was not kept.');
  expect(textIn(await third())).toBe('The last answer');
  mend();
  await press(browser, 'Enter the Vault');
  await screen.findByRole('heading', { name: 'The chambers' });
});
