// How large the rows of each sealed kind are, for erasing them in steps.
import { sql } from 'kysely';
import type { KindName } from '../../shared/sealed-kinds.ts';
import { allKinds, type EntryType } from './sealed-tables.ts';
import { type Heap, heapOf } from './steps.ts';

/** The keys of a scroll's recipients, which go with it. */
const sizeOfRecipients = sql<number>`coalesce((
  select sum(coalesce(octet_length(recipient.envelope), 0) + coalesce(octet_length(recipient.wrapped_key), 0))
    from scroll_recipients as recipient where recipient.scroll_id = legacy_scrolls.id), 0)`;

const kinds = new Map(allKinds.map((kind) => [kind.name, kind]));

/** The rows of a kind, and how large each is with its words. @param key as of a heap */
export function contentsOf(name: KindName, key?: readonly string[]): Heap {
  const { table, words } = kinds.get(name) as EntryType;
  const heap = heapOf(table, key);
  if (name === 'legacy-scroll') return { ...heap, size: sql`${heap.size} + ${sizeOfRecipients}` };
  if (!words) return heap;
  const size = sql<number>`coalesce((select octet_length(words.encrypted_content) from ${sql.table(words.table)} as words
    where ${sql.ref(`words.${words.by}`)} = ${sql.ref(`${table}.id`)}), 0)`;
  return { ...heap, size };
}
