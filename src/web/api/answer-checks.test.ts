// Answers that are well formed and about something else.
import { describe, expect, test } from 'vitest';
import { ghosts } from '../../shared/nouns/ghost.ts';
import { legacyScrolls } from '../../shared/nouns/legacy.ts';
import { memories } from '../../shared/nouns/memory.ts';
import { relationships } from '../../shared/nouns/relationship.ts';
import { checkAnswer } from './answer-checks.ts';

const memory = {
  id: 7,
  title: 'dA==',
  encryptedContent: 'Yw==' as string | null,
  details: null as string | null,
  timeLockUntil: null,
  createdAt: '2030-06-01T12:00:00.000Z',
  updatedAt: '2030-06-01T12:00:00.000Z',
  version: 2,
  sealId: 'AAAAAAAAAAAAAAAAAAAAAA',
  keyFingerprint: '0123456789abcdef',
};
const sent = { title: 'dA==', encryptedContent: 'Yw==', sealId: memory.sealId, version: 1 };

describe('an answer about one entry', () => {
  test('is refused when it is about another one', () => {
    const ask = (id: string) => () => checkAnswer(memories.get, { params: { id } }, memory);
    expect(ask('7')).not.toThrow();
    expect(ask('8')).toThrow('another entry than was asked for');
  });

  test.each([
    ['title', 'b3RoZXI='],
    ['encryptedContent', 'b3RoZXI='],
    ['sealId', 'BBBBBBBBBBBBBBBBBBBBBB'],
    ['sealId', null],
  ])('is refused when its %s is not what was sent', (name, value) => {
    const ask = (reply: object) => () => checkAnswer(memories.create, { body: sent }, reply);
    expect(ask(memory)).not.toThrow();
    expect(ask({ ...memory, [name]: value })).toThrow('something else than was sent');
  });

  const timeLockUntil = '2031-01-01T00:00:00.000Z';

  test('is refused when it lacks what was sent beside words that are there', () => {
    const body = { ...sent, details: 'ZA==', timeLockUntil };
    const ask = (reply: object) => () =>
      checkAnswer(memories.create, { body }, { ...memory, timeLockUntil, ...reply });
    expect(ask({ encryptedContent: null, details: null })).not.toThrow();
    expect(ask({ details: null })).toThrow('something else than was sent');
  });

  test('is refused when it withholds the words of what was sent without a lock', () => {
    const reply = { ...memory, encryptedContent: null };
    expect(() => checkAnswer(memories.create, { body: sent }, reply)).toThrow('something else than was sent');
  });

  test('may withhold words behind a lock, and may bring what was not sent', () => {
    const reply = {
      ...memory,
      timeLockUntil,
      encryptedContent: null,
      details: 'ZA==',
      createdAt: '2031-01-01T00:00:00.000Z',
    };
    const body = { ...sent, timeLockUntil };
    expect(() => checkAnswer(memories.create, { body }, reply)).not.toThrow();
  });

  test('is refused when a moment that was chosen is another one', () => {
    const body = { expiresAt: '2030-06-02T12:00:00.000Z', maxReads: 3 };
    const ask = (expiresAt: string) => () =>
      checkAnswer(ghosts.create, { body }, { id: 1, ...body, expiresAt });
    expect(ask(body.expiresAt)).not.toThrow();
    expect(ask('2031-06-02T12:00:00.000Z')).toThrow('something else than was sent');
  });

  test('is refused when a choice or a number is not the one that was sent', () => {
    const body = { eventType: 'moment', emotionalWeight: 3 };
    const ask = (reply: object) => () => checkAnswer(relationships.create, { body }, { id: 1, ...reply });
    expect(ask(body)).not.toThrow();
    expect(ask({ ...body, eventType: 'ending' })).toThrow('something else than was sent');
    expect(ask({ ...body, emotionalWeight: 5 })).toThrow('something else than was sent');
  });

  test('may have a trigger in another form than it was sent in', () => {
    const body = { triggerType: 'inactivity', triggerValue: 30 };
    const ask = (triggerType: string) => () =>
      checkAnswer(legacyScrolls.create, { body }, { id: 1, triggerType, triggerValue: '30' });
    expect(ask('inactivity')).not.toThrow();
    expect(ask('manual')).toThrow('something else than was sent');
  });
});

describe('a list', () => {
  const page = (ids: number[], query: object = { limit: 500 }) => {
    const rows = ids.map((id) => ({ id, sealId: null }));
    return () => checkAnswer(ghosts.list, { query: { ...query } }, rows);
  };

  test('is refused when a row stands twice, by its number or by that of its seal', () => {
    expect(page([3, 2, 1])).not.toThrow();
    expect(page([3, 3, 1])).toThrow('stands twice');
    const rows = [3, 2].map((id) => ({ id, sealId: memory.sealId }));
    expect(() => checkAnswer(ghosts.list, {}, rows)).toThrow('stands twice');
  });

  test('is refused when a page is out of order, or begins elsewhere than was asked for', () => {
    expect(page([1, 2])).toThrow('in a wrong place');
    expect(page([6, 5], { limit: 500, before: 7 })).not.toThrow();
    expect(page([7, 6], { limit: 500, before: 7 })).toThrow('in a wrong place');
  });
});

test('rows within a row, such as the recipients of a letter, stand once', () => {
  const one = { id: 1, publicId: 'A' };
  const ask = (other: object) => () =>
    checkAnswer(legacyScrolls.list, {}, [{ id: 7, recipients: [one, { id: 2, publicId: 'B', ...other }] }]);
  expect(ask({})).not.toThrow();
  expect(ask({ id: 1 })).toThrow('an entry stands twice');
  expect(ask({ publicId: 'A' })).toThrow('an entry stands twice');
  expect(() => checkAnswer(legacyScrolls.update, {}, { recipients: [one, one] })).toThrow('stands twice');
});
