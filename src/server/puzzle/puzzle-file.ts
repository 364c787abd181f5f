// The shape of a puzzle as its operator writes it (PUZZLE_FILE), and every mistake in one as a sentence. No sentence
// repeats a value: it is printed where the server is started, and may end in a log.
import * as z from 'zod/mini';
import { HIDDEN_BYTES, type Unlockable, unlockables } from '../../shared/nouns/game.ts';
import { normalisePhrase } from './phrase.ts';

/** What stands in the shadow scroll where its hex string goes. */
export const HEX_PLACE = '{hex}';
/** Letters and digits of a phrase. Fewer are tried through in an afternoon. */
const PHRASE_LEAST = 12;
const COLUMNS = 3;

const text = (max: number) =>
  z.string('must be text').check(
    z.refine((value) => value.trim() !== '', { error: 'is empty', abort: true }),
    z.maxLength(max, `must have ${max} characters or fewer`),
    z.refine((value) => value.isWellFormed(), 'holds half a character'),
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    z.refine((value) => !/[\0-\x08\x0b-\x1f\x7f-\x9f]/.test(value), 'holds control characters'),
  );

const hiddenText = z.strictObject(
  {
    /** What the hex string says. The string itself is made of it: its UTF-8 bytes. */
    text: text(HIDDEN_BYTES).check(
      z.refine(
        (value) => Buffer.byteLength(value) <= HIDDEN_BYTES,
        `must have ${HIDDEN_BYTES} bytes or fewer as UTF-8`,
      ),
    ),
    hint: z.optional(text(1000)),
    unlocks: z
      .array(z.enum(unlockables, `may hold ${unlockables.join(' and ')} alone`), 'must be a list')
      .check(z.maxLength(unlockables.length, `may hold ${unlockables.length} names`)),
    phase: z
      .int('must be a whole number')
      .check(z.minimum(0, 'must not be negative'), z.maximum(99, 'must be 99 or less')),
    /** Where it is found, as the decoder tells it. */
    source: text(200),
  },
  'must be an object',
);
export type HiddenText = z.output<typeof hiddenText>;

const object = <T extends z.core.$ZodLooseShape>(shape: T) => z.strictObject(shape, 'must be an object');

const column = z
  .array(text(76), 'must be a list of lines')
  .check(z.minLength(1, 'is empty'), z.maxLength(40, 'must have 40 lines or fewer'));

const puzzleFileSchema = object({
  shadow: object({
    /** Opens the shadow, and SHADOW_SCROLL_002.asc. */
    phrase: text(200).check(
      z.refine((value) => value === value.trim() && !/\s{2}|[\n\t]/.test(value), {
        error: 'must be one line, with single spaces inside and none at its ends',
        abort: true,
      }),
      z.refine(
        (value) => normalisePhrase(value).replaceAll(' ', '').length >= PHRASE_LEAST,
        `must have ${PHRASE_LEAST} letters and digits or more`,
      ),
    ),
    scroll: text(16_000).check(
      z.refine(
        (value) => value.split(HEX_PLACE).length === 2,
        `must hold ${HEX_PLACE} once, where the hex string of strings.shadowScroll goes`,
      ),
    ),
  }),
  /** The hex strings of the three steps. */
  strings: object({
    /** Stands in the notation of the manifesto's signatures. */
    signature: hiddenText,
    shadowScroll: hiddenText,
    /** What the shares of the three artifacts are together. */
    artifacts: hiddenText,
  }),
  artifacts: object({
    /** Of the positions 1, 7 and 13: columns of the same lines. */
    columns: z.array(column, 'must be a list').check(
      z.refine((value) => value.length === COLUMNS, {
        error: 'must hold three columns: of positions 1, 7 and 13',
        abort: true,
      }),
      z.refine(
        ([first, ...others]) => others.every((each) => each.length === first?.length),
        'must hold columns with equally many lines',
      ),
    ),
  }),
  /** Hex strings that the operator hides elsewhere. */
  others: z.array(hiddenText, 'must be a list').check(z.maxLength(100, 'may hold 100 strings')),
});
export type PuzzleFile = z.output<typeof puzzleFileSchema>;

/**
 * @param value what a file holds as JSON
 * @returns the puzzle, or what is wrong with it in sentences
 */
export function checkPuzzleFile(value: unknown): PuzzleFile | { problems: string[] } {
  const parsed = z.safeParse(puzzleFileSchema, value);
  if (!parsed.success) return { problems: parsed.error.issues.map((issue) => sentence(issue, value)) };
  const problems = [...doubled(parsed.data), ...unreachable(parsed.data)];
  return problems.length > 0 ? { problems } : parsed.data;
}

export const hiddenTexts = ({ strings, others }: PuzzleFile): HiddenText[] => [
  strings.signature,
  strings.shadowScroll,
  strings.artifacts,
  ...others,
];

function doubled(file: PuzzleFile): string[] {
  const texts = hiddenTexts(file).map(({ text }) => text);
  return new Set(texts).size < texts.length ? ['Two hex strings have the same text.'] : [];
}

function unreachable(file: PuzzleFile): string[] {
  const found = new Set<Unlockable>(hiddenTexts(file).flatMap(({ unlocks }) => unlocks));
  return unlockables
    .filter((name) => !found.has(name))
    .map((name) => `No hex string unlocks ${name}, so nobody could go on.`);
}

function sentence({ path, ...issue }: z.core.$ZodIssue, value: unknown): string {
  const where = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
  const subject = where.replace(/^\./, '') || 'The file';
  if (issue.code === 'unrecognized_keys') return `${subject} has a field that is not known here.`;
  const found = path.reduce<unknown>((from, part) => (from as Record<PropertyKey, unknown>)?.[part], value);
  return `${subject} ${found === undefined ? 'is missing' : issue.message}.`;
}
