// Entries sealed anew under another key: one statement for each kind, whether they come from the staging table or
// from a request. Seal numbers stay, and so do the versions and times of what people wrote: sealing anew is no edit, and
// nobody who is writing shall be told that somebody else was faster.
import { type AliasedExpression, sql } from 'kysely';
import type { ResealedEntry } from '../../../shared/regeneration.ts';
import { bury } from '../../db/buried.ts';
import { holdAccount } from '../../db/hold.ts';
import type { Database } from '../../db/open.ts';
import type { StagedEntriesTable } from '../../db/schema.ts';
import { transact } from '../../db/transact.ts';
import type { Deps } from '../../deps.ts';

/** An entry as the staging table has it. */
export type ResealedRow = Omit<StagedEntriesTable, 'account_id'>;

/** Up to three sealed fields, in the order in which the contract names them. */
export function toRow(entry: ResealedEntry): ResealedRow {
  const { kind } = entry;
  switch (kind) {
    case 'memory':
      return row(kind, entry.id, entry.version, entry.title, entry.encryptedContent);
    case 'relationship':
      return row(kind, entry.id, entry.version, entry.personName, entry.encryptedContent);
    case 'legacy-scroll':
      return row(kind, entry.id, entry.version, entry.title, entry.encryptedScrollKey);
    case 'onboarding':
      return row(kind, 0, 0, entry.question1, entry.question2, entry.question3);
    case 'sacred-key':
      return row(kind, entry.id, 0, entry.encryptedSecret);
    case 'ghost':
      return row(kind, entry.id, 0, entry.encryptedContent);
  }
}

export function row(
  kind: ResealedRow['kind'],
  entryId: number,
  version: number,
  first: string | null = null,
  second: string | null = null,
  third: string | null = null,
): ResealedRow {
  return { kind, entry_id: entryId, version, first, second, third };
}

/** Whose entries are sealed anew, when, and under which key. */
export interface Resealing {
  accountId: number;
  fingerprint: string;
  time: number;
}

type Source = AliasedExpression<ResealedRow, 'staged'>;
const text = (name: 'first' | 'second' | 'third') => sql<string>`${sql.ref(`staged.${name}`)}`;

/** Rows that already are under the key in question stay as they are: what was sent may be older than they are. */
export const underAnotherKey = (table: string, fingerprint: string) =>
  sql<boolean>`(${sql.ref(`${table}.key_fingerprint`)} is null or ${sql.ref(`${table}.key_fingerprint`)} <> ${fingerprint})`;

/**
 * Puts new ciphertexts in the place of old ones, where the row is still the one that was sealed anew. A locked memory
 * is passed over: no browser can have its words.
 * @param source the entries, of any kind; all have a first field
 */
export async function sealAnew(tx: Database, source: Source, resealing: Resealing): Promise<void> {
  for (const reseal of Object.values(byKind)) await reseal(tx, source, resealing);
}

const byKind = {
  memory: resealMemories,
  relationship: resealRelationships,
  onboarding: resealAnswers,
  'sacred-key': resealSacredKeys,
  'legacy-scroll': resealScrolls,
};

async function resealMemories(tx: Database, source: Source, { accountId, fingerprint, time }: Resealing) {
  await tx
    .updateTable('memory_entries as entry')
    .from(source)
    .set({
      title: text('first'),
      encrypted_content: text('second'),
      key_fingerprint: fingerprint,
    })
    .where('staged.kind', '=', 'memory')
    .whereRef('entry.id', '=', 'staged.entry_id')
    .whereRef('entry.version', '=', 'staged.version')
    .where('entry.account_id', '=', accountId)
    .where((eb) => eb.or([eb('entry.time_lock_until', 'is', null), eb('entry.time_lock_until', '<=', time)]))
    .where(underAnotherKey('entry', fingerprint))
    .execute();
}

async function resealRelationships(tx: Database, source: Source, { accountId, fingerprint }: Resealing) {
  await tx
    .updateTable('relationship_entries as entry')
    .from(source)
    .set({
      person_name: text('first'),
      encrypted_content: text('second'),
      key_fingerprint: fingerprint,
    })
    .where('staged.kind', '=', 'relationship')
    .whereRef('entry.id', '=', 'staged.entry_id')
    .whereRef('entry.version', '=', 'staged.version')
    .where('entry.account_id', '=', accountId)
    .where(underAnotherKey('entry', fingerprint))
    .execute();
}

