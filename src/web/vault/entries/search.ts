// Searching what this browser has opened. Pure: no word of it goes anywhere.

/** Lower case, without accents, so that "cafe" finds "Café". */
export function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
}

/** The entries in which every word of the query stands, in their order. A blank query keeps all. */
export function search<T extends { folded: string }>(entries: readonly T[], query: string): readonly T[] {
  const words = fold(query).split(/\s+/).filter(Boolean);
  if (words.length === 0) return entries;
  return entries.filter(({ folded }) => words.every((word) => folded.includes(word)));
}
