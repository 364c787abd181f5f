/** A text as hex of its UTF-8, in small letters without anything between. */
export const hexOf = (text: string): string =>
  [...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
