// Bodies for the fuzz: such as a schema asks for, and such as nobody asks for.
import * as z from 'zod/mini';
import type { Random } from '../../simulation/random.ts';

interface Def {
  type: string;
  checks?: { _zod: { def: { check: string; maximum?: number; length?: number; value?: number } } }[];
  shape?: Record<string, z.core.$ZodType>;
  element?: z.core.$ZodType;
  innerType?: z.core.$ZodType;
  options?: readonly z.core.$ZodType[];
  in?: z.core.$ZodType;
  values?: readonly unknown[];
  entries?: Record<string, unknown>;
}

/** What fields are called that have to agree with the account or with each other. */
export type Known = Readonly<Record<string, unknown>>;

const signs = (random: Random, alphabet: string, length: number) =>
  Array.from({ length }, () => alphabet[random.whole(0, alphabet.length - 1)]).join('');
const HEX = '0123456789abcdef';
const BASE64URL = `${HEX}ghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_`;

/** Text that fits: whichever of the kinds of text in the contract passes the schema. */
function fittingText(schema: z.core.$ZodType, def: Def, random: Random): string {
  const length = def.checks?.find(({ _zod }) => _zod.def.check === 'length_equals')?._zod.def.length;
  if (length !== undefined) return signs(random, BASE64URL, length);
  const candidates = [
    () => Buffer.from(signs(random, BASE64URL, 30)).toString('base64'),
    () => signs(random, HEX, 16),
    () => signs(random, HEX, 32),
    () => `age1pq1${signs(random, HEX, 80)}`,
    () => '2031-01-31T12:00:00Z',
    () => 'ada@mail.example',
  ];
  for (const make of candidates) {
    const text = make();
    if (z.safeParse(schema, text).success) return text;
  }
  return '';
}

/** A value that the schema takes, or nearly: what no schema knows, a handler may still refuse. */
export function fitting(schema: z.core.$ZodType, random: Random, known: Known, name = ''): unknown {
  const def = schema._zod.def as Def;
  if (Object.hasOwn(known, name) && random.chance(0.9)) return known[name];
  switch (def.type) {
    case 'optional':
    case 'default':
      return random.chance(0.6) ? fitting(def.innerType as z.core.$ZodType, random, known, name) : undefined;
    case 'nullable':
      return random.chance(0.6) ? fitting(def.innerType as z.core.$ZodType, random, known, name) : null;
    case 'pipe':
      return fitting(def.in as z.core.$ZodType, random, known, name);
    case 'string':
      return fittingText(schema, def, random);
    case 'number':
      return [random.whole(1, 5), random.whole(8, 16), 64 * 1024].find((n) => z.safeParse(schema, n).success);
    case 'boolean':
      return random.chance(0.5);
    case 'literal':
      return random.pick(def.values ?? []);
    case 'enum':
      return random.pick(Object.values(def.entries ?? {}));
    case 'union':
      return fitting(random.pick(def.options ?? []), random, known, name);
    case 'array':
      return Array.from({ length: random.whole(0, 3) }, () =>
        fitting(def.element as z.core.$ZodType, random, known),
      );
    case 'object':
      return Object.fromEntries(
        Object.entries(def.shape ?? {}).map(([field, child]) => [
          field,
          fitting(child, random, known, field),
        ]),
      );
    default:
      return undefined;
  }
}

const parsed = (text: string): unknown => JSON.parse(text);
const nested = (depth: number) => parsed(`${'['.repeat(depth)}${']'.repeat(depth)}`);

