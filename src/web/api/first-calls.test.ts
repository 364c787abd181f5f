// The answers that are checked without a schema, of the first load, of a one-time link and of a letter: what the plain checks take and give back, the contract's schemas take and give back.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type * as z from 'zod/mini';
import { administration } from '../../shared/nouns/administration.ts';
import { legacy } from '../../shared/nouns/letter-page.ts';
import { rehearsals } from '../../shared/nouns/rehearsals.ts';
import { shares } from '../../shared/nouns/sacred-key.ts';
import { sessions } from '../../shared/nouns/session.ts';
import { summary as ofSummary } from '../../shared/nouns/summary.ts';
import {
  calendarDoubts,
  holds,
  pauseReasons,
  proofOfLife,
  theSwitch,
} from '../../shared/nouns/switch-state.ts';
import { currentUser as ofUser } from '../../shared/nouns/user.ts';
import { ENTRY_CONTENT_MAX } from '../../shared/sealed-kinds.ts';
import { currentUser, giveProofOfLife, summary, switchState } from '../../vault/api/first-calls.ts';
import { signOut } from '../vault/session/leave.ts';
import { letterState, openLetter, openRehearsal } from './letter-calls.ts';
import { memberNotice } from './notice-call.ts';
import { acknowledgeShare, redeemShare, shareState } from './share-calls.ts';

const AT = '2030-06-01T12:00:00.000Z';
const user = {
  id: 'AAAAAAAAAAAAAAAAAAAAAA',
  email: null,
  firstName: null,
  lastName: null,
  stripeSubscriptionId: null,
  onboardingComplete: true,
  name: 'agnes',
  isAdmin: false,
  signedInBy: 'passkey',
  provedUntil: AT,
  keyFingerprint: '0123456789abcdef',
  wordsKeptAt: AT,
  passkeyCount: 1,
  recoveryPasskeys: 1,
  recoveryPassphrase: false,
  watchingScrolls: 0,
};
const counts = {
  memories: 1,
  relationships: 2,
  myths: 3,
  ghosts: 4,
  legacyScrolls: 5,
  whispers: 6,
  whispersHeldBack: 7,
  shareableKeys: 8,
  unsentMessages: 9,
  kitsAsked: 0,
  kitsStopped: 0,
  nearRelease: { scrolls: 1, remaining: -5, hold: 'paused' },
};
const state = {
  paused: { reason: 'restored', since: AT, goesOnIn: 5 },
  outOfReachSince: AT,
  elsewhere: 'ahead' as const,
  calendar: { doubt: 'set-forward' as const, says: AT },
  noMailSince: AT,
  noTextsSince: null,
  heldFor: 0,
};

const link = { state: 'waiting' as const, stretching: { memory: 65536, iterations: 3, parallelism: 1 } };
const words = { encryptedContent: 'AAAA', leaseUntil: AT };

const letter = {
  state: 'released' as const,
  access: 'passphrase' as const,
  stretching: { salt: 'AAAAAAAAAAAAAAAAAAAAAA', memory: 65536, iterations: 3, parallelism: 1 },
  openedAt: AT,
  sheetsNeeded: 3,
  encryptedName: 'AAAA',
  rehearsal: { openedAt: AT },
};
const rehearsed = {
  ...{ encryptedSentence: 'AAAA', wrappedKey: 'AAAA', sealId: 'AAAAAAAAAAAAAAAAAAAAAA' },
  openedBefore: AT,
};
const opened = {
  ...{ encryptedContent: 'AAAA', wrappedKey: 'AAAA', sealId: 'AAAAAAAAAAAAAAAAAAAAAA' },
  ...{ createdAt: AT, releasedAt: AT, openedBefore: AT },
};

const calls = [
  { name: 'who is signed in', plain: currentUser, row: ofUser, answer: user },
  {
    name: 'leaving',
    plain: signOut,
    row: sessions.leave,
    answer: { endsAt: 'https://provider.example/ends' },
  },
  { name: 'the counts', plain: summary, row: ofSummary.get, answer: counts },
  { name: 'a sign of life', plain: giveProofOfLife, row: proofOfLife.give, answer: { lastActivity: AT } },
  {
    name: 'the administrator’s notice',
    plain: memberNotice,
    row: administration.notice,
    answer: { says: 'A backup was restored.', since: AT },
  },
  { name: 'the switch', plain: switchState, row: theSwitch.get, answer: state },
  { name: 'how a letter stands', plain: letterState, row: legacy.state, answer: letter },
  { name: 'a letter', plain: openLetter, row: legacy.open, answer: opened },
  { name: 'a rehearsal', plain: openRehearsal, row: rehearsals.open, answer: rehearsed },
  { name: 'how a link stands', plain: shareState, row: shares.state, answer: link },
  { name: 'the words of a link', plain: redeemShare, row: shares.redeem, answer: words },
].map(({ name, plain, row, answer }) => ({
  name,
  plain,
  row,
  answer,
  schema: row.reply as unknown as z.ZodMiniType,
  check: plain.check as (value: unknown) => unknown,
}));

