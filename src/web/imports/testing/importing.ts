// A whole import without its page: files in, what they become out. For tests.
import { deriveImportKey } from '../../../crypto/import-number.ts';
import type { Grouping } from '../chats.ts';
import type { ImportRequest, PreviewRow } from '../import-messages.ts';
import { createImportSession } from '../import-session.ts';
import { IMPORT_LIMITS } from '../zip-files.ts';
import { BACKUP_KEY } from './encrypted-backup.ts';
import { ENCRYPTED_BACKUP } from './fixtures.ts';

export const numbering = await deriveImportKey(new Uint8Array(32));

export const fileOf = (name: string, bytes: Uint8Array | string) =>
  new File([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)], name);

/** Reads files as the page does, and asks for every row. */
export async function importing(
  files: File[],
  { grouping = 'day' as Grouping, limits = IMPORT_LIMITS } = {},
) {
  const answer = createImportSession(limits);
  const told: string[] = [];
  const ask = (request: ImportRequest) =>
    answer(request, ({ name, done, total }) => told.push(`${name} ${done}/${total}`));
  const reply = await ask({ ask: 'read', files, keys: new Map([[ENCRYPTED_BACKUP, BACKUP_KEY]]) });
  if (!reply.ok || !('read' in reply)) throw new Error('it was not read');
  const arranged = await ask({ ask: 'arrange', arrangement: { grouping, orders: {}, numbering } });
  if (!arranged.ok || !('arranged' in arranged)) throw new Error('it was not arranged');
  const rows: PreviewRow[] = [];
  while (rows.length < arranged.arranged.total) {
    const slice = await ask({ ask: 'rows', from: rows.length });
    if (!slice.ok || !('rows' in slice)) throw new Error('no rows');
    rows.push(...slice.rows);
  }
  const words = async (id: number) => {
    const one = await ask({ ask: 'words', id });
    return one.ok && 'words' in one ? one.words : null;
  };
  const leftOut = Object.fromEntries(arranged.arranged.leftOut.map(({ reason, count }) => [reason, count]));
  return { ...reply.read, rows, words, leftOut, told, ask };
}
