// Every label that separates one use of a key from another, in one place (docs/formats.md, "Labels").
// A published label never changes its meaning: a changed format gets a new version number in its label.
import type { SignatureContext } from '../shared/byte-formats.ts';

export const LABELS = {
  contentKey: 'latebra/v1/content-key',
  ageIdentity: 'latebra/v1/age-identity',
  signingKey: 'latebra/v1/signing-key',
  seal: 'latebra/v2/seal',
  keyCheck: 'latebra/v1/key-check',
  importNumber: 'latebra/v1/import-number',
  numberBeside: 'latebra/v1/number-beside',
  keptWhisper: 'latebra/v1/kept-whisper',
  book: 'latebra/v1/book',
  bookWords: 'latebra/v1/book-words',
  keptBlock: 'latebra/v1/kept-block',
  wrap: 'latebra/v1/wrap',
  passphraseSalt: 'latebra/v1/passphrase-salt',
  passphraseAuth: 'latebra/v1/passphrase-auth',
  passphraseWrap: 'latebra/v1/passphrase-wrap',
  shareSalt: 'latebra/v1/share-salt',
  shareDoor: 'latebra/v1/share-door',
  shareClaim: 'latebra/v1/share-claim',
  shareContent: 'latebra/v1/share-content',
  scrollLetter: 'latebra/v1/scroll-letter',
  scrollContent: 'latebra/v1/scroll-content',
  scrollRehearsal: 'latebra/v1/scroll-rehearsal',
  scrollCard: 'latebra/v1/scroll-card',
  scrollCardClaim: 'latebra/v1/scroll-card-claim',
  scrollCardWrap: 'latebra/v1/scroll-card-wrap',
  scrollPassphraseClaim: 'latebra/v1/scroll-passphrase-claim',
  scrollPassphraseWrap: 'latebra/v1/scroll-passphrase-wrap',
} as const;

/** Those of files: apart, because the worker that seals them needs no others. */
export const FILE_LABELS = {
  segment: 'latebra/v1/file',
  root: 'latebra/v1/file-root',
} as const;

/** Those of an Ark: apart, because every page that opens something has the others. */
export const ARK_LABELS = {
  seed: 'latebra/v1/ark',
  id: 'latebra/v1/ark-id',
  key: 'latebra/v1/ark-key',
  salt: 'latebra/v1/ark-salt',
  wrap: 'latebra/v1/ark-wrap',
} as const;

/** Those of guardians' kits: apart for the same reason. */
export const KIT_LABELS = {
  number: 'latebra/v1/kit-number',
  address: 'latebra/v1/kit-address',
  claim: 'latebra/v1/kit-claim',
  wrap: 'latebra/v1/kit-wrap',
} as const;

/** The labels under which a vault key yields a 32-byte seed for asymmetric keys. */
export type SeedLabel = typeof LABELS.ageIdentity | typeof LABELS.signingKey;

/** ML-DSA context strings (FIPS 204, section 5.2): a signature made for one use is void for every other. */
export const SIGNATURE_CONTEXTS = [
  'latebra/v1/identity',
  'latebra/v1/succession',
  'latebra/v1/sign-in',
  'latebra/v1/export',
  'latebra/v1/whisper',
  'latebra/v1/sister-letter',
  'latebra/v1/sister-sign',
  'latebra/v1/sister-call',
] as const satisfies readonly SignatureContext[];

export type { SignatureContext };
