// A copy of what waits, saved as a file: it opens for its vault alone, and what it brings back arrives once.
import { expect, test } from 'vitest';
import { newSealId } from '../../../crypto/seal.ts';
import { memoryKind } from '../../../vault/kinds/memory.ts';
import { keepWaiting, newAsideName, sendWaiting, setAside } from '../../../vault/outbox/waiting.ts';
import { readWaitingFile, takeInWaiting, waitingToText } from '../../../vault/outbox/waiting-file.ts';
import { entryListOf } from '../../../vault/replica/entry-list.ts';
import { aVaultWith, type Device } from '../../testing/devices.ts';
import { anInstance } from '../../testing/instance.ts';
import { aDisk, changeOf, draftOf, waitingOf } from './testing/waiting.ts';

const instance = anInstance();
const ignore = () => {};
const fileOf = (text: string) => new Blob([text]);

async function shown(device: Device): Promise<(string | null)[]> {
  device.reload();
  return (await device.vault.lists.load(entryListOf(memoryKind))).map(({ name }) => name).sort();
}

test('what was erased from a device comes back from its copy on another one, and arrives once however often it is taken in', async () => {
  const { devices } = await aVaultWith(instance(), 2);
  const [device, other] = devices as [Device, Device];
  await other.writeMemory('An old one');
  device.reload();
  const [old] = await device.vault.lists.load(entryListOf(memoryKind));
  if (!old) throw new Error('the list is empty');
  const erased = aDisk();
  await keepWaiting(device.vault, erased, waitingOf(draftOf('The lamp'), null, newSealId()));
  await keepWaiting(device.vault, erased, changeOf(old, 'An old one, changed'));
  const text = await waitingToText(erased);
  expect(text).not.toContain('lamp');

  const kept = await readWaitingFile(fileOf(text));
  if (!kept) throw new Error('the copy was not read');
  const disk = aDisk();
  expect(await takeInWaiting(other.vault, disk, kept)).toEqual({ taken: 2, here: 0, unopened: 0 });
  expect(await takeInWaiting(other.vault, disk, kept)).toEqual({ taken: 0, here: 2, unopened: 0 });
  other.reload();
  expect(await sendWaiting(other.vault, disk, ignore)).toBe(true);
  expect(disk.entries.size).toBe(0);
  expect(await shown(device)).toEqual(['An old one, changed', 'The lamp']);

  expect(await takeInWaiting(other.vault, disk, kept)).toEqual({ taken: 2, here: 0, unopened: 0 });
  other.reload();
  expect(await sendWaiting(other.vault, disk, ignore)).toBe(true);
  expect(await shown(device)).toEqual(['An old one, changed', 'The lamp']);
});

test('a copy has nothing of another vault, nothing that a draft stands for, and is known by how it begins', async () => {
  const [mine, theirs] = (await Promise.all([aVaultWith(instance(), 1), aVaultWith(instance(), 1)])).map(
    ({ devices }) => devices[0] as Device,
  ) as [Device, Device];
  const store = aDisk();
  const waiting = waitingOf(draftOf('The lamp'), null, newSealId());
  await keepWaiting(mine.vault, store, waiting);
  const kept = (await readWaitingFile(fileOf(await waitingToText(store)))) ?? [];
  const disk = aDisk();
  expect(await takeInWaiting(theirs.vault, disk, [...kept, 'of nobody'])).toEqual({
    ...{ taken: 0, here: 0, unopened: 2 },
  });
  expect(disk.entries.size).toBe(0);

  const sealed = store.entries.get(waiting.sealId) ?? '';
  await setAside(store, { waiting, sealed }, newAsideName('memory'));
  expect(await readWaitingFile(fileOf(await waitingToText(store)))).toEqual([]);
  for (const other of [
    '',
    '{}',
    'PK',
    '{"format":"latebra/waiting","v":2,"waiting":[]}',
    '{"format":"latebra/waiting",',
  ])
    expect(await readWaitingFile(fileOf(other)), other).toBeNull();
});
