// Through the gate, as steps that web tests are written in.
import { screen, waitFor } from '@testing-library/dom';
import { expect } from 'vitest';
import type { Browser } from './browser.tsx';
import { ANSWERS } from './member.ts';
import { expectToast, fill, press } from './steps.ts';

/** From nothing to the form for a new name and passphrase. */
export async function openBeginning(browser: Browser): Promise<void> {
  await browser.open('/enter');
  await press(browser, 'First time here');
  await press(browser, 'Begin with a name and a passphrase');
}

/** Makes a new account, up to the first question where nothing goes wrong. */
export async function beginByPassphrase(browser: Browser, name: string, passphrase: string): Promise<void> {
  await openBeginning(browser);
  await fill(browser, await screen.findByRole('textbox', { name: 'Name' }), name);
  await fill(browser, screen.getByLabelText('Passphrase'), passphrase);
  await fill(browser, screen.getByLabelText('Repeat passphrase'), passphrase);
  await press(browser, 'Make the vault');
}

/** Answers the three questions and arrives at the chambers. */
export async function answerQuestions(browser: Browser): Promise<void> {
  for (const [i, question] of [
    'What are you hiding?',
    'Who do you trust?',
    'What would you burn to keep it safe?',
  ].entries()) {
    await fill(browser, await screen.findByLabelText(question), ANSWERS[i] ?? '');
    await press(browser, i < 2 ? 'Continue' : 'Enter the Vault');
  }
  await expectToast('Welcome to Your Latebra', 'Your sacred vault has been prepared.');
  await screen.findByRole('heading', { name: 'The chambers' });
}

/** From nothing through the other door. Where it leads is for the test to say. */
export async function enterByPassphrase(browser: Browser, name: string, passphrase: string): Promise<void> {
  await browser.open('/enter');
  await press(browser, /^(A|Enter with a) name and a passphrase$/);
  await fill(browser, await screen.findByLabelText('Name'), name);
  await fill(browser, screen.getByLabelText('Passphrase'), passphrase);
  await press(browser, 'Enter');
  await answerDevice(browser);
}

/** Says that others use this device, where somebody has come in and is asked that. */
export async function answerDevice(browser: Browser): Promise<void> {
  const answer = () => screen.queryByRole('button', { name: 'Others use it' });
  const isRefused = () => document.querySelector('[role="alert"], [aria-invalid="true"]') !== null;
  await waitFor(() => expect(answer() || isRefused() || window.location.pathname !== '/enter').toBeTruthy());
  const asked = answer();
  if (asked) await browser.user.click(asked);
}

/** The same with the twenty-four words. */
export async function enterByWords(browser: Browser, words: readonly string[]): Promise<void> {
  await browser.open('/enter');
  await press(browser, 'The twenty-four words');
  await fill(browser, await screen.findByLabelText('The twenty-four words'), words.join(' '));
  await press(browser, 'Enter');
  await answerDevice(browser);
}
