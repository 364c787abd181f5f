// The calls of the app's first load, as the contract has them; the compiler keeps their paths and types to it, and a test what
// they take for an answer. They do without its schemas, which come with the first chamber.
import type { ReplyOf } from '../../shared/http/call.ts';
import type * as ofSummary from '../../shared/nouns/summary.ts';
import type * as ofSwitch from '../../shared/nouns/switch-state.ts';
import type * as ofUser from '../../shared/nouns/user.ts';
import type { PlainCall } from './plain-call.ts';
import { count, flag, matching, moment, nullable, object, oneOf, text, whole } from './plain-checks.ts';

export type Summary = ReplyOf<typeof ofSummary.summary.get>;

/** `account.user` of the contract. */
export const currentUser: PlainCall<typeof ofUser.currentUser> = {
  method: 'GET',
  path: '/api/auth/user',
  access: 'signed-in',
  check: object({
    id: text,
    email: nullable(text),
    firstName: nullable(text),
    lastName: nullable(text),
    stripeSubscriptionId: nullable(text),
    onboardingComplete: flag,
    name: nullable(text),
    isAdmin: flag,
    signedInBy: oneOf(['passkey', 'passphrase', 'words', 'oidc']),
    provedUntil: moment,
    keyFingerprint: nullable(matching(/^[0-9a-f]{16}$/)),
    wordsKeptAt: nullable(moment),
    passkeyCount: whole,
    recoveryPasskeys: whole,
    recoveryPassphrase: flag,
    watchingScrolls: whole,
  }),
};

/** `summary.get` of the contract. */
export const summary: PlainCall<typeof ofSummary.summary.get> = {
  method: 'GET',
  path: '/api/summary',
  access: 'signed-in',
  check: object({
    memories: count,
    relationships: count,
    myths: count,
    ghosts: count,
    legacyScrolls: count,
    whispers: count,
    whispersHeldBack: count,
    shareableKeys: count,
    kitsAsked: count,
    kitsStopped: count,
    unsentMessages: count,
    nearRelease: nullable(
      object({
        scrolls: count,
        remaining: whole,
        hold: nullable(
          oneOf([
            'paused',
            'out-of-reach',
            'after-start',
            'after-outage',
            'postponed',
            'contact-told',
            'dark-date',
            'warning-unaccepted',
            'warned-lately',
            'calendar-stood-still',
            'calendar-set',
          ]),
        ),
      }),
    ),
  }),
};

/** `proofOfLife.give` of the contract. */
export const giveProofOfLife: PlainCall<typeof ofSwitch.proofOfLife.give> = {
  method: 'POST',
  path: '/api/proof-of-life',
  access: 'signed-in',
  check: object({ lastActivity: moment }),
};

/** `theSwitch.get` of the contract. */
export const switchState: PlainCall<typeof ofSwitch.theSwitch.get> = {
  method: 'GET',
  path: '/api/switch',
  access: 'signed-in',
  check: object({
    paused: nullable(
      object({
        reason: oneOf(['restored', 'another-key', 'journal-missing', 'moved']),
        since: moment,
        goesOnIn: nullable(whole),
      }),
    ),
    outOfReachSince: nullable(moment),
    elsewhere: nullable(oneOf(['another', 'ahead', 'behind'])),
    calendar: nullable(object({ doubt: oneOf(['unproved', 'stood-still', 'set-forward']), says: moment })),
    noMailSince: nullable(moment),
    noTextsSince: nullable(moment),
    heldFor: whole,
  }),
};
