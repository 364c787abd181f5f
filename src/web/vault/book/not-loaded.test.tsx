// A server that hands out the page and not the part of it that keeps the vault's book.
import { expect, test, vi } from 'vitest';
import { createServices } from '../../api/services.tsx';
import { anInstance } from '../../testing/instance.ts';
import { enterAsMember } from '../../testing/member.ts';
import { openVaultOf } from '../key/open-vault.ts';
import { bookKey } from '../session/book-key.ts';
import { noteNotLoaded } from './not-loaded.ts';

vi.mock('./book-of-vault.ts', () => {
  throw new Error('Failed to fetch dynamically imported module');
});

const instance = anInstance();

test('is said not to have shown the book', async () => {
  const { browser, user, contentKey, fingerprint } = await enterAsMember(instance());
  const services = createServices({ fetch: browser.network.fetch });
  const vault = openVaultOf(services, user, { contentKey, fingerprint });
  await expect(vault.loadBook()).rejects.toThrow();
  await vi.waitFor(() =>
    expect(vault.queryClient.getQueryData(bookKey(vault))).toMatchObject({ isWithheld: true }),
  );
});

test('is not accused where nothing answers at all, or this device is offline', async () => {
  const { browser, user, contentKey, fingerprint } = await enterAsMember(instance());
  const { network } = browser;
  const vault = openVaultOf(createServices({ fetch: network.fetch }), user, { contentKey, fingerprint });
  const said = () => vault.queryClient.getQueryData(bookKey(vault));
  network.cut();
  await noteNotLoaded(vault);
  expect(said()).toBeUndefined();
  network.cut(false);
  await noteNotLoaded({ ...vault, isOffline: () => true });
  expect(said()).toBeUndefined();
  await noteNotLoaded(vault);
  expect(said()).toMatchObject({ isWithheld: true });
});
