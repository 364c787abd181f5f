// Long strings of characters in groups of four, as people compare them.
export const inFours = (text: string): string => text.match(/.{1,4}/gu)?.join(' ') ?? text;