async function resealAnswers(tx: Database, source: Source, { accountId, fingerprint }: Resealing) {
  await tx
    .updateTable('onboarding_answers as entry')
    .from(source)
    .set({
      question1: text('first'),
      question2: text('second'),
      question3: text('third'),
      key_fingerprint: fingerprint,
    })
    .where('staged.kind', '=', 'onboarding')
    .where('entry.account_id', '=', accountId)
    .where(underAnotherKey('entry', fingerprint))
    .execute();
}

/** The scroll's own key stays, and with it the words and whatever card or passphrase opens them. */
async function resealScrolls(tx: Database, source: Source, { accountId, fingerprint }: Resealing) {
  await tx
    .updateTable('legacy_scrolls as entry')
    .from(source)
    .set({
      title: text('first'),
      encrypted_scroll_key: text('second'),
      key_fingerprint: fingerprint,
    })
    .where('staged.kind', '=', 'legacy-scroll')
    .whereRef('entry.id', '=', 'staged.entry_id')
    .whereRef('entry.version', '=', 'staged.version')
    .where('entry.account_id', '=', accountId)
    .where(underAnotherKey('entry', fingerprint))
    .execute();
}

async function resealSacredKeys(tx: Database, source: Source, { accountId, fingerprint }: Resealing) {
  await tx
    .updateTable('shareable_keys as entry')
    .from(source)
    .set({ encrypted_secret: text('first'), key_fingerprint: fingerprint })
    .where('staged.kind', '=', 'sacred-key')
    .whereRef('entry.id', '=', 'staged.entry_id')
    .where('entry.account_id', '=', accountId)
    // A link that is reserved and not sealed yet has no secret to be replaced.
    .where('entry.encrypted_secret', 'is not', null)
    .where(underAnotherKey('entry', fingerprint))
    .execute();
}

/** A ghost: the row first, as a reading does, then the words, if any are left. */
async function resealGhost(
  tx: Database,
  { entry_id, first }: ResealedRow,
  { accountId, fingerprint, time }: Resealing,
): Promise<void> {
  const held = await tx
    .updateTable('ghost_entries')
    .set({ key_fingerprint: fingerprint })
    .where('ghost_entries.id', '=', entry_id)
    .where('ghost_entries.account_id', '=', accountId)
    .where('ghost_entries.expires_at', '>', time)
    .where(underAnotherKey('ghost_entries', fingerprint))
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('ghost_words')
          .select('ghost_words.ghost_id')
          .whereRef('ghost_words.ghost_id', '=', 'ghost_entries.id'),
      ),
    )
    .returning('ghost_entries.id')
    .executeTakeFirst();
  if (!held || first === null) return;
  await tx
    .updateTable('ghost_words')
    .set({ encrypted_content: bury(first) })
    .where('ghost_id', '=', entry_id)
    .execute();
}

/** One row of a request as a table. PostgreSQL takes such parameters for text unless it is told otherwise. */
const asTable = (one: ResealedRow): Source =>
  sql<ResealedRow>`(
    select cast(${one.kind} as text) as kind, cast(${one.entry_id} as bigint) as entry_id,
      cast(${one.version} as integer) as version, cast(${one.first} as text) as first,
      cast(${one.second} as text) as second, cast(${one.third} as text) as third
  )`.as('staged');

/**
 * Takes entries that were opened with a key of the ring and sealed under the present one. Those that were changed,
 * burned or sealed anew meanwhile are passed over.
 * @returns false, with nothing changed, when `fingerprint` is not the present key's
 */
export async function resealEntries(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  accountId: number,
  fingerprint: string,
  entries: ResealedEntry[],
): Promise<boolean> {
  const resealing = { accountId, fingerprint, time: now() };
  return transact(db, async (tx) => {
    await holdAccount(tx, accountId);
    const present = await tx
      .selectFrom('vault_keys')
      .select('account_id')
      .where('account_id', '=', accountId)
      .where('fingerprint', '=', fingerprint)
      .executeTakeFirst();
    if (!present) return false;
    // One by one: they come as they are opened, a few at a time.
    for (const entry of entries) {
      if (entry.kind === 'ghost') await resealGhost(tx, toRow(entry), resealing);
      else await byKind[entry.kind](tx, asTable(toRow(entry)), resealing);
    }
    return true;
  });
}
