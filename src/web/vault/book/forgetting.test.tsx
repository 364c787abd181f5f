// What a page knows of a book goes with everything that was opened, and what is still on its way then stands nowhere.
import { expect, test } from 'vitest';
import { newSealId } from '../../../crypto/seal.ts';
import { AnotherKey } from '../../../vault/keys/key-in-hand.ts';
import { aVaultWith, type Device } from '../../testing/devices.ts';
import { anInstance } from '../../testing/instance.ts';
import { forgetAccount } from '../device/forgetting.ts';
import { keepKey, loadKey, lockKey } from '../device/key-slot.ts';
import { bookKey } from '../session/book-key.ts';
import { forgetOpened } from '../session/locking.ts';
import { bookOfVault } from './book-of-vault.ts';

const instance = anInstance();

test('the lock forgets the book and what it has found', async () => {
  const { devices } = await aVaultWith(instance(), 1);
  const { vault } = devices[0] as Device;
  const known = () => vault.queryClient.getQueryData(bookKey(vault));
  const bookSync = bookOfVault(vault);
  expect(await bookSync.look()).toEqual(known());
  // Whatever else is forgotten is not about it.
  vault.queryClient.setQueryData(['opened', 'a list'], []);
  vault.queryClient.removeQueries({ queryKey: ['opened', 'a list'] });
  expect(bookOfVault(vault)).toBe(bookSync);
  const underway = bookSync.look();
  forgetOpened(vault);
  expect(known()).toBeUndefined();
  await underway;
  expect(known()).toBeUndefined();
  const next = bookOfVault(vault);
  expect(next).not.toBe(bookSync);
  expect(await next.look()).toEqual(known());
});

test('nothing of the book is kept behind an account that is forgotten while a change is on its way', async () => {
  const { member, devices } = await aVaultWith(instance(), 1);
  const { vault, network } = devices[0] as Device;
  const uid = member.user.id;
  const slots = () => Object.keys({ ...localStorage }).filter((name) => name.endsWith(uid));
  const bookSync = bookOfVault(vault);
  await bookSync.look();
  expect(slots()).toContain(`latebra.book-pin:${uid}`);
  const put = [{ kind: 'memory' as const, sealId: newSealId(), sealed: { title: 'QUJD' } }];
  await bookSync.write({ put }, async () => forgetAccount(uid));
  expect(slots()).toEqual([]);
  const asked = network.asked.length;
  await expect(bookSync.look()).rejects.toThrow(AnotherKey);
  expect(network.asked).toHaveLength(asked);
});

test('what is acknowledged only after the vault was locked is missed if it was dropped', async () => {
  const { member, devices } = await aVaultWith(instance(), 1);
  const { vault } = devices[0] as Device;
  const uid = member.user.id;
  const key = loadKey(uid) ?? '';
  const bookSync = bookOfVault(vault);
  await bookSync.look();
  const put = [{ kind: 'memory' as const, sealId: newSealId(), sealed: { title: 'QUJD' } }];
  await bookSync.write({ put }, async () => {
    lockKey(uid);
    forgetOpened(vault);
  });
  keepKey(uid, key);
  expect(await bookOfVault(vault).look()).toMatchObject({ chain: { kind: 'went-back' } });
});

test('what is kept without an entry while the vault is locked is missed if it was dropped', async () => {
  const { member, devices } = await aVaultWith(instance(), 1);
  const { vault, network } = devices[0] as Device;
  const uid = member.user.id;
  const key = loadKey(uid) ?? '';
  const bookSync = bookOfVault(vault);
  await bookSync.look();
  lockKey(uid);
  bookSync.note([{ kind: 'memory', sealId: newSealId(), sealed: { title: 'QUJD' } }]);
  keepKey(uid, key);
  network.intercept(async (request, forward) =>
    request.method === 'POST' ? new Response('', { status: 503 }) : forward(),
  );
  forgetOpened(vault);
  expect(await bookOfVault(vault).look()).toMatchObject({ unwritten: 1 });
});
