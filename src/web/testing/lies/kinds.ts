// The kinds of lie, and how each is told: one place of one answer is given another value. Pure, and without chance: the
// same answer is always lied about in the same way.
import type * as z from 'zod/mini';

/** The kinds, the worst first: those that keep the shape of the truth are the ones that a check has to find. */
export const lieKinds = [
  /** What the same call answers another account in its place. */
  'another-account',
  /** What the same call answered earlier. */
  'older',
  /** What another row of the same answer has there. */
  'another-row',
  /** Less of it: half a text, a row left out, an earlier time, a smaller number, `false`. */
  'shorter',
  /** More of it: a longer text, a row twice, a later time, a larger number, `true`. */
  'longer',
  'null',
  'missing',
  'another-type',
  /** An error in place of the answer. The kind of the whole answer alone, as is the next one. */
  'fault',
  /** The answer that nothing is there, in place of the answer. */
  'denial',
  /** Something that is no JSON, as a page of a network that wants to be paid. Of the whole answer, as are the next four. */
  'no-json',
  /** A success that says nothing. */
  'empty',
  /** No answer, for as long as the page waits. */
  'silence',
  /** That nobody is signed in. */
  'signed-out',
  /** That whoever asks has to prove who they are. */
  'unproved',
  /** Two lies at once, or more, in several answers or in two places of one. Of those that are drawn each alone is not believed. */
  'two',
  /** An answer in place of an error: what another account was answered, which had none. */
  'answer',
] as const;
export type LieKind = (typeof lieKinds)[number];

/** Where a lie is told: names and, for lists, `[]`. The empty path is the whole answer. */
export type Path = string;

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** One lie about one answer: the place as names and indexes, and the value that stands there instead. */
export interface Lie {
  at: readonly (string | number)[];
  /** `undefined` takes it away. */
  value: Json | undefined;
}

const partsOf = (path: Path): string[] =>
  path === '' ? [] : path.replaceAll('[]', '.[]').replace(/^\./, '').split('.');

