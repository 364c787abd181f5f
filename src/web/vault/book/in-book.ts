// How a change of what the vault has sealed is sent: with an entry of its book. What keeps the book is loaded with the first
// change, and no sooner.
import type { ArgumentsOf, BookedClient } from '../../api/client.ts';
import type { OpenVault } from '../session/vault-context.ts';
import type { Written, WrittenRow } from './written.ts';

/**
 * What sends one change with its entry. Where another device was faster, the entry is made anew and sent again.
 * @param written what the call will have done
 */
export const inBook = (vault: OpenVault, written: Written): BookedClient => ({
  async send(row, args) {
    const { keeperOf } = await import('./keeper.ts');
    const sent = (entry: unknown) => vault.api.send(row, { ...args, entry } as ArgumentsOf<typeof row>);
    return keeperOf(vault).write(written, sent);
  },
});

/** Sends one of many changes, which do not wait for each other's entries: `noteRow` says what was kept. */
export const withoutEntry = (vault: OpenVault): BookedClient => ({
  send: (row, args) => vault.api.send(row, { ...args, entry: null } as ArgumentsOf<typeof row>),
});

/** Has a row that was kept without an entry taken into the book, soon, together with others. */
export async function noteRow(vault: OpenVault, row: WrittenRow): Promise<void> {
  const { keeperOf } = await import('./keeper.ts');
  keeperOf(vault).note([row]);
}

/** Writes what was noted into the book now. Returns how many rows are still in no entry: what was brought is whole without. */
export async function writeNoted(vault: OpenVault): Promise<number> {
  const { keeperOf } = await import('./keeper.ts');
  return keeperOf(vault).settle();
}
