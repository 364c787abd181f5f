// What becomes of a vault's book when its key is changed.
import { screen, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import type { SealedBookEntry } from '../../../shared/nouns/book.ts';
import { vaultKey } from '../../../shared/nouns/vault-key.ts';
import { beginResealing, changeKey, keyIn, openSettings, writeNewWords } from '../../testing/another-key.ts';
import { aDevice, aVaultWith, type Device } from '../../testing/devices.ts';
import { anInstance } from '../../testing/instance.ts';
import type { Member } from '../../testing/member.ts';
import { expectToast, fill, press } from '../../testing/steps.ts';
import { stretchLightly } from '../../testing/workers.ts';
import { writeSlot } from '../device/account-slot.ts';

stretchLightly();
const instance = anInstance();

/** A vault in which one thing of each sort was written, changed and deleted, and a second device that has seen it. */
async function aVaultInUse() {
  const { member, devices } = await aVaultWith(instance(), 2);
  const [one, two] = devices as [Device, Device];
  const kept = await one.writeMemory('Kept');
  await one.deleteMemory(await one.writeMemory('Deleted'));
  await one.writeMemory('Locked', new Date(Date.now() + 86_400_000).toISOString());
  await one.writeGhost();
  await one.changeMemory(kept);
  expect(await two.check()).toEqual([]);
  two.bookSync.confirm();
  return { member, one, two };
}

/** A device after the key was changed elsewhere: it has been given the new one, and remembers what it had seen. */
async function underNewKey(member: Member, before: Device): Promise<Device> {
  const { contentKey, fingerprint } = await keyIn(member);
  return aDevice(instance(), { ...member, contentKey, fingerprint }, before.memory);
}

const newest = async ({ call }: Member) =>
  (await call<SealedBookEntry[]>('GET', '/api/book?from=1')).at(-1)?.n;

test('it goes on under the new key, and devices that were away follow it', async () => {
  const { member, two } = await aVaultInUse();
  const { n } = two.bookSync.state().head;
  await openSettings(member.browser);
  await beginResealing(member.browser);
  await writeNewWords(member.browser);
  await changeKey(member);
  expect(await newest(member)).toBe(n + 1);

  const later = await underNewKey(member, two);
  expect(await later.check()).toEqual([]);
  expect(later.bookSync.state()).toMatchObject({ isNew: false, isCutOff: false });
  await later.writeMemory('Afterwards');
  expect(await later.check()).toEqual([]);
  expect(await newest(member)).toBe(n + 2);
  // One that has seen nothing needs nothing of the old key.
  later.forget();
  expect(await later.check()).toEqual([]);
  expect(later.bookSync.state().isNew).toBe(true);
});

test('a server cannot join two histories by a change of key', async () => {
  const { member, two } = await aVaultInUse();
  // Kept nowhere: the server says that it was.
  const stop = two.network.intercept(async (request, forward) =>
    request.method === 'DELETE' ? new Response(null, { status: 204 }) : forward(),
  );
  const { memoriesOf } = await import('../../testing/devices.ts');
  const [memory] = await memoriesOf(two);
  if (memory) await two.deleteMemory(memory);
  stop();
  const seen = two.bookSync.state().head;
  await openSettings(member.browser);
  await beginResealing(member.browser);
  await writeNewWords(member.browser);
  await changeKey(member);
  const later = await underNewKey(member, two);
  expect(await later.check()).toEqual(['forked']);
  expect(later.bookSync.state().chain).toEqual({ kind: 'forked', n: seen.n });
});

test('where the server keeps the keys before back, a device that cannot follow asks, until its owner says that all is right', async () => {
  const { member, two } = await aVaultInUse();
  await openSettings(member.browser);
  await beginResealing(member.browser);
  await writeNewWords(member.browser);
  await changeKey(member);
  const later = await underNewKey(member, two);
  // It has not seen the ring yet, as the browser has that changed the key.
  writeSlot('latebra.key-record', member.user.id, null);
  const stop = withoutOlderKeys(later);
  expect(await later.check()).toEqual([]);
  expect(later.bookSync.state()).toMatchObject({ isNew: true, isCutOff: true });
  // It is asked as long as nobody has answered, whatever is written meanwhile.
  await later.writeMemory('Afterwards');
  stop();
  later.reload();
  expect(await later.check()).toEqual([]);
  expect(later.bookSync.state()).toMatchObject({ isNew: true, isCutOff: true });
  later.bookSync.confirm();
  expect(await later.check()).toEqual([]);
  expect(later.bookSync.state()).toMatchObject({ isNew: false, isCutOff: false });
});

/** The server says that no key came before the present one. */
const withoutOlderKeys = ({ network }: Device) =>
  network.intercept(async (request, forward) => {
    const answer = await forward();
    if (request.method !== 'GET' || !request.url.endsWith(vaultKey.get.path)) return answer;
    return Response.json({ ...((await answer.json()) as object), keyRing: null });
  });

/** Lets everything under the old key burn. */
async function makeUnreadable(member: Member): Promise<void> {
  await openSettings(member.browser);
  await press(member.browser, 'Regenerate');
  await press(member.browser, 'Make the old entries unreadable');
  const question = await screen.findByRole('alertdialog', { name: 'Make the old entries unreadable' });
  await fill(member.browser, within(question).getByRole('textbox'), 'UNREADABLE');
  await press(member.browser, 'Go on', question);
  await writeNewWords(member.browser);
  await press(member.browser, 'Make unreadable and begin again');
  await expectToast('Encryption Key Regenerated', 'cannot be read');
}

test('when what is old becomes unreadable, it begins again under the new key', async () => {
  const { member, two } = await aVaultInUse();
  const { n } = two.bookSync.state().head;
  await makeUnreadable(member);
  expect(await newest(member)).toBe(n + 1);

  const later = await underNewKey(member, two);
  expect(await later.check()).toEqual([]);
  expect(later.bookSync.state()).toMatchObject({ isNew: true, isCutOff: true });
  await later.writeMemory('Afterwards');
  later.forget();
  expect(await later.check()).toEqual([]);
});

test('where it could not begin again, the browser that made the key begins it, and one that knows more asks', async () => {
  const { member, two } = await aVaultInUse();
  const { n } = two.bookSync.state().head;
  const stop = member.browser.network.intercept((request, forward) =>
    request.method === 'POST' && request.url.endsWith('/api/book')
      ? Promise.resolve(new Response('', { status: 500 }))
      : forward(),
  );
  await makeUnreadable(member);
  stop();
  expect(await newest(member)).toBe(n);

  const later = await underNewKey(member, two);
  expect(await later.check()).toEqual(['unreadable']);
  expect(await newest(member)).toBe(n);
  later.forget();
  later.memory.savePin({ n: 0, hash: '' });
  expect(await later.check()).toEqual([]);
  expect(await newest(member)).toBe(n + 1);
  await later.writeMemory('Afterwards');
  expect(await later.check()).toEqual([]);
});
