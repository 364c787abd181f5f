// Legacy scrolls: one letter to one recipient, released by silence, by a date or by hand. The author's calls, the
// recipient's, and the rules that both sides of the wire must agree on. docs/legacy.md tells the whole.

import * as z from 'zod/mini';
import { call } from '../http/call.ts';
import { clear, credential, open, sealed, wrapped } from '../http/field-classes.ts';
import {
  ageRecipient,
  base64,
  base64url,
  createdAt,
  entryId,
  pageQuery,
  sealFields,
  sealReply,
  timestamp,
  updatedAt,
  version,
} from '../http/wire.ts';
import { ENTRY_CONTENT_MAX, sealedKinds } from '../sealed-kinds.ts';
import { DAY, HOUR } from '../time.ts';
import { ENTRY_BODY_LIMIT } from './memory.ts';
import { holds } from './switch-state.ts';

export const triggerTypes = ['inactivity', 'date', 'manual'] as const;
export type TriggerType = (typeof triggerTypes)[number];
/** How a recipient is told of a release: what a message goes by. */
export const messageChannels = ['email', 'sms', 'whisper'] as const;
export type MessageChannel = (typeof messageChannels)[number];
/** `card`: nobody is told. The recipient has a key card, or knows the address, and looks from time to time. */
export const recipientTypes = [...messageChannels, 'card'] as const;
export type RecipientType = (typeof recipientTypes)[number];
/** The address of whoever looks for themselves: nothing of them is kept. */
export const CARD_ADDRESS = 'card';

export const INACTIVITY_MIN = 1;
export const INACTIVITY_MAX = 365;
/** The most scrolls of one account. */
export const SCROLLS_MAX = 100;

/**
 * How many whispers lie in one vault unread: of one author, and of all together. Others are held back until its owner has
 * read or deleted some.
 */
export const WHISPERS_PER_AUTHOR = 20;
export const WHISPERS_PER_VAULT = 1000;

/**
 * How the scroll key reaches the recipient: on a key card, by a passphrase they know, or sealed to their vault. `none`:
 * written by a client that knows nothing of scroll keys, and opened by nobody but its author.
 */
export const scrollAccesses = ['card', 'passphrase', 'vault', 'none'] as const;
export type ScrollAccess = (typeof scrollAccesses)[number];

// No control characters either: a database or a mail server would choke on them long after they were typed.
const EMAIL =
  /^[^\s\p{C}@<>",;:\\()[\]]{1,64}@[^\s\p{C}@<>",;:\\()[\]]{1,190}\.[^\s\p{C}@<>",;:\\()[\].]{2,63}$/u;
const PHONE = /^\+[1-9]\d{6,14}$/;
const VAULT_ADDRESS = /^[0-9a-f]{32}$/;

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

/**
 * The first moment of a day somewhere on earth.
 * @param day `YYYY-MM-DD`
 * @param timeZone an IANA name
 * @returns epoch milliseconds; null when there is no such day, or the zone is not known here
 */
export function startOfDay(day: string, timeZone: string): number | null {
  const [, year, month, date] = (/^(\d{4})-(\d{2})-(\d{2})$/.exec(day) ?? []).map(Number);
  if (year === undefined || month === undefined || date === undefined || year < 1970) return null;
  const asUtc = Date.UTC(year, month - 1, date);
  if (new Date(asUtc).toISOString().slice(0, 10) !== day) return null;
  let clock: Intl.DateTimeFormat;
  try {
    clock = new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    });
  } catch {
    return null;
  }
  // Days begin at midnight but for the few places that skip it in spring, so the change of day is looked for. No zone
  // is further than fifteen hours from UTC.
  let [before, after] = [asUtc - 15 * HOUR, asUtc + 15 * HOUR];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (dayOf(middle, clock) < day) before = middle;
    else after = middle;
  }
  return after;
}

/** `YYYY-MM-DD`, of parts: how a language puts them together changes. */
function dayOf(time: number, clock: Intl.DateTimeFormat): string {
  const parts = Object.fromEntries(clock.formatToParts(time).map(({ type, value }) => [type, value]));
  return `${parts.year}-${parts.month}-${parts.day}`;
}

export type ScrollState = 'dormant' | 'watching' | 'released';

/** Which of its three states a scroll is in. */
export function scrollState(scroll: { isActive: boolean; hasTriggered: boolean }): ScrollState {
  if (scroll.hasTriggered) return 'released';
  return scroll.isActive ? 'watching' : 'dormant';
}

