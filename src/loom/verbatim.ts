// What is not English is kept word by word, in its own order: only its lines are laid out, and its frame speaks no
// language.
import { joinLines } from './sentences.ts';

const ABBREVIATED =
  /(?:^|[\s(„“"«])(?:\p{Lu}|\d{1,2}|Dr|St|Nr|Prof|Hr|Fr|Mme|Mr|Sr|Sra|bzw|ca|z\. ?B|u\. ?a|d\. ?h)\.$/u;
const NUMERALS = ['I', 'II', 'III'];
/** A sentence longer than this is cut after its commas, in characters of half and of full width. */
const LONG = 56;
const LONG_FULL_WIDTH = 22;
const FULL_WIDTH = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

function segments(run: string): string[] {
  const cut =
    typeof Intl.Segmenter === 'function'
      ? [...new Intl.Segmenter('en', { granularity: 'sentence' }).segment(run)].map(({ segment }) => segment)
      : run.split(/(?<=[.!?…]["'”’»)\]]?\s)|(?<=[。！？؟।])/u);
  // What opens belongs to what follows, what closes to what went before, and 「…」と is one sentence.
  const mended: string[] = [];
  let opening = '';
  for (const segment of cut) {
    const whole = opening + segment;
    opening = /[「『（„]\s*$/u.exec(whole)?.[0] ?? '';
    const kept = whole.slice(0, whole.length - opening.length);
    const closing = /^(?:[」』）]+(?:と|って)?|[»”](?=\s|$)|(?:と|って))\s*/u.exec(kept)?.[0] ?? '';
    const isQuoted = /[」』]\s*$/u.test(mended.at(-1) ?? '') && /^(?:と|って)/u.test(kept);
    if (mended.length > 0 && isQuoted) mended[mended.length - 1] += kept;
    else if (mended.length > 0 && /^[」』）»”]/u.test(closing)) {
      mended[mended.length - 1] += closing;
      mended.push(kept.slice(closing.length));
    } else mended.push(kept);
  }
  return [...mended, opening];
}

const count = (text: string, mark: string) => text.split(mark).length - 1;
const isOpen = (text: string) =>
  count(text, '„') > count(text, '“') + count(text, '”') ||
  count(text, '「') > count(text, '」') ||
  count(text, '(') > count(text, ')') ||
  count(text, '（') > count(text, '）');

/** The sentences of a run; a date, a title and a quotation stay whole. */
function sentencesOf(run: string): string[] {
  const sentences: string[] = [];
  let open = '';
  for (const segment of segments(run)) {
    open += segment;
    const isWhole = !ABBREVIATED.test(open.trimEnd().slice(-12)) && (open.length > 800 || !isOpen(open));
    if (!isWhole) continue;
    sentences.push(open.trim());
    open = '';
  }
  sentences.push(open.trim());
  return sentences.filter((sentence) => sentence !== '');
}

/** Lines of one breath, cut after punctuation alone: it is the only pause that every language writes. */
function linesOf(sentence: string): string[] {
  const long = FULL_WIDTH.test(sentence) ? LONG_FULL_WIDTH : LONG;
  if (sentence.length <= long) return [sentence];
  const pieces = sentence.split(/(?<=[,;:–—，；：،؛]["”’»“]?) |(?<=[、，；：])/u);
  const lines: string[] = [];
  for (const piece of pieces) {
    const last = lines.at(-1);
    const gap = last !== undefined && /[、，；：]$/.test(last) ? '' : ' ';
    const isShort = last !== undefined && (last.length < long / 3 || piece.length < long / 4);
    if (isShort && last.length + piece.length <= long) lines[lines.length - 1] = last + gap + piece;
    else lines.push(piece);
  }
  return lines;
}

/** Stanzas of at most four sentences; a paragraph begins a new one. */
function stanzasOf(paragraphs: readonly (readonly string[])[]): string[][] {
  const stanzas: string[][] = [];
  for (const lines of paragraphs) {
    const sentences = joinLines(lines).flatMap(sentencesOf);
    // Four and one would leave one alone in the middle.
    const size = sentences.length % 4 === 1 ? 3 : 4;
    for (let at = 0; at < sentences.length; at += size) stanzas.push(sentences.slice(at, at + size));
  }
  return stanzas;
}

/** The first words of a text, cut at its first pause. */
function titleOf(paragraphs: readonly (readonly string[])[]): string {
  const [first = ''] = paragraphs[0] ?? [];
  const letters = Array.from(first.slice(0, 400));
  const start = letters.slice(0, 60).join('');
  const pause = /[.,;:!?。、，；：！？؟،…]/u.exec(start);
  if (pause && pause.index > 1) return start.slice(0, pause.index);
  if (letters.length <= 60) return start;
  const space = start.lastIndexOf(' ');
  return `${space > 20 ? start.slice(0, space) : letters.slice(0, 24).join('')} …`;
}

/**
 * @param paragraphs of any text
 * @param name the title, unless it is empty
 * @param duration the first line, unless it is empty
 */
export function keepVerbatim(
  paragraphs: readonly (readonly string[])[],
  name: string,
  duration: string,
): { title: string; text: string } {
  const stanzas = stanzasOf(paragraphs);
  const last = stanzas.at(-1);
  // The last sentence stands alone.
  const ending = last && (last.length > 1 || stanzas.length > 1) ? last.splice(-1) : [];
  const body = stanzas.filter((sentences) => sentences.length > 0);
  const parts = body.length >= 6 ? 3 : 1;
  const laid = body.flatMap((sentences, at) => {
    const part = Math.floor((at * parts) / body.length);
    const begins = parts > 1 && (at === 0 || Math.floor(((at - 1) * parts) / body.length) < part);
    return [...(begins ? [NUMERALS[part] ?? ''] : []), sentences.flatMap(linesOf).join('\n')];
  });
  return {
    title: name || titleOf(paragraphs),
    text: [duration, ...laid, ending.flatMap(linesOf).join('\n')]
      .filter((stanza) => stanza !== '')
      .join('\n\n'),
  };
}
