import { expect, test } from 'vitest';
import { readField, readParagraphs } from './clean.ts';

test.each([
  ['one\r\ntwo\r\n\r\nthree', [['one', 'two'], ['three']]],
  [
    '<p>A <b>red</b> lantern</p><script>steal()</script><p>hung there.</p>',
    [['A red lantern'], ['hung there.']],
  ],
  ['I <3 you, and a < b > c stays', [['I <3 you, and a < b > c stays']]],
  [
    '# Title\n\n- **one**\n- _two_ and snake_case_name\n\n> said\n\n---\n\n[link](https://example.org/x)',
    [['Title'], ['one', 'two and snake_case_name'], ['said'], ['link']],
  ],
  ['a\u0000b\u200Bc\u202Ed\uFEFF\u00A0e\t f', [['abcd e f']]],
  ['caf\u00E9 👩‍🚀 می\u200Cخواهم', [['café 👩‍🚀 می\u200Cخواهم']]],
  ['bread &amp; salt', [['bread & salt']]],
  [`z${'\u0301'.repeat(40)}`, [[`z${'\u0301'.repeat(5)}`]]],
  [' \n \n', []],
])('%j', (source, paragraphs) => {
  expect(readParagraphs(source)).toEqual(paragraphs);
});

test.each([
  ['  Oma\n Traudl. ', 'Oma Traudl'],
  ['Dr. Okafor', 'Dr. Okafor'],
  ['<b>Mallory</b>', 'Mallory'],
  ['祖母', '祖母'],
  ['{name}', ''],
  ['…', ''],
  ['x'.repeat(81), ''],
  [null, ''],
  [undefined, ''],
])('a field %j is %j', (value, line) => {
  expect(readField(value)).toBe(line);
});
