// What becomes of the files of a form where its memory is there already: as an earlier try that had arrived, or as a version that
// was written elsewhere.
import { within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import type { Memory } from '../../../shared/nouns/memory.ts';
import { add, aFile, areReady, beginWith } from '../../testing/files-of-memories.ts';
import { anInstance } from '../../testing/instance.ts';
import type { Member } from '../../testing/member.ts';
import {
  editMemory,
  finishMemory,
  MEMORIES,
  memoryForm,
  openMemoryVault,
  readMemory,
  typeMemory,
} from '../../testing/memories.ts';
import { loseAnswers } from '../../testing/mishaps.ts';
import { expectNoDialog, expectToast, findRow, press } from '../../testing/steps.ts';

const instance = anInstance();

/** To how many entries the files of a vault belong, and how many files each has. */
async function filesByEntry({ user }: Member): Promise<number[]> {
  const rows = await instance()
    .deps.db.selectFrom('files')
    .innerJoin('accounts', 'accounts.id', 'files.account_id')
    .select('files.seal_id')
    .where('accounts.uid', '=', user.id)
    .execute();
  const numbers = rows.map(({ seal_id }) => seal_id);
  return [...new Set(numbers)].map((number) => numbers.filter((other) => other === number).length);
}

async function expectFiles(member: Member, title: string, there: string, missing: string): Promise<void> {
  const reader = await readMemory(member, await findRow(title));
  await within(reader).findByText(there);
  expect(within(reader).queryByText(missing)).toBeNull();
  await press(member.browser, 'Close', reader);
  await expectNoDialog();
}

test('where a lost first try was locked, the files that were added since are kept with the second', async () => {
  const member = await openMemoryVault(instance());
  loseAnswers(member.browser, `POST ${MEMORIES}`, 1);
  await beginWith(member, aFile('Hives.txt'));
  await typeMemory(member, { lock: '1 week' });
  await areReady(1);
  await finishMemory(member);
  await expectToast('Failed to Seal Memory', 'The server could not be reached.');
  await add(member, aFile('Ladders.txt'));
  await areReady(2);
  // The page was left meanwhile.
  await member.browser.reload();
  await areReady(2);
  await finishMemory(member);
  await expectToast('Failed to Seal Memory', 'Your first version had arrived after all');
  await areReady(1);
  await typeMemory(member, { title: 'The ladders', lock: 'No lock' });
  await finishMemory(member);
  await expectNoDialog();
  await expectFiles(member, 'The ladders', 'Ladders.txt', 'Hives.txt');
  expect(await filesByEntry(member)).toEqual([1, 1]);
});

test('where both memories are kept, the second has what its form has added, and no other files', async () => {
  const member = await openMemoryVault(instance());
  await beginWith(member, aFile('Hives.txt'));
  await areReady(1);
  await finishMemory(member);
  await expectNoDialog();
  await editMemory(member, await findRow('The hives'));
  await typeMemory(member, { title: 'The ladders' });
  await add(member, aFile('Ladders.txt'));
  await areReady(1);
  const [row] = await member.call<Memory[]>('GET', MEMORIES);
  const { id, version, sealId } = row ?? expect.fail('no memory');
  const words = {
    title: 'The hives',
    encryptedContent: 'Written elsewhere.',
    details: '{"tags":["bees"],"v":1}',
  };
  const sealed = await member.sealed('memory', sealId ?? '', words, { version: version + 1 });
  const { fingerprint: keyFingerprint } = member;
  await member.call('PATCH', `${MEMORIES}/${id}`, { ...sealed, version, keyFingerprint });
  await finishMemory(member);
  await within(await memoryForm()).findByText(/Written elsewhere\./);
  await press(member.browser, 'Keep both', await memoryForm());
  await expectNoDialog();
  await expectFiles(member, 'The ladders', 'Ladders.txt', 'Hives.txt');
  expect(await filesByEntry(member)).toEqual([1, 1]);
});
