// Any well-formed text, for properties: fast-check's own Unicode strings take a second to prepare in each file.
import fc from 'fast-check';

/** Texts of up to `maxLength` code points from all of Unicode, without lone surrogates. */
export function anyText(maxLength: number): fc.Arbitrary<string> {
  const codePoint = fc.oneof(
    fc.integer({ min: 0, max: 0x7f }),
    fc.integer({ min: 0x80, max: 0xd7ff }),
    fc.integer({ min: 0xe000, max: 0x10ffff }),
  );
  return fc.array(codePoint, { maxLength }).map((points) => String.fromCodePoint(...points));
}
