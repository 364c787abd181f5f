// A try whose answer was lost, at a server that shows a wrong book for the moment in which it is tried again.
import { expect, test } from 'vitest';
import { newSealId } from '../../../crypto/seal.ts';
import { memories } from '../../../shared/nouns/memory.ts';
import { type MemoryDraft, memoryKind } from '../../../vault/kinds/memory.ts';
import { entryWriter } from '../../../vault/outbox/entry-writer.ts';
import { aVaultWith, type Device } from '../../testing/devices.ts';
import { anInstance } from '../../testing/instance.ts';
import { unreachable } from '../../testing/network.ts';

const instance = anInstance();
const DRAFT: MemoryDraft = {
  texts: { title: 'The ferry', encryptedContent: 'It left without us.', details: null },
  clear: { timeLockUntil: null },
  choice: '',
};

test('what is there already counts as arrived only while the book can take a note of it', async () => {
  const { devices } = await aVaultWith(instance(), 1);
  const { vault, network, bookSync } = devices[0] as Device;
  const sealId = newSealId();
  const stop = network.intercept(async (request, forward) => {
    const answer = await forward();
    if (request.method === 'POST' && new URL(request.url).pathname === memories.create.path)
      throw unreachable();
    return answer;
  });
  await expect(entryWriter(memoryKind, vault).create(DRAFT, sealId)).rejects.toThrow();
  stop();
  const look = async () => ({ ...bookSync.state(), chain: { kind: 'broken' } as never });
  vault.loadBook = async () => ({ ...bookSync, look });
  await expect(entryWriter(memoryKind, vault).create(DRAFT, sealId)).rejects.toMatchObject({
    code: 'seal-reused',
  });
  vault.loadBook = async () => bookSync;
  expect(await entryWriter(memoryKind, vault).create(DRAFT, sealId)).toMatchObject({ name: 'The ferry' });
});
