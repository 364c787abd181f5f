// A list that has not been fetched yet, while the connection is away.
import { screen, waitFor, within } from '@testing-library/dom';
import { expect, test, vi } from 'vitest';
import { anInstance } from '../testing/instance.ts';
import { enterAsMember } from '../testing/member.ts';
import { press } from '../testing/steps.ts';

const instance = anInstance();

test('says that it is offline, offers Retry, and is fetched when it is asked for again', async () => {
  const { browser } = await enterAsMember(instance());
  await browser.open('/');
  await screen.findByRole('heading', { name: 'The chambers' });
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  browser.network.cut();
  await browser.user.click(within(screen.getByRole('main')).getByRole('link', { name: /Ghost Mode/ }));
  await screen.findByRole('heading', { name: 'You are offline' });
  await press(browser, 'Retry');
  await screen.findByRole('heading', { name: 'You are offline' });
  browser.network.cut(false);
  online.mockRestore();
  await press(browser, 'Retry');
  await waitFor(() => expect(screen.queryByRole('heading', { name: 'You are offline' })).toBeNull());
  await screen.findByRole('heading', { name: 'No thought lingers here' });
});
