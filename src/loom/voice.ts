// Tells a story to the one who lived it: “I was” becomes “you were”. Only for whole stories, and only where every sentence
// allows it; what stands in quotation marks is what somebody said and stays.

const NOT_SAFE = [
  // The writer already speaks to somebody, or to everybody.
  /\b(?:you|your|yours|yourself|yourselves|you['’]\p{L}+)\b/iu,
  // A small i, “World War I”, “Elizabeth I.”, a coal mine, “oh my”, “let's”, “it is I who am”.
  /(?<![\p{L}.’'])i(?=['’\s,;:!?]|$)/u,
  /\b(?:War|Part|Chapter|Act|Volume|Book) I\b/,
  /\p{Lu}\p{L}+ I(?=[.,;:!?)]|$)/u,
  /\b(?:the|a|an|this|that|these|those|each|every|coal|gold|salt|old|my|his|her|their|our|land) mines?\b|\bin mine\b|\bmine(?:s|d|rs?|\s+shaft)\b/i,
  /\bmy(?=[.,;:!?)]|$)|\b(?:oh|my) my\b|\bmy (?:god|goodness|lord|word)\b/i,
  /(?<=[\p{L},] )My\b/u,
  /\b[Ll]et['’]s\b|\b[Ll]et us\b/,
  /\bI who\b|\bit (?:is|was) I\b|\bI (?:and|or) /,
  /\b(?:me|us|I),? (?:who|that|which|was|is|has|am)\b(?<!\bI (?:was|am))/,
  /(?<!\bI, (?:too|alone|myself)), (?:then )?(?:was|wasn['’]t|am)\b/,
  /\bmethinks\b|\bdear me\b|\bme and (?:my|the)\b/i,
];
const ADVERBS =
  '(?:,? (?:too|alone|myself|also|always|never|still|only|already|often|once|just|then|now|so|almost|\\p{Ll}+ly),?){0,2}';
/** “I sat down and was quiet”: a second verb whose subject may be I, or somebody else. */
const FAR_WAS =
  /\b(?:and|but|or|then|yet) (?:(?:then|never|always|still|so|not|also|often|suddenly) )?(?:was|wasn['’]t|am)\b/;
const INVERTED = /\b(?:was|am|wasn['’]t) I\b/;
const INVERTED_SAFE =
  /(?:^|\b(?:nor|neither|never|so|where|why|when|how|only then|then) )(?:was|am|wasn['’]t) I\b/i;

const CLAUSE =
  /\b(?:that|which|who|because|when|as|if|he|she|it|they|this|there|where|while|how|what|before|after|until|since|was|were|is|are|had|has)\b/i;

/** “I sat down and was quiet” is safe as long as nobody else comes between. */
function isFarWasSafe(text: string): boolean {
  const match = FAR_WAS.exec(text);
  if (!match) return true;
  const before = text.slice(0, match.index);
  const subject = before.lastIndexOf('I ');
  const between = before.slice(subject + 2);
  // One verb and what belongs to it, as far as anybody can tell without reading: short, and no clause begins in it.
  return (
    subject >= 0 &&
    !CLAUSE.test(between) &&
    !/,/.test(between) &&
    between.split(' ').length <= 6 &&
    !FAR_WAS.test(text.slice(match.index + match[0].length))
  );
}

function isSafe(part: string): boolean {
  if (NOT_SAFE.some((pattern) => pattern.test(part))) return false;
  if (INVERTED.test(part) && !INVERTED_SAFE.test(part)) return false;
  return !/\b(?:I|we)\b/.test(part) || isFarWasSafe(part);
}

const asStart = (text: string, replaced: string) =>
  /^\p{Lu}/u.test(text) ? replaced[0]?.toUpperCase() + replaced.slice(1) : replaced;

function turnPart(part: string): string {
  const was = new RegExp(`\\bI(${ADVERBS}) was(n['’]t)?\\b`, 'gu');
  const am = new RegExp(`\\bI(${ADVERBS}) am\\b`, 'gu');
  return (
    part
      // At the beginning alone: in “I called Marek and I waited” the two do not belong together.
      .replace(
        /^(My (?:\p{Ll}+ )?\p{Ll}+|She|He|\p{Lu}\p{L}+) and I\b/u,
        (_, other: string) =>
          `You and ${/^(?:My|She|He)\b/.test(other) ? other[0]?.toLowerCase() + other.slice(1) : other}`,
      )
      .replace(FAR_WAS, (far) =>
        /\bI\b/.test(part) ? far.replace('was', 'were').replace(/\bam\b/, 'are') : far,
      )
      .replace(was, (_, adverb: string, not = '') => `you${adverb} were${not}`)
      .replace(am, (_, adverb: string) => `you${adverb} are`)
      .replace(/\b(W|w)as(n['’]t)? I\b/g, (_, w: string, not = '') => `${w === 'W' ? 'W' : 'w'}ere${not} you`)
      .replace(/\b(A|a)m I\b/g, (_, a: string) => `${a === 'A' ? 'A' : 'a'}re you`)
      .replace(/\bI['’]m\b/g, 'you are')
      .replace(/\bI(['’](?:ve|d|ll))\b/g, 'you$1')
      .replace(/\bI\b/g, 'you')
      .replace(/\b(?:myself|ourselves)\b/gi, (word) =>
        asStart(word, /self$/i.test(word) ? 'yourself' : 'yourselves'),
      )
      .replace(/\bmine\b|\bours\b/gi, (word) => asStart(word, 'yours'))
      .replace(/\b(?:my|our)\b/gi, (word) => asStart(word, 'your'))
      .replace(/\bme\b|\b[Uu]s\b|\bwe\b/g, (word) => asStart(word, 'you'))
      .replace(/\bWe\b|\bMe\b/g, 'You')
      .replace(
        /\b([Ww])e(['’](?:re|ve|d|ll))\b/g,
        (_, w: string, rest: string) => `${w === 'W' ? 'Y' : 'y'}ou${rest}`,
      )
  );
}

/** A text at its quotation marks: every second part is quoted. */
const partsOf = (text: string): string[] => text.split(/(["“][^"”]*["”])/);
const isQuoted = (part: string) => /^["“]/.test(part);
/** “…, and was believed”: who was, stands before the quotation. */
const LEFT_ALONE = /^\s*(?:(?:and|but|or|then|yet)\s+)?(?:was|wasn['’]t|am)\b/;
const isWholeQuotation = (part: string) => !/["“][^"”]*$/.test(part.slice(1)) || /["”]$/.test(part);

/**
 * @param sentences the whole story
 * @returns the same told to its writer, or null when one sentence does not allow it
 */
export function tellToWriter(sentences: readonly string[]): string[] | null {
  const speaks = sentences.some((text) => /\bI\b/.test(text));
  const allSafe = sentences.every((text) =>
    partsOf(text).every((part, at) =>
      isQuoted(part) ? isWholeQuotation(part) : isSafe(part) && !(at > 0 && LEFT_ALONE.test(part)),
    ),
  );
  if (!speaks || !allSafe) return null;
  const turned = sentences.map((text) =>
    partsOf(text)
      .map((part) => (isQuoted(part) ? part : turnPart(part)))
      .join(''),
  );
  return turned.map((text) =>
    text.replace(/^(["“‘(]*)(\p{Ll})/u, (_, before: string, letter: string) => before + letter.toUpperCase()),
  );
}
