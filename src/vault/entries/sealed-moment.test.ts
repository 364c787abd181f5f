// Kind and weight of a moment: sealed, read, and left out, and never lost.
import { describe, expect, test } from 'vitest';
import { eventTypes, weights } from '../../shared/nouns/moment-kinds.ts';
import { isSaid, kindOf, NEUTRAL, readMoment, sealMoment, withoutMoment } from './sealed-moment.ts';

const said = { eventType: 'argument', emotionalWeight: 2 } as const;
const asSaid = { kind: 'argument', weight: 2 };
const garden = '{"happenedOn":"2019-05-17","later":[1],"tags":["garden"],"v":1}';

describe('kind and weight of a moment', () => {
  test('are sealed in its details, and neutral ones are sent', () => {
    for (const { value: kind } of eventTypes) {
      for (const { value: weight } of weights) {
        const { details, clear } = sealMoment(null, { kind, weight });
        expect(clear).toEqual({ eventType: 'moment', emotionalWeight: 3 });
        expect(details).toBe(`{"emotionalWeight":${weight},"eventType":"${kind}","v":1}`);
        expect(readMoment(NEUTRAL, details)).toEqual({ kind, weight });
      }
    }
  });

  test('stand beside what else the details say, and take the place of those of before', () => {
    const first = sealMoment(garden, { kind: 'ending', weight: 5 }).details;
    expect(first).toBe(
      '{"emotionalWeight":5,"eventType":"ending","happenedOn":"2019-05-17","later":[1],"tags":["garden"],"v":1}',
    );
    const second = sealMoment(first, { kind: 'beginning', weight: 1 }).details;
    expect(readMoment(NEUTRAL, second)).toEqual({ kind: 'beginning', weight: 1 });
    expect(withoutMoment(second)).toBe(garden);
    expect(withoutMoment(sealMoment(null, { kind: 'ending', weight: 5 }).details)).toBeNull();
  });

  test.each([
    ['there are no details', null],
    ['they cannot be opened', undefined],
    ['they say neither', garden],
    ['they say something else', '{"emotionalWeight":6,"eventType":"haunting","v":1}'],
    ['they say no number', '{"emotionalWeight":"5","eventType":7,"v":1}'],
    ['they are of a later version', '{"emotionalWeight":5,"eventType":"ending","v":2}'],
    ['they are no JSON', 'ending'],
  ])('are those of the row where %s', (_, details) => {
    expect(readMoment(said, details)).toEqual(asSaid);
  });

  test.each([
    ['cannot be opened', undefined],
    ['are of a later version', '{"eventType":"ending","v":2}'],
    ['are no object', '["a"]'],
    ['have no room left', JSON.stringify({ attachments: 'a'.repeat(194_960), v: 1 })],
  ])('are sent in the clear where the details %s, which stay', (_, details) => {
    expect(sealMoment(details, { kind: 'argument', weight: 2 })).toEqual({ details, clear: said });
    expect(withoutMoment(details)).toBe(details);
  });

  test.each([
    ['was opened', { detailsText: garden }, true],
    ['has no details', { detailsText: null }, true],
    ['has details that the server hides', { detailsText: null, isHidden: true }, false],
    ['has details that do not open', { detailsText: undefined }, false],
    ['has details that do not open, and says another kind', { kind: 'ending', detailsText: undefined }, true],
    ['has details that do not open, and says another weight', { weight: 5, detailsText: undefined }, true],
    ['was changed on its way', { detailsText: garden, changed: ['eventType'] }, false],
  ] as const)(
    'are said of a neutral one that %s, or not',
    (_, { isHidden = false, ...shown }: object & { isHidden?: boolean }, isIt) => {
      const moment = { kind: 'moment', weight: 3, changed: null, detailsText: null, ...shown } as const;
      expect(isSaid(moment, isHidden)).toBe(isIt);
      if (!isHidden) expect(kindOf(moment) !== null).toBe(isIt);
    },
  );
});
