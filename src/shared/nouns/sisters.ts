// Sisters: other instances of this program that keep a letter, count its author's silence each by themselves, and open it only
// together (docs/sisters.md). What authors' browsers and instances say to each other is described here; what is inside a box
// is in docs/formats.md, "Sisters".
import * as z from 'zod/mini';
import { SIGNATURE_BYTES } from '../byte-formats.ts';
import { call } from '../http/call.ts';
import { clear, credential, open, wrapped } from '../http/field-classes.ts';
import { ageRecipient, base64, base64url, sealReply, timestamp } from '../http/wire.ts';
import { encryptedContent } from './legacy.ts';

/** The longest origin of an instance, in characters. */
const ORIGIN_MAX = 253;
/** The largest box: a letter of the largest size in base64, with what stands beside it. */
const BOX_MAX = 4 * 1024 * 1024;
/** How many days of silence a sister may be asked to count: the longest silence of a letter, and what is added to it. */
export const SISTER_DAYS_MAX = 730;
/** So much later than at home silence is over at a sister: warnings, pauses and the trusted contact come first. */
export const SISTER_DAYS_AFTER = 30;

const origin = open('the address of another instance', z.string().check(z.maxLength(ORIGIN_MAX)));
const sisterAddress = open(
  'the 32 characters by which people compare the keys of an instance',
  z.string().check(z.regex(/^[0-9a-f]{32}$/)),
);
const id = open('the random number by which sisters know a letter', base64url(16));
const signature = open('a signature', base64(Math.ceil(SIGNATURE_BYTES / 3) * 4));
const challenge = open('a random number that one signature may answer', base64url(32));
const token = credential('the proof of whoever was written to by a sister', base64url(32));
const share = wrapped('a part of a key, of which several open it', base64url(33));
const box = (says: string) => wrapped(says, base64(BOX_MAX));
const digest = open('a hash of what a sister keeps of a letter', base64url(32));

const keys = {
  address: sisterAddress,
  recipient: open('the public key to which an instance’s letters are sealed', ageRecipient),
  verifyingKey: open('the public key by which an instance signs', base64(1752)),
};

/** How far a letter is at one sister. */
const state = clear(
  'how far a letter is at a sister: watched, ended, or open to whoever shows a token',
  z.enum(['watching', 'released', 'ended']),
);

export const sisterStandings = ['joined', 'one-sided', 'deaf', 'another', 'silent'] as const;
export type SisterStanding = (typeof sisterStandings)[number];

