// Once a year the author of letters that watch is reminded to rehearse them: one mail for all of them, which asks for no
// press. It has no part in whether and when anything is released.
import { type ExpressionBuilder, expressionBuilder, sql } from 'kysely';
import type { SwitchRules } from '../../../shared/nouns/switch-rules.ts';
import { lockScrolls } from '../../db/locks.ts';
import type { Schema } from '../../db/schema.ts';
import { transact } from '../../db/transact.ts';
import { countedNow, type InstanceClock, mayAct, readInstanceClock } from '../clock/counted-time-store.ts';
import { writeMessage } from '../delivery/message-store.ts';
import { provedAddresses } from '../delivery/proved-addresses-store.ts';
import { AT_ONCE } from './in-turns.ts';
import { lockLastActivity } from './last-activity-store.ts';
import type { SwitchStore } from './silence.ts';

/** Letters whose year ends within so much of it go along with one whose year is over. */
const GO_ALONG = 1 / 12;

/** When the author of a letter that begins to watch now, or is rehearsed now, is reminded of it, in counted time. */
export const remindedAt = (rules: SwitchRules) =>
  expressionBuilder<Schema>()(countedNow(rules), '+', rules.rehearseEvery);

/** Reminds each author whose year is over. One that cannot be reminded keeps no other waiting. */
export async function remindToRehearse(deps: SwitchStore, clock: InstanceClock): Promise<void> {
  const authors = await deps.db
    .selectFrom('legacy_scrolls')
    .select('account_id')
    .distinct()
    // Said twice, or SQLite would rather read every scroll there is than the index of those that are to be rehearsed.
    .where('rehearse_at', 'is not', null)
    .where('rehearse_at', '<=', clock.counted_time)
    .where('account_id', 'is not', null)
    .limit(AT_ONCE)
    .execute();
  for (const { account_id } of authors) {
    try {
      if (account_id !== null) await remind(deps, account_id);
    } catch (error) {
      deps.log.error({ err: error }, 'an author could not be reminded of a rehearsal');
    }
  }
}

async function remind(deps: SwitchStore, accountId: number): Promise<void> {
  await transact(deps.db, async (tx) => {
    if (!(await lockLastActivity(tx, accountId))) return;
    const mine = (eb: ExpressionBuilder<Schema, 'legacy_scrolls'>) =>
      eb.and([eb('account_id', '=', accountId), eb('rehearse_at', 'is not', null)]);
    await lockScrolls(tx, mine);
    const clock = await readInstanceClock(tx);
    if (!mayAct(clock)) return;
    const watching = await tx
      .selectFrom('legacy_scrolls')
      .select(['id', 'rehearse_at'])
      .select(({ exists, selectFrom }) =>
        exists(
          selectFrom('scroll_recipients')
            .select('scroll_recipients.id')
            .whereRef('scroll_recipients.scroll_id', '=', 'legacy_scrolls.id')
            .where('access', 'in', ['card', 'passphrase']),
        ).as('has_key'),
      )
      .where(mine)
      .where('state', '=', sql.lit('watching'))
      .execute();
    const isDue = (within: number) =>
      watching.filter(({ rehearse_at }) => (rehearse_at ?? 0) <= clock.counted_time + within);
    if (isDue(0).length === 0) return;
    const named = isDue(GO_ALONG * deps.rules.rehearseEvery);
    await tx
      .updateTable('legacy_scrolls')
      .set({ rehearse_at: clock.counted_time + deps.rules.rehearseEvery })
      .where(
        'id',
        'in',
        named.map(({ id }) => id),
      )
      .execute();
    // What opens with nothing that could be lost needs no rehearsal.
    const letters = named.filter(({ has_key }) => Boolean(has_key)).length;
    if (letters === 0) return;
    for (const { channel, address } of await provedAddresses(tx, accountId)) {
      if (channel !== 'email') continue;
      await writeMessage(
        tx,
        {
          ...{ kind: 'rehearsal-due', channel, address, account_id: accountId },
          ...{ scroll_id: null, scroll_public_id: null, step: letters },
        },
        { time: deps.now(), countedTime: clock.counted_time },
      );
    }
  });
}
