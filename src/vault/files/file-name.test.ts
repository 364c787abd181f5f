// Names of files: what is left of hostile ones, and that nothing is done twice.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
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
    const any = fc.string({ unit: 'binary', maxLength: 200 });
    fc.assert(
      fc.property(any, fc.constantFrom('', '.jpg', '.'), (name, ending) => {
        const shown = tidyName(name + ending);
        expect(shown).not.toBe('');
        expect(length(shown)).toBeLessThanOrEqual(NAME_BYTES_MAX);
        expect(tidyName(shown)).toBe(shown);
      }),
    );
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
