// Letters of other instances whose authors' silence has lasted here. Each decision is made anew in a transaction that holds
// the letter, so that a sign that has just come is never overlooked. Nothing leaves by it but this instance's own share.
import { lockRows } from '../../db/locks.ts';
import type { Database } from '../../db/open.ts';
import { transact } from '../../db/transact.ts';
import type { Deps } from '../../deps.ts';
import { enqueue } from '../../jobs/queue-store.ts';
import { type InstanceClock, mayAct, readInstanceClock } from '../clock/counted-time-store.ts';
import { decideEach, SLICE } from '../watch/in-turns.ts';
import { SISTER_LETTER } from './letter-store.ts';
import { type CountedLetter, countedColumns, isSilenceOver, nextLetterCheck } from './rules.ts';

export type SisterSwitch = Pick<Deps, 'db' | 'log' | 'rules' | 'sisters'>;

/**
 * Decides what is due by the switch's clock. Letters of instances that are listed no more wait, and so do those whose authors
 * have never given a sign here: an instance that kept a box to itself could bring it after its author has ended the letter, who
 * would give no signs for it.
 */
export async function endSisterSilences(deps: SisterSwitch, clock: InstanceClock): Promise<void> {
  if (!deps.sisters) return;
  const listed = deps.sisters.listed.map(({ origin }) => origin);
  let behind: string | undefined = '';
  while (behind !== undefined) {
    const due: CountedLetter[] = await readDue(deps.db, listed, clock.counted_time, behind);
    await decideEach(deps, due, (letter) => decide(deps, letter.id));
    behind = due.length === SLICE ? due.at(-1)?.id : undefined;
  }
}

const readDue = (db: Database, listed: string[], countedTime: number, behind: string) =>
  db
    .selectFrom('sister_letters')
    .select(countedColumns)
    .where('ended_by', 'is', null)
    .where('released_counted', 'is', null)
    .where('signed_counted', 'is not', null)
    .where('next_check_at', '<=', countedTime)
    .where('from_origin', 'in', listed)
    .where('id', '>', behind)
    .orderBy('id')
    .limit(SLICE)
    .execute();

function decide({ db, rules }: SisterSwitch, id: string): Promise<boolean> {
  return transact(db, async (tx) => {
    const query = tx
      .selectFrom('sister_letters')
      .select(countedColumns)
      .where('id', '=', id)
      .where('ended_by', 'is', null)
      .where('released_counted', 'is', null)
      .where('signed_counted', 'is not', null);
    const letter = await lockRows(tx, query).executeTakeFirst();
    const clock = await readInstanceClock(tx);
    if (!letter || !mayAct(clock)) return false;
    const isOver = isSilenceOver(letter, clock, rules);
    const next = isOver ? null : nextLetterCheck(letter, clock.counted_time, rules);
    if (!isOver && next === null) return false;
    await tx
      .updateTable('sister_letters')
      .set(
        isOver
          ? { released_counted: clock.counted_time, was_released: 1, tries: 0 }
          : { next_check_at: next ?? 0 },
      )
      .where('id', '=', id)
      .execute();
    if (isOver) await enqueue(tx, SISTER_LETTER, id, clock.counted_time);
    return isOver;
  });
}
