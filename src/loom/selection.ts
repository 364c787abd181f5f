// Which sentences a story keeps, and where its parts begin. The writer's order is never changed.
import { singularsOf, THINGS } from './concrete-nouns.ts';
import { type Sentence, wordsOf } from './sentences.ts';

/** Sentences that stand together, so that “he” and “there” keep what they point at. */
const WINDOW = 3;

const TURN =
  /^(?:But|Then|Until|One (?:day|night|morning|evening|afternoon|spring|summer|autumn|winter|October|November)|Now|Today|Tonight|(?:Two|Three|Four|Five|Many|Some|\d+)? ?[Yy]ears later|After|When|That (?:spring|summer|autumn|fall|winter|night|day|morning|year)|The (?:day|night|winter|summer|spring|year|last)|In (?:the (?:end|spring|summer|winter|autumn|fall)|\d{4}|January|February|March|April|May|June|July|August|September|October|November|December)|Still|Yet|Last|Since)\b/;
const LOSS =
  /\b(?:never|gone|left|lost|died|death|fell|ended|goodbye|no longer|stopped|alone|broke|without|last|quiet|empty|sold|forgot|forgive|forgave|miss|missed|remember|promised|afraid|cried|wept|laughed|sang)\b/gi;
/** It points back at what may not have been kept. */
const POINTS_BACK = /^(?:He|She|It|They|That|This|These|Those|And|So|But|Then|Also|Her|His|Their|There)\b/;

/** Rather no cut than a worse one. */
const WORST_CUT = -3.5;

/** A question and its answer stay together. */
const ANSWER =
  /^(?:["“]|\S+ (?:said|says|told|answered|replied|did|didn['’]t|was|wasn['’]t|had|do|don['’]t)\b[^,]{0,40}[.!?]$)/;
const ASKING = /\b(?:asked|asks|wondered)\b|[?:]$/;

function weightOf({ text, length }: Sentence): number {
  const things = wordsOf(text.toLowerCase()).filter((word) =>
    singularsOf(word).some((form) => THINGS.has(form)),
  ).length;
  const turns = (TURN.test(text) ? 1.5 : 0) + Math.min(3, (text.match(LOSS) ?? []).length);
  const spoken = /["“]/.test(text) ? 1 : 0;
  return things * 1.5 + turns + spoken - (length > 40 ? 3 : 0);
}

/** @returns the sentences of a story of about `words` words: the beginning, the end, and the strongest passages between */
export function condense(sentences: readonly Sentence[], words: number): Sentence[] {
  const total = sentences.reduce((sum, { length }) => sum + length, 0);
  if (total <= words * 1.15 || sentences.length <= WINDOW * 3) return [...sentences];
  const last = sentences.length - WINDOW;
  const perWindow = Math.max(1, (total / sentences.length) * WINDOW);
  const regions = Math.max(1, Math.min(8, Math.round(words / perWindow) - 2));
  const kept = new Set<number>();
  const keep = (from: number) => {
    for (let at = from; at < Math.min(from + WINDOW, sentences.length); at += 1) kept.add(at);
  };
  keep(0);
  keep(last);
  const weights = sentences.map(weightOf);
  const room = last - WINDOW;
  for (let region = 0; region < regions; region += 1) {
    const from = WINDOW + Math.floor((room * region) / regions);
    const to = WINDOW + Math.floor((room * (region + 1)) / regions) - WINDOW;
    let best = from;
    let most = Number.NEGATIVE_INFINITY;
    for (let at = from; at <= to; at += 1) {
      const first = sentences[at];
      if (!first) continue;
      const sum = (weights[at] ?? 0) + (weights[at + 1] ?? 0) + (weights[at + 2] ?? 0);
      const begins = first.paragraph !== sentences[at - 1]?.paragraph ? 2 : 0;
      const dangles = POINTS_BACK.test(first.text) ? -4 : 0;
      if (sum + begins + dangles > most) {
        most = sum + begins + dangles;
        best = at;
      }
    }
    if (to >= from) keep(best);
  }
  return sentences.filter((_, at) => kept.has(at));
}

/**
 * @returns where the parts of a story begin: the first at 0, the others near a third and two thirds, at a paragraph or
 *   where the telling turns
 */
export function cutParts(sentences: readonly Sentence[]): number[] {
  const count = sentences.length;
  if (count < 7) return [0];
  const wanted = count < 12 ? [1 / 2] : [0.36, 0.7];
  const starts = [0];
  for (const share of wanted) {
    const ideal = count * share;
    let best = Math.round(ideal);
    let most = WORST_CUT;
    for (let at = (starts.at(-1) ?? 0) + 3; at <= count - 4; at += 1) {
      const sentence = sentences[at];
      if (!sentence) continue;
      const paragraph = sentence.paragraph !== sentences[at - 1]?.paragraph ? 3 : 0;
      const turn = TURN.test(sentence.text) ? 2.5 : 0;
      const dangles = /^(?:And|So|It|That|This)\b/.test(sentence.text) ? -2 : 0;
      const answers = ANSWER.test(sentence.text) || ASKING.test(sentences[at - 1]?.text ?? '') ? -4 : 0;
      const score = paragraph + turn + dangles + answers - (Math.abs(at - ideal) / count) * 14;
      if (score > most) {
        most = score;
        best = at;
      }
    }
    if (most > WORST_CUT) starts.push(best);
  }
  return starts;
}
