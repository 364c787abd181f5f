// Sealing what a one-time link carries: once, and only where the entry may still be shared.

import { sql } from 'kysely';
import type { SealInput, ShareableKey, ShareEntryType } from '../../../shared/nouns/sacred-key.ts';
import { asNumber, asText } from '../../db/casts.ts';
import { compiled } from '../../db/compiled.ts';
import { sealedUnderTheKey } from '../../db/key-guard.ts';
import { lockAccountRow } from '../../db/locks.ts';
import { type Database, isUniqueViolation } from '../../db/open.ts';
import { padToOverflow } from '../../db/overflow.ts';
import { transact } from '../../db/transact.ts';
import { columns, mayBeShared, type Store, toKey, type Unshareable, whyUnshareable } from './store.ts';

/** What a seal writes. Sent once more, it is recognised by the very same. */
function sealedColumns(input: SealInput) {
  return {
    encrypted_content: padToOverflow(input.encryptedContent),
    door_hash: input.doorHash,
    claim_hash: input.claimHash,
    stretching: input.stretching && JSON.stringify(input.stretching),
    encrypted_secret: input.encryptedSecret,
    seal_id: input.sealId ?? null,
    key_fingerprint: input.keyFingerprint ?? null,
    file_count: input.files?.length ?? 0,
  };
}

export type SealOutcome =
  | ShareableKey
  | Unshareable
  | 'already-sealed'
  | 'share-expired'
  | 'seal-reused'
  | 'file-incomplete'
  | 'key-changed';

interface NewSeal extends ReturnType<typeof sealedColumns> {
  id: number;
  accountId: number;
  time: number;
}

const newSeal = compiled<NewSeal>()((db, value) =>
  db
    .updateTable('shareable_keys')
    .set({
      encrypted_content: value('encrypted_content'),
      door_hash: value('door_hash'),
      claim_hash: value('claim_hash'),
      stretching: value('stretching'),
      encrypted_secret: value('encrypted_secret'),
      seal_id: value('seal_id'),
      key_fingerprint: value('key_fingerprint'),
      file_count: value('file_count'),
    })
    .where('shareable_keys.id', '=', value('id'))
    .where('shareable_keys.account_id', '=', value('accountId'))
    .where('door_hash', 'is', null)
    .where('expires_at', '>', value('time'))
    .where(
      mayBeShared(
        {
          accountId: sql.ref<number>('shareable_keys.account_id'),
          type: sql.ref<ShareEntryType>('shareable_keys.entry_type'),
          id: sql.ref<number>('shareable_keys.entry_id'),
        },
        value('time'),
      ),
    )
    .where(sealedUnderTheKey(db, value('accountId'), value('key_fingerprint')))
    .returning(columns),
);

/**
 * Seals a reserved key, once: from now on its link opens. The statement itself holds every condition. Sending the very
 * same again, as after a lost answer, changes nothing and succeeds.
 */
export async function sealKey(
  { db, now }: Store,
  accountId: number,
  id: number,
  input: SealInput,
): Promise<SealOutcome> {
  const time = now();
  const values = sealedColumns(input);
  try {
    const row = await transact(db, async (tx) => {
      // Nobody replaces the key meanwhile: until now there was no secret that would have been missed.
      await lockAccountRow(tx, accountId);
      const files = await filesToCarry(tx, accountId, input);
      if (files === null) return 'file-incomplete';
      const [row] = await newSeal(tx, { ...values, id, accountId, time });
      if (row) await carryFiles(tx, row, files);
      return row;
    });
    if (row === 'file-incomplete') return row;
    return row ? toKey(row) : await whyUnsealed(db, accountId, id, values, time);
  } catch (error) {
    if (isUniqueViolation(error)) return 'seal-reused';
    throw error;
  }
}

/** The rows of the files that a link is to carry; null where one of them is not here, or not whole. */
async function filesToCarry(
  tx: Database,
  accountId: number,
  { files = [] }: Pick<SealInput, 'files'>,
): Promise<number[] | null> {
  if (files.length === 0) return [];
  const rows = await tx
    .selectFrom('files')
    .select('id')
    .where('account_id', '=', accountId)
    .where('file_id', 'in', files)
    .where('is_whole', '=', 1)
    .execute();
  return rows.length === files.length ? rows.map(({ id }) => id) : null;
}

/** Has a link carry files until nobody can open it any more. */
async function carryFiles(
  tx: Database,
  { id: link, expires_at: until, seal_id }: { id: number; expires_at: number; seal_id: string | null },
  files: readonly number[],
): Promise<void> {
  const carried = files.map((file) => ({ link, file, seal_id, until }));
  if (carried.length > 0) await tx.insertInto('link_files').values(carried).execute();
}

/** Only words for a refusal that the statement above has already made, or the row that an earlier try has sealed. */
async function whyUnsealed(
  db: Database,
  accountId: number,
  id: number,
  values: ReturnType<typeof sealedColumns>,
  time: number,
): Promise<SealOutcome> {
  const row = await db
    .selectFrom('shareable_keys')
    .select(columns)
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  if (!row) return 'not-found';
  if (row.door_hash !== null) {
    let same = db.selectFrom('shareable_keys').select('id').where('id', '=', id);
    for (const [column, value] of Object.entries(values)) {
      same = same.where(column as keyof typeof values, 'is not distinct from', value);
    }
    return (await same.executeTakeFirst()) ? toKey(row) : 'already-sealed';
  }
  if (row.expires_at <= time) return 'share-expired';
  const { entry_type: type, entry_id: entryId } = row;
  const entry = {
    accountId: asNumber(sql.val(accountId)),
    type: asText(sql.val(type)),
    id: asNumber(sql.val(entryId)),
  };
  const shareable = await db
    .selectNoFrom(sql<number>`1`.as('one'))
    .where(mayBeShared(entry, time))
    .executeTakeFirst();
  return shareable ? 'key-changed' : whyUnshareable(db, accountId, type, entryId, time);
}
