// The one list of what an account stores: which tables count towards its quota, by which columns, and why the others
// do not. A test walks the schema, so a new table must be named here.
import { KEY_RING_MAX } from '../../shared/nouns/vault-key.ts';
import { type EntriesCount, restorableKinds, sealedKinds } from '../../shared/sealed-kinds.ts';
import { sealedTables } from './sealed-tables.ts';

/**
 * Whose limit a table's rows meet.
 * - `content`: what a person writes. New rows are refused beyond the quota.
 * - `access`: keys, wraps and passkeys. They count, but have a limit of their own: a full vault can still change its key.
 * - `messages`: what the server writes about an account. They count and are never refused.
 * - `staged`: a regeneration's copies. They do not count, and may be as large as the vault itself.
 * - `book`: the book of a vault's changes. It does not count: whoever deletes something in a full vault must be able to say
 *   so in the book. It has a limit of its own (book/book-store.ts), which checkpoints make room under.
 */
export type Room = 'content' | 'access' | 'messages' | 'staged' | 'book';

export interface CountedTable {
  table: string;
  /** Text columns whose length a client decides. Each row counts as one, whatever else it has. */
  text: readonly string[];
  /** A column with a number of bytes that the row stands for, beside its text. */
  bytes?: string;
  room: Room;
  /** What the dashboard tells of the table, so that nobody counts a hundred thousand rows to look at it. */
  tally?: Tally;
}

/** Some of a table's rows, counted beside their bytes. */
export interface Tally {
  /** The column of `usage`. */
  column: EntriesCount | 'ghosts' | 'unused_links';
  /** A condition in SQL for a row by its name; absent for every row. It may not depend on the time. */
  of?: (row: string) => string;
  /** The columns that the condition looks at. */
  by?: readonly string[];
}

/** The lists of entries. Those that were deleted by hand are in no list, and can be restored for a while. */
const entries = restorableKinds(sealedKinds).map((kind): CountedTable => {
  const { table, columns } = sealedTables[kind];
  const column = sealedKinds[kind].entries.counted;
  const tally: Tally = { column, of: (row) => `${row}.deleted_at is null`, by: ['deleted_at'] };
  return { table, text: Object.values(columns), room: 'content', tally };
});

export const countedTables: readonly CountedTable[] = [
  ...entries,
  { table: 'ghost_entries', text: [], room: 'content' },
  { table: 'ghost_words', text: ['encrypted_content'], room: 'content', tally: { column: 'ghosts' } },
  {
    table: 'shareable_keys',
    text: ['encrypted_content', 'encrypted_secret', 'stretching'],
    room: 'content',
    tally: { column: 'unused_links', of: (row) => `${row}.opened_at is null`, by: ['opened_at'] },
  },
  { table: 'files', text: [], bytes: 'bytes', room: 'content' },
  { table: 'import_webhooks', text: ['name'], room: 'content' },
  { table: 'guardian_kits', text: ['details', 'wrap', 'address'], room: 'access' },
  { table: 'final_breaths', text: ['encrypted_content'], room: 'content' },
  {
    table: 'legacy_scrolls',
    text: [
      'title',
      'encrypted_content',
      'encrypted_scroll_key',
      'rehearsal_sentence',
      'author_name',
      'label',
      'trigger_value',
      'time_zone',
    ],
    room: 'content',
  },
  {
    table: 'scroll_recipients',
    text: ['stretching', 'wrapped_key', 'encrypted_name', 'envelope', 'recipient_address'],
    room: 'content',
  },
  { table: 'onboarding_answers', text: ['question1', 'question2', 'question3'], room: 'content' },
  {
    table: 'vault_keys',
    text: ['recipient', 'verifying_key', 'signature', 'succession', 'key_check', 'ring_sealed'],
    room: 'access',
  },
  { table: 'retired_keys', text: [], room: 'access' },
  { table: 'wraps', text: ['reference', 'body'], room: 'access' },
  { table: 'passkeys', text: ['id', 'public_key', 'transports', 'label'], room: 'access' },
  { table: 'warning_addresses', text: ['address', 'asked_address'], room: 'access' },
  { table: 'trusted_contacts', text: ['name', 'address', 'author_name'], room: 'access' },
  { table: 'messages', text: ['address'], room: 'messages' },
  { table: 'staged_entries', text: ['first', 'second', 'third'], room: 'staged' },
  { table: 'book_entries', text: ['sealed'], room: 'book' },
];

/** Tables that name an account and do not count, each with what bounds them instead. */
export const uncountedTables: Readonly<Record<string, string>> = {
  usage: 'one row for each account, made with it',
  sessions: 'fifty at most, and nothing in them that a client may make long',
  account_activity: 'some hundred rows at most (shared/nouns/activity.ts), each of a few words',
  changes:
    'one row for each sealed row, and so many of rows that are gone (changes/expiry-store.ts), each of a few words',
  last_activity: 'one row for each account',
  regenerations: 'one row for each account',
  subscriptions: 'one row for each account, and nothing in it that a client may make long',
  stories_made: 'one row for each account',
  import_deliveries:
    'sixty thousand rows at most (shared/nouns/import-webhooks.ts), each of a hash; they go after thirty days',
  revoked_webhooks:
    'a hundred at most (shared/nouns/import-webhooks.ts), each of a hash; they go after thirty days',
  foreign_presses:
    'one row for each link in a mail of another server with this secret, and at most three between two sign-ins',
  linked_wallets: 'one row for each account, and nothing in it that a client may make long',
};

/** How far edits and staged copies may go beyond a limit: sealing something anew can pad it differently. */
export const SLACK_BYTES = 4 * 1024 * 1024;
/** Rows that may be staged beyond what the vault has, for entries that were deleted meanwhile. */
export const SLACK_ROWS = 1000;

/** What keys, wraps, passkeys and the warning address of one account may take together: a full key ring, and more. */
export const ACCESS_BYTES = KEY_RING_MAX + 2 * 1024 * 1024;
export const ACCESS_ROWS = 10_000;

/** What a vault's book may take. A checkpoint may go one checkpoint beyond the bytes: it makes room for what follows. */
export const BOOK_BYTES = 64 * 1024 * 1024;
export const BOOK_ROWS = 100_000;

/** What SQLite's triggers say of a row for an account that is gone. PostgreSQL's raise its code for a broken reference. */
export const NO_ACCOUNT = 'FOREIGN KEY constraint failed: this account is gone';
