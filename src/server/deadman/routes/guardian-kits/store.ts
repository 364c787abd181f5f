// Guardians' kits as their author has them: listed, made, removed. What the guardians do is in `ask-store.ts`.
import { type Expression, type RawBuilder, sql } from 'kysely';
import {
  ASKED_AGAIN_WITHIN,
  type GuardianKit,
  type GuardianKitInput,
  KITS_MAX,
} from '../../../../shared/nouns/guardian-kits.ts';
import { DAY } from '../../../../shared/time.ts';
import type { ChangedRows } from '../../../changes/changed-rows.ts';
import { changedIn } from '../../../changes/changes-store.ts';
import { asNumber, asText } from '../../../db/casts.ts';
import { createdUnderTheKey } from '../../../db/key-guard.ts';
import { lockAccount } from '../../../db/locks.ts';
import { type Database, isUniqueViolation } from '../../../db/open.ts';
import { iso, isoOrNull } from '../../../db/times.ts';
import { transact } from '../../../db/transact.ts';
import type { Deps } from '../../../deps.ts';
import { accountGone } from '../../../errors.ts';
import { logActivity } from '../../../http/activity-store.ts';
import { type Allowance, countAttempt } from '../../../http/rate-limit.ts';
import type { Caller } from '../../../http/session.ts';
import { type InstanceClock, readInstanceClock } from '../../clock/counted-time-store.ts';
import { tellOfKits } from '../../delivery/kit-messages-store.ts';
import { cancelMessages } from '../../delivery/message-store.ts';
import { isAsked, kitColumns, remainingOfKit } from '../../watch/kit-rules.ts';
import { lockLastActivity } from '../../watch/last-activity-store.ts';

type Store = Pick<Deps, 'db' | 'now' | 'log' | 'rules'>;
type Owner = Pick<Caller, 'accountId' | 'device'>;

/** Each is told of by a mail, and so is its removal: neither mailboxes nor the table of messages shall be filled from here. */
const MADE: Allowance = { attempts: 20, window: DAY };
const MADE_TODAY = 'You have made twenty guardians’ kits today. Make another one tomorrow.';

const columns = [
  ...kitColumns,
  ...(['details', 'seal_id', 'key_fingerprint', 'needed', 'count', 'address', 'created_at'] as const),
  ...(['asks', 'asked_at', 'ended_at', 'stopped_at', 'opened_at'] as const),
] as const;

const selectKits = (db: Database) => db.selectFrom('guardian_kits').select(columns);
type Row = Awaited<ReturnType<ReturnType<typeof selectKits>['execute']>>[number];

function toKit(row: Row, clock: InstanceClock, rules: Deps['rules']): GuardianKit {
  const isOver = row.ended_at !== null;
  return {
    id: row.id,
    details: row.details,
    needed: row.needed,
    count: row.count,
    waitDays: row.wait_days,
    address: row.address,
    createdAt: iso(row.created_at),
    asks: row.asks,
    asked:
      isAsked(row) && row.asked_at !== null
        ? { at: iso(row.asked_at), remaining: isOver ? 0 : remainingOfKit(row, clock, rules), isOver }
        : null,
    stoppedAt: isoOrNull(row.stopped_at),
    openedAt: isoOrNull(row.opened_at),
    sealId: row.seal_id,
    keyFingerprint: row.key_fingerprint,
  };
}

/** All of them, newest first. */
export async function listKits({ db, rules }: Store, accountId: number): Promise<GuardianKit[]> {
  const rows = await selectKits(db).where('account_id', '=', accountId).orderBy('id', 'desc').execute();
  if (rows.length === 0) return [];
  const clock = await readInstanceClock(db);
  return rows.map((row) => toKit(row, clock, rules));
}

/** How many kits of an account were asked for, and not stopped. */
export const askedKits = (db: Database, accountId: number | Expression<number>) =>
  db
    .selectFrom('guardian_kits')
    .where('account_id', '=', accountId)
    .where('asked_counted', 'is not', null)
    .select((q) => q.fn.countAll<number>().as('n'));

/** How many were stopped within the last thirty days, and not asked for since. @param time epoch milliseconds */
export const stoppedKits = (db: Database, accountId: Expression<number>, time: Expression<number>) =>
  db
    .selectFrom('guardian_kits')
    .where('account_id', '=', accountId)
    .where('asked_counted', 'is', null)
    .where('stopped_at', '>', sql<number>`${time} - ${sql.lit(ASKED_AGAIN_WITHIN)}`)
    .select((q) => q.fn.countAll<number>().as('n'));

export const changedKits: ChangedRows<GuardianKit> = {
  async rows({ db, rules }, range) {
    const rows = await selectKits(db)
      .where('account_id', '=', range.accountId)
      .where(changedIn('guardian-kit', range))
      .execute();
    if (rows.length === 0) return [];
    const clock = await readInstanceClock(db);
    return rows.map((row) => ({ id: row.id, row: toKit(row, clock, rules) }));
  },
};

