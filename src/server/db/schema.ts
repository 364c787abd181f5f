// The tables as Kysely sees them. Times are epoch milliseconds and booleans 0 or 1, so that both engines agree.
import type { Generated } from 'kysely';
import type { ActivityKind } from '../../shared/nouns/activity.ts';
import type { SubscriptionStatus } from '../../shared/nouns/billing.ts';
import type { DeliveryRefusal } from '../../shared/nouns/import-webhooks.ts';
import type { ScrollState, TriggerType } from '../../shared/nouns/legacy.ts';
import type { StoryType } from '../../shared/nouns/myth.ts';
import type { LeftEntry, ResealedEntry } from '../../shared/nouns/regeneration.ts';
import type { EventType } from '../../shared/nouns/relationship.ts';
import type { ShareEntryType } from '../../shared/nouns/sacred-key.ts';
import type {
  MessageChannel,
  RecipientType,
  ScrollAccess,
  Tell,
} from '../../shared/nouns/scroll-recipients.ts';
import type { SignUpMode } from '../../shared/nouns/sign-up.ts';
import type { MessageKind, WithheldReason } from '../../shared/nouns/switch.ts';
import type { PauseReason } from '../../shared/nouns/switch-state.ts';

type Flag = 0 | 1;
export type SignInWay = 'passkey' | 'passphrase' | 'words' | 'oidc';

export interface AccountsTable {
  id: Generated<number>;
  /** A random UUID: what browsers and authenticators know an account by. */
  uid: string;
  /** Normalised sign-in name. */
  name: string | null;
  auth_hash: string | null;
  /** Kept with the account, so that a lost instance secret locks nobody out. */
  passphrase_salt: string | null;
  /** `issuer subject`, separated by a space. */
  oidc_subject: string | null;
  email: string | null;
  first_name: string | null;
  last_name: string | null;
  is_admin: Flag;
  /** Whether the administrator lets this account send text messages. Administrators need no permission. */
  texts_permitted: Generated<Flag>;
  onboarded_at: number | null;
  words_kept_at: number | null;
  created_at: number;
}

/**
 * What belongs to an account by its content: triggers make its row with the account, and it outlives the account until
 * everything in it is erased. Its number is the account's.
 */
export interface VaultsTable {
  id: number;
  /**
   * `live`: its account stands. `leaving`: it was destroyed, and its scrolls are being left to their recipients.
   * `erasing`: it was destroyed, and nothing in it is there for anybody.
   */
  state: Generated<'live' | 'leaving' | 'erasing'>;
  /** Counted time until which what it leaves is kept; null unless it is leaving. */
  kept_until: Generated<number | null>;
  /** Whether what it leaves may go by text message. */
  texts_permitted: Generated<Flag>;
}

export interface OnboardingAnswersTable {
  account_id: number;
  question1: string;
  question2: string;
  question3: string;
  seal_id: string | null;
  key_fingerprint: string | null;
  created_at: number;
}

export interface PasskeysTable {
  /** The credential id, base64url. */
  id: string;
  account_id: number;
  /** COSE public key, base64url. */
  public_key: string;
  counter: number;
  /** JSON array of transports. */
  transports: string;
  label: string;
  created_at: number;
  last_used_at: number | null;
}

export interface SessionsTable {
  /** SHA-256 of the cookie's value, hex. */
  id_hash: string;
  /** What the owner sees and revokes a session by. */
  public_id: string;
  account_id: number;
  way: SignInWay;
  device: string;
  created_at: number;
  seen_at: number;
  expires_at: number;
  proved_at: number;
}

export interface ChallengesTable {
  /** SHA-256 of the challenge, hex. */
  id_hash: string;
  purpose: string;
  payload: string;
  expires_at: number;
}

export interface AttemptsTable {
  bucket: string;
  count: number;
  /** Until when the next attempt is refused. */
  next_at: Generated<number>;
  resets_at: number;
}

export interface VaultKeysTable {
  account_id: number;
  /** How many keys the vault has had, this one included. */
  generation: number;
  fingerprint: string;
  recipient: string;
  verifying_key: string;
  /** SHA-256 of the verifying key, hex: a short unique index for a long key. */
  verifying_key_hash: string;
  /** The vault address (docs/formats.md, "Vault address"). */
  address: string;
  signature: string;
  /** By the key before, over this one; null where there was none in hand. */
  succession: string | null;
  key_check: string;
  /** The key ring: both null, or neither. */
  ring_seal_id: string | null;
  ring_sealed: string | null;
  created_at: number;
}

/** Verifying keys that a vault has left; nobody else may take them. */
export interface RetiredKeysTable {
  verifying_key_hash: string;
  account_id: number;
}

