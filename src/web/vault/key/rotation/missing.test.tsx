// A change of the key before a server that leaves something out of what it shows.
import { expect, test } from 'vitest';
import type { Memory } from '../../../../shared/nouns/memory.ts';
import { aVaultWith, type Device } from '../../../testing/devices.ts';
import { anInstance } from '../../../testing/instance.ts';
import { beginRegeneration } from './regenerate.ts';

const instance = anInstance();

test('what the book has and the server does not show is counted before anything is changed', async () => {
  const { devices } = await aVaultWith(instance(), 1);
  const [device] = devices as [Device];
  const { network, vault } = device;
  for (const title of ['Shown', 'Left out']) await device.writeMemory(title);
  expect(await beginRegeneration(vault)).toMatchObject({ missing: 0 });
  network.intercept(async (request, forward) => {
    const answer = await forward();
    if (request.method !== 'GET' || new URL(request.url).pathname !== '/api/memory-entries') return answer;
    return Response.json(((await answer.json()) as Memory[]).slice(1));
  });
  expect(await beginRegeneration(vault)).toMatchObject({ missing: 1 });
});
