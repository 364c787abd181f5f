// What this instance keeps of other instances' letters, until their authors have been silent for long (docs/sisters.md).
import type { Generated } from 'kysely';
import type { Flag } from './columns.ts';

export interface SisterLettersTable {
  /** By which its author and its sisters know it: 22 characters of base64url, made of the letter's key. */
  id: string;
  /** The instance that passed it on. */
  from_origin: string;
  edition: number;
  /** By which its author signs: ML-DSA-44, base64. */
  life_key: string;
  /** How many sisters open it together. */
  needed: number;
  /** How many days of silence are counted. */
  days: number;
  /** All of its sisters in their order, as JSON: origin and address of each. */
  sisters: string;
  /** Which of them this instance is, from 0. */
  place: number;
  /** The sealed letter. This and the next ones are null once it has ended. */
  encrypted_content: string | null;
  seal_id: string | null;
  /** Its recipients' addresses, sealed under a key of which each sister has a share. */
  encrypted_addresses: string | null;
  /** This instance's own shares, each sealed under a key that is not in the database. */
  share_of_addresses: string | null;
  share_of_letter: string | null;
  /** SHA-256 of each sister's share of the addresses, as JSON. */
  share_hashes: string | null;
  /** SHA-256 of what its author has signed, base64url. */
  digest: string | null;
  /** How many characters of it count. */
  bytes: number;
  /** How many signs of its author were accepted: a challenge is made for the next one. */
  signs: Generated<number>;
  kept_at: number;
  /** Counted time from which silence counts at the earliest. */
  watching_since: number;
  /** Counted time of the last sign that was accepted; null for none. */
  signed_counted: Generated<number | null>;
  /** Counted time before which nothing can be due of it. */
  next_check_at: Generated<number>;
  /** Counted time when silence was over here; null while it is not. */
  released_counted: Generated<number | null>;
  /** Whether silence was ever over here: from then on others may know what its recipients show. */
  was_released: Generated<Flag>;
  /** How often shares were asked for without having enough, since it was released. */
  tries: Generated<number>;
  /** Counted time when recipients were written to first; null until then. */
  mailed_counted: Generated<number | null>;
  ended_by: Generated<'author' | 'sister' | null>;
}

/** Shares of recipients' addresses that other sisters have shown, for which silence is over. */
export interface SisterSharesTable {
  letter_id: string;
  /** Whose it is: its place among the letter's sisters. */
  place: number;
  /** Sealed as this instance's own are. */
  share: string;
  /** Counted time. It counts for some days only. */
  received_counted: number;
}

/** Its recipients, as long as nobody knows who they are: a hash of what each of them can show. */
export interface SisterTokensTable {
  letter_id: string;
  /** SHA-256, base64url. */
  hash: string;
  /** What a mail brings, sealed as shares are; null before. */
  token: Generated<string | null>;
  /** The public id of that mail; null before. */
  message: Generated<string | null>;
  mailed_at: Generated<number | null>;
  /** When it was shown here first: its recipient has the letter. */
  shown_at: Generated<number | null>;
  /** The same, once others may have known it: somebody has opened the letter, and who that was is not certain. */
  shown_later_at: Generated<number | null>;
}
