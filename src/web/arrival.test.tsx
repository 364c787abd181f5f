// Where the focus goes when another screen takes the place of one, below the browser.
import { screen, waitFor, within } from '@testing-library/dom';
import { expect, test, vi } from 'vitest';
import { anInstance } from './testing/instance.ts';
import { enterAsMember } from './testing/member.ts';
import { press } from './testing/steps.ts';

const instance = anInstance();
const focusOn = (element: () => HTMLElement) => waitFor(() => expect(document.activeElement).toBe(element()));

test('another screen has the focus on its heading, and begins at its top; the first one leaves it alone', async () => {
  const { browser } = await enterAsMember(instance());
  const scrolled = vi.spyOn(window, 'scrollTo');
  await browser.open('/');
  await screen.findByRole('heading', { name: 'The chambers' });
  expect(document.activeElement).toBe(document.body);
  await browser.user.click(within(screen.getByRole('main')).getByRole('link', { name: /Memory Vault/ }));
  await focusOn(() => screen.getByRole('heading', { name: 'Memory Vault', level: 1 }));
  expect(scrolled).toHaveBeenCalledWith(0, 0);
  await browser.user.click(screen.getByRole('link', { name: 'Latebra' }));
  await focusOn(() => screen.getByRole('heading', { name: 'The chambers' }));
  scrolled.mockClear();
  window.history.back();
  await focusOn(() => screen.getByRole('heading', { name: 'Memory Vault', level: 1 }));
  // The browser itself goes back to where the page was left.
  expect(scrolled).not.toHaveBeenCalled();
  scrolled.mockRestore();
});

test('proving the words begins at the first of them', async () => {
  const { browser } = await enterAsMember(instance());
  await browser.open('/');
  await press(browser, 'Write them down');
  await press(browser, 'I have written them down');
  await focusOn(() => screen.getAllByLabelText(/^Word \d+$/)[0] as HTMLElement);
});
