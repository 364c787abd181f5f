import { expect, test } from 'vitest';
import { blankDraft, fateOf, reworded } from './draft.ts';

const sent = { content: 'First wording.', sealId: 'one', earlier: [] };

test('the wording that was sealed is dropped, and nothing that was written after it', () => {
  expect(fateOf(sent, 'one')).toBe('drop');
  expect(fateOf(reworded(sent, 'Second wording.'), 'one')).toBe('keep');
  expect(fateOf({ ...reworded(sent, 'Second wording.'), sealId: 'two' }, 'one')).toBe('keep');
  expect(fateOf({ ...reworded(sent, 'Second wording.'), sealId: 'two' }, 'two')).toBe('drop');
});

test('what was never sent is kept beside a breath of another', () => {
  expect(fateOf(reworded(blankDraft, 'Another.'), 'one')).toBe('keep');
  expect(fateOf(reworded(blankDraft, 'Another.'), null)).toBe('keep');
  expect(fateOf(blankDraft, 'one')).toBe('none');
  expect(fateOf(null, 'one')).toBe('none');
});

test('a rewording remembers under what the earlier ones were sent', () => {
  const twice = reworded({ ...reworded(sent, 'Second.'), sealId: 'two' }, 'Third.');
  expect(twice).toEqual({ content: 'Third.', sealId: null, earlier: ['one', 'two'] });
  expect(reworded(twice, 'Fourth.').earlier).toEqual(['one', 'two']);
});