/** A call without what is said of its contents. */
const addressed = (call: object) => {
  const { check: _, reply: __, body: ___, ...rest } = call as Record<string, unknown>;
  return rest;
};

const taken = (check: (value: unknown) => unknown, value: unknown) => {
  try {
    return { gives: check(value) };
  } catch {
    return 'refused';
  }
};

/** Every place within an answer, as the names that lead to it. */
const placesIn = (value: unknown, to: string[] = []): string[][] => [
  to,
  ...(value !== null && typeof value === 'object'
    ? Object.entries(value).flatMap(([name, within]) => placesIn(within, [...to, name]))
    : []),
];

/** The answer with something else in one place; nothing at all for `undefined`. */
function withAt(answer: unknown, [name, ...rest]: string[], value: unknown): unknown {
  if (name === undefined) return value;
  const { [name]: before, ...others } = answer as Record<string, unknown>;
  const after = withAt(before, rest, value);
  return after === undefined ? others : { ...others, [name]: after };
}

const bent = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom<unknown>(
    undefined,
    null,
    '',
    'oidc',
    'words',
    ...holds,
    ...pauseReasons,
    ...calendarDoubts,
  ),
  fc.constantFrom<unknown>('0123456789ABCDEF', '0123456789abcdef\n', ' 0123456789abcdef', 'fedcba9876543210'),
  fc.constantFrom<unknown>(0, -0, 1, -1, 1.5, 2 ** 53, 2 ** 53 - 1, Number.NaN, '1', true, [], {}, [AT], {
    AT,
  }),
  fc.constantFrom<unknown>(
    '2030-02-30T12:00:00.000Z',
    '0000-06-01T12:00:00.000Z',
    '+012030-06-01T12:00:00.000Z',
  ),
  fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(AT) }).map((date) => date.toISOString()),
);

describe.each(calls)('$name', ({ plain, row, answer, schema, check }) => {
  test('is the contract’s call', () => {
    expect(addressed(plain)).toEqual(addressed(row));
  });

  test('is taken as the server answers it, without what nobody knows', () => {
    expect(check(answer)).toEqual(answer);
    expect(check({ ...answer, more: 'than was asked for' })).toEqual(answer);
  });

  test('is taken and refused as the contract’s schema does it, whatever stands in its places', () => {
    const places = placesIn(answer);
    fc.assert(
      fc.property(fc.constantFrom(...places), bent, (place, value) => {
        const lie = withAt(answer, place, value);
        expect(taken(check, lie)).toEqual(taken((given) => schema.parse(given), lie));
      }),
      { numRuns: 2_000 },
    );
    for (const place of places) {
      const without = withAt(answer, place, undefined);
      expect(taken(check, without)).toBe('refused');
    }
  });
});

test('that the words have arrived is told by the contract’s call, which answers nothing', () => {
  expect(addressed(acknowledgeShare)).toEqual(addressed(shares.acknowledge));
  expect(shares.acknowledge).not.toHaveProperty('reply');
});

test('words of the largest entry are taken, and none that are larger', () => {
  const largest = 'A'.repeat(ENTRY_CONTENT_MAX);
  expect(taken(redeemShare.check, { ...words, encryptedContent: largest })).not.toBe('refused');
  expect(taken(redeemShare.check, { ...words, encryptedContent: `${largest}A` })).toBe('refused');
});

test('a moment is taken as this server writes it, of all the ways that the contract knows', () => {
  for (const lastActivity of ['2030-06-01T14:00:00.000+02:00', '2030-06-01T12:00:00Z']) {
    expect(() => proofOfLife.give.reply.parse({ lastActivity })).not.toThrow();
    expect(taken(giveProofOfLife.check, { lastActivity })).toBe('refused');
  }
});
