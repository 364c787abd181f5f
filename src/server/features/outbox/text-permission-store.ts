// Which accounts send text messages, or want to, and the administrator's word about each.
import type { TextPermission } from '../../../shared/switch.ts';
import type { Database } from '../../db/open.ts';
import { transact } from '../../db/transact.ts';
import type { Deps } from '../../deps.ts';
import { recordActivity } from '../../http/activity-store.ts';
import { isKeeper } from '../../http/session.ts';
import { enqueue } from '../../jobs/queue-store.ts';
import { houseTime } from '../../switch/house-clock-store.ts';
import { DELIVER } from '../../switch/message-store.ts';

type Store = Pick<Deps, 'db' | 'config'>;

const AT_MOST = 500;

/** Each account with the number of its scrolls that go to a telephone. */
const accounts = (db: Database) =>
  db
    .selectFrom('accounts')
    .select(['id', 'uid', 'name', 'is_admin', 'oidc_subject', 'texts_permitted'])
    .select((eb) =>
      eb
        .selectFrom('legacy_scrolls')
        .select((q) => q.fn.countAll<number>().as('count'))
        .whereRef('legacy_scrolls.account_id', '=', 'accounts.id')
        .where('recipient_type', '=', 'sms')
        .as('scrolls'),
    );
type Row = Awaited<ReturnType<ReturnType<typeof accounts>['executeTakeFirstOrThrow']>>;

const show = ({ uid, name, scrolls, texts_permitted }: Row): TextPermission => ({
  accountId: uid,
  name,
  scrolls: Number(scrolls),
  permitted: texts_permitted === 1,
});

/** Those that were permitted, and those whose scrolls need it; an administrator needs no permission. */
export async function listTextAccounts({ db, config }: Store): Promise<TextPermission[]> {
  const rows = await accounts(db)
    .where((eb) =>
      eb.or([
        eb('texts_permitted', '=', 1),
        eb(
          'id',
          'in',
          eb.selectFrom('legacy_scrolls').select('account_id').where('recipient_type', '=', 'sms'),
        ),
      ]),
    )
    .orderBy('id')
    .limit(AT_MOST)
    .execute();
  return rows.filter((row) => !isKeeper(config, row)).map(show);
}

/** Gives the permission, which wakes what waits for it, or takes it back. Null for an account that is not there. */
export function permitTexts(
  deps: Pick<Deps, 'db' | 'now' | 'log'>,
  uid: string,
  permitted: boolean,
): Promise<TextPermission | null> {
  return transact(deps.db, async (tx) => {
    const account = await tx
      .updateTable('accounts')
      .set({ texts_permitted: permitted ? 1 : 0 })
      .where('uid', '=', uid)
      .returning('id')
      .executeTakeFirst();
    if (!account) return null;
    if (permitted) await wake(tx, account.id);
    await recordActivity(deps, tx, account.id, { kind: permitted ? 'texts-permitted' : 'texts-refused' });
    return show(await accounts(tx).where('id', '=', account.id).executeTakeFirstOrThrow());
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
  const time = await houseTime(tx);
  for (const { public_id } of waiting) await enqueue(tx, DELIVER, public_id, time);
}