/** Values that have broken a server somewhere. Each is made anew: a body of them is not shared. */
const hostile: ((random: Random) => unknown)[] = [
  ...[null, true, false, 0, -0, -1, 1.5, 2 ** 31, 2 ** 53, 2 ** 63, 1e21, 1e308, -1e308, 5e-324, '', ' '].map(
    (value) => () => value,
  ),
  ...[1, -1, 1e6, 1e8, 1e9, 2 ** 32, 1e300, '1000000000'].map((length) => () => ({ length })),
  // Text: halves of characters, what reorders, hides, composes or grows, and what backtracks.
  ...['\u0000', 'a\u0000b', '\ud800', '\udc00x', '\u202e', '\ufeff', '\u2028', '💥', 'İ', 'ﬃ'].map(
    (value) => () => value,
  ),
  ...[
    '\ufdfa',
    'a\u0301',
    '\u1100\u1161\u11a8',
    '\u200b',
    ' ',
    '\t',
    '0',
    'A',
    '=',
    'a@',
    '\\',
    '"',
    '%00',
  ].map((sign) => (random: Random) => sign.repeat(random.pick([1, 63, 257, 5000, 20_000]))),
  (random) => `${'A'.repeat(random.whole(1, 30_000))}!`,
  (random) => `2031-01-31T12:00:00.${'9'.repeat(random.whole(1, 30_000))}Z`,
  (random) => `${signs(random, HEX, 64)}`,
  () => '+1e309',
  () => '2031-02-30T25:61:61+99:99',
  () => '-271821-04-20T00:00:00Z',
  () => `${'a'.repeat(64)}@${'b.'.repeat(5000)}`,
  () => '<script>alert(1)</script>',
  () => "'; drop table accounts; --",
  () => '../../../../etc/passwd',
  // Objects that pretend.
  () => parsed('{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}}}'),
  () => parsed('{"toString":1,"valueOf":"x","toJSON":{"length":1},"then":1}'),
  () => ({ type: 'Buffer', data: [1, 2, 3] }),
  () => ({ hasOwnProperty: null, [Symbol.iterator.toString()]: 1 }),
  () => [],
  () => ({}),
  () => [null, [], {}, [[]]],
  (random) => nested(random.pick([3, 50, 1000])),
  (random) => Array(random.pick([21, 501, 5000])).fill(0),
  (random) => Array(random.pick([21, 501, 3000])).fill({}),
  (random) => Object.fromEntries(Array.from({ length: random.pick([50, 3000]) }, (_, i) => [`k${i}`, i])),
];

export const hostileValue = (random: Random): unknown => random.pick(hostile)(random);

type Place = { holder: Record<string, unknown>; name: string };

function placesIn(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  const holder = value as Record<string, unknown>;
  return Object.keys(holder).flatMap((name) => [{ holder, name }, ...placesIn(holder[name])]);
}

/** The same body with one to three of its places, however deep, holding something else, or nothing. */
export function disturb(body: unknown, random: Random): unknown {
  const copy: unknown = structuredClone(body);
  const places = placesIn(copy);
  if (places.length === 0) return hostileValue(random);
  for (let times = random.whole(1, 3); times > 0; times -= 1) {
    const { holder, name } = random.pick(places);
    if (random.chance(0.15)) delete holder[name];
    else holder[name] = disturbed(holder[name], random);
  }
  return copy;
}

/** Encoded bytes that are nearly right reach further than those that are all wrong. */
function disturbed(value: unknown, random: Random): unknown {
  if (typeof value !== 'string' || value.length < 40 || random.chance(0.5)) return hostileValue(random);
  const bytes = Buffer.from(value, 'base64url');
  for (let times = random.whole(1, 4); times > 0; times -= 1) {
    bytes[random.whole(0, bytes.length - 1)] = random.whole(0, 255);
  }
  return random.chance(0.8) ? bytes.toString('base64url') : bytes.fill(0x81).toString('base64url');
}

/** The same body with fields that nobody asked for. */
export function extend(body: unknown, random: Random): string {
  const extra = [
    '"__proto__":{"id":1}',
    '"constructor":1',
    '"toString":null',
    `"${signs(random, BASE64URL, 8)}":${random.whole(0, 9)}`,
    '"":{}',
    '"\\u0000":1',
  ];
  const text = JSON.stringify(body ?? {});
  const inside = text.startsWith('{') ? text.slice(1, -1) : '';
  return `{${[...(inside ? [inside] : []), random.pick(extra), random.pick(extra), ...(inside ? [inside] : [])].join()}}`;
}

/** What is no JSON, or hardly any. */
export function broken(body: unknown, random: Random): string | Buffer {
  const text = JSON.stringify(body ?? {});
  return random.pick<() => string | Buffer>([
    () => text.slice(0, random.whole(0, text.length)),
    () => `${text}${random.pick(['}', ']', ',', '\u0000', 'x', text])}`,
    () => `\ufeff${text}`,
    () => Buffer.concat([Buffer.from(text.slice(0, -1)), Buffer.from([0xff, 0xfe, 0xc0, 0x80])]),
    () => Buffer.from(text, 'utf16le'),
    () => '['.repeat(random.pick([100, 30_000])),
    () => '{"a":'.repeat(10_000),
    () => `[${'0,'.repeat(random.pick([100, 30_000]))}0]`,
    () => `{"a":"${'\\u0041'.repeat(10_000)}"}`,
    () => `{"a":"${'\\ud83d'.repeat(5000)}"}`,
    () => `{"a":${'9'.repeat(50_000)}}`,
    () => `{"a":1e${'9'.repeat(5000)}}`,
    () => `${' '.repeat(50_000)}{}`,
    () => '{"a":1,"a":2,"a":3}',
    () => "{'a':1}",
    () => 'NaN',
    () => '',
  ])();
}
