import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { openPlaces } from './openness.ts';

const text = z.string().check(z.maxLength(10));

const openToBoth: [string, z.core.$ZodType][] = [
  ['any', z.any()],
  ['unknown', z.unknown()],
  ['a record', z.record(z.string(), z.unknown())],
  ['a record of bounded text', z.record(text, text)],
  ['a loose object', z.looseObject({ a: text })],
  ['an object with a catchall', z.catchall(z.object({ a: text }), text)],
  ['a map', z.map(text, text)],
  ['a set', z.set(text)],
  ['a transform alone', z.transform(String)],
  ['a custom check of anything', z.custom<string>(() => true)],
  ['a schema that is made later', z.lazy(() => text)],
  ['a promise', z.promise(text)],
  ['a file', z.file()],
];

const openToStrangers: [string, z.core.$ZodType][] = [
  ['a string', z.string()],
  ['a string with a least length', z.string().check(z.minLength(3))],
  ['a string of a format', z.email()],
  ['a pattern, which nothing can measure', z.string().check(z.regex(/^[a-z]+$/))],
  ['a list', z.array(text)],
  ['a list with a least length', z.array(text).check(z.minLength(3))],
];

const closed: [string, z.core.$ZodType][] = [
  ['text with a greatest length', text],
  ['text of one length', z.string().check(z.length(4))],
  ['a list with a greatest length', z.array(text).check(z.maxLength(3))],
  ['an object', z.object({ a: text, b: z.optional(z.int()), c: z.nullish(z.boolean()) })],
  ['a strict object', z.strictObject({ a: text })],
  ['a choice', z.enum(['a', 'b'])],
  ['a union', z.union([text, z.int()])],
  ['a union by a field', z.discriminatedUnion('kind', [z.object({ kind: z.literal('a'), text })])],
  ['a number that comes as text', z.coerce.number()],
  ['a default', z._default(text, '')],
  ['a field that may not be', z.object({ secret: z.exactOptional(z.never()) })],
  ['something that is changed after it was checked', z.pipe(text, z.pipe(z.transform(String), text))],
];

/** Every place where one schema may stand in another. */
const places: [string, (schema: z.core.$ZodType) => z.core.$ZodType][] = [
  ['alone', (schema) => schema],
  ['in a field', (schema) => z.object({ deep: z.object({ field: schema }) })],
  ['where it may be missing', (schema) => z.object({ field: z.nullish(schema) })],
  ['in a list', (schema) => z.array(schema).check(z.maxLength(3))],
  ['in a union', (schema) => z.union([z.int(), schema])],
  ['behind a default', (schema) => z._default(schema, undefined as never)],
  ['at the beginning of a pipe', (schema) => z.pipe(schema as typeof text, z.transform(String))],
];

describe.each(places)('a schema %s', (_, put) => {
  it.each(openToBoth)('is open when it is %s', (_, schema) => {
    expect(openPlaces(put(schema), 'incoming')).toHaveLength(1);
    expect(openPlaces(put(schema), 'outgoing')).toHaveLength(1);
  });

  it.each(openToStrangers)('is open to whoever sends when it is %s', (_, schema) => {
    expect(openPlaces(put(schema), 'incoming')).toHaveLength(1);
    expect(openPlaces(put(schema), 'outgoing')).toEqual([]);
  });

  it.each(closed)('is closed when it is %s', (_, schema) => {
    expect(openPlaces(put(schema), 'incoming')).toEqual([]);
  });
});

describe('an open place', () => {
  it('is named by its path', () => {
    const schema = z.object({ a: z.array(z.object({ b: z.string() })).check(z.maxLength(1)), c: z.any() });
    expect(openPlaces(schema, 'incoming')).toEqual([
      'a[].b: a string without a greatest length',
      'c: a schema of the kind any',
    ]);
  });
});
