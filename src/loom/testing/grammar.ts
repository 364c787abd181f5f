// What a careful reader would mark in a story, by rules alone: it knows nothing of how a story is made.

const DANGLING = /(?:^| )(?:and|but|or|nor|because|the|a|an|my|your|his|its|our|their|of|if|than)$/i;
const VOWEL = /^[aeiou]/i;
/** Where spelling and sound differ. */
const SOUNDS_LIKE_CONSONANT = /^(?:uni|use|usu|euro|one\b|once|ut[ei]|eu|u\b)/i;
const SOUNDS_LIKE_VOWEL = /^(?:hour|hono|heir|honest|[fhlmnrsx]\b|8|11|18)/i;

const WORD = /[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu;
export const wordsOf = (text: string): string[] => text.match(WORD) ?? [];

const count = (text: string, pattern: RegExp) => (text.match(pattern) ?? []).length;

/** Whether each mark that opens in `text` closes in it. */
function isBalanced(text: string): boolean {
  return (
    count(text, /"/g) % 2 === 0 &&
    count(text, /“/g) === count(text, /”/g) &&
    count(text, /\(/g) === count(text, /\)/g) &&
    count(text, /\[/g) === count(text, /\]/g)
  );
}

/** Marks of any text, in whatever language. */
export function findLayoutFaults(text: string): string[] {
  const faults: string[] = [];
  const lines = text.split('\n');
  if (/\n{3,}/.test(text)) faults.push('an empty stanza');
  if (text !== text.trim()) faults.push('space around the text');
  for (const line of lines) {
    if (line !== line.trim()) faults.push(`space at an end of “${line}”`);
    if (/ {2}/.test(line)) faults.push(`two spaces in “${line}”`);
    if (/(?!\n)\p{Cc}|[\u200B\u202A-\u202E\u2066-\u2069\uFEFF\u00AD]|\p{Surrogate}/u.test(line)) {
      faults.push(`a hidden character in “${line}”`);
    }
    if (/\{\w*\}|undefined|\[object|NaN/.test(line)) faults.push(`an unfilled line “${line}”`);
  }
  return faults;
}

/**
 * Marks of an English story.
 * @param source what it was made of: what its writer doubled or left open is the writer's
 */
export function findFaults(text: string, source: string): string[] {
  const faults = findLayoutFaults(text);
  const lines = text.split('\n').filter((line) => line !== '');
  const flat = source.replace(/\s+/g, ' ').toLowerCase();
  const isWriters = (words: string) => flat.includes(words.toLowerCase());

  for (const line of lines) {
    if (lines.indexOf(line) !== lines.lastIndexOf(line)) faults.push(`a line twice: “${line}”`);
    if (DANGLING.test(line)) faults.push(`a dangling word at the end of “${line}”`);
    if (/ [.,;:!?](?!\.)/.test(line)) faults.push(`space before punctuation in “${line}”`);
    if (/[,;:.]{2}/.test(line.replaceAll('...', '')) && !isWriters(line))
      faults.push(`two marks in “${line}”`);
    if (!/[\p{L}\p{N}]/u.test(line)) faults.push(`no word in “${line}”`);
  }

  const story = text.replace(/\n+/g, ' ');
  for (const [pair, first = ''] of story.matchAll(/\b(\p{L}+) \1\b/giu)) {
    if (!isWriters(pair) && first !== '') faults.push(`a word twice: “${pair}”`);
  }
  for (const [phrase, article = '', next = ''] of story.matchAll(/\b(an?) ([\p{L}\p{N}]+)/giu)) {
    const wantsAn = SOUNDS_LIKE_VOWEL.test(next) || (VOWEL.test(next) && !SOUNDS_LIKE_CONSONANT.test(next));
    if (wantsAn !== (article.toLowerCase() === 'an') && !isWriters(phrase)) faults.push(`“${phrase}”`);
  }
  for (const [phrase] of story.matchAll(
    /\byou(?:'s)? (?:was|wasn't|am|has|is|does)\b|\b(?:was|am|is) you\b(?! (?:and|who))|\bI (?:were|are|is|has)\b|\b(?:the|a|an) (?:the|a|an|my|your|his|her|our|their)\b|\b(?:your|my) (?:am|was|were|is|you|I)\b|\byou (?:me|my|I)\b/gi,
  )) {
    if (!isWriters(phrase)) faults.push(`“${phrase}”`);
  }

  for (const stanza of text.split('\n\n')) {
    const inner = stanza.split('\n');
    if (/^(?:I|II|III)\. The [^.]+$/.test(stanza)) continue;
    if (!isBalanced(stanza)) faults.push(`an open quotation in “${stanza}”`);
    if (!/[.!?…:]["'”’)]*$|\p{Extended_Pictographic}\uFE0F?$/u.test(stanza))
      faults.push(`no end to “${stanza}”`);
    if (/^["'“‘(]*\p{Ll}/u.test(stanza)) faults.push(`no capital at the start of “${stanza}”`);
    inner.forEach((line, at) => {
      const before = inner[at - 1];
      const ends = before === undefined || /[.!?]["'”’)]*$/.test(before);
      if (ends && /^["'“‘(]*\p{Ll}/u.test(line) && !/(?:[!?]["'”’)]+|\b\p{L}\.)$/u.test(before ?? '')) {
        faults.push(`a small letter begins “${line}”`);
      }
    });
  }
  return faults;
}

/** Words with a capital that do not begin a sentence or a line: names, mostly. */
export function namesIn(text: string): string[] {
  return text
    .split('\n')
    .flatMap((line) =>
      [...line.matchAll(/(?<=[\p{L}\p{N},;] )\p{Lu}[\p{L}\p{N}'’-]*/gu)].map(([name]) => name),
    );
}
