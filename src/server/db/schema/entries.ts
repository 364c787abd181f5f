// What vaults hold, and where it is staged when a key is changed.
import type { Generated } from 'kysely';
import type { DeliveryRefusal } from '../../../shared/nouns/import-webhooks.ts';
import type { EventType } from '../../../shared/nouns/moment-kinds.ts';
import type { LeftEntry, ResealedEntry } from '../../../shared/nouns/regeneration.ts';
import type { ShareEntryType } from '../../../shared/nouns/sacred-key.ts';
import type { StoryType } from '../../../shared/nouns/story-types.ts';
import type { KindName } from '../../../shared/sealed-kinds.ts';
import type { Flag } from './columns.ts';

export interface OnboardingAnswersTable {
  account_id: number;
  question1: string;
  question2: string;
  question3: string;
  seal_id: string | null;
  key_fingerprint: string | null;
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

export interface RevokedWebhooksTable {
  /** SHA-256 of the address's token. */
  token_hash: string;
  account_id: number;
  revoked_at: number;
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
  /** How many files it was sealed with (`link_files`). */
  file_count: Generated<number>;
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

/** One entry of a vault's book. The server knows its number, and whether a reader may begin with it. */
export interface BookEntriesTable {
  account_id: number;
  /** Counts from 1, without a gap from the first one that is kept. */
  n: number;
  sealed: string;
  is_checkpoint: Flag;
}

/** The newest change of each sealed row of a vault. Triggers write it (db/change-triggers.ts). */
export interface ChangesTable {
  account_id: number;
  kind: KindName;
  /** The row's number; 0 where a vault has one row at most. */
  entry_id: number;
  /** Grows with each change of anything in the vault. */
  n: number;
  seal_id: string | null;
  /** When the sweep saw first that the row is gone for good; 0 until then, and null while the row is there. */
  ended_at: number | null;
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
