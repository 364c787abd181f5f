// How a passphrase is stretched: by whoever can do it without holding a page up (web/vault/key/stretch-passphrase.ts).
import type { StretchParams } from '../../crypto/passphrase.ts';

/**
 * Argon2id, 32 bytes; about half a second.
 * @throws RangeError when the parameters are weaker than this client accepts
 */
export type Stretch = (passphrase: string, salt: Uint8Array, params: StretchParams) => Promise<Uint8Array>;
