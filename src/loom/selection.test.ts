import { describe, expect, test } from 'vitest';
import { condense, cutParts } from './selection.ts';
import type { Sentence } from './sentences.ts';

const sentences = (
  count: number,
  text = (at: number) => `Sentence ${at} has exactly six words.`,
): Sentence[] =>
  Array.from({ length: count }, (_, at) => ({ text: text(at), length: 6, paragraph: Math.floor(at / 10) }));

describe('condensing', () => {
  test('a short text stays whole', () => {
    expect(condense(sentences(30), 480)).toHaveLength(30);
  });

  test('a long one keeps its beginning, its end and its order', () => {
    const all = sentences(2000);
    const kept = condense(all, 480);
    expect(kept.slice(0, 3)).toEqual(all.slice(0, 3));
    expect(kept.slice(-3)).toEqual(all.slice(-3));
    expect(kept.length).toBeLessThan(60);
    const places = kept.map((sentence) => all.indexOf(sentence));
    expect(places).toEqual([...places].sort((a, b) => a - b));
  });

  test('what is strong is kept', () => {
    const all = sentences(200, (at) =>
      at === 120 ? 'The red lantern fell into the lake.' : `Sentence ${at} is about nothing much.`,
    );
    expect(condense(all, 240)).toContain(all[120]);
  });
});

describe('parts', () => {
  test.each([
    [1, 1],
    [6, 1],
    [8, 2],
    [40, 3],
  ])('%d sentences make %d', (count, parts) => {
    const starts = cutParts(sentences(count));
    expect(starts).toHaveLength(parts);
    expect(starts[0]).toBe(0);
  });

  test('one begins where the telling turns', () => {
    const all = sentences(9, (at) =>
      at === 5 ? 'Then one October you stopped singing.' : `Sentence ${at} has exactly six words.`,
    );
    expect(cutParts(all)).toEqual([0, 5]);
  });
});
