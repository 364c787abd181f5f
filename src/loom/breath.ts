// Cuts a sentence into lines of one breath each. No word is changed or lost, and no line ends on a word that leans on the
// next one.

import { singularsOf, THINGS } from './concrete-nouns.ts';
import { TITLE } from './sentences.ts';

const CONJUNCTIONS = new Set(
  'and but or nor yet because until while where when who whom whose which that as so if though although before after since unless than how why what whenever wherever'.split(
    ' ',
  ),
);
const PREPOSITIONS = new Set(
  'in on at by with from into through behind under above across along among around beside between beyond during for inside near onto outside past toward towards upon within against'.split(
    ' ',
  ),
);
/** They need what follows. */
const LEANING = new Set(
  `a an the my your his her its our their this these those some any no every each and but or nor yet so because until
  while where when who whom whose which that as if though although before after since unless than how why what in on at by
  with from into through behind under above across along among around beside between beyond during for inside near onto
  outside past toward towards upon within without against of to i you he she it we they is are was were am be been being
  has have had do does did will would can could shall should may might must not very too quite such i'm i've i'd i'll
  he's she's we're they're you're didn't don't wasn't isn't couldn't wouldn't can't won't about like out up off down
  over only even just almost always never still both either neither whether more most less mr mrs dr st`.split(
    /\s+/,
  ),
);
const SUBJECTS = new Set(
  'i you he she it we they there the a my your his her our their this that'.split(' '),
);

const NOMINATIVES = new Set(['i', 'he', 'she', 'we', 'they']);
const OPENS_CLAUSE = /^(?:when|while|if|after|before|as|and|then|once|because|that|but|since|until)$|,$/i;

/** The longest line, in words, unless a sentence offers no place to breathe. */
const LONGEST = 15;

const bare = (token: string) =>
  token
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');

/** What it costs to end a line before the token at `at`. */
function costOfBreak(tokens: readonly string[], at: number): number {
  const last = tokens[at - 1] ?? '';
  const next = tokens[at] ?? '';
  if (!/[\p{L}\p{N}]/u.test(next)) return 1000;
  if (/[.!?…]["'”’)]*$/.test(last)) return TITLE.test(last) || /^\p{Ll}/u.test(next) ? 1000 : -2;
  if (/[;:—–]$/.test(last) || /^[-–—]$/.test(last)) return 0;
  if (/,["'”’)]?$/.test(last)) return 0.6;
  if (LEANING.has(bare(last)) && !/["”]$/.test(last)) return 1000;
  const word = bare(next);
  // “Aoife and I”, “when my brother and I”: one subject.
  const opens = at === 2 || OPENS_CLAUSE.test(tokens[at - 3] ?? '');
  if (word === 'and' && at >= 2 && opens && /^(?:my|your|the|her|his|our)$/i.test(tokens[at - 2] ?? ''))
    return 6;
  if (word === 'and' && /^["“]/.test(tokens[at + 2] ?? '')) return 1.2;
  if (word === 'and' && /^\p{Lu}\p{L}+$/u.test(last) && SUBJECTS.has(bare(tokens[at + 1] ?? ''))) return 4;
  if (SUBJECTS.has(bare(tokens[at + 1] ?? '')) && (CONJUNCTIONS.has(word) || PREPOSITIONS.has(word))) {
    return CONJUNCTIONS.has(word) ? 1 : 2.2;
  }
  if (word === 'and' || word === 'or') {
    // “bread and butter” stays together, “and wrote letters home” begins a line.
    const isThing = singularsOf(bare(tokens[at + 1] ?? '')).some((form) => THINGS.has(form));
    return isThing || at + 2 >= tokens.length || /[,.;:!?]["'”’]?$/.test(tokens[at + 1] ?? '') ? 4 : 1.4;
  }
  if (word === 'as' || word === 'than') return 2.8;
  if (CONJUNCTIONS.has(word)) return 1.2;
  if (PREPOSITIONS.has(word)) return tokens.length - at > 3 ? 2.4 : 3.2;
  // “when we were kids | he took us fishing”
  if (NOMINATIVES.has(word)) return 3;
  return 11;
}

/**
 * @param sentence one sentence, its words set apart by single spaces
 * @param measure how many words a line has at best
 * @returns its lines; joined by spaces they are the sentence
 */
export function breathe(sentence: string, measure: number): string[] {
  const tokens = sentence.split(' ');
  const best = [0];
  const from = [0];
  for (let end = 1; end <= tokens.length; end += 1) {
    best[end] = Number.POSITIVE_INFINITY;
    const breakCost = end === tokens.length ? 0 : costOfBreak(tokens, end);
    for (let start = Math.max(0, end - LONGEST); start < end; start += 1) {
      const length = end - start;
      const whole = length === tokens.length;
      const tooShort = whole ? 0 : length === 1 ? 6 : length === 2 ? 1.5 : 0;
      const cost =
        (best[start] ?? 0) +
        breakCost +
        tooShort +
        ((length - measure) / 3) ** 2 * (length < measure ? 0.5 : 1);
      if (cost < (best[end] ?? 0)) {
        best[end] = cost;
        from[end] = start;
      }
    }
  }
  const lines: string[] = [];
  for (let end = tokens.length; end > 0; end = from[end] ?? 0)
    lines.unshift(tokens.slice(from[end], end).join(' '));
  return lines;
}
