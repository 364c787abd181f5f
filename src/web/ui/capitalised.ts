/** At the beginning of a sentence. */
export const capitalised = (words: string): string => `${words[0]?.toUpperCase() ?? ''}${words.slice(1)}`;
