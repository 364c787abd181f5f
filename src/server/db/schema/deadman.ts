// The dead man's switch: scrolls, the last activity of their authors, counted time, messages that leave, and their limits.

import type { Generated } from 'kysely';
import type { ScrollState, TriggerType } from '../../../shared/nouns/legacy.ts';
import type { RecipientType, ScrollAccess, Tell } from '../../../shared/nouns/scroll-recipients.ts';
import type { Elsewhere, PauseReason } from '../../../shared/nouns/switch-state.ts';
import type { Flag } from './columns.ts';

export interface LegacyScrollsTable {
  id: Generated<number>;
  /** Null once the vault that wrote it was destroyed with the wish to release. */
  account_id: number | null;
  title: string;
  encrypted_content: string;
  encrypted_scroll_key: string | null;
  /** What mails to its recipients give as its author's name. */
  author_name: string | null;
  trigger_type: TriggerType;
  trigger_value: string;
  time_zone: string;
  state: Generated<ScrollState>;
  /** Milliseconds of silence; null unless it watches for silence. */
  period: number | null;
  /** When its day begins; null unless it waits for one. */
  due_at: number | null;
  /** Counted time of the activation. */
  watching_since: number | null;
  /** When it was activated by the calendar, and what its author calls it in mails to themselves. Both end with the watch. */
  armed_at: Generated<number | null>;
  label: Generated<string | null>;
  /** What a rehearsal says to its recipients, sealed under the letter's key; null before the first one. */
  rehearsal_sentence: Generated<string | null>;
  /** Counted time when its author is told that it was not rehearsed for long; null unless it watches. */
  rehearse_at: Generated<number | null>;
  warning: 'mail' | 'dashboard' | null;
  /** How many warnings were written in this silence. */
  warning_step: Generated<number>;
  /** Counted time when a mail server accepted the first warning of this silence. */
  warning_accepted: number | null;
  /** Counted time when its author's trusted contact was told of it in this silence. */
  contact_told_at: Generated<number | null>;
  /**
   * Counted time before which nothing can be due of a scroll that watches for silence: each tick looks at those
   * beyond it. 0 when it begins to watch.
   */
  next_check_at: Generated<number>;
  /** Counted time from which a day that has begun may release; null while it has not, as far as this server saw. */
  releasable_at: number | null;
  handed_over_at: number | null;
  released_at: number | null;
  /** Counted time when a scroll without a vault is erased. */
  kept_until: number | null;
  /** Whose it was, as a keyed hash, and whether that vault might send text messages; null and 0 unless it was left. */
  author_hash: string | null;
  texts_permitted: Generated<Flag>;
  seal_id: string | null;
  key_fingerprint: string | null;
  version: Generated<number>;
  created_at: number;
  updated_at: number;
}

/** Whom a scroll is for. Each has an address, a key and a state of their own. */
export interface ScrollRecipientsTable {
  id: Generated<number>;
  scroll_id: number;
  /** Its scroll's. */
  account_id: number | null;
  /** In the order of the form, from 0. */
  position: number;
  /** What its address names: base64url of 16 random bytes. */
  public_id: string;
  recipient_type: RecipientType;
  recipient_address: string;
  /** The vault that a whisper was sealed to. */
  recipient_account_id: number | null;
  tell: Generated<Tell>;
  access: ScrollAccess;
  /** From it and the scroll's key the author makes the card again. */
  card_number: string | null;
  /** How many sheets give the key of the card, where it is split; null where it is not. */
  sheets_needed: Generated<number | null>;
  /** SHA-256 of what the recipient proves, base64url; null for `vault` and `none`. */
  claim_hash: string | null;
  /** How its passphrase is stretched, as JSON. */
  stretching: string | null;
  wrapped_key: string | null;
  /** What its author wants to be called, sealed for the holder of the card. */
  encrypted_name: Generated<string | null>;
  /** A whisper's envelope, as JSON. */
  envelope: string | null;
  /** When it was released to this recipient, by the calendar and in counted time. */
  released_at: number | null;
  released_counted: number | null;
  opened_at: number | null;
  /** How many reminders were written. */
  reminders: Generated<number>;
  /** When the recipient wanted no more of them, by the calendar. */
  reminders_stopped_at: number | null;
  /** When whoever has this address wanted no more messages of rehearsals, by the calendar. */
  rehearsals_stopped_at: Generated<number | null>;
  /** When everything was sent that will be, and nobody had opened it. */
  unopened_since: number | null;
}

/** The last rehearsal of each recipient: what they were sent, and how far they came. It decides nothing of the letter. */
export interface RehearsalsTable {
  recipient_id: number;
  /** When it was asked for, by the calendar. */
  asked_at: number;
  /** Counted time when it ends. */
  ends_counted: number;
  /** When its page was shown first. */
  seen_at: number | null;
  /** When the recipient has said that they have neither card nor passphrase. */
  keyless_at: number | null;
  /** How many wrong cards or passphrases were tried. */
  wrong_tries: Generated<number>;
  opened_at: number | null;
}

