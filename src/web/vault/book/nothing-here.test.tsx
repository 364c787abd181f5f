// An empty list says that nothing is here only while the book has nothing against it.
import { QueryClientProvider } from '@tanstack/react-query';
import { screen, within } from '@testing-library/dom';
import { createRoot } from 'react-dom/client';
import { expect, onTestFinished, test } from 'vitest';
import { book } from '../../../shared/nouns/book.ts';
import { isInDoubt } from '../../../vault/book/book-report.ts';
import type { BookState } from '../../../vault/book/book-state.ts';
import { noteAsOf } from '../../api/app-state.ts';
import { aVaultWith, type Device } from '../../testing/devices.ts';
import { anInstance } from '../../testing/instance.ts';
import { enterAsMember } from '../../testing/member.ts';
import { MEMORIES, openMemoryVault, sealMemory } from '../../testing/memories.ts';
import { bookKey } from '../session/book-key.ts';
import { VaultContext } from '../session/vault-context.ts';
import { NothingHere } from './vault-list.tsx';

const instance = anInstance();

test.each([
  ['/', /^Nothing is kept here yet/],
  ['/memory-vault', 'Nothing is kept here yet'],
  ['/relationship-ledger', 'Nobody is written of here yet'],
  ['/myth-builder', 'No myth has been made yet'],
  ['/ghost-mode', 'No thought lingers here'],
  ['/legacy-scroll', 'No letters yet'],
  ['/sacred-keys', 'No key has been made yet'],
  ['/recently-deleted', 'Nothing is deleted'],
  ['/imports', /There is no webhook yet/],
])('%s does not say that nothing is there where its server keeps the book back', async (path, claim) => {
  const { browser } = await enterAsMember(instance());
  browser.network.intercept(async (request, forward) =>
    new URL(request.url).pathname === book.list.path ? Response.json({}, { status: 500 }) : forward(),
  );
  await browser.open(path);
  await screen.findByText(/This server shows nothing here. That could not be compared/);
  expect(screen.queryByText(claim)).toBeNull();
});

test('a list from which everything was left out does not say that nothing is kept, and leads to the book', async () => {
  const member = await openMemoryVault(instance());
  const { browser } = member;
  await sealMemory(member, { title: 'The hives', content: 'She spoke to them first.' });
  browser.network.intercept(async (request, forward) =>
    new URL(request.url).pathname === MEMORIES && request.method === 'GET' ? Response.json([]) : forward(),
  );
  await browser.open('/memory-vault');
  const says = await screen.findByText(/This server shows nothing here. It does not show your vault as you/);
  expect(screen.queryByText('Nothing is kept here yet')).toBeNull();
  screen.getByText(/This server does not show 1 entry that your vault’s book has/);
  const link = within(says.parentElement ?? document.body).getByRole('link', { name: 'See the book' });
  expect(link.getAttribute('href')).toBe('/book');
});

test('nothing is said to be here while a book is new, wrong or kept back, or no server answers, and it is otherwise', async () => {
  const { devices } = await aVaultWith(instance(), 1);
  const { vault } = devices[0] as Device;
  const { queryClient } = vault;
  const right = await (await vault.loadBook()).look();
  const state: BookState = { ...right, isNew: false, rows: [], chain: null, isWithheld: false };
  const place = document.body.appendChild(document.createElement('div'));
  const root = createRoot(place);
  onTestFinished(() => root.unmount());
  root.render(
    <QueryClientProvider client={queryClient}>
      <VaultContext value={vault}>
        <NothingHere>Nothing is here.</NothingHere>
      </VaultContext>
    </QueryClientProvider>,
  );
  const says = async (found: Partial<BookState>, text: string | RegExp) => {
    const now = { ...state, ...found };
    queryClient.setQueryData(bookKey(vault), { ...now, isInDoubt: isInDoubt(now) });
    await within(place).findByText(text);
  };
  const row = { sealId: 'a', kind: 'memory', shown: null };
  await says({}, 'Nothing is here.');
  await says({ isNew: true }, /sees your vault’s book for the first time/);
  await says({ rows: [{ ...row, what: 'unknown' }], unwritten: 1 }, 'Nothing is here.');
  for (const what of ['missing', 'changed', 'returned'] as const) {
    await says({ rows: [{ ...row, what }] }, /does not show your vault as you have written it/);
    await says({}, 'Nothing is here.');
  }
  await says({ chain: { kind: 'broken', n: 1 } }, /does not show your vault as you have written it/);
  await says({ isWithheld: true }, /could not be compared/);
  await says({}, 'Nothing is here.');
  await says({ isSignedOut: true }, /could not be compared/);
  await says({}, 'Nothing is here.');
  noteAsOf(queryClient, MEMORIES, 1);
  await within(place).findByText(/Nothing of this is kept on this device/);
  noteAsOf(queryClient, MEMORIES, null);
  await within(place).findByText('Nothing is here.');
});
