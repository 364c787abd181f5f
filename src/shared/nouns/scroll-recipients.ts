// The recipients of a legacy scroll: how each is reached, when each is told, and by which key of their own each opens the
// letter. docs/legacy.md tells the whole.
import * as z from 'zod/mini';
import { clear, open, sealed, wrapped } from '../http/field-classes.ts';
import { ageRecipient, base64, base64url, entryId, timestamp } from '../http/wire.ts';

/** How a recipient is told of a release: what a message goes by. */
export const messageChannels = ['email', 'sms', 'whisper'] as const;
export type MessageChannel = (typeof messageChannels)[number];
/** `card`: nobody is told. The recipient has a key card, or knows the address, and looks from time to time. */
export const recipientTypes = [...messageChannels, 'card'] as const;
export type RecipientType = (typeof recipientTypes)[number];
/** The address of whoever looks for themselves: nothing of them is kept. */
export const CARD_ADDRESS = 'card';

/**
 * The most recipients of one scroll. Each may be sent four messages, and each needs a key handed over by hand: a family
 * fits, a mailing list does not, and a release leaves within one day's messages of its author.
 */
export const RECIPIENTS_MAX = 8;

/**
 * When a recipient has the letter: `at-release`, or `if-unopened`, once all reminders have passed and nobody has opened
 * it. A second address is a recipient of the second kind (docs/decisions/0100).
 */
export const tells = ['at-release', 'if-unopened'] as const;
export type Tell = (typeof tells)[number];

/**
 * How the letter's key reaches the recipient: on a key card, by a passphrase they know, or sealed to their vault. `none`:
 * written by a client that knows nothing of scroll keys, and opened by nobody but its author.
 */
export const scrollAccesses = ['card', 'passphrase', 'vault', 'none'] as const;
export type ScrollAccess = (typeof scrollAccesses)[number];

