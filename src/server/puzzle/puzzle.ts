// The puzzle in force: what a file of texts becomes when its hex strings and shares are made. It stays on the server.
import { hkdfSync } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { StartProblem } from '../errors.ts';
import { HexProblem, hexLines, hexOf, readHex, toHex } from './hex.ts';
import { normalisePhrase } from './phrase.ts';
import { checkPuzzleFile, HEX_PLACE, type HiddenText, hiddenTexts, type PuzzleFile } from './puzzle-file.ts';
import { shippedPuzzle } from './shipped.ts';

/** The positions whose artifacts carry a share, in the order of the columns. */
export const sharePositions = [1, 7, 13] as const;

/** What an artifact carries of the last text. */
export interface Share {
  /** One column of three. */
  lines: readonly string[];
  /** As long as the last text, and noise without the two others: all three by exclusive or are the text. */
  hex: string;
}

export interface Puzzle {
  /** As its file has it: the passphrase of the second scroll. */
  phrase: string;
  /** Whether somebody has said the phrase: within any text, or as exactly its hex. */
  isPhrase(said: string): boolean;
  /** In the notation of the manifesto's signatures. */
  signatureHex: string;
  /** The second scroll, with its hex string: paragraphs between blank lines. */
  shadowScroll: string;
  /** By position. */
  shares: ReadonlyMap<number, Share>;
  /** By hex, in small letters without anything between. */
  hidden: ReadonlyMap<string, HiddenText>;
}

export function createPuzzle(file: PuzzleFile): Puzzle {
  const { shadow, strings, artifacts } = file;
  const phrase = normalisePhrase(shadow.phrase);
  const hexes = splitInThree(Buffer.from(strings.artifacts.text, 'utf8')).map(toHex);
  return {
    phrase: shadow.phrase,
    isPhrase: (said) => normalisePhrase(said).includes(phrase) || isHexOf(said, shadow.phrase),
    signatureHex: hexOf(strings.signature.text),
    shadowScroll: shadow.scroll.replace(HEX_PLACE, () => hexLines(hexOf(strings.shadowScroll.text), '    ')),
    shares: new Map(
      sharePositions.map((position, index) => [
        position,
        { lines: artifacts.columns[index] ?? [], hex: hexes[index] ?? '' },
      ]),
    ),
    hidden: new Map(hiddenTexts(file).map((hidden) => [hexOf(hidden.text), hidden])),
  };
}

function isHexOf(said: string, phrase: string): boolean {
  try {
    return toHex(readHex(said)) === hexOf(phrase);
  } catch (error) {
    if (error instanceof HexProblem) return false;
    throw error;
  }
}

/**
 * Three shares whose exclusive or is the text. The first two are made of the text by HKDF, so that the same file has the
 * same shares on every server and after every restart, and whoever cannot write the text cannot make them.
 */
function splitInThree(text: Uint8Array): [Uint8Array, Uint8Array, Uint8Array] {
  const noise = (position: number) =>
    new Uint8Array(hkdfSync('sha256', text, '', `latebra/v1/puzzle-share-${position}`, text.length));
  const [first, seventh] = [noise(1), noise(7)];
  const last = text.map((byte, at) => byte ^ (first[at] ?? 0) ^ (seventh[at] ?? 0));
  return [first, seventh, last];
}

/** Bytes of a PUZZLE_FILE; far more than its texts may have. */
const FILE_MAX = 2 ** 20;

/**
 * @param path a PUZZLE_FILE, or null for the puzzle that is shipped
 * @throws StartProblem with a sentence for each mistake
 */
export function readPuzzleFile(path: string | null): PuzzleFile {
  if (path === null) return shippedPuzzle;
  const checked = checkPuzzleFile(parseJson(path, readWhole(path)));
  if (!('problems' in checked)) return checked;
  const { problems } = checked;
  const mistakes = problems.length === 1 ? 'a mistake' : `${problems.length} mistakes`;
  throw new StartProblem(`The puzzle in ${path} (PUZZLE_FILE) has ${mistakes}:\n  ${problems.join('\n  ')}`);
}

function readWhole(path: string): string {
  let bytes: Buffer;
  try {
    if (statSync(path).size > FILE_MAX) throw new Error('it is larger than 1 MiB');
    bytes = readFileSync(path);
  } catch (error) {
    throw new StartProblem(
      `The puzzle in ${path} (PUZZLE_FILE) cannot be read: ${(error as Error).message}.`,
    );
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new StartProblem(`The puzzle in ${path} (PUZZLE_FILE) is not UTF-8.`);
  }
}

function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // What the parser says repeats a part of the file.
    throw new StartProblem(`The puzzle in ${path} (PUZZLE_FILE) is not JSON.`);
  }
}
