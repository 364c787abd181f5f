// Guardians' kits: some people together open a vault, after a wait that its author can stop (docs/guardians.md). The server
// has the vault's key encrypted under a secret that it never sees, and no call of these answers a key to seal anything to.
import * as z from 'zod/mini';
import { call } from '../http/call.ts';
import { clear, credential, open, wrapped } from '../http/field-classes.ts';
import { base64url, createdAt, entryId, sealFields, sealReply, timestamp } from '../http/wire.ts';
import { sealedKinds } from '../sealed-kinds.ts';
import { DAY } from '../time.ts';

/** How many kits a vault may have. */
export const KITS_MAX = 5;
/** How many sheets a kit has at most, and how many of them open it at least. */
export const SHEETS_MAX = 15;
export const NEEDED_MIN = 2;
/** The wait between asking and opening, in days. */
export const WAIT_MIN = 7;
export const WAIT_MAX = 90;
export const WAIT_USUAL = 14;
/** How often a kit may be asked for in its life: whoever has its sheets must not be able to write to its author for ever. */
export const ASKS_MAX = 10;
/** A kit that is asked for so soon after it was stopped is told of more loudly, in milliseconds of counted time. */
export const ASKED_AGAIN_WITHIN = 30 * DAY;

/** The longest wrap of a key under a kit's secret, in characters. */
const WRAP_MAX = 1024;

const { details } = sealedKinds['guardian-kit'].fields;

const chosen = {
  needed: clear(
    'how many sheets of a guardians’ kit open your vault',
    z.int().check(z.minimum(NEEDED_MIN), z.maximum(SHEETS_MAX)),
  ),
  count: clear(
    'how many sheets a guardians’ kit has',
    z.int().check(z.minimum(NEEDED_MIN), z.maximum(SHEETS_MAX)),
  ),
  waitDays: clear(
    'how many days guardians wait before your vault opens',
    z.int().check(z.minimum(WAIT_MIN), z.maximum(WAIT_MAX)),
  ),
  address: open('the random number by which guardians find their kit', base64url(16)),
};

/** The vault's key under a kit's secret (docs/formats.md). */
export const kitWrap = wrapped(
  'your key, encrypted under the secret of a guardians’ kit',
  z.string().check(z.minLength(16), z.maxLength(WRAP_MAX)),
);

const claim = credential('the proof that enough sheets of a guardians’ kit are together', base64url(32));

export const guardianKitSchema = z.object({
  id: entryId,
  details,
  ...chosen,
  createdAt,
  /** How often it was asked for. */
  asks: clear('how often guardians asked for your vault', z.int()),
  /** Null unless it was asked for, and nobody has stopped it since. */
  asked: z.nullable(
    z.object({
      at: clear('when guardians asked for your vault', timestamp),
      /** Milliseconds of counted time; 0 once the wait is over. */
      remaining: clear('how long guardians still wait', z.int().check(z.minimum(0))),
      isOver: clear('whether guardians can open your vault', z.boolean()),
    }),
  ),
  stoppedAt: z.nullable(clear('when you were active and guardians’ wait was stopped', timestamp)),
  openedAt: z.nullable(
    clear('when guardians were first given your key, encrypted under their secret', timestamp),
  ),
  ...sealReply,
});
export type GuardianKit = z.output<typeof guardianKitSchema>;

export const guardianKitInput = z
  .object({
    details,
    ...chosen,
    claimHash: open('a hash of the proof that guardians will show', base64url(32)),
    wrap: kitWrap,
    ...sealFields,
  })
  .check(z.refine(({ needed, count }) => needed <= count, 'needed: there are fewer sheets than that.'));
export type GuardianKitInput = z.output<typeof guardianKitInput>;

export const guardianKits = {
  /** Five at most, newest first. */
  list: call({
    method: 'GET',
    path: '/api/guardian-kits',
    access: 'signed-in',
    reply: z.array(guardianKitSchema),
  }),
  /** 409 `kits-full` where there are five, 429 `too-many` after twenty in a day, also of those that were removed. */
  create: call({
    method: 'POST',
    path: '/api/guardian-kits',
    access: 'signed-in',
    inBook: true,
    fresh: true,
    status: 201,
    body: guardianKitInput,
    reply: guardianKitSchema,
  }),
  /** From then on its address is unknown, and no sheet of it opens anything here. */
  remove: call({
    method: 'DELETE',
    path: '/api/guardian-kits/{id}',
    access: 'signed-in',
    inBook: true,
    fresh: true,
    status: 204,
  }),
  /**
   * Asks for a vault by what enough sheets make together: its author is told at once, and their activity stops it. The same
   * call says how long is left, and answers the wrap once the wait is over. 404 for an address that no kit has, and for another
   * claim; 409 `kit-spent` where it was asked for ten times.
   */
  ask: call({
    method: 'POST',
    path: '/api/guardian-kits/ask',
    access: 'anyone',
    limited: 'public',
    body: z.object({
      address: chosen.address,
      claim,
      /** Asks once more where its author has stopped it. */
      again: z.optional(clear('whether a stopped kit is asked for again', z.boolean())),
    }),
    reply: z.object({
      state: clear('how far guardians’ wait is', z.enum(['waiting', 'stopped', 'open'])),
      /** Milliseconds of counted time, to the hour; null unless it waits. */
      remaining: z.nullable(clear('how long guardians still wait', z.int().check(z.minimum(0)))),
      /** Null before the wait is over. */
      wrap: z.nullable(kitWrap),
    }),
  }),
};
