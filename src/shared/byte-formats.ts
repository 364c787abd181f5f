// Layouts of what the server verifies and must not open (docs/formats.md). It has no code of `crypto`, which writes the same
// layouts by itself: the frozen vectors hold the two together.

/** What a signature is made for; one for one use is void for another. */
export type SignatureContext =
  | 'latebra/v1/identity'
  | 'latebra/v1/succession'
  | 'latebra/v1/sign-in'
  | 'latebra/v1/export'
  | 'latebra/v1/whisper'
  | 'latebra/v1/sister-letter'
  | 'latebra/v1/sister-sign'
  | 'latebra/v1/sister-call';

/** ML-DSA-44 (FIPS 204, table 2): lengths in bytes. */
export const PUBLIC_KEY_BYTES = 1312;
export const SIGNATURE_BYTES = 2420;

interface SignedKeys {
  v: number;
  generation: number;
  recipient: string;
  verifyingKey: string;
}

/** What signs a nonce for one origin ("Sign-in by words"): fields, each led by its length. */
export const signInFields = (origin: string, nonce: string): string[] => [origin, nonce];

/** What binds a vault's public keys together and numbers them ("Client key"): fields, each led by its length. */
export const identityFields = ({ v, generation, recipient, verifyingKey }: SignedKeys): string[] => [
  String(v),
  String(generation),
  recipient,
  verifyingKey,
];

/** What a key signs of the one that takes its place ("Client key"): SHA-256 over these fields, each led by its length. */
export const successionFields = ({
  v,
  generation,
  fingerprint,
  recipient,
  verifyingKey,
  signature,
  keyCheck,
}: SignedKeys & { fingerprint: string; signature: string; keyCheck: string }): string[] => [
  String(v),
  String(generation),
  fingerprint,
  recipient,
  verifyingKey,
  signature,
  keyCheck,
];

/** What the author of a letter signs of what one sister is given ("Sisters"): fields, each led by its length. */
export const sisterLetterFields = (sister: string, letter: string): string[] => ['1', sister, letter];

/** What an author says to one sister: that they live, or that the sister shall erase the letter. */
export type SignKind = 'alive' | 'end';

/** What signs that: the challenge is the sister's own and answers once ("Sisters"). */
export const sisterSignFields = (
  sister: string,
  { id, challenge, kind }: { id: string; challenge: string; kind: SignKind },
): string[] => ['1', sister, id, challenge, kind];

/** What one instance signs of a box that it sends to another ("Sisters"). */
export const sisterCallFields = (
  { from, to }: { from: string; to: string },
  { kind, box }: { kind: 'letter' | 'share'; box: string },
): string[] => ['1', kind, from, to, box];

/** What the addresses of a letter's recipients are bound to in their box ("Sisters"): additional data. */
export const sisterAddressesFields = (id: string, edition: number): string[] => [
  'latebra/v1/sister-addresses',
  id,
  String(edition),
];
