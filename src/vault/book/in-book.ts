// How a change of what the vault has sealed is sent: with an entry of its book. What keeps the book is loaded with the first
// change, and no sooner.
import type { ArgumentsOf, BookedClient } from '../api/api-client.ts';
import type { Vault } from '../vault.ts';
import type { Written, WrittenRow } from './written.ts';

/**
 * What sends one change with its entry. Where another device was faster, the entry is made anew and sent again.
 * @param written what the call will have done
 */
export const inBook = (vault: Vault, written: Written): BookedClient => ({
  async send(row, args) {
    const sent = (entry: unknown) => vault.api.send(row, { ...args, entry } as ArgumentsOf<typeof row>);
    return (await vault.loadBook()).write(written, sent);
  },
});

/** Sends one of many changes, which do not wait for each other's entries: `noteRow` says what was kept. */
export const withoutEntry = (vault: Vault): BookedClient => ({
  send: (row, args) => vault.api.send(row, { ...args, entry: null } as ArgumentsOf<typeof row>),
});

/** Has a row that was kept without an entry taken into the book, soon, together with others. */
export async function noteRow(vault: Vault, row: WrittenRow): Promise<void> {
  (await vault.loadBook()).note([row]);
}
