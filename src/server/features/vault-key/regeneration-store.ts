// Regenerating a key in the database: what is sealed anew is staged, and one transaction puts all of it in place or
// nothing.

import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { SealedBookEntry } from '../../../shared/nouns/book.ts';
import type { ClientKeyRecord, KeyRingRecord } from '../../../shared/nouns/vault-key.ts';
import type { WithheldCount } from '../../../shared/sealed-kinds.ts';
import { HOUR } from '../../../shared/time.ts';
import { appendCheckpoint, type BookRefusal } from '../../book/book-store.ts';
import { lockAccount, lockKey, lockScrolls } from '../../db/locks.ts';
import { type Database, isUniqueViolation } from '../../db/open.ts';
import { allKinds, type EntryType, partsOf } from '../../db/sealed-tables.ts';
import { heapOf } from '../../db/steps.ts';
import { transactAlone } from '../../db/transact.ts';
import { rewrapKits, type WrappedKit } from '../../deadman/routes/guardian-kits/store.ts';
import { countWhispers } from '../../deadman/routes/scrolls/whisper-store.ts';
import type { Deps } from '../../deps.ts';
import { logActivity } from '../../http/activity-store.ts';
import { PROOF_LASTS } from '../../http/session.ts';
import { type Resealing, underAnotherKey } from './reseal-store.ts';
import { forgetRegeneration, inSlices, lockRegeneration, sealStaged } from './staged-store.ts';
import { replaceKey, type StandingKey } from './store.ts';
import { type KeyOwner, ownsPasskeys } from './wrap-store.ts';

export type Store = Pick<Deps, 'db' | 'now'>;

/** What a browser may not fetch, and what therefore stays under the key of today. */
export interface Withheld extends Record<WithheldCount, number> {
  /** Left for this vault and released; nobody is told of the others. */
  whispers: number;
}

/**
 * Begins a regeneration of the key with this fingerprint; whatever an earlier one has staged is forgotten.
 * @returns null when the vault has another key, or none
 */
export async function beginRegeneration(
  { db, now }: Store,
  accountId: number,
  publicId: string,
  fingerprint: string,
): Promise<Withheld | null> {
  const time = now();
  return transactAlone(db, async (tx) => {
    await lockAccount(tx, accountId);
    if ((await presentKey(tx, accountId))?.fingerprint !== fingerprint) return null;
    await forgetRegeneration(tx, accountId);
    await tx
      .insertInto('regenerations')
      .values({ account_id: accountId, public_id: publicId, fingerprint, begun_at: time })
      .execute();
    return countWithheld(tx, accountId, time);
  });
}

async function countWithheld(tx: Database, accountId: number, time: number): Promise<Withheld> {
  const counts = allKinds.flatMap(({ shape, table, holds, locked }) =>
    shape.withheld
      ? sql`(select count(*) from ${sql.table(table)} as entry
          where entry.account_id = ${accountId} and ${holds(time)}
            and ${locked ? locked(time) : sql`1 = 1`}) as ${sql.ref(shape.withheld.counted)}`
      : [],
  );
  const { rows } = await sql<Withheld>`select ${sql.join(counts)}`.execute(tx);
  const numbers = Object.entries(rows[0] ?? {}).map(([name, count]) => [name, Number(count)]);
  return { ...(Object.fromEntries(numbers) as Withheld), whispers: await countWhispers(tx, accountId) };
}

function presentKey(tx: Database, accountId: number) {
  return tx.selectFrom('vault_keys').selectAll().where('account_id', '=', accountId).executeTakeFirst();
}

/** Gives up; what was staged is forgotten. */
export async function abandonRegeneration({ db }: Store, accountId: number): Promise<void> {
  await transactAlone(db, async (tx) => {
    await lockAccount(tx, accountId);
    await forgetRegeneration(tx, accountId);
  });
}

export interface Finish {
  id: string;
  previousFingerprint: string;
  clientKey: ClientKeyRecord;
  keyRing: KeyRingRecord;
  wordsKept: boolean;
  /** The checkpoint with which the book goes on. */
  bookEntry?: SealedBookEntry | null | undefined;
  /** The new key, wrapped for each guardians' kit that is sealed anew. */
  kits?: readonly WrappedKit[] | null | undefined;
}

type Refusal =
  | 'key-changed'
  | 'regeneration-gone'
  | 'proof-needed'
  | 'entries-changed'
  | 'foreign-passkey'
  | BookRefusal;

/** How long beginning counts as the proof of finishing: time enough to write twenty-four words down. */
const BEGINNING_PROVES = HOUR;

/** Rolls the transaction back. */
class Refused extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(refusal);
    this.refusal = refusal;
  }
}

/**
 * Puts the new key and everything staged in place, in one transaction. The entries go first and are looked at
 * afterwards: what another tab has written in between is then seen, and nothing has happened.
 * @param replaced the key that the new one was compared with; null when another one stood there
 * @returns `finished` also when this very key is in place already, because its answer was lost on the way
 */
