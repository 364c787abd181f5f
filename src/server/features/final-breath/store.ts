// The Final Breath in the database: one row per vault at most. Its words leave it once, with one winner, and are then
// forgotten: at once, or with the lease of the browser that has them.
import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely';
import type { Breath, BreathInput } from '../../../shared/nouns/final-breath.ts';
import { LEASE } from '../../../shared/share-lease.ts';
import type { ChangedRows } from '../../changes/changed-rows.ts';
import { asNumber, asText } from '../../db/casts.ts';
import { createdUnderTheKey, isAnotherKey } from '../../db/key-guard.ts';
import { padToOverflow, unpadOverflow } from '../../db/overflow.ts';
import type { FinalBreathsTable } from '../../db/schema/entries.ts';
import type { Schema } from '../../db/schema.ts';
import { iso, isoOrNull } from '../../db/times.ts';
import { retried } from '../../db/transact.ts';
import { truncateLog } from '../../db/truncate-log.ts';
import type { Deps } from '../../deps.ts';
import { sha256 } from '../../digests.ts';

type Store = Pick<Deps, 'db' | 'engine' | 'now'>;
type Row = Pick<FinalBreathsTable, 'seal_id' | 'key_fingerprint' | 'created_at' | 'released_at'>;

const columns = ['seal_id', 'key_fingerprint', 'created_at', 'released_at'] as const;

const plainFields = (row: Row) => ({
  createdAt: iso(row.created_at),
  sealId: row.seal_id,
  keyFingerprint: row.key_fingerprint,
});

const toBreath = (row: Row): Breath => ({
  ...plainFields(row),
  encryptedContent: null,
  releasedAt: isoOrNull(row.released_at),
});

/** A condition: sealed, or released so lately that its reader may still fetch it. Whatever else is there counts as none. */
function stands(time: number): Expression<SqlBool> {
  const eb = expressionBuilder<Schema, 'final_breaths'>();
  return eb.or([eb('released_at', 'is', null), eb('lease_until', '>', time)]);
}

export async function findBreath(
  { db, now }: Pick<Store, 'db' | 'now'>,
  accountId: number,
): Promise<Breath | null> {
  const row = await db
    .selectFrom('final_breaths')
    .select(columns)
    .where('account_id', '=', accountId)
    .where(stands(now()))
    .executeTakeFirst();
  return row ? toBreath(row) : null;
}

export const changedBreath: ChangedRows<Breath> = {
  rows: async (deps, { accountId }) => [{ id: 0, row: await findBreath(deps, accountId) }],
};

/**
 * Seals a breath where none stands. Sending the same seal with the same words again, as after a lost answer, keeps
 * it once.
 */
export async function createBreath(
  deps: Store,
  accountId: number,
  input: BreathInput,
): Promise<Breath | 'breath-sealed' | 'key-changed'> {
  const { db } = deps;
  const time = deps.now();
  const account = asNumber(sql.val(accountId));
  const fingerprint = asText(sql.val(input.keyFingerprint ?? null));
  const row = await db
    .insertInto('final_breaths')
    .columns(['account_id', 'encrypted_content', 'seal_id', 'key_fingerprint', 'created_at'])
    .expression(
      db
        .selectNoFrom([
          account.as('account_id'),
          asText(sql.val(padToOverflow(input.encryptedContent))).as('encrypted_content'),
          asText(sql.val(input.sealId ?? null)).as('seal_id'),
          fingerprint.as('key_fingerprint'),
          asNumber(sql.val(time)).as('created_at'),
        ])
        .where(createdUnderTheKey(db, account, fingerprint)),
    )
    .onConflict((conflict) =>
      conflict
        .column('account_id')
        // A released one whose lease is over, and which no sweep has met yet, gives way.
        .doUpdateSet((eb) => ({
          encrypted_content: eb.ref('excluded.encrypted_content'),
          seal_id: eb.ref('excluded.seal_id'),
          key_fingerprint: eb.ref('excluded.key_fingerprint'),
          created_at: eb.ref('excluded.created_at'),
          redemption_hash: null,
          released_at: null,
          lease_until: null,
        }))
        .where('final_breaths.lease_until', '<=', time),
    )
    .returning(columns)
    .executeTakeFirst();
  if (row) {
    await truncateLog(deps);
    return toBreath(row);
  }
  if (await isAnotherKey(db, accountId, input.keyFingerprint)) return 'key-changed';
  const kept = await db
    .selectFrom('final_breaths')
    .select(columns)
    .where('account_id', '=', accountId)
    .where('seal_id', '=', input.sealId ?? null)
    .where('encrypted_content', '=', padToOverflow(input.encryptedContent))
    .where('released_at', 'is', null)
    .executeTakeFirst();
  return kept ? toBreath(kept) : 'breath-sealed';
}

