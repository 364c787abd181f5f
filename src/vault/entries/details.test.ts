// Details: canonical, tolerant of what is not known, and never losing it.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  canEditDetails,
  canonical,
  readArrival,
  readDetails,
  TAG_LENGTH_MAX,
  TAGS_MAX,
  tagsFromLine,
  tagsProblem,
  withArrival,
  writeDetails,
} from './details.ts';

const garden = { happenedOn: '2019-05-17', tags: ['garden', 'Agnes'] };
const none = { happenedOn: null, tags: [] };

describe('details', () => {
  test('are canonical JSON that says its version', () => {
    expect(writeDetails(null, garden)).toBe('{"happenedOn":"2019-05-17","tags":["garden","Agnes"],"v":1}');
    expect(writeDetails(null, { happenedOn: '2019-05-17T14:30', tags: [] })).toBe(
      '{"happenedOn":"2019-05-17T14:30","v":1}',
    );
  });

  test('are not there at all when they say nothing', () => {
    expect(writeDetails(null, none)).toBeNull();
    expect(writeDetails(writeDetails(null, garden), none)).toBeNull();
  });

  test('keep every key that is not known here', () => {
    const before = '{"attachments":[{"b":1,"a":"é"}],"happenedOn":"2001-01-01","v":1}';
    const after = writeDetails(before, garden);
    expect(after).toBe(
      '{"attachments":[{"a":"é","b":1}],"happenedOn":"2019-05-17","tags":["garden","Agnes"],"v":1}',
    );
    expect(writeDetails(after, none)).toBe('{"attachments":[{"a":"é","b":1}],"v":1}');
  });

  test('say how a myth was made, and keep it when something else is changed', () => {
    const made = { by: 'model', writer: 'llama3 at words.example', tone: 'epic' } as const;
    const text = writeDetails(null, { ...none, made });
    expect(text).toBe('{"made":{"by":"model","tone":"epic","writer":"llama3 at words.example"},"v":1}');
    expect(readDetails(text)).toEqual({ ...none, made });
    expect(readDetails(writeDetails(text, garden))).toEqual({ ...garden, made });
    const later = '{"made":{"by":"loom","later":[1]},"v":1}';
    expect(readDetails(later)).toEqual({ ...none, made: { by: 'loom' } });
    expect(writeDetails(later, garden)).toContain('"made":{"by":"loom","later":[1]}');
  });

  test.each([7, null, 'loom', [], {}, { by: 'hand' }, { by: 1 }])(
    'keep %j as what made it, unread',
    (made) => {
      const text = canonical({ made, v: 1 });
      expect(readDetails(text)).toEqual(none);
      expect(writeDetails(text, none)).toBe(text);
    },
  );

  test('read of how a myth was made what has words', () => {
    const made = { by: 'loom', writer: 7, tone: '', person: 'Nora', duration: null };
    expect(readDetails(canonical({ made, v: 1 })).made).toEqual({ by: 'loom', person: 'Nora' });
  });

  test.each([
    ['of a later version', '{"happenedOn":"2019-05-17","v":2}'],
    ['that are no object', '["a"]'],
    ['that are no JSON', 'happened'],
  ])('%s are neither read nor changed', (_, text) => {
    expect(canEditDetails(text)).toBe(false);
    expect(readDetails(text)).toEqual(none);
    expect(writeDetails(text, garden)).toBe(text);
  });

  test.each([
    '2019-02-30',
    '2019-5-17',
    '2019-05-17T25:00',
    '2019-05-17T14:30:01',
    '19-05-17',
    'May',
    7,
    null,
  ])('do not read %s as a day, and keep it until there is another', (happenedOn) => {
    const text = canonical({ happenedOn, v: 1 });
    expect(readDetails(text).happenedOn).toBeNull();
    expect(writeDetails(text, none)).toBe(text);
    expect(readDetails(writeDetails(text, garden)).happenedOn).toBe('2019-05-17');
  });

  test('come back as they were written, whatever else stands there', () => {
    const json = fc.dictionary(fc.string(), fc.jsonValue());
    const day = fc.constantFrom(null, '0079-08-24', '2019-05-17', '2019-05-17T00:00');
    const tags = fc
      .array(fc.string({ maxLength: 30 }), { maxLength: 8 })
      .map((all) => tagsFromLine(all.join(',')));
    fc.assert(
      fc.property(json, day, tags, (others, happenedOn, written) => {
        const before = canonical({ ...others, happenedOn: '1999-01-01', tags: [], v: 1 });
        const after = writeDetails(before, { happenedOn, tags: written });
        expect(readDetails(after)).toEqual({ happenedOn, tags: written });
        const { v: _, happenedOn: __, tags: ___, ...kept } = JSON.parse(after ?? '{}');
        const { v: _v, happenedOn: _h, tags: _t, ...sent } = JSON.parse(before);
        expect(kept).toEqual(sent);
        if (after !== null) expect(canonical(JSON.parse(after))).toBe(after);
      }),
    );
  });
});

describe('the mark of what a server has sealed', () => {
  test.each([
    ['none', null],
    ['ours', '{"tags":["garden"],"v":1}'],
    ['of a later version', '{"v":2}'],
    ['of no version', '{}'],
    ['that are a list', '[1]'],
    ['that are no JSON', 'The garden'],
    ['without any room', JSON.stringify({ a: 'x'.repeat(194_990), v: 1 })],
    ['without end', `{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`],
  ])('stands in details, even in %s', (_, text) => {
    const marked = withArrival(text);
    expect(readArrival(marked)).toEqual({ by: 'server' });
    expect(new TextEncoder().encode(marked).length).toBeLessThanOrEqual(195_000);
    expect(readArrival(writeDetails(marked, garden))).toEqual({ by: 'server' });
  });

  test('is what the box says, where it says so, and takes nothing away', () => {
    expect(readArrival(withArrival('{"arrived":{"by":"webhook","id":7},"v":1}'))).toEqual({
      by: 'webhook',
      id: 7,
    });
    expect(withArrival('{"tags":["garden"],"v":2}')).toBe(
      '{"arrived":{"by":"server"},"tags":["garden"],"v":2}',
    );
  });
});

describe('a line of tags', () => {
  test('is parted by commas, trimmed, and says nothing twice', () => {
    expect(tagsFromLine(' garden , Agnes,garden, AGNES,, two  words ')).toEqual([
      'garden',
      'Agnes',
      'two words',
    ]);
    expect(tagsFromLine(' , ')).toEqual([]);
  });

  test('says what it has no room for', () => {
    expect(tagsProblem('a, b')).toBeUndefined();
    expect(
      tagsProblem(
        Array(TAGS_MAX + 1)
          .fill('a')
          .join(','),
      ),
    ).toMatch(/12 tags/);
    expect(tagsProblem('a'.repeat(TAG_LENGTH_MAX + 1))).toMatch(/40 letters/);
  });
});
