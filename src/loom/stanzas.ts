// From told sentences to stanzas of lines. No line stands twice in a story.
import { breathe } from './breath.ts';

export interface Told {
  text: string;
  length: number;
  paragraph: number;
}

const LONGEST_STANZA = 6;
const STARK =
  /\b(?:not|never|no|nothing|nobody|gone|alone|stopped|died|left|stayed|was all|enough)\b|n['’]t\b/i;

export type Lines = string[];

/** Keeps in mind which lines stand already. */
export class LineBook {
  readonly #lines = new Set<string>();

  /** @returns the lines of a sentence, whole where one of them would stand twice; none where it stands already */
  add(text: string, measure: number): Lines {
    const lines = breathe(text, measure);
    const chosen =
      lines.some((line) => this.#lines.has(line)) || new Set(lines).size < lines.length ? [text] : lines;
    if (this.#lines.has(text)) return [];
    for (const line of [...chosen, text]) this.#lines.add(line);
    return chosen;
  }
}

/** A short sentence that denies or ends something stands alone. */
const isStark = ({ text, length }: Told) => length <= 6 && STARK.test(text) && !/["“]/.test(text);

export function stanzasOf(told: readonly Told[], measure: number, book: LineBook): Lines[] {
  const stanzas: Lines[] = [];
  let apart = false;
  told.forEach((sentence, at) => {
    const lines = book.add(sentence.text, measure);
    if (lines.length === 0) return;
    const last = stanzas.at(-1);
    const stark = !apart && isStark(sentence);
    const newParagraph = at > 0 && told[at - 1]?.paragraph !== sentence.paragraph;
    const full = (last?.length ?? 0) + lines.length > LONGEST_STANZA;
    if (last && !apart && !stark && !newParagraph && !full) last.push(...lines);
    else stanzas.push([...lines]);
    apart = stark;
  });
  return stanzas;
}