/** By the scroll key, sealed under the vault's, the author rereads, edits and shows the key card again. */
const { title, encryptedScrollKey } = sealedKinds['legacy-scroll'].fields;
/** Sealed under the scroll's own key: the letter, its title and its date as JSON. */
const encryptedContent = sealed('a legacy scroll’s words', ENTRY_CONTENT_MAX);
const triggerType = clear(
  'what releases a legacy scroll',
  z.enum(triggerTypes, 'A scroll is released by inactivity, by a date or by hand.'),
);
const triggerValue = clear(
  'after how much inactivity, or on which day, a legacy scroll is released',
  z.string('Choose when it is released.').check(
    z.refine((value) => value.trim() !== '', 'Choose when it is released.'),
    z.maxLength(40, 'This is neither a number of days nor a date.'),
  ),
);
/** A number of days may come as a JSON number. */
const triggerValueInput = clear(
  'after how much inactivity, or on which day, a legacy scroll is released',
  z.pipe(
    z.union(
      [z.string().check(z.maxLength(40, 'This is neither a number of days nor a date.')), z.number()],
      'Choose when it is released.',
    ),
    z.pipe(z.transform(String), triggerValue),
  ),
);
const timeZone = clear('in which time zone a legacy scroll’s day begins', z.string().check(z.maxLength(64)));
const recipientType = clear(
  'how a legacy scroll’s recipient is reached',
  z.enum(recipientTypes, 'A recipient is reached by email, sms, whisper or card.'),
);
const recipientAddress = clear(
  'a legacy scroll’s recipient’s address',
  z.string('Enter who receives it.').check(
    z.refine((value) => value.trim() !== '', 'Enter who receives it.'),
    z.maxLength(320, 'This address is too long.'),
  ),
);