export interface Release extends Omit<Breath, 'encryptedContent' | 'releasedAt'> {
  encryptedContent: string;
  releasedAt: string;
  leaseUntil: string | null;
}
type Gone = 'not-found' | 'breath-released';

/** Takes the words out of the database into this one answer. */
export async function burnBreath(deps: Store, accountId: number): Promise<Release | Gone> {
  const row = await deps.db
    .deleteFrom('final_breaths')
    .where('account_id', '=', accountId)
    .where('released_at', 'is', null)
    .returning([...columns, 'encrypted_content'])
    .executeTakeFirst();
  if (!row) return whyNot(deps, accountId);
  await truncateLog(deps);
  return {
    ...plainFields(row),
    encryptedContent: unpadOverflow(row.encrypted_content),
    releasedAt: iso(deps.now()),
    leaseUntil: null,
  };
}

/**
 * Releases the words to the browser that knows `redemptionId`, and to it alone: the first one wins, and may come again
 * until the lease ends. One statement decides, and leaves release and lease as the first time has set them.
 */
export async function leaseBreath(
  deps: Store,
  accountId: number,
  redemptionId: string,
): Promise<Release | Gone> {
  const time = deps.now();
  const hash = sha256(redemptionId);
  const row = await deps.db
    .updateTable('final_breaths')
    .set({
      redemption_hash: hash,
      released_at: sql<number>`coalesce(released_at, ${time})`,
      lease_until: sql<number>`coalesce(lease_until, ${time + LEASE})`,
    })
    .where('account_id', '=', accountId)
    .where((eb) =>
      eb.or([
        eb('released_at', 'is', null),
        eb.and([eb('redemption_hash', '=', hash), eb('lease_until', '>', time)]),
      ]),
    )
    .returning([...columns, 'encrypted_content', 'lease_until'])
    .executeTakeFirst();
  if (!row) return whyNot(deps, accountId);
  return {
    ...plainFields(row),
    encryptedContent: unpadOverflow(row.encrypted_content),
    releasedAt: iso(row.released_at ?? time),
    leaseUntil: isoOrNull(row.lease_until),
  };
}

/** Forgets a released breath, when the browser that has it says so. */
export async function acknowledgeBreath(
  deps: Store,
  accountId: number,
  redemptionId: string,
): Promise<boolean> {
  const row = await deps.db
    .deleteFrom('final_breaths')
    .where('account_id', '=', accountId)
    .where('redemption_hash', '=', sha256(redemptionId))
    .returning('account_id')
    .executeTakeFirst();
  if (!row) return false;
  await truncateLog(deps);
  return true;
}

/** Burns a sealed breath that nobody has read. */
export async function deleteBreath(deps: Store, accountId: number): Promise<'burned' | Gone> {
  const row = await deps.db
    .deleteFrom('final_breaths')
    .where('account_id', '=', accountId)
    .where('released_at', 'is', null)
    .returning('account_id')
    .executeTakeFirst();
  if (!row) return whyNot(deps, accountId);
  await truncateLog(deps);
  return 'burned';
}

/** Only words for a refusal that a statement above has already made. */
async function whyNot(deps: Store, accountId: number): Promise<Gone> {
  return (await findBreath(deps, accountId)) ? 'breath-released' : 'not-found';
}

/** Deletes a breath that was released and never acknowledged, when its lease is over. */
export async function expireBreaths({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<void> {
  await retried(db, () => db.deleteFrom('final_breaths').where('lease_until', '<=', now()).execute());
}
