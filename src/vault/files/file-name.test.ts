// Names of files: what is left of hostile ones, and that nothing is done twice.
import { describe, expect, test } from 'vitest';
import { dice } from '../../crypto/testing/dice.ts';
import { NAME_BYTES_MAX, tidyName, tidyType } from './file-name.ts';

const length = (text: string) => new TextEncoder().encode(text).length;

describe('a name', () => {
  test.each([
    ['IMG_2041.JPG', 'IMG_2041.JPG'],
    ['Žofie’s letter, page 2.pdf', 'Žofie’s letter, page 2.pdf'],
    ['cafe\u0301.png', 'café.png'],
    ['../../etc/passwd', '_.._etc_passwd'],
    ['C:\\Users\\a.txt', 'C__Users_a.txt'],
    ['photo\u202egpj.exe', 'photogpj.exe'],
    ['\u2067photo\u2069.jpg', 'photo.jpg'],
    ['two\r\nlines\u2028.txt', 'twolines.txt'],
    ['zero\u200bwidth\ufeff.txt', 'zerowidth.txt'],
    ['  much   room  .txt ', 'much room .txt'],
    ['.hidden', 'hidden'],
    ['a\ud800b', 'a\ufffdb'],
    ['\u{1f469}\u200d\u{1f467}.jpg', '\u{1f469}\u200d\u{1f467}.jpg'],
    ['', 'file'],
    ['. .\u202e.', 'file'],
  ])('%j is shown as %j', (name, shown) => {
    expect(tidyName(name)).toBe(shown);
  });

  test('that is too long keeps its ending and whole characters', () => {
    expect(tidyName(`${'a'.repeat(4000)}.jpeg`)).toBe(`${'a'.repeat(250)}.jpeg`);
    expect(tidyName(`${'🕯'.repeat(100)}.mp4`)).toBe(`${'🕯'.repeat(62)}.mp4`);
    expect(tidyName(`a.${'b'.repeat(4000)}`)).toBe(`a.${'b'.repeat(253)}`);
  });

  test('is of at most so many bytes, and is not changed again', () => {
    const pick = dice(28);
    const points = [...`. /a\u0301\u202e`].map((c) => c.codePointAt(0) ?? 0);
    for (let round = 0; round < 300; round++) {
      const some = Array.from({ length: pick(200) }, () =>
        pick(3) === 0 ? pick(0x110000) : pick(2) === 0 ? pick(0x3000) : (points[pick(points.length)] ?? 0),
      );
      const shown = tidyName(String.fromCodePoint(...some) + ['', '.jpg', '.'][pick(3)]);
      expect(shown).not.toBe('');
      expect(length(shown)).toBeLessThanOrEqual(NAME_BYTES_MAX);
      expect(tidyName(shown)).toBe(shown);
    }
  });

  test('that is cut does not end as one that is hidden', () => {
    expect(tidyName(`${'a'.repeat(250)}. . . . . b c d e`)).toBe('a'.repeat(250));
  });
});

test.each([
  ['image/jpeg', 'image/jpeg'],
  ['Audio/MP4; codecs="mp4a.40.2"', 'audio/mp4'],
  ['application/vnd.oasis.opendocument.text', 'application/vnd.oasis.opendocument.text'],
  ['', 'application/octet-stream'],
  ['image', 'application/octet-stream'],
  ['text/html\r\nx: y', 'application/octet-stream'],
  [`image/${'a'.repeat(65)}`, 'application/octet-stream'],
])('the type %j is read as %s', (type, read) => {
  expect(tidyType(type)).toBe(read);
  expect(tidyType(read)).toBe(read);
});
