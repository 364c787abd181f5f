import { base64, base64urlnopad, hex } from '@scure/base';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { fromBase64, fromBase64Url, fromHex, toBase64, toBase64Url, toHex } from './base64.ts';

// Node 20 has no native codecs, so these stand in for a browser's. Like the real ones, the decoder skips white space.
const native = {
  fromBase64: (text: string, options: { lastChunkHandling: string }) => {
    expect(options.lastChunkHandling).toBe('strict');
    return base64.decode(text.replace(/[ \t\n\f\r]/g, ''));
  },
  toBase64(this: Uint8Array) {
    return base64.encode(this);
  },
  toHex(this: Uint8Array) {
    return hex.encode(this);
  },
};

function installNative(): void {
  Object.defineProperty(Uint8Array, 'fromBase64', { value: native.fromBase64, configurable: true });
  Object.defineProperty(Uint8Array.prototype, 'toBase64', { value: native.toBase64, configurable: true });
  Object.defineProperty(Uint8Array.prototype, 'toHex', { value: native.toHex, configurable: true });
}

afterEach(() => {
  Reflect.deleteProperty(Uint8Array, 'fromBase64');
  Reflect.deleteProperty(Uint8Array.prototype, 'toBase64');
  Reflect.deleteProperty(Uint8Array.prototype, 'toHex');
});

const bytes = fc.uint8Array({ maxLength: 600 });

describe.each([
  ['with the fallback', () => {}],
  ['with a native codec', installNative],
])('%s', (_, install) => {
  test('the examples of RFC 4648 are spelt as published', () => {
    install();
    const examples = ['', 'Zg==', 'Zm8=', 'Zm9v', 'Zm9vYg==', 'Zm9vYmE=', 'Zm9vYmFy'];
    examples.forEach((text, length) => {
      const expected = new TextEncoder().encode('foobar'.slice(0, length));
      expect(toBase64(expected)).toBe(text);
      expect(fromBase64(text)).toEqual(expected);
    });
    expect(toHex(new TextEncoder().encode('foobar'))).toBe('666f6f626172');
  });

  test('any bytes come back, and another implementation spells them the same', () => {
    install();
    fc.assert(
      fc.property(bytes, (value) => {
        expect(toBase64(value)).toBe(base64.encode(value));
        expect(toBase64Url(value)).toBe(base64urlnopad.encode(value));
        expect(toHex(value)).toBe(hex.encode(value));
        expect(fromBase64(toBase64(value))).toEqual(value);
        expect(fromBase64Url(toBase64Url(value))).toEqual(value);
        expect(fromHex(toHex(value))).toEqual(value);
      }),
    );
  });

  test.each([
    ['a length that is no multiple of four', 'Zg'],
    ['missing padding', 'Zm8'],
    ['padding alone', '===='],
    ['three paddings', 'Z==='],
    ['padding in the middle', 'Zg==Zg=='],
    ['a stray bit after one byte', 'Zh=='],
    ['a stray bit after two bytes', 'Zm9='],
    ['white space inside', 'Zm9v Zm9'],
    ['four characters of white space', 'Zm9v    '],
    ['white space instead of padding', 'Zg  '],
    ['a line break', 'Zm9v\nZm9v'],
    ['the URL alphabet', 'Zm-_'],
    ['a character outside the alphabet', 'Zm9*'],
    ['a character outside ASCII', 'Zm9\u00e9'],
  ])('base64 with %s is refused', (_reason, text) => {
    install();
    expect(() => fromBase64(text)).toThrow(TypeError);
  });

  test('base64 that any other character replaced is refused or means something else', () => {
    install();
    const text = 'Zm9vYg==';
    for (let i = 0; i < text.length; i++) {
      for (const other of 'ABZaz09+/= -_') {
        if (other === text[i]) continue;
        const changed = text.slice(0, i) + other + text.slice(i + 1);
        let decoded: Uint8Array | null = null;
        try {
          decoded = fromBase64(changed);
        } catch {}
        expect(decoded).not.toEqual(fromBase64(text));
      }
    }
  });

  test('a megabyte comes back', () => {
    install();
    const value = new Uint8Array(2 ** 20).map((_, i) => i * 31);
    expect(fromBase64(toBase64(value)).every((byte, i) => byte === value[i])).toBe(true);
  });
});

test.each(['Zg==', 'Zm9v+g', 'Zm9v/w', 'Zh', 'Z', 'Zm9v\n', ' Zg'])('base64url refuses %j', (text) => {
  expect(() => fromBase64Url(text)).toThrow(TypeError);
});

test.each(['0', '0g', '0x10', ' 00', '00\n'])('hex refuses %j', (text) => {
  expect(() => fromHex(text)).toThrow(TypeError);
});

test('hex is read in either case and written in lower case', () => {
  expect(toHex(fromHex('aBcDeF'))).toBe('abcdef');
});