/** A kit whose guardians open a vault together, after a wait that its author can stop (docs/guardians.md). */
export interface GuardianKitsTable {
  id: Generated<number>;
  account_id: number;
  /** Its secret, its name and its guardians, sealed under the vault's key. */
  details: string;
  seal_id: string | null;
  key_fingerprint: string | null;
  needed: number;
  count: number;
  wait_days: number;
  /** By which guardians find it: 22 characters of base64url, made of the secret. */
  address: string;
  /** SHA-256 of what guardians show, base64url. */
  claim_hash: string;
  /** The vault's key of `key_fingerprint`, encrypted under the secret, as JSON. */
  wrap: string;
  created_at: number;
  /** How often it was asked for. */
  asks: Generated<number>;
  /** When it was asked for last, by the calendar. */
  asked_at: Generated<number | null>;
  /** Counted time from which its wait counts; null unless it was asked for and nobody has stopped it. */
  asked_counted: Generated<number | null>;
  /** Whether it was asked for soon after its author had stopped it. */
  asked_again: Generated<Flag>;
  /** How many warnings were due in this wait, and counted time when a mail server accepted the first one. */
  warning_step: Generated<number>;
  warning_accepted: Generated<number | null>;
  /** Counted time before which nothing can be due of it. */
  next_check_at: Generated<number>;
  /** When its wait ended, by the calendar; null until then, and once it was stopped. */
  ended_at: Generated<number | null>;
  /** When the wrap was handed out first. */
  opened_at: Generated<number | null>;
  /** When its author's activity stopped it last, by the calendar and in counted time. */
  stopped_at: Generated<number | null>;
  stopped_counted: Generated<number | null>;
}

/** The last sign of activity of each account that has given one. */
export interface LastActivityTable {
  account_id: number;
  counted_time: number;
  seen_at: number;
  /** How many pressed links in a row it rests on; 0 when somebody was signed in. */
  confirmations: Generated<number>;
}

/** One row: how much time this server has lived through, which is not the calendar's (docs/legacy.md). */
export interface InstanceClockTable {
  id: number;
  counted_time: number;
  tick_number: number;
  /** The calendar's time of the last tick; 0 before the first. */
  ticked_at: number;
  /** The boot of the machine that ticked last; null where its system does not tell. */
  boot_id: string | null;
  /** Milliseconds from that boot to the last tick. */
  boot_time: number;
  /** The calendar's time of the last tick whose calendar was proved; 0 for none. */
  proved_at: number;
  /** The counted time then. */
  proved_counted: number;
  /** What a tick may yet add for an absence whose length nobody knows, in milliseconds. */
  may_add: number;
  /** What the next tick may add for the time since the last one, while a server waits before it ticks. */
  unticked_may_add: number;
  /** The counted time at which this server's own address answered last, with what was counted of a pause; null for never. */
  reached_counted: number | null;
  /** A keyed hash of the origin that this was; null for none. */
  reached_origin: string | null;
  /** Since when it has not, by the calendar: until it does, nothing is counted. Null where it answers. */
  out_of_reach_since: number | null;
  /** Which other database answers there; null where none does. */
  elsewhere: Elsewhere | null;
  /** A keyed hash of the origin that led here while the switch worked; null for none. */
  home_origin: string | null;
  /** How often a tick has waited for it to answer: what moves while nothing is counted. */
  waits: Generated<number>;
  /** How long servers have run in this database's history. */
  ran: Generated<number>;
  /** Counted time until which silence releases nothing. */
  held_until: number;
  /** The same, whatever else ends: after a long outage. */
  firmly_held_until: number;
  /** Counted time until which a day that begins is not believed at once: the calendar has jumped, or nobody was there. */
  doubted_until: number;
  /**
   * For how long the calendar has run without being set, over starts of the machine in which nobody set it. Null where
   * somebody has since the machine was started: nothing of this start is carried to the next.
   */
  steady_for: number | null;
  /** By how much it was set since it was proved last, forward or, below zero, back. Milliseconds. */
  moved_by: number;
  /** By how much it was set forward, by more than a day each time, without anybody vouching for it. */
  set_forward_by: number;
  /** How long an absence was as the calendar told it, in this boot of the machine, and what was counted for it. */
  told_length: number;
  told_credit: number;
  /** What was counted for absences that the calendar has taken back since: later ones repay it. */
  owed: number;
  /** As `held_until` and `firmly_held_until`, where the calendar alone tells of the outage: it may take that back. */
  told_held_until: number;
  told_firmly_held_until: number;
  /** Whether the calendar stands where the last tick before this boot ended, so that the length of the absence stays unknown. */
  stood_still: Flag;
  /** Whether the administrator has said that the calendar is right: the next tick believes it. */
  vouched: Flag;
  /** How many scrolls were released in this database's history. */
  releases: number;
  /** Raised whenever the administrator confirms that this database is the one that counts. */
  epoch: number;
  /** Which instance secret this database belongs to; null until the first start. */
  instance: string | null;
  /** Tells this database and its copies from every other. */
  identity: Generated<string>;
  paused_reason: PauseReason | null;
  paused_at: number | null;
  /** How much time was counted since it was paused, in milliseconds. */
  paused_for: number;
  /** How much of that had passed when a mail to an author was accepted first; null for none. */
  told_at: number | null;
}

/** Looks from outside in that are under way: only a server of this database knows that they were begun here. */
export interface OutsideLooksTable {
  challenge: string;
  /** The calendar's time. */
  asked_at: number;
}

/** Links of mails of another server with this secret that were pressed here: each counts once. */
export interface ForeignPressesTable {
  /** The message's, which has no row here. */
  public_id: string;
  account_id: number;
  pressed_at: number;
}

/** What the switch had counted, and how long servers had run, at the first tick of a day; of the last thirty. Milliseconds. */
export interface UptimeMarksTable {
  /** Days since the epoch. */
  day: number;
  /** The calendar's time. */
  at: number;
  counted: number;
  ran: number;
}
