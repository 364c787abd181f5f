// How many of something, in words.

/** `1 memory`, `2,000 memories`. */
export const counted = (count: number, one: string, many: string) =>
  `${count.toLocaleString('en-GB')} ${count === 1 ? one : many}`;
