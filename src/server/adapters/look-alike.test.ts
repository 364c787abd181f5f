import { describe, expect, it } from 'vitest';
import { normaliseName } from '../../shared/nouns/account.ts';
import { skeletonOf } from './look-alike.ts';

const looks = (name: string) => skeletonOf(normaliseName(name));

describe('two names', () => {
  it.each([
    ['anna', '\u0430nn\u0430'], // Cyrillic a
    ['Anna', '\u0410nna'],
    ['anna', '\u03b1nna'], // Greek alpha
    ['scope', '\u0455\u0441\u043e\u0440\u0435'], // all Cyrillic
    ['nora', 'n\u1d0fra'], // a small capital o
    ['nora', '\ud835\uddc7ora'], // a mathematical n
    ['anna l', 'anna 1'],
    ['bernd', 'bemd'],
    ['bob', 'b0b'],
    ['\u00e1gnes', 'a\u0301gnes'],
    ['\u00e1gnes', '\u0430\u0301gnes'],
    ['nora-may', 'nora\u2010may'],
  ])('that look alike have one skeleton: %j and %j', (one, other) => {
    expect(looks(other)).toBe(looks(one));
  });

  it.each([
    ['anna', 'anne'],
    ['agnes', '\u00e1gnes'],
    ['\u0430\u043d\u043d\u0430', 'anna'], // Anna in Russian
    ['nora 2', 'nora 3'],
    ['\u592a\u90ce', '\u6b21\u90ce'],
  ])('that do not have two: %j and %j', (one, other) => {
    expect(looks(other)).not.toBe(looks(one));
  });
});
