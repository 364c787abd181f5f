// The black scroll's files and the puzzle in them. What solves it stands in one file on the server and in no reply that was
// not earned (docs/game.md).
import * as z from 'zod/mini';
import { call } from '../http/call.ts';
import { clear, message } from '../http/field-classes.ts';
import { timestamp } from '../http/wire.ts';

/** What decoding can unlock; the browser keeps a flag for each. */
export const unlockables = ['shadow_chamber_access', 'shadow_scroll_002'] as const;
export type Unlockable = (typeof unlockables)[number];

/** The files of the black scroll, by the names under which they are saved. */
export const scrollFiles = {
  /** The manifesto, clear-signed. */
  scroll: 'BLACK_SCROLL_001.asc',
  /** The manifesto as it was signed, and the detached signature of it. */
  text: 'BLACK_SCROLL_001.txt',
  signature: 'BLACK_SCROLL_001.txt.sig',
  /** SHA-256 sums of the files above, clear-signed. */
  manifest: 'MANIFEST.asc',
  publicKey: 'latebra-public-key.asc',
} as const;
export type ScrollFileName = (typeof scrollFiles)[keyof typeof scrollFiles];
/** Encrypted under its phrase, and signed. */
export const SHADOW_SCROLL_FILE = 'SHADOW_SCROLL_002.asc';

/** The longest text that may be hidden, in bytes as UTF-8. */
export const HIDDEN_BYTES = 1000;
/** Characters of hex as somebody may paste it: two digits for a byte, 0x, and what is around them. */
export const HEX_TYPED_MAX = 8 * HIDDEN_BYTES;
export const TOO_LONG_TO_BE_HIDDEN = 'That is longer than anything that is hidden here.';

const hexString = clear(
  'a hex string that you decode',
  z.string().check(z.maxLength(HEX_TYPED_MAX, TOO_LONG_TO_BE_HIDDEN)),
);
const phrase = clear('a phrase that you try at the shadow', z.string().check(z.maxLength(2000)));
const text = (says: string, max: number) => message(says, z.string().check(z.maxLength(max)));

const decodedSchema = z.object({
  decoded: text('what a hex string says', 2000),
  hint: z.optional(text('a hint', 1000)),
  unlocks: z.array(message('what it unlocks', z.enum(unlockables))).check(z.maxLength(unlockables.length)),
  phase: message('which part of the puzzle it belongs to', z.int()),
  source: text('where it was found', 200),
  timestamp: message('when it was decoded', timestamp),
});
export type Decoded = z.output<typeof decodedSchema>;

const revealedSchema = z.object({
  /** The second scroll, as it is read on the page. */
  text: text('the second scroll', 20_000),
  /** The phrase that opens the downloaded file, in its canonical form. */
  phrase: text('the phrase of the second scroll', 200),
});
export type Revealed = z.output<typeof revealedSchema>;

export const game = {
  /** One of `scrollFiles`, saved by the browser. A file by another name is 404. */
  file: call({ method: 'GET', path: '/api/black-scroll/{name}', access: 'anyone', navigation: true }),
  /** The second scroll as a file, encrypted under its phrase; anyone may have it, and only who has the phrase opens it. */
  shadowFile: call({ method: 'GET', path: '/api/shadow-scroll', access: 'anyone', navigation: true }),
  /** Reads hex as text. What is no part of the puzzle is decoded too, and unlocks nothing. 422 for what is no hex. */
  decode: call({
    method: 'POST',
    path: '/api/phase2/decode',
    access: 'anyone',
    limited: 'public',
    body: z.object({
      hexString,
      sourceFile: z.nullish(clear('where a hex string was found', z.string().check(z.maxLength(200)))),
    }),
    reply: decodedSchema,
  }),
  /** 403 `wrong-phrase` for a wrong one; after some of those the answer waits, longer each time. */
  verify: call({
    method: 'POST',
    path: '/api/phase2/verify',
    access: 'anyone',
    limited: 'guesses',
    body: z.object({ phrase }),
    reply: revealedSchema,
  }),
};
