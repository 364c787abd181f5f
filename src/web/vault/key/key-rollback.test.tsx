// A server that shows another key than the one a browser has seen, and rows that it plants under an older key, below the
// browser: what people are told, what they can do, and that nothing is overwritten or sealed anew by itself.
import { screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { newSealId } from '../../../crypto/seal.ts';
import {
  answerForWords,
  beginResealing,
  changeKey,
  keyIn,
  memoryRows,
  openMemory,
  openSettings,
  postMemory,
  readMemory,
  writeNewWords,
} from '../../testing/another-key.ts';
import { inAnotherBrowser } from '../../testing/browser.tsx';
import { enterByPassphrase } from '../../testing/gate-steps.ts';
import { anInstance } from '../../testing/instance.ts';
import { enterAsMember, type Member } from '../../testing/member.ts';
import { expectNoDialog, expectToast, fill, findRow, press } from '../../testing/steps.ts';
import { stretchLightly } from '../../testing/workers.ts';

stretchLightly();
const instance = anInstance();
const PASSPHRASE = 'plum cake on a stone wall';

/** The keys that stand in this browser, by the names of their slots. */
const slots = () =>
  Object.fromEntries(
    Object.entries({ ...localStorage } as Record<string, string>)
      .filter(([name]) => name.startsWith('latebra.vault-key'))
      .map(([name, value]) => [name.split(':')[0], value]),
  );

test('a key that the key before did not vouch for is shown as what it is, and accepted on its owner’s word alone', async () => {
  const member = await enterAsMember(instance(), { passphrase: PASSPHRASE });
  const { browser, user } = member;
  const known = await keyIn(member);
  const enter = async (where: typeof browser) => enterByPassphrase(where, user.name ?? '', PASSPHRASE);
  const { words, made } = await inAnotherBrowser(instance(), async (other) => {
    await enter(other);
    await screen.findByRole('heading', { name: 'The chambers' });
    other.forgetStorage();
    await other.open('/');
    await press(other, 'I have none of these');
    const question = await screen.findByRole('alertdialog');
    await fill(other, within(question).getByLabelText('Type UNREADABLE to go on'), 'UNREADABLE');
    await press(other, 'Make a new key', question);
    await screen.findByRole('heading', { name: 'Recovery: your ways back' });
    await press(other, 'Write them down');
    const written = await answerForWords(other, 'The twenty-four words');
    await expectNoDialog();
    return { words: written, made: await keyIn(member) };
  });

  // That ended the session here.
  browser.network.cookies.clear();
  await enter(browser);
  await fill(browser, await screen.findByRole('textbox', { name: 'The twenty-four words' }), words.join(' '));
  await press(browser, 'Unlock');
  await screen.findByRole('heading', { name: 'This vault has a key that the key before did not vouch for' });
  expect(slots()).toEqual({ 'latebra.vault-key': known.hex });
  await press(browser, 'Accept this key');
  await press(browser, 'Accept it', await screen.findByRole('alertdialog'));
  await screen.findByRole('heading', { name: 'The chambers' });
  expect(slots()).toEqual({ 'latebra.vault-key': made.hex, 'latebra.vault-key-next': known.hex });
});

/** Puts a memory into the database that is sealed under the key that the member began with. */
async function plant({ user, sealed, fingerprint }: Member, title: string): Promise<void> {
  const sealId = newSealId();
  const texts = await sealed('memory', sealId, { title, encryptedContent: 'Not hers.' });
  const { db, now } = instance().deps;
  const account = db.selectFrom('accounts').select('id').where('uid', '=', user.id);
  const { id } = await account.executeTakeFirstOrThrow();
  await db
    .insertInto('memory_entries')
    .values({
      account_id: id,
      title: texts.title ?? '',
      encrypted_content: texts.encryptedContent ?? '',
      seal_id: sealId,
      key_fingerprint: fingerprint,
      created_at: now(),
      updated_at: now(),
      version: 1,
    })
    .execute();
}

test('a memory that a server plants under a key of the ring is shown as arrived from outside, and sealed anew by no one but its reader', async () => {
  const member = await enterAsMember(instance());
  const { browser } = member;
  await postMemory(member, 'The orchard', 'Ladders.');
  await openSettings(browser);
  await beginResealing(browser);
  await writeNewWords(browser);
  await changeKey(member);
  const key = await keyIn(member);
  await plant(member, 'A debt');
  const resealed = () => browser.network.asked.filter((call) => call.endsWith('/reseal'));

  await browser.open('/memory-vault');
  expect((await findRow('A debt')).textContent).toContain('Arrived from outside');
  expect((await findRow('The orchard')).textContent).not.toContain('Arrived from outside');
  await readMemory(browser, 'A debt', 'Not hers.');

  // The next change of the key does not take it along either.
  await openSettings(browser);
  await press(browser, 'Regenerate');
  await press(browser, 'Re-seal everything');
  const found = await screen.findByRole('dialog', { name: 'What was found' });
  expect(found.textContent).toContain('Arrived from outside1 entry');
  await press(browser, 'Cancel', found);
  expect(resealed()).toEqual([]);
  const fingerprints = async () => (await memoryRows(member)).map(({ keyFingerprint }) => keyFingerprint);
  expect((await fingerprints()).sort()).toEqual([member.fingerprint, key.fingerprint].sort());

  await browser.open('/memory-vault');
  const [opener] = within(await findRow('A debt')).getAllByRole('button');
  if (opener) await browser.user.click(opener);
  const reader = await screen.findByRole('dialog');
  expect(reader.textContent).toContain('somebody who has the older key may have put it there');
  await press(browser, 'Seal it as mine', reader);
  await expectToast('Sealed under your key');
  await waitFor(() => expect(screen.getByRole('dialog').textContent).not.toContain('Arrived from outside'));
  expect(resealed()).toHaveLength(1);
  expect(await fingerprints()).toEqual([key.fingerprint, key.fingerprint]);
  const titles = await Promise.all((await memoryRows(member)).map((row) => openMemory(row, key)));
  expect(titles.map(([title]) => title).sort()).toEqual(['A debt', 'The orchard']);
});