const isObject = (value: Json | undefined): value is { [name: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isSame = (one: Json | undefined, other: Json | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** Every place of an answer, as paths without indexes; parents come before what they hold. */
export function pathsIn(answer: Json, path: Path = ''): Path[] {
  const below = Array.isArray(answer)
    ? answer.flatMap((item) => pathsIn(item, `${path}[]`))
    : isObject(answer)
      ? Object.entries(answer).flatMap(([name, value]) => pathsIn(value, path ? `${path}.${name}` : name))
      : [];
  return [...new Set([path, ...below])];
}

/** Every place of an answer at a path, with its indexes. */
function placesAt(answer: Json, parts: readonly string[]): (string | number)[][] {
  const [part, ...rest] = parts;
  if (part === undefined) return [[]];
  if (part === '[]') {
    if (!Array.isArray(answer)) return [];
    return answer.flatMap((item, i) => placesAt(item, rest).map((place) => [i, ...place]));
  }
  if (!isObject(answer) || !Object.hasOwn(answer, part)) return [];
  return placesAt(answer[part] as Json, rest).map((place) => [part, ...place]);
}

export function valueAt(answer: Json, at: readonly (string | number)[]): Json | undefined {
  let value: Json | undefined = answer;
  for (const step of at) {
    if (typeof step === 'number') value = Array.isArray(value) ? value[step] : undefined;
    else value = isObject(value) ? value[step] : undefined;
  }
  return value;
}

/** An answer with one lie in it; the answer itself stays as it is. */
export function withLie(answer: Json, { at, value }: Lie): Json {
  const copy = structuredClone(answer);
  const last = at.at(-1);
  if (last === undefined) return value === undefined ? null : value;
  const holder = valueAt(copy, at.slice(0, -1));
  if (Array.isArray(holder) && typeof last === 'number') {
    if (value === undefined) holder.splice(last, 1);
    else if (last < holder.length) holder[last] = value;
  } else if (isObject(holder) && typeof last === 'string' && Object.hasOwn(holder, last)) {
    if (value === undefined) delete holder[last];
    else holder[last] = value;
  }
  return copy;
}

const isTime = (text: string) => /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text);
const YEAR = 365 * 24 * 60 * 60 * 1000;
const moved = (time: string, by: number) => new Date(Date.parse(time) + by).toISOString();

/** A choice of an enumeration beside the one that stands there; `undefined` where the schema names no choices. */
function neighbour(schema: z.core.$ZodType | null, value: string, step: 1 | -1): string | undefined {
  const choices = choicesOf(schema);
  const at = choices.indexOf(value);
  return at < 0 || choices.length < 2 ? undefined : choices[(at + step + choices.length) % choices.length];
}

function choicesOf(schema: z.core.$ZodType | null): string[] {
  const def = schema?._zod.def as
    | { type?: string; entries?: Record<string, string>; innerType?: z.core.$ZodType }
    | undefined;
  if (def?.innerType) return choicesOf(def.innerType);
  return def?.type === 'enum' ? Object.values(def.entries ?? {}) : [];
}

function shorter(value: Json, schema: z.core.$ZodType | null): Json | undefined {
  if (typeof value === 'boolean') return false;
  if (typeof value === 'number') return value > 1 ? value - 1 : 0;
  if (Array.isArray(value)) return value.slice(1);
  if (typeof value !== 'string') return undefined;
  if (isTime(value)) return moved(value, -YEAR);
  // Whole groups of base64, so that what is cut still reads as such.
  return neighbour(schema, value, -1) ?? value.slice(0, Math.floor(value.length / 8) * 4);
}

function longer(value: Json, schema: z.core.$ZodType | null): Json | undefined {
  if (typeof value === 'boolean') return true;
  if (typeof value === 'number') return value + 7;
  if (Array.isArray(value)) return value.length > 0 ? [value[0] as Json, ...value] : undefined;
  if (typeof value !== 'string') return undefined;
  if (isTime(value)) return moved(value, YEAR);
  return neighbour(schema, value, 1) ?? `${value}${value.slice(0, 4) || 'more'}`;
}

const anotherType = (value: Json): Json =>
  typeof value === 'string' ? 7 : typeof value === 'number' ? 'seven' : Array.isArray(value) ? {} : [value];

/** What else is known of the same call. */
export interface Others {
  older: Json | undefined;
  anotherAccount: Json | undefined;
}

/** The row of another answer that is the same one, by its number; where there is none, the one in the same place. */
function sameRow(other: Json, truth: Json, index: number): number {
  if (!Array.isArray(other) || !Array.isArray(truth)) return index;
  const row = truth[index];
  const found = isObject(row)
    ? other.findIndex((one) => isObject(one) && one.id !== undefined && one.id === row.id)
    : -1;
  return found < 0 ? index : found;
}

/**
 * A lie of one kind about one path of an answer; null where there is none of this kind, or where it would be the truth.
 * It is told of the first place that holds something, or of another one where that would say nothing new.
 */
export function lieOf(
  kind: LieKind,
  truth: Json,
  path: Path,
  others: Others,
  schema: z.core.$ZodType | null,
): Lie | null {
  const places = placesAt(truth, partsOf(path));
  const filled = places.filter((place) => valueAt(truth, place) !== null);
  const [first] = filled.length > 0 ? filled : places;
  if (!first) return null;
  const value = valueAt(truth, first);
  if (value === undefined) return null;
  const told = (at: readonly (string | number)[], lie: Json | undefined): Lie | null =>
    isSame(valueAt(truth, at), lie) ? null : { at, value: lie };
  const said = (lie: Json | undefined) => (lie === undefined ? null : told(first, lie));
  switch (kind) {
    case 'another-row': {
      // The first row is the one that people meet first; what another one has is told of it.
      const [target] = places;
      const another =
        target && places.find((place) => !isSame(valueAt(truth, place), valueAt(truth, target)));
      return target && another ? told(target, valueAt(truth, another)) : null;
    }
    case 'older': {
      if (others.older === undefined) return null;
      const index = first.findIndex((step) => typeof step === 'number');
      const at = [...first];
      if (index === 0) at[0] = sameRow(others.older, truth, first[0] as number);
      return said(valueAt(others.older, at));
    }
    case 'another-account':
      return others.anotherAccount === undefined ? null : said(valueAt(others.anotherAccount, first));
    case 'shorter':
      return said(shorter(value, schema));
    case 'longer':
      return said(longer(value, schema));
    case 'null':
      return said(null);
    case 'missing':
      // A row that is missing is a shorter list.
      return typeof first.at(-1) === 'string' ? { at: first, value: undefined } : null;
    case 'another-type':
      return said(anotherType(value));
    default:
      return null;
  }
}
