// What is said of what waits, where a browser may erase it.
import { screen } from '@testing-library/dom';
import { expect, onTestFinished, test } from 'vitest';
import { newSealId } from '../../../crypto/seal.ts';
import { haveDatabases } from '../../testing/databases.ts';
import { aDevice } from '../../testing/devices.ts';
import { anInstance } from '../../testing/instance.ts';
import { enterAsMember } from '../../testing/member.ts';
import { waitHere } from './send-waiting.ts';
import { draftOf, waitingOf } from './testing/waiting.ts';

const instance = anInstance();

test.each([true, false])(
  'where a browser promises to keep what it stores, %s, the list of what waits says what may become of it',
  async (isPromised) => {
    haveDatabases();
    const storage = { persisted: async () => isPromised, persist: async () => isPromised };
    Object.defineProperty(navigator, 'storage', { configurable: true, value: storage });
    onTestFinished(() => void Reflect.deleteProperty(navigator, 'storage'));
    const member = await enterAsMember(instance());
    const { vault, network } = aDevice(instance(), member);
    network.cut();
    await waitHere(vault, waitingOf(draftOf('The lamp'), null, newSealId()));
    member.browser.network.intercept(async (request, forward) =>
      request.method === 'POST' ? Promise.reject(new TypeError('Failed to fetch')) : forward(),
    );
    await member.browser.open('/memory-vault');
    await screen.findByRole('heading', { name: 'One entry waits on this device' });
    const says = /Your browser may erase it if you do not come back for a week/;
    if (isPromised) expect(screen.queryByText(says)).toBeNull();
    else await screen.findByText(says);
  },
);
