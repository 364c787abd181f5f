// The whisper that an administrator has put here: one row, replaced as a whole, so that every server and every backup has
// it, and a server that is killed meanwhile leaves the one before.
import { createHash } from 'node:crypto';
import type { WhisperAudioTable } from '../../db/schema/accounts.ts';
import type { Deps } from '../../deps.ts';

type Store = Pick<Deps, 'db' | 'now'>;

/** What there is, without its content. */
export type WhisperNow = Omit<WhisperAudioTable, 'id' | 'content'>;

/** @returns null while nobody has put one here */
export async function whisperNow({ db }: Pick<Store, 'db'>): Promise<WhisperNow | null> {
  const row = await db
    .selectFrom('whisper_audio')
    .select(['content_type', 'sha256', 'replaced_at'])
    .executeTakeFirst();
  return row ?? null;
}

/** @returns null where it was replaced meanwhile */
export async function whisperContent({ db }: Pick<Store, 'db'>, sha256: string): Promise<Uint8Array | null> {
  const row = await db
    .selectFrom('whisper_audio')
    .select('content')
    .where('sha256', '=', sha256)
    .executeTakeFirst();
  return row?.content ?? null;
}

export async function replaceWhisper(
  { db, now }: Store,
  content: Buffer,
  contentType: string,
): Promise<WhisperNow> {
  const row = { content_type: contentType, sha256: sha256Of(content), replaced_at: now() };
  await db
    .insertInto('whisper_audio')
    .values({ id: 1, ...row, content })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ ...row, content }))
    .execute();
  return row;
}

export const sha256Of = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');
