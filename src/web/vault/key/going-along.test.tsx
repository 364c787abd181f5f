// What a browser has that is not sent yet goes along with the key of its vault, however that was changed: nothing else has it.
import { expect, test } from 'vitest';
import { newSealId } from '../../../crypto/seal.ts';
import { haveDatabases } from '../../testing/databases.ts';
import { aVaultWith, type Device } from '../../testing/devices.ts';
import { anInstance } from '../../testing/instance.ts';
import { changeKeyOn, enterAgain, OtherBrowser, withPassphrase } from '../../testing/key-elsewhere.ts';
import { stretchLightly } from '../../testing/workers.ts';
import { waitHere, waitingHere } from '../entries/send-waiting.ts';
import { draftOf, waitingOf } from '../entries/testing/waiting.ts';
import { keepDraft, loadDraft } from '../session/drafts.ts';

stretchLightly();
const instance = anInstance();

/** A browser with an entry that waits and one that is being written, and another one of the same vault. */
async function twoBrowsers() {
  haveDatabases();
  const { devices } = await aVaultWith(instance(), 2, withPassphrase);
  const [device, other] = devices as [Device, Device];
  const elsewhere = new OtherBrowser(other);
  await enterAgain(device);
  await waitHere(device.vault, waitingOf(draftOf('The lamp'), null, newSealId()));
  await keepDraft(device.vault.user.id, 'memory', device.vault.contentKey, { title: 'The well' });
  return { device, elsewhere };
}

/** What waits, and what is being written, as the present key opens it. */
async function foundIn({ vault }: Device): Promise<string[]> {
  const waiting = (await waitingHere(vault)).map(({ draft }) => draft.texts.title ?? '');
  const draft = await loadDraft<{ title: string }>(vault.user.id, 'memory', vault.contentKey);
  return [...waiting, draft?.title ?? ''];
}

test('what waits and is being written here opens under the key that another browser has made, without a ring', async () => {
  const { device, elsewhere } = await twoBrowsers();
  await elsewhere.changeKey(true);
  await enterAgain(device);
  expect(await foundIn(device)).toEqual(['The lamp', 'The well']);
});

test('what waits under a key of the ring outlives the ring', async () => {
  const { device, elsewhere } = await twoBrowsers();
  const older = device.vault;
  await elsewhere.changeKey();
  await enterAgain(device);
  // As where this browser had no key when the new one came, or another tab has gone on under the older one.
  await waitHere(older, waitingOf(draftOf('The bell'), null, newSealId()));
  await changeKeyOn(device, true);
  expect((await foundIn(device)).sort()).toEqual(['The bell', 'The lamp', 'The well']);
});
