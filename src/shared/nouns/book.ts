// The book of a vault (docs/formats.md, "Book"): entries that the server keeps in their order and cannot read. A change that
// is marked `inBook` in the contract brings its entry along; these calls are for reading, and for entries without a change.
import * as z from 'zod/mini';
import { call } from '../http/call.ts';
import { clear, open, sealed } from '../http/field-classes.ts';
import { fingerprint } from '../http/wire.ts';

/** The longest entry that comes with a change, in characters of base64: proxies take 8 KiB of a header at most. */
export const ENTRY_IN_HEADER_MAX = 6 * 1024;
/** The longest entry of all, in characters of base64: a checkpoint of some 100,000 rows. */
export const ENTRY_MAX = 16 * 1024 * 1024;

const n = clear('how many entries a vault’s book has', z.int().check(z.positive(), z.maximum(2 ** 31 - 1)));
const sealedEntry = sealed(
  'entries of a vault’s book: what was changed when, and on which device',
  ENTRY_MAX,
);

export const bookEntry = z.object({ n, sealed: sealedEntry });
/** An entry as it is sent and shown. */
export type SealedBookEntry = z.output<typeof bookEntry>;

/** What a browser may say that it has found. Never which row. */
export const findingKinds = ['went-back', 'other-history', 'other-rows'] as const;
export type FindingKind = (typeof findingKinds)[number];

export const book = {
  /**
   * Entries in their order, from number `from` on; from the last checkpoint, or the first entry, where it is absent. As many
   * as are no heavy answer, and one at least; `Link` names where the next ones begin.
   */
  list: call({
    method: 'GET',
    path: '/api/book',
    access: 'signed-in',
    beside: true,
    query: z.object({
      from: z.optional(
        clear(
          'where a page of a vault’s book begins',
          z.coerce
            .number()
            .check(z.int('from is a number of an entry.'), z.positive(), z.maximum(2 ** 31 - 1)),
        ),
      ),
    }),
    reply: z.array(bookEntry),
  }),
  /**
   * Appends an entry without a change. 409 `book-moved`: `n` is not the next number; `key-changed`: it was sealed under
   * another key than the vault's; `book-full`: write a checkpoint first.
   */
  append: call({
    method: 'POST',
    path: '/api/book',
    access: 'signed-in',
    isEntry: true,
    status: 204,
    bodyLimit: ENTRY_MAX + 4096,
    body: z.object({
      n,
      sealed: sealedEntry,
      /** It has every row. Entries before the checkpoint before this one are forgotten. */
      isCheckpoint: clear('whether an entry of a vault’s book has every row', z.boolean()),
      keyFingerprint: open('which key sealed a row', fingerprint),
    }),
  }),
  /** Notes in the account's activity that a browser has found something that the book does not have. */
  report: call({
    method: 'POST',
    path: '/api/book/findings',
    access: 'signed-in',
    limited: 'session',
    status: 204,
    body: z.object({
      kind: clear('what a browser found that a vault’s book does not have', z.enum(findingKinds)),
    }),
  }),
};
