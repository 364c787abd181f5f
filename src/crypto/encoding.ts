// How text and tuples become bytes: UTF-8, and fields that carry their length. It must never guess:
// bytes that are not UTF-8 throw, and no two different tuples share an encoding.

/** Bytes that WebCrypto takes: a view over a plain ArrayBuffer, never over shared memory. */
export type Bytes = Uint8Array<ArrayBuffer>;

const encoder = new TextEncoder();
// Without `ignoreBOM` a text that begins with U+FEFF would come back one character shorter.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** UTF-8 of `text` (RFC 3629). A lone surrogate, which has no UTF-8, becomes U+FFFD. */
export function utf8(text: string): Bytes {
  return encoder.encode(text);
}

/** The text of UTF-8 `bytes`, a leading U+FEFF included. Throws a TypeError on anything else. */
export function fromUtf8(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/** A copy of `bytes`, over memory of its own. Throws a TypeError unless they are `length`. */
export function exactly(length: number, bytes: Uint8Array): Bytes {
  if (bytes.length !== length) throw new TypeError(`Expected ${length} bytes`);
  return new Uint8Array(bytes);
}

/**
 * Encodes a tuple of strings: for each, the length of its UTF-8 in bytes as 4 bytes big-endian, then the bytes.
 * Unambiguous, because ('ab', 'c') and ('a', 'bc') differ in their lengths.
 */
export function lengthPrefixed(...fields: string[]): Bytes {
  // No UTF-16 unit takes more than three bytes of UTF-8.
  const room = new Uint8Array(fields.reduce((sum, field) => sum + 4 + 3 * field.length, 0));
  let at = 0;
  for (const field of fields) {
    const length = writeUtf8(field, room, at + 4);
    writeLength(length, room, at);
    at += 4 + length;
  }
  return room.slice(0, at);
}

/** Writes a length at `at`: 4 bytes, big-endian. */
export function writeLength(length: number, into: Bytes, at: number): void {
  // No DataView: making one takes as long as writing all of a seal's context.
  into[at] = length >>> 24;
  into[at + 1] = length >>> 16;
  into[at + 2] = length >>> 8;
  into[at + 3] = length;
}

/** The length that `writeLength` wrote at `at`. Throws a TypeError where so many bytes do not follow. */
export function lengthAt(bytes: Bytes, at: number): number {
  const [a = 0, b = 0, c = 0, d = 0] = [bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]];
  const length = ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;
  if (at + 4 + length > bytes.length) throw new TypeError('Not length-prefixed');
  return length;
}

/** The tuple that `lengthPrefixed` encoded. Throws a TypeError on anything else. */
export function fieldsOf(bytes: Bytes): string[] {
  const fields: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = at + 4 + lengthAt(bytes, at);
    fields.push(fromUtf8(bytes.subarray(at + 4, end)));
    at = end;
  }
  return fields;
}

/** Writes UTF-8 at `at` and returns its length. */
function writeUtf8(text: string, into: Bytes, at: number): number {
  // Nearly every field is ASCII: four calls to TextEncoder a record took a third of the time of opening 10,000.
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit > 0x7f) return encoder.encodeInto(text, into.subarray(at)).written;
    into[at + i] = unit;
  }
  return text.length;
}
