import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitStory } from './story-text.ts';

test.each([
  ['The Well\n\nIt was never dry.', 'The Well', 'It was never dry.'],
  ['\n\nThe Well\r\nIt was\r\nnever dry.\n', 'The Well', 'It was\nnever dry.'],
  ['# The Well\n\nIt was.', 'The Well', 'It was.'],
  ['**The Well**\n\nIt was.', 'The Well', 'It was.'],
  ['Title: “The Well”\n\nIt was.', 'The Well', 'It was.'],
  ['**Titel:** „Der Brunnen“\n\nEr war.', 'Der Brunnen', 'Er war.'],
  ['「井戸」\n\n涸れなかった。', '井戸', '涸れなかった。'],
  ['Is it 40 years?\n\nIt was.', 'Is it 40 years?', 'It was.'],
])('%j has a title and a text', (written, title, text) => {
  expect(splitStory(written)).toEqual({ title, text });
});

test.each(['It was never dry.', `${'word '.repeat(60)}\n\nIt was.`, '***\n\nIt was.', ''])(
  '%j has no title, and loses nothing',
  (written) => {
    expect(splitStory(written)).toEqual({ title: '', text: written.trim() });
  },
);

test('a first line that is nothing but marks is taken apart at once', () => {
  // A pattern that begins anew at each mark takes hours.
  const written = `${'*'.repeat(2_000_000)}x\n\nIt was.`;
  expect(splitStory(written)).toEqual({ title: '', text: written });
});

test('no word of the text is lost, whatever it is', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (first, second) => {
      const { text } = splitStory(`${first}\n${second}`);
      expect(text.endsWith(second.replace(/\r\n?/g, '\n').trim())).toBe(true);
    }),
  );
});
