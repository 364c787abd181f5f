// Escape closes the layer that has the focus, at the first press, whatever is said in the corner.
import { screen, waitFor } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { anInstance } from '../../testing/instance.ts';
import { enterAsMember } from '../../testing/member.ts';
import { expectNoDialog, expectToast, press } from '../../testing/steps.ts';
import { toast } from '../../ui/toaster.tsx';

const instance = anInstance();

async function openLayer(opener: string) {
  const { browser } = await enterAsMember(instance());
  await browser.open('/kit');
  await press(browser, opener);
  const layer = await screen.findByRole(/question|word/.test(opener) ? 'alertdialog' : 'dialog');
  await waitFor(() => expect(layer.contains(document.activeElement)).toBe(true));
  return { browser, layer };
}

const layers = ['A form', 'A question', 'A long reading'];
const corner = () => screen.getByRole('region', { name: /Notifications/ });

test.each(layers)('%s is closed by it while a toast shows that came later, which stays', async (opener) => {
  const { browser } = await openLayer(opener);
  toast({ title: 'Said meanwhile' });
  await expectToast('Said meanwhile');
  await browser.user.keyboard('{Escape}');
  await expectNoDialog();
  expect(corner().textContent).toContain('Said meanwhile');
  // What Escape left alone can still be put away.
  await press(browser, 'Dismiss', corner());
  await waitFor(() => expect(corner().textContent).toBe(''));
});

test('a toast that has the focus is closed by it, and the layer stays', async () => {
  const { browser, layer } = await openLayer('A form');
  toast({ title: 'Said meanwhile' });
  await expectToast('Said meanwhile');
  await browser.user.keyboard('[F8]');
  await waitFor(() => expect(corner().contains(document.activeElement)).toBe(true));
  await browser.user.keyboard('{Escape}');
  await waitFor(() => expect(corner().textContent).toBe(''));
  expect(layer.isConnected).toBe(true);
});