export interface WrapsTable {
  id: Generated<number>;
  account_id: number;
  fingerprint: string;
  method: 'passkey' | 'passphrase';
  /** The credential id of a passkey; empty for the passphrase, of which there is one. */
  reference: string;
  /** The wrap as JSON. */
  body: string;
  created_at: number;
}

export interface MemoryEntriesTable {
  id: Generated<number>;
  account_id: number;
  title: string;
  encrypted_content: string;
  details: Generated<string | null>;
  time_lock_until: number | null;
  seal_id: string | null;
  key_fingerprint: string | null;
  version: number;
  created_at: number;
  updated_at: number;
  /** When it was deleted by hand; null while it lives. It can be restored until the sweep erases it. */
  deleted_at: Generated<number | null>;
}

export interface RelationshipEntriesTable {
  id: Generated<number>;
  account_id: number;
  person_name: string;
  event_type: EventType;
  encrypted_content: string;
  details: Generated<string | null>;
  emotional_weight: number;
  seal_id: string | null;
  key_fingerprint: string | null;
  version: number;
  created_at: number;
  updated_at: number;
  /** When it was deleted by hand; null while it lives. It can be restored until the sweep erases it. */
  deleted_at: Generated<number | null>;
}

export interface MythStoriesTable {
  id: Generated<number>;
  account_id: number;
  title: string;
  story_type: StoryType;
  encrypted_content: string;
  details: Generated<string | null>;
  seal_id: string | null;
  key_fingerprint: string | null;
  version: number;
  created_at: number;
  updated_at: number;
  /** When it was deleted by hand; null while it lives. It can be restored until the sweep erases it. */
  deleted_at: Generated<number | null>;
}

/** An address that another program posts to. */
export interface ImportWebhooksTable {
  id: Generated<number>;
  account_id: number;
  name: string;
  seal_id: string | null;
  key_fingerprint: string | null;
  /** SHA-256 of the token in its address, hex. */
  token_hash: string;
  /** 16 random bytes, base64url: what its signing secret is made of together with the instance secret. */
  secret_salt: string;
  /** The same of the secret before, and until when that is accepted; both null, or neither. */
  old_secret_salt: string | null;
  old_secret_until: number | null;
  /** How many deliveries were accepted, and when the last one was. */
  received: Generated<number>;
  last_used_at: number | null;
  refused_at: number | null;
  refused_reason: DeliveryRefusal | null;
  created_at: number;
}

/** Deliveries that were accepted, so that none is accepted twice. They outlive a webhook that is revoked. */
export interface ImportDeliveriesTable {
  webhook_id: number;
  /** SHA-256 of the sender's id, base64url. */
  delivery_hash: string;
  account_id: number;
  received_at: number;
}

export interface GhostEntriesTable {
  id: Generated<number>;
  account_id: number;
  /** Null: unlimited. */
  max_reads: number | null;
  current_reads: Generated<number>;
  seal_id: string | null;
  key_fingerprint: string | null;
  expires_at: number;
  created_at: number;
}

export interface GhostWordsTable {
  ghost_id: number;
  account_id: number;
  encrypted_content: string;
}

export interface ShareableKeysTable {
  id: Generated<number>;
  account_id: number;
  /** What the link names: base64url of 16 random bytes. */
  key_id: string;
  entry_type: ShareEntryType;
  entry_id: number;
  expires_at: number;
  created_at: number;
  /** Null until it is sealed, and again once the words are gone. */
  encrypted_content: string | null;
  /** SHA-256 of what the link proves, base64url. */
  door_hash: string | null;
  claim_hash: string | null;
  /** How the passphrase is stretched, as JSON; null without a passphrase. */
  stretching: string | null;
  encrypted_secret: string | null;
  seal_id: string | null;
  key_fingerprint: string | null;
  /** SHA-256 of the redemption id that has won, hex. */
  redemption_hash: string | null;
  opened_at: number | null;
  lease_until: number | null;
}

export interface FinalBreathsTable {
  account_id: number;
  encrypted_content: string;
  seal_id: string | null;
  key_fingerprint: string | null;
  created_at: number;
  redemption_hash: string | null;
  released_at: number | null;
  lease_until: number | null;
}

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
  warning: 'mail' | 'dashboard' | null;
  /** How many warnings were written in this silence. */
  warning_step: Generated<number>;
  /** Counted time when a mail server accepted the first warning of this silence. */
  warning_accepted: number | null;
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
  /** SHA-256 of what the recipient proves, base64url; null for `vault` and `none`. */
  claim_hash: string | null;
  /** How its passphrase is stretched, as JSON. */
  stretching: string | null;
  wrapped_key: string | null;
  /** A whisper's envelope, as JSON. */
  envelope: string | null;
  /** When it was released to this recipient, by the calendar and in counted time. */
  released_at: number | null;
  released_counted: number | null;
  opened_at: number | null;
  /** How many reminders were written. */
  reminders: Generated<number>;
  /** When everything was sent that will be, and nobody had opened it. */
  unopened_since: number | null;
}