export async function finishRegeneration(
  deps: Store & Pick<Deps, 'log'>,
  owner: KeyOwner & { provedAt: number },
  finish: Finish,
  replaced: StandingKey | null,
): Promise<'finished' | Refusal> {
  const { accountId, device } = owner;
  const { clientKey, keyRing, previousFingerprint: previous } = finish;
  const time = deps.now();
  try {
    return await transactAlone(deps.db, async (tx) => {
      await lockAccount(tx, accountId);
      const present = await lockKey(tx, accountId);
      if (present && isInPlace(present, finish)) return 'finished';
      if (!replaced || present?.fingerprint !== previous) return 'key-changed';
      const begun = await lockRegeneration(tx, accountId, finish.id);
      if (begun?.fingerprint !== previous) return 'regeneration-gone';
      const beganLately = begun.begun_at + BEGINNING_PROVES > time;
      if (!beganLately && owner.provedAt + PROOF_LASTS <= time) return 'proof-needed';
      if (!(await ownsPasskeys(tx, accountId, clientKey.wraps))) return 'foreign-passkey';

      const { bookEntry } = finish;
      const refused = bookEntry ? await appendCheckpoint(tx, accountId, bookEntry) : null;
      if (refused) throw new Refused(refused);

      const resealing = { accountId, fingerprint: clientKey.fingerprint, time };
      await lockScrolls(tx, (eb) => eb('account_id', '=', accountId));
      await nameTheKeyOf(tx, accountId, previous);
      await sealStaged(tx, resealing);
      // A kit under the new key with the old one in its wrap would open nothing when its day has come.
      const isWrapped = await rewrapKits(tx, resealing, finish.kits ?? []);
      if (!isWrapped || (await somethingMissing(tx, resealing, previous))) {
        throw new Refused('entries-changed');
      }
      const wordsKeptAt = finish.wordsKept ? time : null;
      const swapped = await replaceKey(tx, owner, clientKey, { replaced, keyRing, wordsKeptAt, time });
      if (!swapped) throw new Refused('key-changed');
      await logActivity(deps, tx, accountId, { kind: 'key-replaced', device });
      return 'finished';
    });
  } catch (error) {
    if (error instanceof Refused) return error.refusal;
    // Another vault has this verifying key.
    if (isUniqueViolation(error)) return 'key-changed';
    throw error;
  }
}

/**
 * What is sealed and names no key was sealed under the one that is replaced, as far as anybody can tell. Once it says
 * so, it is missed unless it was staged or left, and the ring opens what had to stay. What has no seal number is no
 * browser's.
 */
export async function nameTheKeyOf(tx: Database, accountId: number, fingerprint: string): Promise<void> {
  const unnamed = sql<SqlBool>`account_id = ${accountId} and key_fingerprint is null and seal_id is not null`;
  for (const { name, table, id } of allKinds) {
    const setKey = (these: RawBuilder<SqlBool>) =>
      sql`update ${sql.table(table)} set key_fingerprint = ${fingerprint} where ${these}`.execute(tx);
    if (id === null) await setKey(unnamed);
    else
      for (const part of partsOf(name))
        await inSlices(tx, heapOf(table, [id]), sql`${unnamed} and ${part}`, setKey);
  }
}

/** Whether a vault already has exactly this key and this ring: nobody but this finish can have put them there. */
function isInPlace(
  present: NonNullable<Awaited<ReturnType<typeof lockKey>>>,
  { clientKey, keyRing }: Finish,
): boolean {
  return (
    present.fingerprint === clientKey.fingerprint &&
    present.verifying_key === clientKey.verifyingKey &&
    present.signature === clientKey.signature &&
    present.succession === clientKey.succession &&
    present.key_check === clientKey.keyCheck &&
    present.ring_seal_id === keyRing.sealId &&
    present.ring_sealed === keyRing.sealed
  );
}

/** Which rows a browser may have: those that are not locked. */
const fetchable = ({ holds, locked }: EntryType, time: number) =>
  locked ? sql`(${holds(time)} and not ${locked(time)})` : holds(time);

/**
 * Whether a row is still under the old key that was not left there on purpose, or whether one that was staged has been
 * written since. Nobody misses a row that was deleted meanwhile.
 */
export async function somethingMissing(
  tx: Database,
  { accountId, fingerprint, time }: Resealing,
  previous: string,
  kinds: readonly EntryType[] = allKinds,
): Promise<boolean> {
  for (const kind of kinds) {
    const { name, table, id, holds } = kind;
    const staged = sql`staged.account_id = ${accountId} and staged.kind = ${name}
      and staged.entry_id = ${id === null ? sql`0` : sql.ref(`entry.${id}`)}`;
    const { rows } = await sql`
      select 1 from ${sql.table(table)} as entry
      where entry.account_id = ${accountId} and (
        (
          entry.key_fingerprint = ${previous} and ${holds(time)}
          and not exists (select 1 from staged_entries as staged where ${staged} and staged.first is null)
        ) or (
          ${underAnotherKey('entry', fingerprint)} and ${fetchable(kind, time)}
          and exists (select 1 from staged_entries as staged where ${staged} and staged.first is not null)
        )
      )
      limit 1`.execute(tx);
    if (rows.length > 0) return true;
  }
  return false;
}
