// Accounts and what lets somebody in; the keys of their vaults; what their administrator decides.
import type { Generated } from 'kysely';
import type { ActivityKind } from '../../../shared/nouns/activity.ts';
import type { SignUpMode } from '../../../shared/nouns/sign-up.ts';
import type { Flag, SignInWay } from './columns.ts';

export interface AccountsTable {
  id: Generated<number>;
  /** A random UUID: what browsers and authenticators know an account by. */
  uid: string;
  /** Normalised sign-in name. */
  name: string | null;
  /** What the name looks like (adapters/look-alike.ts). */
  name_skeleton: string | null;
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

/** One-time invitations. Which account came by one is written nowhere but in the name that the administrator gave it. */
export interface InvitationsTable {
  id: Generated<number>;
  /** SHA-256 of what the link carries, hex. */
  secret_hash: string;
  /** Whom it is for, in the administrator's words; empty for nobody in particular. */
  invited: string;
  created_at: number;
  expires_at: number;
  used_at: number | null;
  revoked_at: number | null;
}

/** What an administrator tells everybody who has an account: one row, or none. */
export interface MemberNoticeTable {
  id: number;
  says: string;
  since: number;
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
