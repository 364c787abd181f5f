// The thirteen: who holds the token, which wallet an account has linked, and the key that signs what this server gives out.

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
