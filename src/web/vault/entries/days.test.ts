// What a list says of an entry beside its title and its day.
import { expect, test } from 'vitest';
import { beginningOf, happenedElsewhen } from './days.ts';

const LONG = `${'A morning at the lake, '.repeat(6)}and nobody was there.`;

test.each([
  ['Porto', 'We missed the last tram.\n\nAnd laughed.', 'We missed the last tram.'],
  [null, 'We missed the last tram.', 'We missed the last tram.'],
  // As an import calls what came without a title.
  ['We missed the last tram.', 'We missed the last tram.', null],
  ['We missed the last tram.', '# We missed  the last tram.\n\nAnd laughed.', 'And laughed.'],
  ['A morning at the lake, A morning…', LONG, `…${LONG.slice('A morning at the lake, A morning'.length)}`],
  ['…', 'We missed the last tram.', 'We missed the last tram.'],
  ['Porto', ' \n ', null],
])('beside the title %j, the text %j begins with %j', (title, text, line) =>
  expect(beginningOf(text, title)).toBe(line),
);

test.each([
  [null, false],
  ['2026-11-28', false],
  ['2026-11-28T23:00', false],
  ['2011-11-28', true],
  ['1962-22', true],
  ['2026-11-28~', true],
])('that it happened on %j is worth saying beside 28 November 2026: %j', (happenedOn, is) => {
  const createdAt = new Date(2026, 10, 28, 9).toISOString();
  const at =
    happenedOn === null
      ? Date.parse(createdAt)
      : new Date(happenedOn.slice(0, 4) === '2026' ? 2026 : 2011, 10, 28, 23).getTime();
  expect(happenedElsewhen({ at, createdAt, details: { happenedOn, tags: [] } } as never)).toBe(is);
});
