import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { excerptOf, markWords, type Piece, search, wordsOf } from './search.ts';

const said = (pieces: readonly Piece[] | null) =>
  pieces?.map(({ text, isMarked }) => (isMarked ? `[${text}]` : text)).join('') ?? null;

describe('words that were searched for are marked', () => {
  it.each([
    ['The orchard', 'orchard', 'The [orchard]'],
    ['Café by the harbour, café', 'CAFE', '[Café] by the harbour, [café]'],
    ['Cafe\u0301s', 'cafe', '[Cafe\u0301]s'],
    ['ﬁne ﬁg', 'fin', '[ﬁn]e ﬁg'],
    ['a𝔸b', 'a', '[a𝔸]b'],
    ['Straße', 'straße', '[Straße]'],
    ['aaaa', 'aa', '[aaaa]'],
    ['one two', 'two one', '[one] [two]'],
    ['nothing', 'else', 'nothing'],
    ['', 'x', ''],
  ])('%j, searched for %j: %s', (text, query, expected) => {
    expect(said(markWords(text, wordsOf(query)))).toBe(expected);
  });

  it('and no character is lost or moved', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.string({ unit: 'grapheme', maxLength: 3 }),
        (text, query) => {
          const pieces = markWords(text, wordsOf(query));
          expect(pieces.map((piece) => piece.text).join('')).toBe(text);
        },
      ),
    );
  });
});

describe('an excerpt', () => {
  const filler = 'Ladders in an apple tree. ';
  it('shows what was found, cut between words, in one line', () => {
    const text = `${filler.repeat(20)}And then\n\nthe bell rang. ${filler.repeat(20)}`;
    expect(said(excerptOf(text, wordsOf('bell')))).toMatch(
      /^… (?:\S+ )+And then the \[bell\] rang\. Ladders .*\S …$/,
    );
  });

  it('begins and ends as the text does, where that is near', () => {
    expect(said(excerptOf('The bell rang.', ['bell']))).toBe('The [bell] rang.');
  });

  it('leaves out the signs of Markdown, and keeps them where they were searched for', () => {
    const text = `# The **bell**\n\n- It *rang* at [the gate](https://example.com/gate).\n\n${filler.repeat(40)}`;
    expect(said(excerptOf(text, ['bell']))).toMatch(
      /^The \[bell\] It rang at the gate \(https:\/\/example\.com\/gate\)\. Ladders/,
    );
    expect(said(excerptOf(text, ['example']))).toContain('the gate (https://[example].com/gate)');
    expect(said(excerptOf(text, ['**bell']))).toContain('# The [**bell]**');
    const far = `${'**word** '.repeat(400)}the *needle* here`;
    expect(said(excerptOf(far, ['needle']))).toMatch(/^… (?:word )+the \[needle\] here$/);
  });

  it('is none where nothing stands, or nothing is searched for', () => {
    expect(excerptOf('The bell rang.', ['silence'])).toBeNull();
    expect(excerptOf('The bell rang.', [])).toBeNull();
  });

  it('finds a word wherever it stands in a long text', () => {
    for (const length of [3_700, 3_799, 3_800, 3_990, 3_998, 4_000, 4_002, 100_000]) {
      const text = `${'x'.repeat(length)} needle ${filler.repeat(300)}`;
      expect(said(excerptOf(text, ['needle'])), String(length)).toContain('[needle]');
    }
  });

  it('marks what the search has found', () => {
    const pieces = fc.constantFrom('a', 'Á', 'b', ' ', '\n', 'ﬁ', 'ö', 'o\u0308');
    fc.assert(
      fc.property(fc.array(pieces), fc.constantFrom('a', 'ab', 'fi', 'o', 'b'), (written, query) => {
        const text = written.join('');
        const [found] = search(
          [
            {
              folded: text
                .normalize('NFKD')
                .replace(/\p{M}+/gu, '')
                .toLowerCase(),
            },
          ],
          query,
        );
        const excerpt = excerptOf(text, wordsOf(query));
        expect(excerpt === null).toBe(found === undefined);
      }),
    );
  });
});
