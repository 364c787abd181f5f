// How large files and their parts may be. No schema is here, so that a page that looks at files loads none.
/** The largest file that is taken, in bytes of its ciphertext. */
export const FILE_BYTES_MAX = 8 * 1024 ** 3;
/** How many files an entry has at most. */
export const FILES_OF_ENTRY_MAX = 30;
/**
 * How many a server keeps for one entry: one that is full can exchange all of its files, as the new ones are completed before the
 * old ones are erased.
 */
export const FILES_OF_SEAL_MAX = 2 * FILES_OF_ENTRY_MAX;

/** A part as it is sent where nothing forbids it, in bytes of the ciphertext: eight segments with their tags. */
export const PART_BYTES = 8 * (1024 ** 2 + 16);
/** How often a part may be halved for a proxy that takes no large bodies: the smallest has 256 KiB. */
export const PART_HALVINGS_MAX = 5;

/** How many parts one person sends at a time. */
export const PARTS_AT_ONCE = 3;

/** In which header a part says what it is: SHA-256 of its bytes, base64url. */
export const PART_DIGEST_HEADER = 'x-latebra-digest';

export const partBytes = (halvings: number): number => PART_BYTES / 2 ** halvings;
/** How many parts a file has, of `bytes` bytes of ciphertext. The last one is shorter, the others are whole. */
export const partsOf = (bytes: number, halvings: number): number => Math.ceil(bytes / partBytes(halvings));
/** How many parts a file has at most: the largest one, in the smallest parts. */
export const PARTS_MAX = partsOf(FILE_BYTES_MAX, PART_HALVINGS_MAX);
