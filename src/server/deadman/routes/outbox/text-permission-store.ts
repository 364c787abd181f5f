// Which accounts send text messages, or want to, and the administrator's word about each.
import type { ExpressionBuilder } from 'kysely';
import type { TextPermission } from '../../../../shared/nouns/outbox.ts';
import { setTextsPermitted } from '../../../accounts/account-store.ts';
import type { Database } from '../../../db/open.ts';
import type { Schema } from '../../../db/schema.ts';
import { transact } from '../../../db/transact.ts';
import type { Deps } from '../../../deps.ts';
import { logActivity } from '../../../http/activity-store.ts';
import { type Asked, type Page, readPage } from '../../../http/pages.ts';
import { isAdministrator } from '../../../http/session.ts';
import { enqueue } from '../../../jobs/queue-store.ts';
import { countedTime } from '../../clock/counted-time-store.ts';
import { DELIVER } from '../../delivery/message-store.ts';

type Store = Pick<Deps, 'db' | 'config'>;

/** Its text messages that wait for the permission. */
const waitingOf = (eb: ExpressionBuilder<Schema, 'accounts'>) =>
  eb
    .selectFrom('messages')
    .whereRef('messages.account_id', '=', 'accounts.id')
    .where('messages.channel', '=', 'sms')
    .where('messages.state', '=', 'waiting')
    .where('messages.withheld', '=', 'permission');

const textScrollsOf = (eb: ExpressionBuilder<Schema, 'accounts'>) =>
  eb
    .selectFrom('scroll_recipients')
    .whereRef('scroll_recipients.account_id', '=', 'accounts.id')
    .where('recipient_type', '=', 'sms');

/** Its telephone that warnings go to, or are to go to. */
const warnedByTextOf = (eb: ExpressionBuilder<Schema, 'accounts'>) =>
  eb
    .selectFrom('warning_addresses')
    .whereRef('warning_addresses.account_id', '=', 'accounts.id')
    .where((q) =>
      q.or([
        q.and([q('channel', '=', 'sms'), q('address', 'is not', null)]),
        q.and([q('asked_channel', '=', 'sms'), q('asked_address', 'is not', null)]),
      ]),
    );

/** Each account with the numbers of its scrolls that go to a telephone, and of its messages that wait. */
const accounts = (db: Database) =>
  db
    .selectFrom('accounts')
    .select(['id', 'uid', 'name', 'is_admin', 'oidc_subject', 'texts_permitted'])
    .select((eb) => [
      textScrollsOf(eb)
        .select((q) => q.fn.count<number>('scroll_recipients.scroll_id').distinct().as('count'))
        .as('scrolls'),
      waitingOf(eb)
        .select((q) => q.fn.countAll<number>().as('count'))
        .as('waiting'),
    ]);
type Row = Awaited<ReturnType<ReturnType<typeof accounts>['executeTakeFirstOrThrow']>>;

const show = ({ id, uid, name, scrolls, waiting, texts_permitted }: Row): TextPermission => ({
  id,
  accountId: uid,
  name,
  scrolls: Number(scrolls),
  waiting: Number(waiting),
  permitted: texts_permitted === 1,
});

/**
 * One page of those that were permitted, and of those whose scrolls need it, newest first. An administrator needs no
 * permission.
 * @param waiting only those with messages that wait for the permission, or only the others
 */
export async function listTextAccounts(
  { db, config }: Store,
  asked: Asked,
  waiting?: 'yes' | 'no',
): Promise<Page<TextPermission>> {
  const { rows, more } = await readPage(asked, {
    rows: async ({ limit, before }) => {
      const found: Row[] = [];
      // Those whom the configuration names as administrators are known here alone.
      for (let from = before; ; ) {
        const wanted = limit - found.length;
        const some = await textAccounts(db, waiting).where('id', '<', from).limit(wanted).execute();
        found.push(...some.filter((row) => !isAdministrator(config, row)));
        from = some.at(-1)?.id ?? 0;
        if (some.length < wanted || found.length === limit) return found;
      }
    },
  });
  return { rows: rows.map(show), more };
}

function textAccounts(db: Database, waiting: 'yes' | 'no' | undefined) {
  const all = accounts(db)
    .where('is_admin', '=', 0)
    .where((eb) =>
      eb.or([
        eb('texts_permitted', '=', 1),
        eb.exists(textScrollsOf(eb).select('scroll_recipients.id')),
        eb.exists(warnedByTextOf(eb).select('warning_addresses.place')),
        eb.exists(waitingOf(eb).select('messages.id')),
      ]),
    )
    .orderBy('id', 'desc');
  if (waiting === undefined) return all;
  return all.where('id', waiting === 'yes' ? 'in' : 'not in', (eb) =>
    eb
      .selectFrom('messages')
      .select((q) => q.ref('messages.account_id').$notNull().as('id'))
      .where('messages.state', '=', 'waiting')
      .where('messages.withheld', '=', 'permission')
      .where('messages.account_id', 'is not', null),
  );
}

/** Any account by its number; null where there is none, and for an administrator's. */
export async function findTextAccount({ db, config }: Store, uid: string): Promise<TextPermission | null> {
  const row = await accounts(db).where('uid', '=', uid).executeTakeFirst();
  return row && !isAdministrator(config, row) ? show(row) : null;
}

/** Gives the permission, which wakes what waits for it, or takes it back. Null for an account that is not there. */
export function permitTexts(
  deps: Pick<Deps, 'db' | 'now' | 'log'>,
  uid: string,
  permitted: boolean,
): Promise<TextPermission | null> {
  return transact(deps.db, async (tx) => {
    const accountId = await setTextsPermitted(tx, uid, permitted);
    if (accountId === null) return null;
    if (permitted) await wake(tx, accountId);
    await logActivity(deps, tx, accountId, { kind: permitted ? 'texts-permitted' : 'texts-refused' });
    return show(await accounts(tx).where('id', '=', accountId).executeTakeFirstOrThrow());
  });
}

async function wake(tx: Database, accountId: number): Promise<void> {
  const waiting = await tx
    .selectFrom('messages')
    .select('public_id')
    .where('account_id', '=', accountId)
    .where('state', '=', 'waiting')
    .where('withheld', '=', 'permission')
    .orderBy('id')
    .execute();
  const time = await countedTime(tx);
  for (const { public_id } of waiting) await enqueue(tx, DELIVER, public_id, time);
}
