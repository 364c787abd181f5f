// Guardians' kits that wait: whose author is warned, and whose wait is over. Each decision is made anew in a transaction
// that holds the author's life, as those of scrolls are. Handing out what a kit opens is for whoever asks (routes/).
import { sql } from 'kysely';
import type { Database } from '../../db/open.ts';
import { transact } from '../../db/transact.ts';
import { ofStandingVault } from '../../db/vault-state.ts';
import { type InstanceClock, mayAct, readInstanceClock } from '../clock/counted-time-store.ts';
import { tellOfKits, warnedOfKitsAt } from '../delivery/kit-messages-store.ts';
import { decideEach, SLICE } from './in-turns.ts';
import {
  type AskedKit,
  isAsked,
  isWaitOver,
  kitColumns,
  kitStepInDigest,
  nextKitCheckAt,
  nextKitWarning,
} from './kit-rules.ts';
import { lockLastActivity } from './last-activity-store.ts';
import type { SwitchStore } from './silence.ts';

/** Warns of kits that wait, and ends the waits that are over. */
export async function endKitWaits(deps: SwitchStore, clock: InstanceClock): Promise<void> {
  let behind: number | undefined = 0;
  while (behind !== undefined) {
    const due: Awaited<ReturnType<typeof readDue>> = await readDue(deps.db, clock.counted_time, behind);
    await decideEach(deps, due.filter(isAsked), (kit) => decide(deps, kit));
    behind = due.length === SLICE ? due.at(-1)?.id : undefined;
  }
}

const readDue = (db: Database, countedTime: number, behind: number) =>
  db
    .selectFrom('guardian_kits')
    .select(kitColumns)
    .where('asked_counted', 'is not', null)
    .where('ended_at', 'is', null)
    .where('next_check_at', '<=', countedTime)
    .where('id', '>', behind)
    .where(ofStandingVault('guardian_kits'))
    .orderBy('id')
    .limit(SLICE)
    .execute();

/** @returns false: no scroll was released */
async function decide(deps: SwitchStore, candidate: AskedKit): Promise<false> {
  const { rules } = deps;
  await transact(deps.db, async (tx) => {
    await lockLastActivity(tx, candidate.account_id);
    const waiting = await findWaitingKits(tx, candidate.account_id);
    const kit = waiting.find(({ id }) => id === candidate.id);
    const clock = await readInstanceClock(tx);
    if (!kit || !mayAct(clock)) return;
    if (isWaitOver(kit, clock, rules)) return endWait(deps, tx, kit);
    if (nextKitWarning(kit, clock.counted_time, rules) === null) return checkAgain(deps, tx, kit, clock);
    const last = await warnedOfKitsAt(tx, kit.account_id);
    const next = last === null ? 0 : last + rules.warningsApart;
    // An author gets one such mail a day, once one was accepted in this wait.
    if (next > clock.counted_time && kit.warning_accepted !== null) return writeNextCheck(tx, kit, next);
    await warn(deps, tx, waiting, clock);
  });
  return false;
}

async function findWaitingKits(tx: Database, accountId: number): Promise<AskedKit[]> {
  const rows = await tx
    .selectFrom('guardian_kits')
    .select(kitColumns)
    .where('account_id', '=', accountId)
    .where('asked_counted', 'is not', null)
    .where('ended_at', 'is', null)
    .orderBy('id')
    .execute();
  return rows.filter(isAsked);
}

/**
 * From now on whoever asks is given what the kit opens, until its author is active. An end comes after every earlier opening, also
 * by a calendar that was set back: that it was opened before must not keep its author from being told that it is opened again.
 */
async function endWait(deps: SwitchStore, tx: Database, { id, account_id }: AskedKit): Promise<void> {
  const time = deps.now();
  await tx
    .updateTable('guardian_kits')
    .set({
      ended_at: sql<number>`case when opened_at >= ${time} then opened_at + 1 else ${sql.val(time)} end`,
    })
    .where('id', '=', id)
    .execute();
  await tellOfKits(tx, { kind: 'kit-asked', accountId: account_id }, time);
}

async function warn(
  deps: SwitchStore,
  tx: Database,
  waiting: readonly AskedKit[],
  clock: InstanceClock,
): Promise<void> {
  const named = waiting.flatMap((kit) => {
    const step = kitStepInDigest(kit, clock.counted_time, deps.rules);
    return step === null ? [] : [{ kit, step }];
  });
  const [first] = named;
  if (!first) return;
  for (const { kit, step } of named) {
    await tx.updateTable('guardian_kits').set({ warning_step: step }).where('id', '=', kit.id).execute();
    await checkAgain(deps, tx, kit, clock);
  }
  const step = Math.max(...named.map((one) => one.step));
  await tellOfKits(tx, { kind: 'kit-asked', accountId: first.kit.account_id, step }, deps.now());
}

/** Past its deadline it is looked at with every tick: what holds it may end at any time. */
async function checkAgain({ rules }: SwitchStore, tx: Database, kit: AskedKit, clock: InstanceClock) {
  const next = nextKitCheckAt(kit, clock.counted_time, rules);
  if (next !== null) await writeNextCheck(tx, kit, next);
}

async function writeNextCheck(tx: Database, { id }: AskedKit, next: number): Promise<void> {
  await tx
    .updateTable('guardian_kits')
    .set({ next_check_at: sql.val(next) })
    .where('id', '=', id)
    .execute();
}
