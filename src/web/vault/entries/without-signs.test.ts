import fc from 'fast-check';
import { expect, it } from 'vitest';
import { withoutSigns } from '../../../vault/entries/without-signs.ts';
import { mayHaveMarkup } from '../../ui/markdown/may-have-markup.ts';

it.each([
  ['It was **very** *late*, ***so*** late', 'It was very late, so late'],
  ['**bold with *more* in it**', 'bold with more in it'],
  ['__loud__ and _soft_, but snake_case_name', 'loud and soft, but snake_case_name'],
  ['~~no longer~~ `ls -l`', 'no longer ls -l'],
  ['# Chapter\n\n> She said\n> > so', 'Chapter\n\nShe said\nso'],
  ['- bread\n* salt\n+ oil\n1. wine', 'bread\nsalt\noil\n1. wine'],
  ['One\n\n* * *\n\n---\nTwo', 'One\n\n\n\n\nTwo'],
  ['```sh\nls\n```', 'sh\nls\n'],
  ['[the bank](https://example.com/a?b=c)', 'the bank (https://example.com/a?b=c)'],
  ['![The gate](https://example.com/g.png "in May")', 'The gate (https://example.com/g.png) in May'],
  ['<https://example.com>', 'https://example.com'],
  ['\\*not stressed\\* and 5 * 6 * 7', '*not stressed* and 5 * 6 * 7'],
  ['A footnote* and #tag, a - dash', 'A footnote* and #tag, a - dash'],
  ['<b>bold</b> [a] (b)', '<b>bold</b> [a] (b)'],
])('%j has the words %j', (text, words) => {
  expect(withoutSigns(text)).toBe(words);
});

it('leaves what has no markup, and loses no letter', () => {
  const pieces = fc.constantFrom(
    '*',
    '**',
    '_',
    '~~',
    '`',
    '#',
    '> ',
    '- ',
    '[',
    '](',
    ')',
    ' ',
    '\n',
    '\\',
    'a',
    'é',
    '7',
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 40 }), (written) => {
      const text = written.join('');
      const plain = withoutSigns(text);
      if (!mayHaveMarkup(text)) expect(plain).toBe(text);
      expect(plain.match(/[aé7]/g) ?? []).toEqual(text.match(/[aé7]/g) ?? []);
    }),
    { numRuns: 3000 },
  );
});