/** How a passphrase is stretched. Its salt is random and public: whoever asks for the scroll must be able to stretch. */
const scrollStretching = z.object({
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

/** The scroll key sealed to the recipient's vault, and who says so (docs/formats.md, "Whisper"). */
const whisperEnvelope = z.object({
  sealedKey: wrapped('a legacy scroll’s own key, sealed to its recipient’s vault', base64(16 * 1024)),
  /** The sender's public keys, from which anyone makes the sender's vault address. */
  senderRecipient: open('your vault’s public address for sealing', ageRecipient),
  senderVerifyingKey: open('your vault’s public verifying key', base64(4096)),
  /** ML-DSA-44 over ciphertext, sealed key, sender and recipient, context `latebra/v1/whisper`. */
  signature: open('your vault’s signature over a whisper', base64(4096)),
});
export type WhisperEnvelope = z.output<typeof whisperEnvelope>;

const claimHash = open('a hash of the proof that opens a legacy scroll', base64url(32));
const wrappedKey = wrapped(
  'a legacy scroll’s own key, sealed under its passphrase',
  z.string().check(z.minLength(4), z.maxLength(4096)),
);

/** How the recipient comes to the scroll key. Absent from clients that know nothing of it. */
const accessInput = z.discriminatedUnion('kind', [
  z.object({ kind: clear('how a legacy scroll is opened', z.literal('card')), claimHash }),
  z.object({
    kind: clear('how a legacy scroll is opened', z.literal('passphrase')),
    claimHash,
    stretching: scrollStretching,
    wrappedKey,
  }),
  z.object({ kind: clear('how a legacy scroll is opened', z.literal('vault')), envelope: whisperEnvelope }),
]);
export type AccessInput = z.output<typeof accessInput>;

const access = clear('how a legacy scroll is opened', z.enum(scrollAccesses));
const openedAt = clear('when a legacy scroll was first opened', timestamp);
const releasedAt = clear('when a legacy scroll was released', timestamp);

export const deliveryStates = ['waiting', 'sent', 'failed'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

export const scrollSchema = z.object({
  id: entryId,
  /** What the recipient's page is called by: `/legacy/{publicId}`. */
  publicId: open('the number in a legacy scroll’s address', base64url(16)),
  title,
  encryptedContent,
  encryptedScrollKey: z.nullable(encryptedScrollKey),
  access,
  /** Null but for `vault`: what the author's browser signed. */
  envelope: z.nullable(whisperEnvelope),
  triggerType,
  triggerValue,
  timeZone,
  recipientType,
  recipientAddress,
  isActive: clear('whether a legacy scroll watches', z.boolean()),
  hasTriggered: clear('whether a legacy scroll was released', z.boolean()),
  /** The last sign of activity of the account. */
  lastActivity: clear('when you were last active', timestamp),
  createdAt,
  updatedAt,
  version,
  handedOverAt: z.nullable(clear('when you said that you handed a key card over', timestamp)),
  /** `null` while dormant. */
  warning: z.nullable(clear('whether a scroll’s author is warned by mail', z.enum(['mail', 'dashboard']))),
  /** Milliseconds of counted time until the deadline; null unless it watches by inactivity or date. */
  remaining: z.nullable(clear('how long until a legacy scroll is released', z.int())),
  hold: z.nullable(clear('why a legacy scroll is held back', z.enum(holds))),
  /** The last warning, if one was issued in this silence. */
  warned: z.nullable(
    z.object({
      at: clear('when a warning was written', timestamp),
      state: clear('what became of a warning', z.enum(['waiting', 'sent', 'failed', 'cancelled'])),
      why: z.nullable(clear('why a message did not arrive', z.string())),
    }),
  ),
  releasedAt: z.nullable(releasedAt),
  openedAt: z.nullable(openedAt),
  delivery: z.nullable(
    z.object({
      state: clear('what became of a delivery', z.enum(deliveryStates)),
      /** When it was handed to the mail server, the telephone company or the vault. */
      at: z.nullable(clear('when a message was accepted', timestamp)),
      attempts: clear('how often a delivery was tried', z.int()),
      why: z.nullable(clear('why a message did not arrive', z.string())),
      /** When a message that a limit holds back is looked at next. */
      nextTryAt: z.nullable(clear('when a message that is held back is looked at next', timestamp)),
    }),
  ),
  ...sealReply,
});
export type Scroll = z.output<typeof scrollSchema>;

/** What the author's form sends, for a new scroll and for one that is changed. */
const form = {
  title,
  encryptedContent,
  triggerType,
  triggerValue: triggerValueInput,
  /** Absent: UTC. */
  timeZone: z.nullish(timeZone),
  recipientType,
  recipientAddress,
  encryptedScrollKey: z.nullish(encryptedScrollKey),
  access: z.nullish(accessInput),
};

export const scrollInput = z.object({ ...form, ...sealFields });
export type ScrollInput = z.output<typeof scrollInput>;

/**
 * Everything of a scroll anew, as its author's form has it. While it watches, its trigger and its recipient must be
 * those it has. `access` is sent for a new card, a new passphrase or a whisper, and stops the watch unless the kind is
 * `vault`, whose signature every change of the words renews.
 */
export const scrollPatch = z.object({ version, ...form, keyFingerprint: sealFields.keyFingerprint });
export type ScrollPatch = z.output<typeof scrollPatch>;

export const activateInput = z.object({
  /** The version that was seen: another one may have another key or another recipient. Absent: whichever there is. */
  version: z.nullish(version),
  /** "I have handed it over." A scroll that opens by a card or a passphrase does not watch without. */
  handedOver: z.nullish(clear('whether you say that you handed a key card over', z.boolean())),
  /** Absent: `dashboard`. */
  warning: z.nullish(clear('whether a scroll’s author is warned by mail', z.enum(['mail', 'dashboard']))),
});
export type ActivateInput = z.output<typeof activateInput>;

const scrolls = z.array(scrollSchema);

export const legacyScrolls = {
  list: call({
    method: 'GET',
    path: '/api/legacy-scrolls',
    access: 'signed-in',
    query: pageQuery,
    reply: scrolls,
  }),
  create: call({
    method: 'POST',
    path: '/api/legacy-scrolls',
    access: 'signed-in',
    status: 201,
    bodyLimit: ENTRY_BODY_LIMIT,
    body: scrollInput,
    reply: scrollSchema,
  }),
  /** One that watches takes a fresh proof (403 `proof-needed`), as disarming it does. */
  update: call({
    method: 'PATCH',
    path: '/api/legacy-scrolls/{id}',
    access: 'signed-in',
    bodyLimit: ENTRY_BODY_LIMIT,
    body: scrollPatch,
    reply: scrollSchema,
  }),
  activate: call({
    method: 'POST',
    path: '/api/legacy-scrolls/{id}/activate',
    access: 'signed-in',
    fresh: true,
    optionalBody: true,
    body: activateInput,
    reply: scrollSchema,
  }),
  disarm: call({
    method: 'POST',
    path: '/api/legacy-scrolls/{id}/disarm',
    access: 'signed-in',
    fresh: true,
    reply: scrollSchema,
  }),
  /** Releases a watching scroll now, whatever its trigger. */
  release: call({
    method: 'POST',
    path: '/api/legacy-scrolls/{id}/release',
    access: 'signed-in',
    fresh: true,
    reply: scrollSchema,
  }),
  /**
   * Also a released one: then its address leads nowhere any more, and what was not delivered yet never is. One that
   * watches or was released goes by a fresh proof only (403 `proof-needed`).
   */
  remove: call({ method: 'DELETE', path: '/api/legacy-scrolls/{id}', access: 'signed-in', status: 204 }),
  /** What reaches whom here: the form says so before anything is written. */
  transports: call({
    method: 'GET',
    path: '/api/legacy-transports',
    access: 'signed-in',
    reply: z.object({
      email: clear('whether this server sends mail', z.boolean()),
      sms: clear('whether this server sends text messages', z.boolean()),
      /** Without it, text messages wait in the outbox for the administrator. */
      textsPermitted: clear('whether the administrator lets your text messages leave', z.boolean()),
    }),
  }),
};

const claim = credential('the proof that opens a legacy scroll', base64url(32));

/** The page of whoever holds a card, knows a passphrase, or only has the address. Nothing here ever burns. */
export const legacy = {
  state: call({
    method: 'GET',
    path: '/api/legacy/{publicId}',
    access: 'anyone',
    reply: z.object({
      state: clear('whether a legacy scroll was released', z.enum(['waiting', 'released'])),
      access,
      /** Null unless it opens by a passphrase. */
      stretching: z.nullable(scrollStretching),
      openedAt: z.nullable(openedAt),
    }),
  }),
  /**
   * With the right claim: the words, or 409 `not-released` before its time. With another: 401 `wrong-card`, which is
   * counted, with a growing delay, for passphrases alone.
   */
  open: call({
    method: 'POST',
    path: '/api/legacy/{publicId}/open',
    access: 'anyone',
    limited: 'guesses',
    body: z.object({ claim }),
    reply: z.object({
      encryptedContent,
      /** Null for a key card, which carries the key itself. */
      wrappedKey: z.nullable(wrappedKey),
      sealId: sealReply.sealId,
      createdAt,
      releasedAt,
      /** When it was opened before this, if it was. */
      openedBefore: z.nullable(openedAt),
    }),
  }),
};

const vaultAddress = open(
  'a vault’s public address',
  z.string().check(z.maxLength(32), z.regex(VAULT_ADDRESS)),
);

export const whisperSchema = z.object({
  id: entryId,
  publicId: open('the number in a legacy scroll’s address', base64url(16)),
  /** `card`: its key was never sealed to this vault, and only the key card opens it. */
  access: clear('how a legacy scroll is opened', z.enum(['vault', 'card', 'passphrase', 'none'])),
  releasedAt,
  openedAt: z.nullable(openedAt),
});
export type Whisper = z.output<typeof whisperSchema>;

/** What other vaults have left for this one. A whisper that was not released is not told of. */
export const whispers = {
  list: call({
    method: 'GET',
    path: '/api/whispers',
    access: 'signed-in',
    query: pageQuery,
    reply: z.array(whisperSchema),
  }),
  /** Marks it opened; it stays until it is deleted. 404 for whispers that are sealed to no vault. */
  open: call({
    method: 'POST',
    path: '/api/whispers/{publicId}/open',
    access: 'signed-in',
    reply: z.object({
      encryptedContent,
      envelope: whisperEnvelope,
      /** The address that the sender wrote to; an older one where this vault has changed its key since. */
      recipientAddress: vaultAddress,
      sealId: sealReply.sealId,
      createdAt,
      releasedAt,
      openedBefore: z.nullable(openedAt),
    }),
  }),
  /**
   * Takes it out of this vault for good. Its author keeps the scroll, and is not told; one whose author's vault is gone is
   * erased.
   */
  remove: call({
    method: 'DELETE',
    path: '/api/whispers/{publicId}',
    access: 'signed-in',
    status: 204,
  }),
};

/** Finding a vault by its address, to whisper to it. The asking browser makes the address anew from what it is told. */
export const vaults = {
  find: call({
    method: 'GET',
    path: '/api/vaults/{address}',
    access: 'signed-in',
    reply: z.object({
      generation: open('how many keys a vault has had', z.int()),
      recipient: open('a vault’s public address for sealing', z.string()),
      verifyingKey: open('a vault’s public verifying key', z.string()),
      signature: open('a vault’s signature over its public keys', z.string()),
    }),
  }),
};

/** For how long a scroll that a destroyed vault has left is kept, in milliseconds of counted time. */
export const DETACHED_LASTS = 365 * DAY;
