// To whom messages of the switch go besides recipients of scrolls, and by what.

import type { Generated } from 'kysely';
import type { MessageChannel } from '../../../shared/nouns/scroll-recipients.ts';
import type { WarningChannel, WarningPlace } from '../../../shared/nouns/warning-addresses.ts';
import type { Flag } from './columns.ts';

/** The addresses that warnings go to: one row for the first, which gets mail, and one for a second, if there is one. */
export interface WarningAddressesTable {
  account_id: number;
  place: Generated<WarningPlace>;
  channel: Generated<WarningChannel>;
  address: string | null;
  proved_at: number | null;
  asked_channel: Generated<WarningChannel>;
  asked_address: string | null;
  /** The public id of the message that asks. */
  asked_message: string | null;
}

/** Whom an author has named to be told before a release by silence, and who may postpone it once. */
export interface TrustedContactsTable {
  account_id: number;
  name: string;
  address: string;
  /** What mails to the contact give as the author's name. */
  author_name: string | null;
  named_at: number;
  /** What the link of this silence is made from, and the SHA-256 of its token; null while there is none. */
  link_number: string | null;
  link_hash: string | null;
  /** What the link is made from by which they want to be nobody's contact, and when they have pressed it. */
  decline_number: string;
  declined_at: Generated<number | null>;
  /** When the contact has postponed in this silence, and when at all, by the calendar. */
  postponed_at: number | null;
  last_postponed_at: number | null;
  /** Counted time until which silence releases nothing of this author; 0 for no such hold. */
  postponed_until: Generated<number>;
}

/** What tries tell of mail and of text messages. A row is written when one of them fails first. Times are the calendar's. */
export interface TransportsTable {
  channel: Exclude<MessageChannel, 'whisper'>;
  /** Null while it works. */
  failing_since: number | null;
  /** How many tries have failed in a row. */
  failures: number;
  /** When one failed last, and why. */
  tried_at: number;
  why: string;
  /** Whether the log has said that it fails. */
  told: Flag;
}

/** What counts against each limit on messages (deadman/delivery/send-limits.ts). Keys hold hashes, no addresses and no accounts. */
export interface MessageSlotsTable {
  limit_key: string;
  /** The public id of a message. */
  message: string;
  author_hash: string;
  /** Counted time when the slot was taken, then of the last try. */
  taken_at: number;
  /** 1 from when the slot was taken to the first try: the message may still wait for another limit. */
  held: Flag;
  /** Numbers the slots of a limit in the order in which they were taken. */
  turn: number;
}
