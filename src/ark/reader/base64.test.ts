import { afterEach, expect, test, vi } from 'vitest';
import { base64Bytes } from './base64.js';

/** As browsers have it: it passes over white space. */
const native = (text: string) => {
  const plain = text.replace(/\s/g, '');
  const bytes = new Uint8Array(Buffer.from(plain, 'base64'));
  if (Buffer.from(bytes).toString('base64') !== plain) throw new SyntaxError('not base64');
  return bytes;
};
const had = Object.getOwnPropertyDescriptor(Uint8Array, 'fromBase64');
const put = (fromBase64: unknown) =>
  Object.defineProperty(Uint8Array, 'fromBase64', { configurable: true, value: fromBase64 });
afterEach(() => {
  if (had) Object.defineProperty(Uint8Array, 'fromBase64', had);
  else Reflect.deleteProperty(Uint8Array, 'fromBase64');
});

test.each([
  ['the browser’s own way', native],
  ['atob', undefined],
])('by %s every text of base64 gives its bytes, and no other text gives them', (_, way) => {
  put(way && vi.fn(way));
  for (let length = 0; length < 20; length += 1) {
    const bytes = Uint8Array.from({ length }, (_, i) => (i * 89 + length * 7) & 255);
    expect(base64Bytes(Buffer.from(bytes).toString('base64'))).toEqual(bytes);
  }
  for (const wrong of [
    'AAA',
    'AA',
    'AA=',
    ' AAAA',
    'AA AA',
    'AAA =',
    'AAAA\n',
    'AAB=',
    'AB==',
    'AA=A',
    'AA-_',
    '=',
  ])
    expect([wrong, base64Bytes(wrong)]).toEqual([wrong, null]);
});
