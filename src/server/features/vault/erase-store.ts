// Erases what destroyed vaults held, a step at a time. Nobody can find anything of such a vault any more; what a server
// did not come to, the next sweep goes on with.
import { type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import { kindNames, sealedKinds } from '../../../shared/sealed-kinds.ts';
import { contentsOf } from '../../db/contents.ts';
import { locksRows } from '../../db/locks.ts';
import type { Database } from '../../db/open.ts';
import { requestVacuum } from '../../db/rewrite.ts';
import type { VaultsTable } from '../../db/schema/accounts.ts';
import { partsOf } from '../../db/sealed-tables.ts';
import {
  eraseRows,
  firstRows,
  type Heap,
  heapOf,
  heapOfFiles,
  newRoom,
  type Pace,
  takeSteps,
} from '../../db/steps.ts';
import { transact } from '../../db/transact.ts';
import { truncateLog } from '../../db/truncate-log.ts';
import {
  cancelReminders,
  eraseMessages,
  forgetRecipient,
  LEFT_AT_ONCE,
  leaveScrolls,
} from '../../deadman/watch/leave-store.ts';
import type { Deps } from '../../deps.ts';

type Store = Pick<Deps, 'db' | 'engine' | 'now' | 'digests'>;
type Vault = Selectable<VaultsTable>;

const scrolls = contentsOf('legacy-scroll');

interface Content extends Heap {
  /** Which of its rows; absent for all of them. */
  part?: RawBuilder<SqlBool>;
  /** Nobody wrote anything of it, so that the file need not be rewritten for its sake. */
  isWordless?: true;
}

/**
 * What a vault holds that does not go with the row of its account: every kind that has many rows, and what is staged for a
 * new key. A test walks the references to `vaults`.
 */
export const vaultContents: readonly Content[] = [
  // Before the entries, which would take theirs along whatever room a step has. The store's bytes follow (features/files/).
  heapOfFiles(),
  heapOf('staged_entries', ['kind', 'entry_id']),
  heapOf('regenerations', ['account_id']),
  heapOf('book_entries', ['n']),
  heapOf('import_deliveries', ['webhook_id', 'delivery_hash']),
  ...kindNames(sealedKinds)
    .filter((name) => sealedKinds[name].rows === 'many')
    .flatMap((name) => partsOf(name).map((part) => ({ ...contentsOf(name), part }))),
  // What is left of nothing but numbers.
  { ...heapOf('changes', ['kind', 'entry_id']), isWordless: true },
];

/**
 * Erases what a destroyed vault held.
 * @returns how many steps were taken
 */
export async function eraseDestroyed(deps: Store, vault: number, pace?: Pace): Promise<number> {
  let erased = false;
  const steps = await takeSteps(async () => {
    const did = await transact(deps.db, (tx) => takeStep(deps, tx, vault));
    erased ||= did !== 'nothing';
    return did === 'something';
  }, pace);
  if (erased) await truncateLog(deps);
  return steps;
}

/** How many steps one sweep takes: some thirty seconds. The next one goes on. */
const STEPS = 1000;

/**
 * Goes on with what requests did not come to, or a server that was killed. A vault that cannot be erased keeps none of the
 * others waiting.
 * @throws what went wrong with the first of those, at the end
 */
export async function expireVaults(deps: Store, signal?: AbortSignal): Promise<void> {
  const failures: unknown[] = [];
  let steps = STEPS;
  for (let id = await nextDestroyed(deps, 0); id !== undefined; id = await nextDestroyed(deps, id)) {
    if (steps <= 0 || signal?.aborted) break;
    try {
      steps -= await eraseDestroyed(deps, id, { steps, signal });
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}

async function nextDestroyed({ db }: Store, after: number): Promise<number | undefined> {
  const next = await destroyed(db)
    .select('id')
    .where('id', '>', after)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return next?.id;
}

const destroyed = (db: Database) => db.selectFrom('vaults').where('state', 'in', ['leaving', 'erasing']);

/** A destroyed vault, held; none while another server is at it. */
async function lockDestroyed(tx: Database, id: number): Promise<Vault | undefined> {
  const vault = destroyed(tx).selectAll().where('id', '=', id);
  return (locksRows(tx) ? vault.forNoKeyUpdate().skipLocked() : vault).executeTakeFirst();
}

/** Rows are taken in the order of db/locks.ts, so that scrolls and messages are not in one step, unless they are left. */
async function takeStep(deps: Store, tx: Database, id: number): Promise<'nothing' | 'something' | 'all'> {
  const vault = await lockDestroyed(tx, id);
  if (!vault) return 'nothing';
  if (await leaveSome(deps, tx, vault)) return 'something';
  if (await cancelReminders(tx, vault.id)) return 'something';
  if (await eraseMessages(tx, vault.id)) return 'something';
  if (await forgetRecipient(tx, vault.id)) return 'something';
  const room = newRoom();
  for (const heap of vaultContents) {
    const mine = sql<SqlBool>`account_id = ${vault.id}`;
    const erased = await eraseRows(tx, heap, heap.part ? sql`${mine} and ${heap.part}` : mine, room);
    if (erased && !heap.isWordless) await requestVacuum(tx, deps);
    if (room.rows <= 0) return 'something';
  }
  await tx.deleteFrom('vaults').where('id', '=', vault.id).execute();
  return 'all';
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
  await requestVacuum(tx, deps);
  return true;
}
