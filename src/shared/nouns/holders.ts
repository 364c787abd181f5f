// The thirteen: who holds the token, what a wallet proves by a signature, and which wallet an account has linked. Holdings
// are public facts of the chain; docs/chain.md says what is read and what a linked wallet tells the server.
import * as z from 'zod/mini';
import { call } from '../http/call.ts';
import { clear, credential, message, open } from '../http/field-classes.ts';
import { base64, timestamp } from '../http/wire.ts';

/** How many unique holders open the gathering. */
export const GATHERING_THRESHOLD = 13;
/** How many tokens open the sacred rituals. */
export const RITUAL_MINIMUM = 100;
/** How many holders a list names, from the first rank down. The count is of all of them. */
export const HOLDERS_LISTED = 100;
/** What the token is called on screens, and in the manifesto. */
export const TOKEN_SYMBOL = 'LAT';
export const TOKEN_FULL_SYMBOL = '$LATEBRA';

/** What a holder of a rank is called; the first rank is 1. */
export function rankTitle(rank: number): string {
  if (rank === 1) return 'The Curve';
  if (rank === 2) return 'The Architect';
  return rank <= GATHERING_THRESHOLD ? `Sacred Holder #${rank}` : `Witness #${rank}`;
}

const NUMBERS = 'none one two three four five six seven eight nine ten eleven twelve thirteen'.split(' ');
const inWords = (count: number): string => NUMBERS[count] ?? count.toLocaleString('en-GB');

/** Such as "One holds and twelve are unclaimed." */
export function claimedPlaces(count: number): string {
  const holding = inWords(count);
  const left = Math.max(0, GATHERING_THRESHOLD - count);
  const claimed = `${holding[0]?.toUpperCase()}${holding.slice(1)} ${count <= 1 ? 'holds' : 'hold'}`;
  return `${claimed} and ${inWords(left)} ${left <= 1 ? 'is' : 'are'} unclaimed.`;
}

/** Stands in rendered pages where a server's mint goes: every letter that an address may have. */
export const UNKNOWN_MINT = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** A wallet's address: an Ed25519 public key of 32 bytes in base58. */
export const walletAddress = z
  .string('This is not a Solana address.')
  .check(
    z.maxLength(44, { error: 'This is not a Solana address.', abort: true }),
    z.regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/, 'This is not a Solana address.'),
  );

const holderAddress = open(
  'addresses of those who hold the token, which are public on the chain',
  walletAddress,
);
const amount = open(
  'how many tokens an address holds, which is public on the chain',
  z.number().check(z.minimum(0)),
);
const rank = open('the rank of a holder among all', z.int().check(z.minimum(1)));
/** When the list was last read from the chain with success. */
const readAt = open('when the list of holders was read from the chain', timestamp);
const isStale = open('whether the chain could not be read again since', z.boolean());

/** Whether a gathering agrees with itself: what it says of one thing it must not deny of another. */
const agrees = ({ unlocked, count, threshold, holders }: z.output<typeof gatheringFields>) =>
  unlocked === count >= threshold &&
  holders.length === Math.min(count, HOLDERS_LISTED) &&
  holders.every(({ rank }, i) => rank === i + 1) &&
  new Set(holders.map(({ address }) => address)).size === holders.length;

const gatheringFields = z.object({
  /** Whether as many unique holders as the threshold are there. */
  unlocked: open('whether the gathering is open', z.boolean()),
  count: open('how many unique holders there are', z.int().check(z.minimum(0))),
  threshold: open('how many unique holders open the gathering', z.int()),
  /** Of the token whose holders these are. */
  mint: open('the address of the token that is watched, which is public on the chain', walletAddress),
  /** By rank, `HOLDERS_LISTED` at most. */
  holders: z.array(z.object({ address: holderAddress, amount, rank })).check(z.maxLength(HOLDERS_LISTED)),
  readAt,
  isStale,
});
const gatheringSchema = gatheringFields.check(z.refine(agrees, 'This gathering contradicts itself.'));
export type Gathering = z.output<typeof gatheringSchema>;

