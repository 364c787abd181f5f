// Erases what destroyed vaults held, a step at a time. Nobody can find anything of such a vault any more; what a server
// did not come to, the next sweep goes on with.
import { type Selectable, sql } from 'kysely';
import { locksRows } from '../db/hold.ts';
import type { Database } from '../db/open.ts';
import { askForRewriting } from '../db/rewrite.ts';
import type { VaultsTable } from '../db/schema.ts';
import { eraseRows, firstRows, type Heap, heapOf, newRoom, type Pace, takeSteps } from '../db/steps.ts';
import { transact } from '../db/transact.ts';
import { truncateLog } from '../db/truncate-log.ts';
import { DELIVER } from '../deadman/delivery/message-store.ts';
import { LEFT_AT_ONCE, leaveScrolls } from '../deadman/watch/leave-store.ts';
import type { Deps } from '../deps.ts';

type Store = Pick<Deps, 'db' | 'engine' | 'now' | 'digests'>;
type Vault = Selectable<VaultsTable>;

const scrolls = heapOf('legacy_scrolls');
const messages = heapOf('messages');
/** Ghosts, whose words go with them. */
export const ghostHeap = (key?: readonly string[]): Heap => ({
  ...heapOf('ghost_entries', key),
  size: sql`coalesce((select octet_length(words.encrypted_content) from ghost_words as words
    where words.ghost_id = ghost_entries.id), 0)`,
});

/** What a vault holds that does not go with the row of its account. A test walks the references to `vaults`. */
export const vaultContents: readonly Heap[] = [
  scrolls,
  heapOf('staged_entries', ['kind', 'entry_id']),
  heapOf('regenerations', ['account_id']),
  heapOf('shareable_keys'),
  ghostHeap(),
  heapOf('memory_entries'),
  heapOf('relationship_entries'),
];

/**
 * Erases what destroyed vaults held.
 * @param vault one of them; all of them, unless told
 */
export async function eraseDestroyed(deps: Store, vault?: number, pace?: Pace): Promise<void> {
  let erased = false;
  await takeSteps(async () => {
    const did = await transact(deps.db, (tx) => takeStep(deps, tx, vault));
    erased ||= did !== 'nothing';
    return did === 'something';
  }, pace);
  if (erased) await truncateLog(deps);
}

/** A destroyed vault, held. Another server may be at others. */
async function nextVault(tx: Database, id?: number): Promise<Vault | undefined> {
  let next = tx.selectFrom('vaults').selectAll().where('state', 'in', ['leaving', 'erasing']);
  if (id !== undefined) next = next.where('id', '=', id);
  next = next.orderBy('id').limit(1);
  return (locksRows(tx) ? next.forNoKeyUpdate().skipLocked() : next).executeTakeFirst();
}

/** Rows are taken in the order of db/hold.ts, so that scrolls and messages are not in one step, unless they are left. */
async function takeStep(deps: Store, tx: Database, id?: number): Promise<'nothing' | 'something' | 'all'> {
  const vault = await nextVault(tx, id);
  if (!vault) return 'nothing';
  if (await leaveSome(deps, tx, vault)) return 'something';
  if (await eraseMessages(tx, vault.id)) return 'something';
  if (await forgetRecipient(tx, vault.id)) return 'something';
  const room = newRoom();
  for (const heap of vaultContents) {
    const erased = await eraseRows(tx, heap, sql`account_id = ${vault.id}`, room);
    if (erased) await askForRewriting(tx, deps);
    if (room.rows <= 0) return 'something';
  }
  await tx.deleteFrom('vaults').where('id', '=', vault.id).execute();
  return id === undefined ? 'something' : 'all';
}

/** Lets go of scrolls that are left to their recipients; once there are none, the vault is only erased. */
async function leaveSome(deps: Store, tx: Database, vault: Vault): Promise<boolean> {
  if (vault.state !== 'leaving') return false;
  const some = await firstRows(tx, scrolls, sql`account_id = ${vault.id}`, newRoom(LEFT_AT_ONCE));
  if (!some) {
    await tx.updateTable('vaults').set({ state: 'erasing' }).where('id', '=', vault.id).execute();
    return false;
  }
  await leaveScrolls(deps, tx, vault, some.these);
  await askForRewriting(tx, deps);
  return true;
}

/** Messages hold addresses, and their jobs the numbers of messages. */
async function eraseMessages(tx: Database, vault: number): Promise<boolean> {
  const some = await firstRows(tx, messages, sql`account_id = ${vault}`, newRoom());
  if (!some) return false;
  const numbers = sql<string>`(select public_id from messages where ${some.these})`;
  await sql`delete from jobs where kind = ${DELIVER} and dedupe_key in ${numbers}`.execute(tx);
  await sql`delete from messages where ${some.these}`.execute(tx);
  return true;
}

/** What others have written for this vault stays theirs, and reaches nobody any more. */
async function forgetRecipient(tx: Database, vault: number): Promise<boolean> {
  const some = await firstRows(tx, scrolls, sql`recipient_account_id = ${vault}`, newRoom());
  if (!some) return false;
  await sql`update legacy_scrolls set recipient_account_id = null where ${some.these}`.execute(tx);
  return true;
}
