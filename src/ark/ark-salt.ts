// What a passphrase is stretched with for an Ark. Apart from the writer, which is heavy.
import type { Bytes } from '../crypto/encoding.ts';
import { utf8 } from '../crypto/encoding.ts';
import { hkdf } from '../crypto/hkdf.ts';
import { ARK_LABELS } from '../crypto/labels.ts';
import { assertVaultKey } from '../crypto/vault-key.ts';

const SALT_LENGTH = 16;

/** The salt of any Ark of this vault: 16 bytes. @param key the vault's, 32 bytes */
export const arkSalt = (key: Uint8Array): Promise<Bytes> =>
  hkdf(assertVaultKey(key), new Uint8Array(), utf8(ARK_LABELS.salt), SALT_LENGTH);
