import { describe, expect, it } from 'vitest';
import { rowsWithin } from './pages.ts';

describe('a page’s weight', () => {
  it('takes rows until the next one would be too much', () => {
    expect(rowsWithin([], 10)).toBe(0);
    expect(rowsWithin([3, 3, 3], 10)).toBe(3);
    expect(rowsWithin([5, 5, 1], 10)).toBe(2);
    expect(rowsWithin([4, 4, 4], 10)).toBe(2);
  });

  it('takes one row, however large it is', () => {
    expect(rowsWithin([100], 10)).toBe(1);
    expect(rowsWithin([100, 1], 10)).toBe(1);
  });
});
