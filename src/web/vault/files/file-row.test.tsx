// What the row of a file says.
import { expect, test } from 'vitest';
import { wordsOf } from './file-row.tsx';

test('a file that is lost is to be chosen again, and a recording is not', () => {
  for (const is of ['lost', 'gone'] as const) {
    expect(wordsOf({ is }, false)).toContain('hoose it once more');
    expect(wordsOf({ is }, true)).not.toContain('hoose');
    expect(wordsOf({ is }, true)).toContain('lost');
  }
});