/**
 * Keeps a kit.
 * @throws AppError `too-many`
 * @returns `kits-full` where there are as many as may be, `key-changed` when it was made under another key than the
 *   vault's, `seal-reused` when its seal or its address belongs to another
 */
export async function insertKit(
  deps: Store & Pick<Deps, 'digests'>,
  { accountId, device }: Owner,
  { sealId = null, keyFingerprint = null, ...kit }: GuardianKitInput,
): Promise<GuardianKit | 'kits-full' | 'key-changed' | 'seal-reused'> {
  const time = deps.now();
  try {
    return await transact(deps.db, async (tx) => {
      // One after the other, or two that are made at once would not count each other.
      if (!(await lockAccount(tx, accountId))) throw accountGone();
      if ((await countKits(tx, accountId)) >= KITS_MAX) return 'kits-full';
      const values = {
        account_id: asNumber(sql.val(accountId)),
        details: asText(sql.val(kit.details)),
        seal_id: asText(sql.val(sealId)),
        key_fingerprint: asText(sql.val(keyFingerprint)),
        needed: asNumber(sql.val(kit.needed)),
        count: asNumber(sql.val(kit.count)),
        wait_days: asNumber(sql.val(kit.waitDays)),
        address: asText(sql.val(kit.address)),
        claim_hash: asText(sql.val(kit.claimHash)),
        wrap: asText(sql.val(kit.wrap)),
        created_at: asNumber(sql.val(time)),
      };
      const names = Object.keys(values) as (keyof typeof values)[];
      const row = await tx
        .insertInto('guardian_kits')
        .columns(names)
        .expression(
          tx
            .selectNoFrom(names.map((name) => (values[name] as RawBuilder<string | number | null>).as(name)))
            .where(createdUnderTheKey(tx, values.account_id, values.key_fingerprint)),
        )
        .returning(columns)
        .executeTakeFirst();
      if (!row) return 'key-changed';
      // Counted here, so that only kits that are kept count; thrown here, it undoes this one.
      await countAttempt({ ...deps, db: tx }, `kits made ${accountId}`, MADE, MADE_TODAY);
      await lockLastActivity(tx, accountId);
      await tellOfKits(tx, { kind: 'kit-made', accountId, deadline: time }, time);
      await logActivity(deps, tx, accountId, { kind: 'guardian-kit-made', device });
      return toKit(row, await readInstanceClock(tx), deps.rules);
    });
  } catch (error) {
    if (isUniqueViolation(error)) return 'seal-reused';
    throw error;
  }
}

async function countKits(tx: Database, accountId: number): Promise<number> {
  const { count } = await tx
    .selectFrom('guardian_kits')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Removes a kit: nobody finds it any more. @returns false where there is no such kit */
export async function removeKit(deps: Store, { accountId, device }: Owner, id: number): Promise<boolean> {
  return transact(deps.db, async (tx) => {
    // Or guardians could ask for another kit between the look at what is left and the cancelling, which would then be of their asking.
    await lockLastActivity(tx, accountId);
    const gone = await tx
      .deleteFrom('guardian_kits')
      .where('id', '=', id)
      .where('account_id', '=', accountId)
      .returning('asked_counted')
      .executeTakeFirst();
    if (!gone) return false;
    // What waits to be sent names those that are left.
    const left = await tx
      .selectFrom('guardian_kits')
      .select('id')
      .where('account_id', '=', accountId)
      .where('asked_counted', 'is not', null)
      .executeTakeFirst();
    if (!left) await cancelMessages(tx, { accountId, kind: 'kit-asked' });
    const time = deps.now();
    await tellOfKits(tx, { kind: 'kit-removed', accountId, deadline: time }, time);
    await logActivity(deps, tx, accountId, { kind: 'guardian-kit-removed', device });
    return true;
  });
}

/** A kit, and the key that it opens from now on. */
export interface WrappedKit {
  id: number;
  wrap: string;
}

/**
 * Puts the wraps of another key in the place of those that were there, in the transaction that seals the kits under it.
 * @returns false unless these are just the kits that stand under that key
 */
export async function rewrapKits(
  tx: Database,
  { accountId, fingerprint }: { accountId: number; fingerprint: string },
  wrapped: readonly WrappedKit[],
): Promise<boolean> {
  const rows = await tx
    .selectFrom('guardian_kits')
    .select('id')
    .where('account_id', '=', accountId)
    .where('key_fingerprint', '=', fingerprint)
    .execute();
  const given = new Map(wrapped.map(({ id, wrap }) => [id, wrap]));
  if (given.size !== wrapped.length || given.size !== rows.length) return false;
  for (const { id } of rows) {
    const wrap = given.get(id);
    if (wrap === undefined) return false;
    await tx.updateTable('guardian_kits').set({ wrap }).where('id', '=', id).execute();
  }
  return true;
}
