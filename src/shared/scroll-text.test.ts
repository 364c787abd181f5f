// The manifesto as plain text: whole, in narrow lines, and the same each time.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sections } from './black-scroll.ts';
import { centre, LINE_WIDTH, wrap, wrapParagraphs } from './plain-text.ts';
import { scrollText } from './scroll-text.ts';

const words = (text: string) => text.split(/\s+/).filter((word) => word !== '');

describe('the text of the manifesto', () => {
  const text = scrollText();

  it('says every sentence of the page, in its order', () => {
    const said = words(text).join(' ');
    let at = 0;
    for (const { title, paragraphs, items = [] } of sections) {
      const pieces = [title.toUpperCase(), ...paragraphs, ...items.flatMap(({ name, says }) => [name, says])];
      for (const piece of pieces) {
        const found = said.indexOf(words(piece).join(' '), at);
        expect(found, piece).toBeGreaterThan(-1);
        at = found;
      }
    }
  });

  it('has no line that is longer than a terminal is wide, and none that ends with a space', () => {
    for (const line of text.split('\n')) {
      expect(line.length).toBeLessThanOrEqual(LINE_WIDTH);
      expect(line).toBe(line.trimEnd());
    }
    expect(text.endsWith('\n')).toBe(true);
    expect(text.endsWith('\n\n')).toBe(false);
  });

  it('begins no line with a dash, which a clear-signed file would escape', () => {
    expect(text.split('\n').filter((line) => line.startsWith('-'))).toEqual([]);
  });
});

describe('wrapping', () => {
  it('keeps every word and no line too long, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 400 }), fc.integer({ min: 5, max: 80 }), (text, width) => {
        const wrapped = wrap(text, { width, indent: '  ' });
        expect(words(wrapped)).toEqual(words(text));
        for (const line of wrapped.split('\n')) {
          expect(line.length <= width || words(line).length === 1).toBe(true);
        }
      }),
    );
  });

  it('leaves indented lines as they are', () => {
    const hex = `    ${'ab'.repeat(60)}\n    cd`;
    expect(wrapParagraphs(`one\ntwo\n\n${hex}\n\nthree`)).toBe(`one two\n\n${hex}\n\nthree\n`);
  });

  it('puts a line into the middle', () => {
    expect(centre('abc', 9)).toBe('   abc');
    expect(centre('abcdef', 3)).toBe('abcdef');
  });
});
