// From paragraphs of English to whole sentences, in the writer's order. A quotation is never cut apart.

export interface Sentence {
  /** It begins with a capital where it begins with a letter, and ends with punctuation. */
  text: string;
  /** How many words it has. */
  length: number;
  /** The number of its paragraph, from 0. */
  paragraph: number;
}

const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:['’-][\p{L}\p{N}]+)*/gu;
export const wordsOf = (text: string): string[] => text.match(WORD) ?? [];

const END = /[.!?…]+["'”’»)\]]*(?=\s)/g;
export const TITLE =
  /(?:^|[\s("“])(?:Mr|Mrs|Ms|Mx|Dr|St|Prof|Mt|vs|No|approx|e\.g|i\.e|Rev|Capt|Sgt|[A-HJ-Z])\.$/;
/** After them a small letter goes on. */
const ABBREVIATION = /(?:\b(?:a\.m|p\.m|etc|e\.g|i\.e|cf|approx|ca)|\p{L}\.\p{L})\.$/iu;
const EMOJI_END = /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier})\uFE0F?$/u;

export const capitalize = (text: string): string =>
  text.replace(
    /^(["'“‘([¿¡«]*)(\p{Ll})/u,
    (_, before: string, letter: string) => before + letter.toUpperCase(),
  );

/** Lines that only the width of a page cut apart become one; a line that stands by itself stays by itself. */
export function joinLines(lines: readonly string[]): string[] {
  const runs: string[] = [];
  for (const line of lines) {
    const last = runs.at(-1);
    const open = last !== undefined && !/[.!?…]["'”’»)\]]*$/.test(last);
    const goesOn = /^[\p{Ll}]/u.test(line) || (last ?? '').length >= 60 || /[,;]$/.test(last ?? '');
    if (open && goesOn) runs[runs.length - 1] = `${last} ${line}`;
    else runs.push(line);
  }
  return runs;
}

function isBalanced(text: string): boolean {
  let straight = 0;
  let curly = 0;
  let round = 0;
  for (const letter of text) {
    if (letter === '"') straight += 1;
    else if (letter === '“') curly += 1;
    else if (letter === '”') curly -= 1;
    else if (letter === '(') round += 1;
    else if (letter === ')') round -= 1;
  }
  return straight % 2 === 0 && curly === 0 && round === 0;
}

/** A sentence goes on after `Mr.`, after `“Why?” she asked`, and as long as a quotation is open. */
function split(run: string): string[] {
  const pieces: string[] = [];
  let from = 0;
  for (const match of run.matchAll(END)) {
    const to = match.index + match[0].length;
    const next = run.slice(to + 1, to + 2);
    const inner = /["'”’»)\]]$|…$|\.\.$/.test(match[0]) || /[!?]/.test(match[0]);
    const before = run.slice(Math.max(from, to - 12), to);
    const goesOn = inner || ABBREVIATION.test(before);
    if (TITLE.test(before) || (/\p{Ll}/u.test(next) && goesOn)) continue;
    pieces.push(run.slice(from, to).trim());
    from = to;
  }
  pieces.push(run.slice(from).trim());
  const whole: string[] = [];
  for (let at = 0; at < pieces.length; at += 1) {
    let piece = pieces[at] ?? '';
    if (!isBalanced(piece)) {
      let joined = piece;
      for (let ahead = at + 1; ahead < Math.min(at + 9, pieces.length) && joined.length < 800; ahead += 1) {
        joined = `${joined} ${pieces[ahead]}`;
        if (!isBalanced(joined)) continue;
        piece = joined;
        at = ahead;
        break;
      }
    }
    if (piece !== '') whole.push(piece);
  }
  return whole;
}

/** What was written without a full stop for a page is cut where a clause with a subject of its own begins. */
function cutRunOn(sentence: string): string[] {
  if (wordsOf(sentence).length <= 80 || /["“”()]/.test(sentence)) return [sentence];
  const clauses = sentence.split(
    /,? (?=(?:and|but|so|then) (?:then )?(?:I|i|we|he|she|they|it|there|my|the|you)\b)/,
  );
  const pieces: string[] = [];
  for (const clause of clauses) {
    const last = pieces.at(-1);
    if (last !== undefined && wordsOf(last).length < 9) pieces[pieces.length - 1] = `${last} ${clause}`;
    else pieces.push(clause);
  }
  return pieces;
}

function punctuate(text: string): string {
  const capital = capitalize(text);
  if (/[.!?…]["'”’»)\]]*$/.test(capital) || EMOJI_END.test(capital)) return capital;
  return `${capital.replace(/[\s,;:–—-]+$/, '')}.`;
}

/** Addresses, code, tables and noise cannot be read aloud. */
function isSpeakable(text: string): boolean {
  if (/https?:|www\.|\S@\S+\.\S|[{}\\|=^[\]<>`]|\/\/|--|::|\S{41}/.test(text.replaceAll('<3', '')))
    return false;
  const letters = (text.match(/[\p{L}\p{M}]/gu) ?? []).length;
  const signs = text.replace(/[\s\p{Emoji_Modifier}]/gu, '').length;
  if (letters < 2 || letters < signs * 0.6) return false;
  return !/(?:^|\s)(\S+)(?:\s+\1){3}(?=[\s.,!?]|$)/i.test(text);
}

/** A line of this many characters is a paragraph. */
const LONG_RUN = 120;

/** @returns the sentences of an English text that can be read aloud, each once, in order */
export function readSentences(paragraphs: readonly (readonly string[])[]): Sentence[] {
  const seen = new Set<string>();
  const isNew = (text: string) => {
    const key = wordsOf(text.toLowerCase()).join(' ');
    if (key === '' || seen.has(key)) return false;
    seen.add(key);
    return true;
  };
  let paragraph = -1;
  return paragraphs.flatMap((lines) => {
    let before = LONG_RUN;
    return joinLines(lines.map((line) => line.replace(/^\d{1,2}[.)] +(?=\S)/, ''))).flatMap((run) => {
      // Many people set their paragraphs apart by a single new line; short ones are the lines of a list.
      if (before >= LONG_RUN) paragraph += 1;
      before = run.length;
      return split(run)
        .flatMap(cutRunOn)
        .filter(isSpeakable)
        .map(punctuate)
        .filter(isNew)
        .map((text) => ({ text, length: wordsOf(text).length, paragraph }));
    });
  });
}