export const sisters = {
  /** The instances that this one is joined with, for their letters. Empty where it is joined with none. */
  list: call({
    method: 'GET',
    path: '/api/sisters',
    access: 'signed-in',
    reply: z.array(
      z.object({
        origin,
        address: sisterAddress,
        /** Null where it does not answer, or answers keys of another address. */
        keys: z.nullable(z.object(keys)),
      }),
    ),
  }),
  /** Passes a box on to one of them. 404 `no-such-sister`, 502 `sister-away`, 409 `sister-refused`, 429 for too much. */
  send: call({
    method: 'POST',
    path: '/api/sisters/send',
    access: 'signed-in',
    fresh: true,
    bodyLimit: BOX_MAX + 4096,
    body: z.object({ to: origin, box: box('a letter for a sister, sealed to it') }),
    status: 204,
  }),

  // What an instance answers to others, to authors of their letters and to recipients.
  /** Who this instance is. 404 where it is joined with none. */
  identity: call({
    method: 'GET',
    path: '/api/sisters/identity',
    access: 'anyone',
    limited: 'apart',
    reply: z.object(keys),
  }),
  /** Takes a letter from an instance that this one is joined with. 403 `not-a-sister` for every other. */
  keep: call({
    method: 'POST',
    path: '/api/sisters/letters',
    access: 'anyone',
    limited: 'apart',
    bodyLimit: BOX_MAX + 8192,
    body: z.object({ from: origin, box: box('a letter for a sister, sealed to it'), signature }),
    /** In words: a proxy on the way can answer 204 as well. */
    reply: z.object({ kept: clear('that another instance keeps a letter', z.literal(true)) }),
  }),
  /** What an author may answer next, and what is kept. 404 for a letter that was never here. */
  challenge: call({
    method: 'POST',
    path: '/api/sisters/challenges',
    access: 'anyone',
    limited: 'public',
    body: z.object({ id }),
    reply: z.object({
      state,
      challenge: z.nullable(challenge),
      digest: z.nullable(digest),
      /** Who has ended it: its author, or the instance that kept it. Null unless it has ended. */
      endedBy: z.nullable(clear('who has ended what a sister kept', z.enum(['author', 'sister']))),
    }),
  }),
  /** An author lives, or wants the letter erased. 409 `stale-challenge` for an answer to another challenge; 400 `wrong-signature`. */
  sign: call({
    method: 'POST',
    path: '/api/sisters/signs',
    access: 'anyone',
    limited: 'public',
    body: z.object({
      id,
      challenge,
      kind: clear('whether an author lives, or ends a letter at a sister', z.enum(['alive', 'end'])),
      signature,
    }),
    reply: z.object({ state }),
  }),
  /** A sister for which silence is over shows its share of the addresses; one for which it is over as well answers its own. */
  share: call({
    method: 'POST',
    path: '/api/sisters/shares',
    access: 'anyone',
    limited: 'apart',
    body: z.object({
      id,
      from: origin,
      box: box('a share of recipients’ addresses, sealed to a sister'),
      signature,
    }),
    reply: z.object({ box: z.nullable(box('a share of recipients’ addresses, sealed to a sister')) }),
  }),
  /**
   * What one sister gives to a recipient who shows the token of their mail. Before its time it gives nothing, and notes that this
   * recipient has the letter already: nobody else can make the token. 404 for another token.
   */
  open: call({
    method: 'POST',
    path: '/api/sisters/open',
    access: 'anyone',
    limited: 'public',
    body: z.object({ id, token }),
    reply: z.object({
      state,
      needed: clear('how many sisters open a letter together', z.int()),
      /** All of them, this one included. */
      sisters: z.array(z.object({ origin, address: sisterAddress })),
      /** Null before its time. */
      opened: z.nullable(z.object({ encryptedContent, sealId: sealReply.sealId, share })),
    }),
  }),

  // For the administrator.
  /** How the listed instances stand with this one. Each of them is asked now. Empty where it is joined with none. */
  joined: call({
    method: 'GET',
    path: '/api/sisters/joined',
    access: 'admin',
    reply: z.array(
      z.object({
        origin,
        address: sisterAddress,
        /**
         * `joined`: each lists the other. `one-sided`: it does not list this one. `deaf`: it does not reach this one, or finds other keys
         * there. `another`: what answers has not the keys of this address. `silent`: nobody answers.
         */
        standing: clear('how another instance stands with this one', z.enum(sisterStandings)),
        /** Null for not since this server was started. */
        reachedAt: z.nullable(clear('when another instance was reached last', timestamp)),
      }),
    ),
  }),
  /** Who this instance is among others, whether or not it is joined with any, and how many letters of which are kept here. */
  kept: call({
    method: 'GET',
    path: '/api/sisters/kept',
    access: 'admin',
    reply: z.object({
      /** Null without PUBLIC_URL, by which others would know it. */
      origin: z.nullable(origin),
      address: sisterAddress,
      kept: z.array(
        z.object({
          origin,
          watching: clear('how many letters are kept here for another instance', z.int()),
          released: clear('how many letters of another instance are open to their recipients', z.int()),
          ended: clear('how many letters of another instance are kept here no more', z.int()),
        }),
      ),
    }),
  }),
  /** Erases all that is kept for one instance. Its authors are told at their next visit. */
  endAll: call({
    method: 'POST',
    path: '/api/sisters/kept/end',
    access: 'admin',
    fresh: true,
    body: z.object({ from: origin }),
    reply: z.object({ ended: clear('how many letters of another instance were erased here', z.int()) }),
  }),
};