/** The last sign of activity of each account that has given one. */
export interface LastActivityTable {
  account_id: number;
  counted_time: number;
  seen_at: number;
  /** How many pressed links in a row it rests on; 0 when somebody was signed in. */
  confirmations: Generated<number>;
}

export interface WarningAddressesTable {
  account_id: number;
  address: string | null;
  proved_at: number | null;
  asked_address: string | null;
  /** The public id of the message that asks. */
  asked_message: string | null;
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
  /** How many scrolls were released in this database's history. */
  releases: number;
  /** Raised whenever the administrator confirms that this database is the one that counts. */
  epoch: number;
  /** Which instance secret this database belongs to; null until the first start. */
  instance: string | null;
  paused_reason: PauseReason | null;
  paused_at: number | null;
  /** How much time was counted since it was paused, in milliseconds. */
  paused_for: number;
  /** How much of that had passed when a mail to an author was accepted first; null for none. */
  told_at: number | null;
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

/** What leaves this server. Its text is made when it is sent: no row holds a link that opens or counts for anything. */
export interface MessagesTable {
  id: Generated<number>;
  /** Also its Message-ID: the same scroll's release has the same one in every copy of the database. */
  public_id: string;
  kind: MessageKind;
  channel: MessageChannel;
  address: string;
  account_id: number | null;
  scroll_id: number | null;
  /** Whom of its scroll's recipients it is for; null for a warning and the proof of an address. */
  recipient_id: Generated<number | null>;
  scroll_public_id: string | null;
  step: Generated<number>;
  /** What a warning says of the time that is left: milliseconds to its scroll's release when it was written, with what an outage holds back. */
  deadline: number | null;
  state: Generated<'waiting' | 'sent' | 'failed' | 'cancelled'>;
  attempts: Generated<number>;
  /** A sentence; never what a server said word for word. */
  why: string | null;
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

export interface JobsTable {
  id: Generated<number>;
  kind: string;
  dedupe_key: string;
  /** By the clock of its kind (`jobs/registry.ts`). */
  run_at: number;
  /** Who works on it: a random number of that attempt. */
  lease: string | null;
  /** By the clock of its kind. */
  lease_until: number | null;
  /** How often it was taken since it was last rescheduled. */
  attempts: Generated<number>;
  /** What type of error its last try failed with, and when. */
  error: Generated<string | null>;
  failed_at: Generated<number | null>;
  /** Since when it is given up. */
  dead_at: Generated<number | null>;
}

export interface RegenerationsTable {
  account_id: number;
  public_id: string;
  fingerprint: string;
  begun_at: number;
}

export interface StagedEntriesTable {
  account_id: number;
  kind: ResealedEntry['kind'] | LeftEntry['kind'];
  /** 0 for the answers, of which there is one row. */
  entry_id: number;
  /** 0 where rows of this kind are never changed. */
  version: number;
  first: string | null;
  second: string | null;
  third: string | null;
}

/** What an account stores. Triggers write it (db/usage-triggers.ts), and nothing else does. */
export interface UsageTable {
  account_id: number;
  bytes: Generated<number>;
  row_count: Generated<number>;
  /** The part of both that keys and ways to sign in take. */
  access_bytes: Generated<number>;
  access_rows: Generated<number>;
  /** The copies of a regeneration, which `bytes` and `row_count` do not include. */
  staged_bytes: Generated<number>;
  staged_rows: Generated<number>;
  /** Rows that the dashboard tells of (db/counted.ts): of ghosts those that have words, expired or not. */
  memories: Generated<number>;
  relationships: Generated<number>;
  myths: Generated<number>;
  ghosts: Generated<number>;
  unused_links: Generated<number>;
  /** What this account may store; null: what every account may. */
  bytes_max: Generated<number | null>;
  rows_max: Generated<number | null>;
}

/** One row: what an account may store unless its own row says otherwise. */
export interface QuotaTable {
  id: number;
  bytes_max: number;
  rows_max: number;
}

export interface SetupTokensTable {
  token_hash: string;
  created_at: number;
}

export interface AccountActivityTable {
  id: Generated<number>;
  account_id: number;
  kind: ActivityKind;
  way: SignInWay | null;
  device: string;
  /** The last time, where it was counted. */
  at: number;
  count: number;
  /** What a row stands for that may be written twice: it is counted, or written once. Null for all others. */
  slot: string | null;
}

/** What the administrator decides in Settings: one row. */
export interface ServerSettingsTable {
  id: number;
  sign_up: SignUpMode;
}

/** One-time invitations. Which account came by one is written nowhere. */
export interface InvitationsTable {
  id: Generated<number>;
  /** SHA-256 of what the link carries, hex. */
  secret_hash: string;
  created_at: number;
  expires_at: number;
  used_at: number | null;
  revoked_at: number | null;
}

/** The holders of a token, as one server has read them from the chain for all. */
export interface HolderListsTable {
  /** The mint's address. */
  mint: string;
  /** 40 bytes a holder, in rank order (adapters/holder-reading.ts); null before the first reading. */
  rows: Buffer | null;
  decimals: number;
  /** SHA-256 over rows and decimals, hex; null before the first reading. */
  digest: string | null;
  /** When the chain was last read with success. */
  read_at: number | null;
  tried_at: number;
  /** Why the last try failed: a reason of `HolderReadError`, or the name of another error. */
  failure: string | null;
  /** How many tries have failed since the last success. */
  failures: number;
}

/** The one wallet of an account. */
export interface LinkedWalletsTable {
  account_id: number;
  /** base58 */
  address: string;
  /** The vault that the proof names. */
  vault_address: string;
  /** The address of this server that it names. */
  origin: string;
  /** The text that the wallet signed, and its signature: both base64. */
  signed_message: string;
  signature: string;
  linked_at: number;
}

/** The instance's OpenPGP key: one for each instance secret that this database was used with. */
export interface SigningKeysTable {
  /** A keyed hash that tells which secret has locked it. */
  secret_id: string;
  /** Both armored; the private one is locked with a passphrase that is made from the instance secret. */
  public_key: string;
  private_key: string;
  created_at: number;
}

/** What an administrator has put in the place of the whisper that comes with the program: one row, or none. */
export interface WhisperAudioTable {
  id: number;
  /** As it was recognised, not as its sender called it. */
  content_type: string;
  /** Of the content, hex: what servers keep it by. */
  sha256: string;
  content: Uint8Array;
  replaced_at: number;
}

/** What an account has at the payment provider: one row from the first checkout on. */
export interface SubscriptionsTable {
  account_id: number;
  /** The provider's ids. */
  customer_id: string;
  subscription_id: string | null;
  /** As the provider says; null before it has said anything. */
  status: SubscriptionStatus | null;
  price_id: string | null;
  current_period_end: number | null;
  cancel_at: number | null;
  /** How often the provider was asked, and which of the answers stands here: a later question wins. */
  readings: Generated<number>;
  reading_kept: Generated<number>;
  updated_at: number;
}

/** The payment provider's webhooks that came lately, so that each counts once. */
export interface PaymentEventsTable {
  id: string;
  customer_id: string | null;
  charge_id: string | null;
  received_at: number;
}

/** How many stories were made for an account in one month. */
export interface StoriesMadeTable {
  account_id: number;
  /** `2026-11`, in UTC. */
  month: string;
  count: number;
}

export interface Schema {
  accounts: AccountsTable;
  vaults: VaultsTable;
  onboarding_answers: OnboardingAnswersTable;
  passkeys: PasskeysTable;
  sessions: SessionsTable;
  challenges: ChallengesTable;
  attempts: AttemptsTable;
  vault_keys: VaultKeysTable;
  retired_keys: RetiredKeysTable;
  wraps: WrapsTable;
  memory_entries: MemoryEntriesTable;
  relationship_entries: RelationshipEntriesTable;
  myth_stories: MythStoriesTable;
  import_webhooks: ImportWebhooksTable;
  import_deliveries: ImportDeliveriesTable;
  ghost_entries: GhostEntriesTable;
  ghost_words: GhostWordsTable;
  shareable_keys: ShareableKeysTable;
  final_breaths: FinalBreathsTable;
  legacy_scrolls: LegacyScrollsTable;
  scroll_recipients: ScrollRecipientsTable;
  last_activity: LastActivityTable;
  warning_addresses: WarningAddressesTable;
  instance_clock: InstanceClockTable;
  uptime_marks: UptimeMarksTable;
  messages: MessagesTable;
  message_slots: MessageSlotsTable;
  jobs: JobsTable;
  regenerations: RegenerationsTable;
  staged_entries: StagedEntriesTable;
  usage: UsageTable;
  quota: QuotaTable;
  setup_tokens: SetupTokensTable;
  account_activity: AccountActivityTable;
  server_settings: ServerSettingsTable;
  invitations: InvitationsTable;
  holder_lists: HolderListsTable;
  linked_wallets: LinkedWalletsTable;
  signing_keys: SigningKeysTable;
  whisper_audio: WhisperAudioTable;
  subscriptions: SubscriptionsTable;
  payment_events: PaymentEventsTable;
  stories_made: StoriesMadeTable;
}
