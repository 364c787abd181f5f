// Who is told of a paused switch, and whether they were: each author whose scrolls watch, and each administrator, once a
// pause, at the address that they have proved.
import { expressionBuilder, type SqlBool, sql } from 'kysely';
import { asText } from '../../db/casts.ts';
import type { Database } from '../../db/open.ts';
import type { Schema } from '../../db/schema.ts';
import { transact } from '../../db/transact.ts';
import type { Deps } from '../../deps.ts';
import { isAdministrator } from '../../http/session.ts';
import { ackJob, enqueue } from '../../jobs/queue-store.ts';
import type { LeasedJob } from '../../jobs/registry.ts';
import { type InstanceClock, readInstanceClock } from '../clock/counted-time-store.ts';
import type { Message } from '../delivery/delivery-store.ts';
import { NOTIFY, newMessageId } from '../delivery/message-store.ts';

/** What says that the switch is paused: to an author, and to whoever can confirm. */
export type NoticeKind = 'paused' | 'confirm-switch';

/** How many are written at a time; others have their turn between them. */
const SLICE = 50;

interface Told {
  account_id: number;
  address: string;
}

type NoticeStore = Pick<Deps, 'db' | 'now' | 'calendar'> & { config: Pick<Deps['config'], 'adminSubjects'> };

/**
 * Some of those who are to be told, and for whom nothing has been written in this epoch.
 * @returns `last`: the last account that was looked at, where there may be more
 */
async function findUntold(
  { db, config }: Pick<NoticeStore, 'db' | 'config'>,
  kind: NoticeKind,
  epoch: number,
  after: number,
): Promise<{ untold: Told[]; last: number | null }> {
  const rows = await db
    .selectFrom('warning_addresses as warned')
    .innerJoin('accounts', 'accounts.id', 'warned.account_id')
    .select(['warned.account_id', 'warned.address'])
    .select(['accounts.uid', 'accounts.is_admin', 'accounts.oidc_subject'])
    .where('warned.proved_at', 'is not', null)
    // A text message would cost money, and could not say what there is to do.
    .where('warned.channel', '=', 'email')
    .where('warned.account_id', '>', after)
    .where(({ exists, selectFrom }) =>
      kind === 'paused'
        ? exists(
            selectFrom('legacy_scrolls')
              .select(sql.lit(1).as('one'))
              .whereRef('legacy_scrolls.account_id', '=', 'warned.account_id')
              .where('state', '=', sql.lit('watching'))
              .where('trigger_type', '!=', 'manual'),
          )
        : mayAdminister(config),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('messages')
            .select(sql.lit(1).as('one'))
            .whereRef('messages.account_id', '=', 'warned.account_id')
            .whereRef('messages.address', '=', 'warned.address')
            .where('messages.kind', '=', kind)
            .where('messages.step', '=', epoch),
        ),
      ),
    )
    .orderBy('warned.account_id')
    .limit(SLICE)
    .execute();
  const untold = rows.flatMap(({ account_id, address, ...account }) =>
    address !== null && (kind === 'paused' || isAdministrator(config, account))
      ? [{ account_id, address }]
      : [],
  );
  return { untold, last: rows.length === SLICE ? (rows.at(-1)?.account_id ?? null) : null };
}

/** Every administrator, and perhaps somebody whose subject is spelled much like the one of an administrator. */
function mayAdminister({ adminSubjects }: NoticeStore['config']) {
  const eb = expressionBuilder<Schema, 'accounts'>();
  const named = [...adminSubjects].flatMap((subject) => [
    eb('accounts.uid', '=', subject),
    // The issuer stands before it.
    sql<SqlBool>`accounts.oidc_subject like ${asText(sql.val(`% ${subject.replace(/[\\%_]/g, '\\$&')}`))} escape '\\'`,
  ]);
  return eb.or([eb('accounts.is_admin', '=', 1), ...named]);
}

/**
 * Writes what some of those who are to be told will read. Whoever proves another address meanwhile is told there as well.
 * @param after the last account that was looked at; 0 at first
 * @returns the same for the next call; null for no more
 */
export async function writeSomeNotices(
  { db, now, calendar, config }: NoticeStore,
  kind: NoticeKind,
  { epoch, counted_time, paused_at }: InstanceClock,
  after: number,
): Promise<number | null> {
  const { untold, last } = await findUntold({ db, config }, kind, epoch, after);
  for (const { account_id, address } of untold) {
    const isPaused = await transact(db, async (tx) => {
      // Another server writes them, too, and the administrator may have confirmed meanwhile.
      const clock = await tx
        .updateTable('instance_clock')
        .set((eb) => ({ epoch: eb.ref('epoch') }))
        .where('epoch', '=', epoch)
        .where('paused_reason', 'is not', null)
        .returning('id')
        .executeTakeFirst();
      if (!clock) return false;
      if (await isTold(tx, kind, { account_id, address }, epoch)) return true;
      const public_id = newMessageId();
      const message = { kind, channel: 'email', address, account_id, public_id, step: epoch } as const;
      const none = { scroll_id: null, scroll_public_id: null, why: null, sent_at: null, confirmed_at: null };
      await tx
        .insertInto('messages')
        .values({
          ...message,
          ...none,
          deadline: paused_at,
          created_at: now(),
          created_counted: counted_time,
          in_line_since: counted_time,
        })
        .execute();
      await enqueue(tx, NOTIFY, public_id, calendar());
      return true;
    });
    if (!isPaused) return null;
  }
  return last;
}

const isTold = async (
  tx: Database,
  kind: NoticeKind,
  { account_id, address }: Told,
  epoch: number,
): Promise<boolean> =>
  (await tx
    .selectFrom('messages')
    .select('id')
    .where('account_id', '=', account_id)
    .where('address', '=', address)
    .where('kind', '=', kind)
    .where('step', '=', epoch)
    .executeTakeFirst()) !== undefined;

/** Whether the pause that a notice tells of is still on. */
export async function isStillPaused(db: Database, { step }: Message): Promise<boolean> {
  const { paused_reason, epoch } = await readInstanceClock(db);
  return paused_reason !== null && epoch === step;
}

/** Whether another database answers at this server's address. */
export const isElsewhere = async (db: Database): Promise<boolean> =>
  (await readInstanceClock(db)).elsewhere !== null;

/** The pause is over, and nobody needs to hear of it any more. */
export async function dropNotice(db: Database, message: Message, job: LeasedJob): Promise<void> {
  await transact(db, async (tx) => {
    await tx
      .updateTable('messages')
      .set({ state: 'cancelled' })
      .where('id', '=', message.id)
      .where('state', '=', 'waiting')
      .execute();
    await ackJob(tx, job);
  });
}

/** A mail server has taken a notice. From the first to an author on, the pause lasts for a shorter time. */
export async function noteTold(db: Database, message: Message): Promise<void> {
  if (message.kind !== 'paused') return;
  await db
    .updateTable('instance_clock')
    .set((eb) => ({ told_at: eb.ref('paused_for') }))
    .where('paused_reason', 'is not', null)
    .where('epoch', '=', message.step)
    .where('told_at', 'is', null)
    .execute();
}
