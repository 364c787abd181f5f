// Whether a text is English, by the share of the small words that no English text can do without. When in doubt it is
// not: then its words are kept as they are.

const FUNCTION_WORDS = new Set(
  `the a an and but or nor so yet if then than that this these those of to in on at by for with from into about after
  before over under up down out off when while where who whom whose which what why how because until though although
  as like i me my mine myself you your yours he him his she her hers it its we us our ours they them their theirs
  am is are was were be been being do does did have has had having will would can could shall should may might must
  not no never there here all any both each every some one very just only still again too more most other such own
  didn't don't wasn't isn't couldn't wouldn't can't won't i'm i've i'd i'll it's he's she's we're we've you're they're
  that's there's hadn't haven't hasn't doesn't weren't aren't`
    .split(/\s+/)
    .filter(Boolean),
);

/** The same of languages that share words and letters with English; none of them is an English word. */
const FOREIGN = new Set(
  `der das und ist nicht ein eine einen ich sie er wir dass mit dem zu auf für von sich auch noch nur wenn wie es mein meine
  het een en niet dat van ik je zijn wat er maar ook naar de mijn nog
  le la les un une et est que qui dans pas pour il elle nous au ce mais mon ma du avec tu
  el los las y por con mi su lo se del al como pero más era
  di che non per una della io ho sono ma gli
  os um uma não eu meu minha com na em
  og det som på jag inte jeg ikke att och av til var men
  nie się jest na że do ja`
    .split(/\s+/)
    .filter((word) => word !== 'do' && word !== 'men' && !FUNCTION_WORDS.has(word)),
);

const WORD = /[\p{L}\p{M}]+(?:'[\p{L}]+)?/gu;

const wordsOf = (text: string): string[] => text.toLowerCase().replaceAll('’', "'").match(WORD) ?? [];

/** How many of `words` are in `list`, 0 to 1. */
function shareOf(words: readonly string[], list = FUNCTION_WORDS): number {
  return words.filter((word) => list.has(word)).length / Math.max(1, words.length);
}

/**
 * @param paragraphs of one text; a single long paragraph in another language makes the whole text not English
 */
export function isEnglish(paragraphs: readonly (readonly string[])[]): boolean {
  const each = paragraphs.map((lines) => wordsOf(lines.join(' ')));
  const all = each.flat();
  const latin = all.filter((word) => /^[\p{Script=Latin}\p{M}']+$/u.test(word)).length;
  if (all.length === 0 || latin < all.length * 0.95) return false;
  if (shareOf(all) < 0.3 || shareOf(all, FOREIGN) > 0.1) return false;
  return each.every(
    (words) => words.length < 8 || (shareOf(words) >= 0.22 && shareOf(words, FOREIGN) <= 0.15),
  );
}
