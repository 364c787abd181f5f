// Reads hex as text, and knows which of it belongs to the puzzle. What is no part of it is read in the same way.
import {
  type Decoded,
  HIDDEN_BYTES,
  SHADOW_SCROLL_FILE,
  scrollFiles,
  TOO_LONG_TO_BE_HIDDEN,
} from '../../../shared/nouns/game.ts';
import { AppError } from '../../errors.ts';
import { HexProblem, readHex, readText, toHex } from '../../puzzle/hex.ts';
import type { Puzzle } from '../../puzzle/puzzle.ts';

/** The phase of what belongs to no part of the puzzle. */
const NO_PHASE = 0;
/** The source of what was found nowhere that this server knows. */
const UNKNOWN_SOURCE = 'unknown';

/** The files that somebody may say a string is from. Nothing else that they say is repeated. */
const FILES: ReadonlySet<string> = new Set([...Object.values(scrollFiles), SHADOW_SCROLL_FILE]);

/**
 * @param at when it is decoded
 * @throws AppError `invalid-input` for what is no hex, or too long to be hidden here
 */
export function decode(
  { hidden }: Pick<Puzzle, 'hidden'>,
  { hexString, sourceFile }: { hexString: string; sourceFile?: string | null | undefined },
  at: Date,
): Decoded {
  const bytes = readBytes(hexString);
  const timestamp = at.toISOString();
  const found = hidden.get(toHex(bytes));
  if (!found) {
    const source = sourceFile && FILES.has(sourceFile) ? sourceFile : UNKNOWN_SOURCE;
    return { decoded: readText(bytes), unlocks: [], phase: NO_PHASE, source, timestamp };
  }
  const { text, hint, unlocks, phase, source } = found;
  return {
    decoded: text,
    ...(hint === undefined ? {} : { hint }),
    unlocks: [...unlocks],
    phase,
    source,
    timestamp,
  };
}

function readBytes(hexString: string): Uint8Array {
  try {
    const bytes = readHex(hexString);
    if (bytes.length > HIDDEN_BYTES) throw new HexProblem(TOO_LONG_TO_BE_HIDDEN);
    return bytes;
  } catch (error) {
    if (error instanceof HexProblem) throw new AppError('invalid-input', error.message);
    throw error;
  }
}