// No control characters either: a database or a mail server would choke on them long after they were typed.
// Of ASCII a host has letters, digits and hyphens, and something between its full stops, which keyboards of East Asia write
// in ways of their own.
const EMAIL =
  /^[^\s\p{C}@<>",;:\\()[\]]{1,64}@(?:(?:[A-Za-z\d-]|[^\p{ASCII}\s\p{C}。．｡]){1,63}[.。．｡])+(?:[A-Za-z\d-]|[^\p{ASCII}\s\p{C}。．｡]){2,63}$/u;
const PHONE = /^\+[1-9]\d{6,14}$/;
export const VAULT_ADDRESS = /^[0-9a-f]{32}$/;

/**
 * An address as it is kept: without spaces around it; a phone number or a vault address without any inside, nor the
 * invisible marks that come along when one is copied. A "(0)" is for callers within a country, and "00" is how most
 * countries dial the +.
 */
export function normaliseAddress(type: RecipientType, address: string): string {
  if (type === 'card') return CARD_ADDRESS;
  if (type === 'email') return address.trim();
  const bare = address.replace(/[\s\p{Cf}]/gu, '');
  return type === 'whisper'
    ? bare.toLowerCase()
    : bare.replace(/\(0\)|[().\p{Pd}]/gu, '').replace(/^00(?=[1-9])/, '+');
}

/** What is wrong with an address, as a sentence, or null. */
export function addressProblem(type: RecipientType, address: string): string | null {
  const kept = normaliseAddress(type, address);
  if (type === 'card') return null;
  if (type === 'email') return EMAIL.test(kept) ? null : 'This is not an e-mail address.';
  if (type === 'sms')
    return PHONE.test(kept) ? null : 'A phone number begins with + and the country, such as +44 7700 900123.';
  return VAULT_ADDRESS.test(kept)
    ? null
    : 'A vault address has 32 characters: digits and the letters a to f.';
}

type Addressed = { recipientType: RecipientType; recipientAddress: string };

/** Whether both mean the same mailbox, telephone or vault. Two who look for themselves are two. */
export const isSameAddress = (one: Addressed, other: Addressed): boolean =>
  one.recipientType !== 'card' &&
  one.recipientType === other.recipientType &&
  normaliseAddress(one.recipientType, one.recipientAddress).toLowerCase() ===
    normaliseAddress(other.recipientType, other.recipientAddress).toLowerCase();

/** What is wrong with who is told when, as a sentence, or null. */
export const tellProblem = (recipients: readonly { tell: Tell }[]): string | null =>
  recipients.some(({ tell }) => tell === 'at-release')
    ? null
    : 'At least one recipient has to have the letter when it is released.';

export const recipientType = clear(
  'how a legacy scroll’s recipient is reached',
  z.enum(recipientTypes, 'A recipient is reached by email, sms, whisper or card.'),
);
export const recipientAddress = clear(
  'a legacy scroll’s recipient’s address',
  z.string('Enter who receives it.').check(
    z.refine((value) => value.trim() !== '', 'Enter who receives it.'),
    z.maxLength(320, 'This address is too long.'),
  ),
);
const tell = clear('when a legacy scroll’s recipient is told', z.enum(tells));

/** How a passphrase is stretched. Its salt is random and public: whoever asks for the scroll must be able to stretch. */
export const scrollStretching = z.object({
  salt: open('the salt of a legacy scroll’s passphrase', base64url(16)),
  memory: open(
    'how a legacy scroll’s passphrase is stretched',
    z.int().check(z.minimum(8), z.maximum(2 ** 22)),
  ),
  iterations: open(
    'how a legacy scroll’s passphrase is stretched',
    z.int().check(z.minimum(1), z.maximum(64)),
  ),
  parallelism: open(
    'how a legacy scroll’s passphrase is stretched',
    z.int().check(z.minimum(1), z.maximum(16)),
  ),
});
export type ScrollStretching = z.output<typeof scrollStretching>;

/** The letter's key sealed to the recipient's vault, and who says so (docs/formats.md, "Whisper"). */
export const whisperEnvelope = z.object({
  sealedKey: wrapped('a legacy scroll’s letter key, sealed to its recipient’s vault', base64(16 * 1024)),
  /** The sender's public keys, from which anyone makes the sender's vault address. */
  senderRecipient: open('your vault’s public address for sealing', ageRecipient),
  senderVerifyingKey: open('your vault’s public verifying key', base64(4096)),
  /** ML-DSA-44 over ciphertext, sealed key, sender and recipient, context `latebra/v1/whisper`. */
  signature: open('your vault’s signature over a whisper', base64(4096)),
});
export type WhisperEnvelope = z.output<typeof whisperEnvelope>;

const claimHash = open('a hash of the proof that opens a legacy scroll', base64url(32));
const cardNumber = open('the number of a key card', base64url(16));
/** How many sheets open the letter together, where its author has split the key of the card among people; they hold it, and not the recipient. */
export const sheetsNeeded = clear(
  'how many guardians’ sheets open a legacy scroll',
  z.int().check(z.minimum(2), z.maximum(15)),
);
export const wrappedKey = wrapped(
  'a legacy scroll’s letter key, sealed under one recipient’s card or passphrase',
  z.string().check(z.minLength(4), z.maxLength(4096)),
);

/** How one recipient comes to the letter's key. Absent from clients that know nothing of it. */
export const accessInput = z.discriminatedUnion('kind', [
  z.object({
    kind: clear('how a legacy scroll is opened', z.literal('card')),
    cardNumber,
    claimHash,
    wrappedKey,
    /** Absent: the card is handed over as one. */
    sheetsNeeded: z.nullish(sheetsNeeded),
  }),
  z.object({
    kind: clear('how a legacy scroll is opened', z.literal('passphrase')),
    claimHash,
    stretching: scrollStretching,
    wrappedKey,
  }),
  z.object({ kind: clear('how a legacy scroll is opened', z.literal('vault')), envelope: whisperEnvelope }),
]);
export type AccessInput = z.output<typeof accessInput>;

export const access = clear('how a legacy scroll is opened', z.enum(scrollAccesses));
export const openedAt = clear('when a legacy scroll was first opened', timestamp);
export const releasedAt = clear('when a legacy scroll was released', timestamp);
export const recipientPublicId = open('the number in a legacy scroll’s address', base64url(16));

/** Sealed under the key of one recipient's card. */
export const encryptedName = sealed('the name that the page of a key card gives as yours', 2048);

/** One of a form's recipients. */
export const recipientInput = z.object({
  /** Which one of the scroll's recipients this is; absent for a new one. */
  id: z.nullish(entryId),
  /**
   * Of a new one: the number in their address, 16 random bytes that whoever writes the scroll draws and seals in with it.
   * Absent: the server draws one. One who has a number keeps it. Links are made of its bytes, so it has the one spelling
   * whose spare bits are zero (RFC 4648, 3.5).
   */
  publicId: z.nullish(recipientPublicId.check(z.regex(/[AQgw]$/, 'This is not base64url of 16 bytes.'))),
  recipientType,
  recipientAddress,
  /** Absent: `at-release`. */
  tell: z.nullish(tell),
  /** Absent: the key that this recipient has is kept. */
  access: z.nullish(accessInput),
  /** For the page of a card. Absent: it gives no name. */
  encryptedName: z.nullish(encryptedName),
});
export type RecipientInput = z.output<typeof recipientInput>;

export const deliveryStates = ['waiting', 'sent', 'failed'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

const attempts = clear('how often a delivery was tried', z.int());
const why = z.nullable(clear('why a message did not arrive', z.string()));
const delivery = z.object({
  state: clear('what became of a delivery', z.enum(deliveryStates)),
  /** When it was handed to the mail server, the telephone company or the vault. */
  at: z.nullable(clear('when a message was accepted', timestamp)),
  attempts,
  why,
  /** When a message that a limit holds back is looked at next. */
  nextTryAt: z.nullable(clear('when a message that is held back is looked at next', timestamp)),
});

export const rehearsedAt = clear('when a rehearsal was opened', timestamp);

/** The last rehearsal of a recipient, and how far they came. */
const rehearsal = z.object({
  askedAt: clear('when you asked for a rehearsal', timestamp),
  /** Its page has become an ordinary one again. */
  isOver: clear('whether a rehearsal is over', z.boolean()),
  /** Null where nothing is sent: the recipient looks for themselves. */
  delivery: z.nullable(delivery),
  seenAt: z.nullable(clear('when the page of a rehearsal was shown first', timestamp)),
  /** When they have said that they have neither card nor passphrase. */
  keylessAt: z.nullable(clear('when a recipient has said that they have no key', timestamp)),
  wrongTries: clear('how many wrong keys were tried in a rehearsal', z.int()),
  openedAt: z.nullable(rehearsedAt),
});
export type Rehearsal = z.output<typeof rehearsal>;

export const scrollRecipientSchema = z.object({
  id: entryId,
  /** What this recipient's page is called by: `/legacy/{publicId}`. */
  publicId: recipientPublicId,
  recipientType,
  recipientAddress,
  tell,
  access,
  /** From it the author's browser makes the card again; null unless it opens by one. */
  cardNumber: z.nullable(cardNumber),
  /** Null unless the card's key is split into sheets. */
  sheetsNeeded: z.nullable(sheetsNeeded),
  /** Null but for `vault`: what the author's browser signed. */
  envelope: z.nullable(whisperEnvelope),
  /** When it was released to this recipient; null before that. */
  releasedAt: z.nullable(releasedAt),
  openedAt: z.nullable(openedAt),
  /** What became of the message that tells of the release. */
  delivery: z.nullable(delivery),
  /** What became of the last reminder; null while none was written. */
  reminder: z.nullable(
    z.object({
      times: clear('how many reminders a recipient was sent', z.int()),
      at: clear('when a reminder was written', timestamp),
      state: clear('what became of a message', z.enum(['waiting', 'sent', 'failed', 'cancelled'])),
      why,
    }),
  ),
  /** Since when nothing more is sent though nobody has opened it; null unless it is so. */
  unopenedSince: z.nullable(clear('since when a legacy scroll is taken for unopened', timestamp)),
  /** Since when they want no more messages of rehearsals; null unless they have said so. */
  rehearsalsStoppedAt: z.nullable(clear('since when a recipient wants no more rehearsals', timestamp)),
  /** Null where there was none, and once the letter was released to them. */
  rehearsal: z.nullable(rehearsal),
});
export type ScrollRecipient = z.output<typeof scrollRecipientSchema>;
