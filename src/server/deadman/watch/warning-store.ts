// Warning an author, who gets one mail a day: the scroll whose warning is due takes along those of the same author whose
// warnings fall due within a day (docs/legacy.md, "Warnings").
import { expressionBuilder, sql } from 'kysely';
import { lockScrolls } from '../../db/locks.ts';
import type { Database } from '../../db/open.ts';
import type { Schema } from '../../db/schema.ts';
import { transact } from '../../db/transact.ts';
import { type InstanceClock, mayAct, readInstanceClock } from '../clock/counted-time-store.ts';
import { writeMessage } from '../delivery/message-store.ts';
import { provedAddresses } from '../delivery/proved-addresses-store.ts';
import { cancelWaitingWarnings, nameScrolls, warnedLast } from '../delivery/warned-scrolls-store.ts';
import { lockLastActivity } from './last-activity-store.ts';
import { postponedUntil } from './postponement-store.ts';
import {
  dueAt,
  isSilent,
  nextCheckAt,
  nextWarning,
  type Silent,
  type SwitchStore,
  silenceColumns,
  stepInDigest,
  waitsUntil,
} from './silence.ts';

const eb = expressionBuilder<Schema, 'legacy_scrolls'>();

const warnedByMail = (accountId: number) =>
  eb.and([
    eb('account_id', '=', accountId),
    eb('state', '=', sql.lit('watching')),
    eb('trigger_type', '=', 'inactivity'),
    eb('warning', '=', 'mail'),
  ]);

interface Named {
  scroll: Silent;
  step: number;
}

/** Warns of a scroll whose warning is due, and of what goes along. Whoever was warned of meanwhile changes nothing. */
export async function warn(deps: SwitchStore, candidate: Silent): Promise<void> {
  const { rules } = deps;
  await transact(deps.db, async (tx) => {
    const author = await lockLastActivity(tx, candidate.account_id);
    if (!author) return;
    await lockScrolls(tx, () => warnedByMail(candidate.account_id));
    const all = await findSilent(tx, candidate.account_id);
    const clock = await readInstanceClock(tx);
    const scroll = all.find(({ id }) => id === candidate.id);
    if (!scroll || !mayAct(clock)) return;
    const lastActivity = author.counted_time;
    const step = nextWarning(scroll, lastActivity, clock.counted_time, rules);
    if (step === null) return;
    const left = await warnedLast(tx, scroll.account_id, scroll.id);
    const until = waitsUntil(scroll, lastActivity, left, clock, rules);
    if (until !== null) return checkAgain(tx, scroll, until);
    // What waits says a time that has passed; the new one says it for all.
    const waiting = await cancelWaitingWarnings(tx, scroll.account_id);
    const named = all.flatMap((one): Named[] => {
      const its = stepInDigest(one, lastActivity, clock.counted_time, rules);
      if (its !== null) return [{ scroll: one, step: its }];
      return waiting.has(one.id) ? [{ scroll: one, step: one.warning_step }] : [];
    });
    for (const one of named) await takeStep(deps, tx, one, { lastActivity, clock });
    await writeWarning(deps, tx, { named, step, lastActivity, clock });
  });
}

async function findSilent(tx: Database, accountId: number): Promise<Silent[]> {
  const rows = await tx
    .selectFrom('legacy_scrolls')
    .select(silenceColumns)
    .select(postponedUntil('legacy_scrolls').as('postponed_until'))
    .where(warnedByMail(accountId))
    .orderBy('id')
    .execute();
  return rows.filter(isSilent);
}

async function checkAgain(tx: Database, { id }: Silent, next_check_at: number): Promise<void> {
  await tx.updateTable('legacy_scrolls').set({ next_check_at }).where('id', '=', id).execute();
}

/** The scrolls are held, and nobody else warns of them. */
async function takeStep(
  { rules }: SwitchStore,
  tx: Database,
  { scroll, step }: Named,
  { lastActivity, clock }: { lastActivity: number; clock: InstanceClock },
): Promise<void> {
  const next = nextCheckAt(scroll, lastActivity, clock.counted_time, rules);
  await tx
    .updateTable('legacy_scrolls')
    .set({ warning_step: step, ...(next === null ? {} : { next_check_at: next }) })
    .where('id', '=', scroll.id)
    .execute();
}

async function writeWarning(
  deps: SwitchStore,
  tx: Database,
  {
    named,
    step,
    lastActivity,
    clock,
  }: { named: readonly Named[]; step: number; lastActivity: number; clock: InstanceClock },
): Promise<void> {
  const [first] = named;
  if (!first) return;
  const { account_id } = first.scroll;
  const rows = named.map(({ scroll, step }) => ({
    scroll_id: scroll.id,
    step,
    due_in: dueAt(scroll, lastActivity, clock, deps.rules) - clock.counted_time,
  }));
  for (const warned of await provedAddresses(tx, account_id)) {
    const publicId = await writeMessage(
      tx,
      {
        kind: 'warning',
        ...warned,
        account_id,
        scroll_id: null,
        scroll_public_id: null,
        step,
        in_line_since: Math.min(...named.map(({ scroll }) => scroll.watching_since)),
      },
      { time: deps.now(), countedTime: clock.counted_time },
    );
    await nameScrolls(tx, publicId, rows);
  }
}
