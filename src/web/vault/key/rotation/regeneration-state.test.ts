import { describe, expect, it } from 'vitest';
import type { NextKey, Survey } from './regenerate.ts';
import {
  atFirst,
  type RegenerationAction,
  type RegenerationState,
  regenerationReducer,
} from './regeneration-state.ts';

const next = { key: new Uint8Array(32) } as unknown as NextKey;
const survey = { opened: [1, 2, 3], left: 0 } as unknown as Survey;
const ways = { wraps: [], wordsKept: true };
const progress = { done: 1, all: 3, finishing: false };

const having = (...actions: RegenerationAction[]): RegenerationState =>
  actions.reduce(regenerationReducer, atFirst);

const made: RegenerationAction = { type: 'made', next };
const surveyed: RegenerationAction = { type: 'surveyed', survey };
const forward: RegenerationAction = { type: 'go-on' };
const proved: RegenerationAction = { type: 'proved', ways };
const began: RegenerationAction = { type: 'began' };
const burn: RegenerationAction = { type: 'ask-to-burn' };

describe('a regeneration', () => {
  it.each<[string, RegenerationAction[], object]>([
    ['begins with a choice', [], { step: 'choose', next: null, problem: null }],
    ['shows what was found', [made, surveyed], { step: 'found', survey }],
    [
      'asks for a way back',
      [made, surveyed, forward],
      { step: 'way-back', survey, ways: { wordsKept: false } },
    ],
    ['keeps what was proved', [made, surveyed, forward, proved, began], { step: 'working', ways }],
    [
      'goes entry by entry',
      [made, surveyed, forward, proved, began],
      { progress: { done: 0, all: 3, finishing: false } },
    ],
    [
      'tells how far it is',
      [made, surveyed, forward, proved, began, { type: 'progressed', progress }],
      { progress },
    ],
    ['asks before it burns', [burn], { step: 'burn', next: null }],
    ['goes back from there', [burn, { type: 'back' }], { step: 'choose', problem: null }],
    ['burns without a survey', [burn, made, forward], { step: 'way-back', survey: null }],
    [
      'burns at once',
      [burn, made, forward, proved, began],
      { progress: { done: 0, all: 0, finishing: true } },
    ],
  ])('%s', (_, actions, expected) => {
    expect(having(...actions)).toMatchObject(expected);
  });

  it.each([
    ['at the choice', [made]],
    ['where a way back is proved', [made, surveyed, forward, proved]],
    ['at work', [made, surveyed, forward, proved, began]],
  ])('that fails %s begins anew, with the same next key', (_, actions: RegenerationAction[]) => {
    const failed = having(...actions, { type: 'failed', problem: 'It did not work.' });
    expect(failed).toMatchObject({ step: 'choose', next, problem: 'It did not work.' });
    expect(failed).not.toHaveProperty('survey');
  });

  it.each([
    ['nothing is found without a key', [surveyed]],
    ['nothing burns without a key', [burn, forward]],
    ['nothing begins before a way back was asked for', [made, surveyed, began]],
    ['nothing goes back but the question', [made, surveyed, { type: 'back' }]],
    ['no progress is told of what has not begun', [made, { type: 'progressed', progress }]],
  ])('%s', (_, actions) => {
    const all = actions as RegenerationAction[];
    expect(having(...all)).toEqual(having(...all.slice(0, -1)));
  });
});
