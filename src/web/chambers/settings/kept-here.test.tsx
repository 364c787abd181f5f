// What the settings say of what this browser keeps, and of its promise.
import { screen, waitFor } from '@testing-library/dom';
import { afterEach, expect, test } from 'vitest';
import { anInstance } from '../../testing/instance.ts';
import { enterAsMember } from '../../testing/member.ts';
import { expectToast, press } from '../../testing/steps.ts';

const instance = anInstance();
afterEach(() => void Reflect.deleteProperty(navigator, 'storage'));

function aBrowserThatPromises({ at = 'once' }: { at?: 'once' | 'never' }) {
  let isPromised = false;
  Object.defineProperty(navigator, 'storage', {
    configurable: true,
    value: {
      estimate: async () => ({ usage: 3_400_000, quota: 2_000_000_000 }),
      persisted: async () => isPromised,
      async persist() {
        isPromised = at === 'once';
        return isPromised;
      },
    },
  });
}

test('the settings say how much is kept, and what a browser that has promised nothing may do', async () => {
  aBrowserThatPromises({});
  const { browser } = await enterAsMember(instance());
  await browser.open('/settings/devices');
  await screen.findByRole('heading', { name: 'Kept in this browser' });
  expect(screen.getByText(/^3\.2 \w+ of .* that this browser would give it\.$/).isConnected).toBe(true);
  expect(screen.getByText(/^This browser may erase it/).isConnected).toBe(true);
  await press(browser, 'Ask it to keep it');
  await screen.findByText(/^This browser has promised to keep it/);
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Ask it to keep it' })).toBeNull());
});

test('a browser that does not promise is not said to have', async () => {
  aBrowserThatPromises({ at: 'never' });
  const { browser } = await enterAsMember(instance());
  await browser.open('/settings/devices');
  await press(browser, 'Ask it to keep it');
  await expectToast('Not promised');
  expect(screen.getByText(/^This browser may erase it/).isConnected).toBe(true);
});
