import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AUTHOR_NAME_MAX, authorNameProblem, normaliseAuthorName } from './author-name.ts';

describe('a name that is taken', () => {
  test.each([
    '',
    '   ',
    'Agnes of the Lake',
    'Žofie O’Brien-Müller',
    "Ann O'Brien",
    'J. R. R. Tolkien',
    'J.R.R. Tolkien',
    'Dr. Ada B., your sister',
    'Maria (born 1952)',
    '山田 花子',
    'أنطوان دو سانت',
    'à la Bonne',
    'Nguyễn Thị Ánh'.normalize('NFD'),
    'מֹשֶׁה',
    'བསྟན་འཛིན'.replace('་', ' '),
    '葛\u{e0100}城',
  ])('“%s”', (name) => expect(authorNameProblem(name)).toBeNull());
});

describe('a name that is refused', () => {
  test.each([
    ['a line break', 'Ann\nSubject: a prize'],
    ['a header of its own', 'Ann\r\nBcc: everybody@mail.example'],
    ['another line separator', 'Ann\u2028Bank'],
    ['a tab', 'Ann\tBank'],
    ['a link', 'Ann https://evil.example'],
    ['a site', 'evil.example'],
    ['a site in capitals', 'See WWW.EVIL.EXAMPLE'],
    ['a site in another alphabet', 'пример.испытание'],
    ['a site with another full stop', 'evil。example'],
    ['a mailbox', 'ann@mail.example'],
    ['a telephone number', 'Ann 0699 1234567'],
    ['a telephone number in other digits', 'Ann ٠٦٩٩١٢'],
    ['markup', '<b>Ann</b>'],
    ['an entity', 'Ann&nbsp;'],
    ['a quotation that ends the one around it', 'Ann” wrote “'],
    ['a reversed reading', 'Ann \u202egnp.exe'],
    ['an invisible mark', 'An\u200bn'],
    ['nothing but signs', '...'],
    ['letters that nobody sees', '\u3164\u115f\uffa0'],
    ['a letter that nobody sees', 'Ann\u3164'],
    ['marks that cover the lines around it', `Ann${'\u0334\u0321\u0302'.repeat(4)}`],
    ['a mark that encloses', 'Ann\u20e0'],
    ['no letter first', '1 Ann'],
    ['a colon', 'mailto:ann'],
    ['a slash', 'Ann/evil'],
    ['too many characters', 'A'.repeat(AUTHOR_NAME_MAX + 1)],
  ])('%s', (_, name) => expect(authorNameProblem(name)).toMatch(/^[A-Z].*\.$/));
});

test('whatever is taken is one line without the signs of an address, and stays as it is', () => {
  const pieces = fc.array(
    fc.constantFrom('Ann', ' ', '.', 'co', 'é', '\n', '@', '/', ':', '7', '’', '-', '#', '<'),
    {
      maxLength: 12,
    },
  );
  fc.assert(
    fc.property(
      fc.oneof(
        pieces.map((all) => all.join('')),
        fc.string({ unit: 'grapheme' }),
      ),
      (text) => {
        if (authorNameProblem(text) !== null) return;
        const kept = normaliseAuthorName(text);
        expect(kept).not.toMatch(/[\p{C}\p{Zl}\p{Zp}<>"“”@:/\\#&=?%+]|\.[^\s.,)]{2}/u);
        expect(kept.length).toBeLessThanOrEqual(AUTHOR_NAME_MAX);
        expect(normaliseAuthorName(kept)).toBe(kept);
      },
    ),
    { numRuns: 2000 },
  );
});