const verificationSchema = z.object({
  /** Whether it holds at least one whole token. */
  isHolder: open('whether an address holds the token', z.boolean()),
  amount,
  rank: z.optional(rank),
  /** Whether it holds as many tokens as the rituals ask for. */
  hasRituals: open('whether an address holds enough for the sacred rituals', z.boolean()),
  readAt,
  isStale,
});
export type Verification = z.output<typeof verificationSchema>;

const shownAddress = clear(
  'the address of a wallet that you connect here, while it is asked about',
  walletAddress,
);

/** What a wallet is asked to sign: the input of Sign-In With Solana (`signInText` makes the text of it). */
const signInInputSchema = z.object({
  domain: message('the host that asks', z.string().check(z.maxLength(260))),
  address: shownAddress,
  statement: message('what a signature is for', z.string().check(z.maxLength(300))),
  uri: message('the address of this server', z.string().check(z.maxLength(300))),
  version: message('the version of the text', z.literal('1')),
  chainId: message('the chain', z.string().check(z.maxLength(32))),
  nonce: credential('a number that is used once', z.string().check(z.maxLength(64))),
  issuedAt: message('when it was asked', timestamp),
  expirationTime: message('until when a signature counts', timestamp),
});
export type SignInInput = z.output<typeof signInInputSchema>;

/** How long a challenge of a wallet may be answered, in minutes. */
export const CHALLENGE_MINUTES = 5;

/**
 * The text that a wallet signs, which the server rebuilds and compares byte by byte: nothing that a client sends is parsed.
 * Fields in the order of the Sign-In With Solana specification (phantom/sign-in-with-solana, "Message Construction").
 */
export function signInText(input: SignInInput): string {
  return [
    `${input.domain} wants you to sign in with your Solana account:`,
    input.address,
    '',
    input.statement,
    '',
    `URI: ${input.uri}`,
    `Version: ${input.version}`,
    `Chain ID: ${input.chainId}`,
    `Nonce: ${input.nonce}`,
    `Issued At: ${input.issuedAt}`,
    `Expiration Time: ${input.expirationTime}`,
  ].join('\n');
}

/** The statement of the signature that an artifact needs. */
export const ARTIFACT_STATEMENT = 'Take the artifact of this wallet. This moves no tokens.';

/** The statement that links a wallet: it names the vault, so that the proof can be checked by whoever whispers to it. */
export const linkStatement = (vaultAddress: string) =>
  `Link this wallet to the vault ${vaultAddress}. This moves no tokens.`;

/**
 * The text whose signature makes the passphrase of a wallet's artifact. It differs from every sign-in text by its first
 * words, names the host, and never changes: the same wallet makes the same passphrase again.
 */
export const artifactSecretText = (domain: string, address: string) =>
  [
    `Latebra artifact secret for ${domain}`,
    address,
    '',
    'This signature makes the passphrase of your artifact. Sign it on this site alone. It moves no tokens.',
  ].join('\n');

/** The label of HKDF-SHA-256 that makes 20 bytes of the signature; in base32, in groups of four, they are the passphrase. */
export const ARTIFACT_SECRET_INFO = 'latebra artifact passphrase v1';

/** What is asked for first where a wallet proves nothing. */
const PROOF_MISSING =
  'The proof of the wallet is missing. Ask for a challenge, have the wallet sign it, and send what it signed.';

const walletProof = {
  walletAddress: clear('the address of a wallet that you prove here', walletAddress),
  /** Of the challenge that was signed. */
  nonce: credential('a number that is used once', z.string(PROOF_MISSING).check(z.maxLength(64))),
  /** The text as the wallet signed it. */
  signedMessage: credential('the text that a wallet signed', base64(2000)),
  signature: credential('a wallet’s signature', base64(88)),
};
export const walletProofSchema = z.object(walletProof);
export type WalletProof = z.output<typeof walletProofSchema>;

