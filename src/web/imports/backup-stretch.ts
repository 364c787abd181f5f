// How Standard Notes (protocol 004) stretches a passphrase. Apart from the parsers, because the page does it and they run
// in a worker that may not.
import type { StretchParams } from '../../crypto/passphrase.ts';

export const BACKUP_STRETCH: StretchParams = { memory: 65536, iterations: 5, parallelism: 1 };
/** In bytes; the first 32 open a backup. */
export const BACKUP_STRETCH_LENGTH = 64;
