// The text of a file of unknown encoding: by its byte-order mark, else UTF-8, else Windows-1252. Pure.

const MARKS = [
  { bytes: [0xef, 0xbb, 0xbf], encoding: 'utf-8' },
  { bytes: [0xff, 0xfe], encoding: 'utf-16le' },
  { bytes: [0xfe, 0xff], encoding: 'utf-16be' },
];

/** How much is looked at to tell whether bytes are text at all. */
const SAMPLE = 64 * 1024;

/** The text, with line feeds alone at the ends of lines; null for what is no text. */
export function decodeText(bytes: Uint8Array): string | null {
  const mark = MARKS.find((known) => known.bytes.every((byte, at) => bytes[at] === byte));
  if (mark) return tidy(new TextDecoder(mark.encoding).decode(bytes));
  const wide = utf16WithoutMark(bytes);
  if (wide) return tidy(new TextDecoder(wide).decode(bytes));
  if (bytes.subarray(0, SAMPLE).includes(0)) return null;
  try {
    return tidy(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    // Every byte is a character there, so what is no text shows by its control characters.
    return hasControls(bytes.subarray(0, SAMPLE))
      ? null
      : tidy(new TextDecoder('windows-1252').decode(bytes));
  }
}

/** Western text in UTF-16 has a zero in every second byte. */
function utf16WithoutMark(bytes: Uint8Array): string | null {
  const sample = bytes.subarray(0, 512);
  if (sample.length < 8 || sample.length % 2 !== 0) return null;
  let [even, odd] = [0, 0];
  sample.forEach((byte, at) => {
    if (byte !== 0) return;
    if (at % 2 === 0) even += 1;
    else odd += 1;
  });
  const half = sample.length / 2;
  if (even === 0 && odd > half * 0.7) return 'utf-16le';
  return odd === 0 && even > half * 0.7 ? 'utf-16be' : null;
}

const CONTROLS_ALLOWED = new Set([0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x1b]);

const hasControls = (bytes: Uint8Array) => bytes.some((byte) => byte < 0x20 && !CONTROLS_ALLOWED.has(byte));

const tidy = (text: string) => text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n');
