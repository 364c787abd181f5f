// How a phrase is compared: by its letters and digits alone, so that capitals, commas and line breaks do not matter.

/** Words in small letters, with one space between them. */
export function normalisePhrase(phrase: string): string {
  return phrase
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();
}
