// Hex as people write and paste it.

/** What is wrong with a hex string, in a sentence that repeats none of it. */
export class HexProblem extends Error {}

/**
 * Reads hex in any case, with spaces, line breaks and colons between digits, and `0x` before them.
 * @throws HexProblem
 */
export function readHex(text: string): Uint8Array<ArrayBuffer> {
  const digits = text
    .split(/[\s:]+/)
    .map((group) => group.replace(/^0x/i, ''))
    .join('');
  if (digits === '') throw new HexProblem('Enter a hex string to decode.');
  if (!/^[0-9a-f]+$/i.test(digits)) {
    throw new HexProblem(
      'This is not hex. Hex has the digits 0 to 9 and the letters a to f, perhaps with spaces, colons or 0x between them.',
    );
  }
  if (digits.length % 2 !== 0) {
    throw new HexProblem(
      'A byte is two digits of hex, and here the number of digits is odd: one is missing, or one is too many.',
    );
  }
  return new Uint8Array(Buffer.from(digits, 'hex'));
}

export const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** The UTF-8 bytes of a text in hex. */
export const hexOf = (text: string): string => toHex(Buffer.from(text, 'utf8'));

/** Bytes as text. What is no UTF-8, or no character that can be shown, is replaced by U+FFFD. */
export function readText(bytes: Uint8Array): string {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced
  return text.replace(/[\0-\x08\x0b-\x1f\x7f-\x9f]/g, '\ufffd');
}

/** Groups of digits in lines, as they stand in a letter: 64 digits a line. */
export const hexLines = (hex: string, indent = '  '): string =>
  (hex.match(/.{1,64}/g) ?? []).map((line) => indent + line).join('\n');