/** Eight groups of four letters and digits: 160 bits. */
const artifactPassphrase = credential(
  'the passphrase of an artifact, which your wallet makes',
  z.string().check(z.maxLength(39, { abort: true }), z.regex(/^[a-z2-7]{4}(?:-[a-z2-7]{4}){7}$/)),
);

export const artifactInput = z.object({ ...walletProof, passphrase: artifactPassphrase });

export const holders = {
  /** The gathering; null where no token is configured. 503 while its holders have never been read. */
  check: call({
    method: 'GET',
    path: '/api/holders/check',
    access: 'anyone',
    reply: z.nullable(gatheringSchema),
  }),
  /** What an address holds. It is public, and no proof is asked for. 503 while no list was read. */
  verify: call({
    method: 'GET',
    path: '/api/holders/verify',
    access: 'anyone',
    query: z.object({ walletAddress: shownAddress }),
    reply: verificationSchema,
  }),
  /** What a wallet has to sign for its artifact, good once and for `CHALLENGE_MINUTES`. */
  challenge: call({
    method: 'POST',
    path: '/api/holders/challenge',
    access: 'anyone',
    limited: 'public',
    status: 201,
    body: z.object({ walletAddress: shownAddress }),
    reply: signInInputSchema,
  }),
  /** An OpenPGP message for this wallet, signed by the instance and encrypted under the passphrase that is posted. */
  artifact: call({
    method: 'POST',
    path: '/api/holders/artifact',
    access: 'anyone',
    limited: 'public',
    body: artifactInput,
    text: true,
    reply: message('the artifact, armored', z.string().check(z.maxLength(64_000))),
  }),
  /** The Nexus text in full, for a linked wallet with rituals. 409 while the gathering is not open. */
  nexus: call({
    method: 'GET',
    path: '/api/holders/nexus',
    access: 'signed-in',
    requires: 'rituals',
    reply: z.object({ text: message('the Nexus text', z.string().check(z.maxLength(20_000))) }),
  }),
};

const linkedWalletSchema = z.object({
  address: clear('the wallet that you have linked', walletAddress),
  linkedAt: clear('when a wallet was linked', timestamp),
  /**
   * Whether the proof names the vault's present address and the server's; after the key was regenerated, or the server moved
   * to another address, it has to be linked again.
   */
  isCurrent: clear(
    'whether a wallet was linked to the present key, at the present address of the server',
    z.boolean(),
  ),
  /** Null while no list of holders was read. */
  holding: z.nullable(verificationSchema),
});
export type LinkedWallet = z.output<typeof linkedWalletSchema>;

/** The one wallet of an account. Linking it elsewhere moves it: the signature shows who has it now. */
export const linkedWallet = {
  get: call({
    method: 'GET',
    path: '/api/linked-wallet',
    access: 'signed-in',
    reply: z.nullable(linkedWalletSchema),
  }),
  /** What a wallet has to sign to be linked; the text names this vault's address. */
  challenge: call({
    method: 'POST',
    path: '/api/linked-wallet/challenge',
    access: 'signed-in',
    limited: 'session',
    status: 201,
    body: z.object({ walletAddress: shownAddress }),
    reply: signInInputSchema,
  }),
  link: call({
    method: 'PUT',
    path: '/api/linked-wallet',
    access: 'signed-in',
    limited: 'session',
    body: walletProofSchema,
    reply: linkedWalletSchema,
  }),
  unlink: call({
    method: 'DELETE',
    path: '/api/linked-wallet',
    access: 'signed-in',
    status: 204,
  }),
  /** The vault that a wallet is linked to, with the proof of it, to whisper to. 404 where no vault is. */
  find: call({
    method: 'GET',
    path: '/api/linked-wallets/{address}',
    access: 'signed-in',
    limited: 'session',
    reply: z.object({
      vaultAddress: open(
        'the address of the vault that a wallet is linked to',
        z.string().check(z.maxLength(32)),
      ),
      signedMessage: open('the text by which a wallet was linked', base64(2000)),
      signature: open('a wallet’s signature', base64(88)),
    }),
  }),
};
