// Each rule by which sisters open a letter, where it stands in its source, and what stands there without it.
import type { RuleInFile } from '../bundle.ts';
import type { Breach } from './simulate-sisters.ts';

export interface SisterMutant extends RuleInFile {
  /** The promises of which it may break any. */
  breaks: Breach['promise'][];
  /** The life in which it is missed soonest, which is tried first. */
  seed?: number;
  /** In how many letters; a dozen unless told. */
  letters?: number;
}

const RULES = 'server/deadman/sisters/rules.ts';
const ANSWERS = 'server/deadman/sisters/answers.ts';

export const sisterMutants: SisterMutant[] = [
  {
    rule: 'a letter is open only after so many days of silence',
    file: RULES,
    within: 'isSilenceOver',
    find: 'isReleasable($letter, $sign, $clock, $rules)',
    replace: 'true',
    breaks: ['early', 'lost'],
  },
  {
    rule: 'silence begins anew with each sign',
    file: RULES,
    within: 'lastSign',
    find: 'signed_counted ?? 0',
    replace: '0',
    breaks: ['early', 'lost'],
  },
  {
    rule: 'a sign answers the newest question, once',
    file: ANSWERS,
    within: 'takeSign',
    find: 'mayAnswer($digests, $letter, $challenge, $now)',
    replace: 'true',
    breaks: ['lost'],
  },
  {
    rule: 'a sign is its author’s, and for this sister',
    file: ANSWERS,
    within: 'takeSign',
    find: 'sisters.verify($key, $context, $message, $signature)',
    replace: 'true',
    breaks: ['lost'],
  },
  {
    rule: 'a share is shown only once silence is over here as well',
    file: ANSWERS,
    within: 'exchangeShares',
    find: 'now.released_counted !== null',
    replace: 'true',
    breaks: ['early'],
    seed: 2,
  },
  {
    rule: 'a share is the one that the author has signed',
    file: 'server/deadman/sisters/share-box.ts',
    within: 'openShareBox',
    find: 'hashOfShare(share) === hashes[place]',
    replace: 'true',
    breaks: ['lost'],
  },
  {
    rule: 'a letter is given only once silence is over',
    file: 'server/deadman/sisters/open-store.ts',
    within: 'opened',
    find: "stateOf(letter) !== 'released'",
    replace: 'false',
    breaks: ['early'],
  },
  {
    rule: 'each sister writes in a turn of its own',
    file: RULES,
    within: 'turnOf',
    find: 'since < TURN_LASTS',
    replace: 'true',
    breaks: ['doubled'],
  },
  {
    rule: 'nobody is written to who has shown that they have the letter',
    file: 'server/deadman/sisters/mail-store.ts',
    within: 'writeMails',
    find: "$update.where('shown_at', 'is', null)",
    replace: '$update',
    also: [{ within: 'isAnybodyToWriteTo', find: "$query.where('shown_at', 'is', null)", replace: '$query' }],
    breaks: ['doubled'],
  },
  {
    rule: 'shares are asked for until there are enough',
    file: 'server/deadman/sisters/release.ts',
    within: 'step',
    find: 'askOthers($deps, $letter, $has)',
    replace: 'undefined',
    breaks: ['lost'],
  },
  {
    rule: 'a token proves nothing any more once others may know it',
    file: 'server/deadman/sisters/open-store.ts',
    within: 'provesReading',
    find: 'letter.was_released === 0',
    replace: 'true',
    breaks: ['lost'],
    seed: 2,
    letters: 40,
  },
];
