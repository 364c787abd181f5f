// What the engine is handed: a vault that is open, and the ways to its server, its key and its book. The browser makes one
// (web/vault/key/open-vault.ts); a test in Node can make another.
import type { User } from '../shared/nouns/user.ts';
import type { KeyRingRecord } from '../shared/nouns/vault-key.ts';
import type { ApiClient } from './api/api-client.ts';
import type { BookSync } from './book/book-sync.ts';
import type { Stretch } from './keys/stretch.ts';

export interface Vault {
  api: ApiClient;
  user: User;
  /** AES-256-GCM, not extractable. */
  contentKey: CryptoKey;
  /** First 16 hex characters of SHA-256 of the vault key. */
  fingerprint: string;
  /** How a passphrase is stretched here. */
  stretch: Stretch;
  /** Of the page: where this vault's links lead. */
  origin: string;
  /** Whether this device knows that it has no connection. */
  isOffline(): boolean;
  /** The key that the device keeps just now, in hex; null where it was locked or left. */
  loadKey(): string | null;
  /** The ring of its key as this device has seen it last, so that no server can lose the keys before by showing none. */
  knownRing(): KeyRingRecord | null;
  /** What keeps this vault's book. It is loaded when it is first wanted. */
  loadBook(): Promise<BookSync>;
}
