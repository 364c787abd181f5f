// What has changed in a vault since a client looked last: rows of every sealed kind, in the order of their changes, with what
// the vault's book has since. A replica needs nothing else.
import * as z from 'zod/mini';
import { call } from '../http/call.ts';
import { clear } from '../http/field-classes.ts';
import { entryId, sealReply } from '../http/wire.ts';
import { type KindName, kindNames, type RestorableKind, sealedKinds } from '../sealed-kinds.ts';
import { bookEntry } from './book.ts';
import { type Deletion, entryOrDeleted } from './entry-calls.ts';
import { type RowOf, sealedRows } from './sealed-rows.ts';

/** A row of a kind, as its list answers it, or the list of what was deleted. */
export type ChangedRow<K extends KindName = KindName> = {
  [Name in K]: RowOf[Name] | (Name extends RestorableKind ? RowOf[Name] & Deletion : never);
}[K];

function schemaOf<K extends KindName>(kind: K) {
  const row: z.ZodMiniObject = sealedRows[kind];
  const schema: unknown = sealedKinds[kind].entries === null ? row : entryOrDeleted(row);
  return schema as z.ZodMiniType<ChangedRow<K>, ChangedRow<K>>;
}

const n = clear('how often something in your vault was changed', z.int().check(z.positive()));
const kind = clear('which kind of entry was changed', z.enum(kindNames(sealedKinds)));

const ofKind = <K extends KindName>(name: K) =>
  z.object({
    n,
    kind: clear('which kind of entry was changed', z.literal(name)),
    row: schemaOf(name),
  });

const changedRows = kindNames(sealedKinds).map((name) => ofKind(name)) as unknown as [
  { [K in KindName]: ReturnType<typeof ofKind<K>> }[KindName],
];

/** A row that is gone for good. */
const endedRow = z.object({
  n,
  kind,
  ended: z.object({
    /** Null where a vault has one row of the kind at most. */
    id: z.nullable(entryId),
    sealId: sealReply.sealId,
  }),
});

export const change = z.union([...changedRows, endedRow]);
export type Change = z.output<typeof change>;

/** The most changes in one answer. */
export const CHANGES_MAX = 2000;

/** A place among the changes of one vault: its parts are the server's own. */
const placeText = (pattern: RegExp) =>
  clear(
    'how far a client has read what changed in your vault',
    z
      .string()
      .check(
        z.maxLength(64, { error: 'This is no place among the changes.', abort: true }),
        z.regex(pattern, 'This is no place among the changes.'),
      ),
  );
const place = placeText(/^\d{1,15}\.\d{1,15}\.[0-9a-f]{32}$/);
/** In place of a place: behind everything that there is. */
export const NOW = 'now';
const placeOrNow = placeText(/^(now|\d{1,15}\.\d{1,15}\.[0-9a-f]{32})$/);

export const changes = {
  /**
   * What was made, changed, deleted, restored or erased behind the place `since`, in the order in which it was; of a row that
   * was changed several times, the last change alone. A row is what its list answers at this moment, also of those that were
   * deleted and can be restored; one that no list answers any more has `ended` in place of `row`.
   *
   * `since` is the `next` of the answer before, or `now` for a client that reads the lists after this answer, and then asks
   * what has changed since it. Without it, and where this server cannot tell any more what has happened
   * since then, the answer begins with the first row: `anew` says that what was known before is to be forgotten. As much
   * comes as is no heavy answer, and `more` says that there is more; where there is not, a client that has applied
   * everything has what the lists have, and the book has what became of it up to its last entry.
   *
   * What time alone does is no change: when a lock ends, a ghost entry vanishes or a deleted entry is over stands in the row.
   * A client asks for a memory by itself once its lock has ended. Of a scroll, `lastActivity`, `remaining`, `hold`, `warned`,
   * and what became of messages are as they are at this moment, and change without a number.
   */
  list: call({
    method: 'GET',
    path: '/api/changes',
    access: 'signed-in',
    beside: true,
    query: z.object({
      since: z.optional(placeOrNow),
      /** The most changes in the answer. */
      limit: z.optional(
        clear(
          'how long a page of a list is',
          z.coerce.number().check(z.int('limit is a whole number.'), z.minimum(1), z.maximum(CHANGES_MAX)),
        ),
      ),
      /** Entries of the book from this number on, as `GET /api/book?from=` has them; 0: from the last checkpoint. */
      book: z.optional(
        clear(
          'where a page of a vault’s book begins',
          z.coerce
            .number()
            .check(z.int('book is a number of an entry.'), z.nonnegative(), z.maximum(2 ** 31 - 1)),
        ),
      ),
    }),
    reply: z.object({
      changes: z.array(change),
      next: place,
      anew: clear('whether a client has to read everything once more', z.boolean()),
      more: clear('whether there are more changes', z.boolean()),
      /** Null where none were asked for. */
      book: z.nullable(
        z.object({
          entries: z.array(bookEntry),
          more: clear('whether a vault’s book has more entries', z.boolean()),
        }),
      ),
    }),
  }),
};
