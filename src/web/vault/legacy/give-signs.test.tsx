// When a device looks which of its letters have sisters: by its own clock, whatever the server says of them.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DAY } from '../../../shared/time.ts';
import { aVaultWith, type Device } from '../../testing/devices.ts';
import { anInstance } from '../../testing/instance.ts';
import { giveSignsOfLife } from './give-signs.ts';

const instance = anInstance();
beforeEach(() => vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => vi.useRealTimers());

test('a server that says that no letter watches is asked for them all the same, once a day', async () => {
  const { devices } = await aVaultWith(instance(), 1);
  const { vault, network } = devices[0] as Device;
  expect(vault.user.watchingScrolls).toBe(0);
  const timesAsked = () => network.asked.filter((asked) => asked === 'GET /api/legacy-scrolls').length;
  await giveSignsOfLife(vault);
  await giveSignsOfLife(vault);
  expect(timesAsked()).toBe(1);
  vi.advanceTimersByTime(DAY);
  await giveSignsOfLife(vault);
  expect(timesAsked()).toBe(2);
});
