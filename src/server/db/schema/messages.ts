// What leaves a server by mail or text message, and what it is about.
import type { Generated } from 'kysely';
import type { MessageKind, WithheldReason } from '../../../shared/nouns/outbox.ts';
import type { MessageChannel } from '../../../shared/nouns/scroll-recipients.ts';
import type { Flag } from './columns.ts';

/** What leaves this server. Its text is made when it is sent: no row holds a link that opens or counts for anything. */
export interface MessagesTable {
  id: Generated<number>;
  /** Also its Message-ID: the same scroll's release has the same one in every copy of the database. */
  public_id: string;
  kind: MessageKind;
  channel: MessageChannel;
  address: string;
  account_id: number | null;
  /** Null for a mail to an author, which names its scrolls in `warned_scrolls` or `told_releases`. */
  scroll_id: number | null;
  /** Whom of its scroll's recipients it is for; null for a warning and the proof of an address. */
  recipient_id: Generated<number | null>;
  scroll_public_id: string | null;
  /** Which reminder this is, or in which epoch a notice was written. */
  step: Generated<number>;
  /** Of a notice: since when the switch is paused, by the calendar. */
  deadline: number | null;
  state: Generated<'waiting' | 'sent' | 'failed' | 'cancelled'>;
  attempts: Generated<number>;
  /** A sentence; never what a server said word for word. */
  why: string | null;
  /** Whether its address was refused for good: the only reason to send nothing more there. */
  refused: Generated<Flag>;
  created_at: number;
  created_counted: number;
  sent_at: number | null;
  /** Counted time of the same. */
  sent_counted: Generated<number | null>;
  /** What it gives as its author's name. */
  author_name: Generated<string | null>;
  /** 1 when no transport has taken it, but somebody has: it was passed on, or its link was pressed. */
  by_hand: Generated<number>;
  confirmed_at: number | null;
  /** Counted time of the first try; null until then. */
  first_tried: Generated<number | null>;
  /** Why it is withheld; null when nothing but its delivery is awaited. */
  withheld: Generated<WithheldReason | null>;
  /** The limit in whose line it stands: a key of `message_slots`. */
  waits_for: Generated<string | null>;
  /** Counted time from which its place in a line counts. */
  in_line_since: Generated<number>;
  /** A keyed hash of the author, written when it joins a line, or when its author's vault is destroyed. */
  author_hash: Generated<string | null>;
  /** Whether a destroyed vault was permitted to send text messages. */
  texts_permitted: Generated<Flag>;
}

/** Which scrolls a warning names. A scroll that is disarmed, deleted or released leaves the warnings that have not left. */
export interface WarnedScrollsTable {
  message_id: number;
  scroll_id: number;
  /** Which of its scroll's warnings this is. */
  step: number;
  /** Milliseconds to its scroll's release when the warning was written, with what an outage holds back. */
  due_in: number;
}

/** Which releases a mail to their author tells of. One that was deleted since stays, without its scroll. */
export interface ToldReleasesTable {
  message_id: number;
  scroll_id: number | null;
  /** When it was released, by the calendar, and the time zone of its author. */
  released_at: number;
  time_zone: string;
  /** To how many recipients. */
  recipients: number;
}
