// The record of all lies is whole: every place of every answer that is used was lied about, what is not is listed with the
// reason, and whatever is believed has a sentence that says what an operator gains by it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { attackClasses } from './attacks.ts';
import { answeringCalls, rowNamed, schemasIn } from './fields.ts';
import { gainOf, gains } from './gains.ts';
import { journeys } from './journeys.ts';
import { callsNotTried, placesNotHeld } from './not-tried.ts';
import { publishedAttacks } from './published.ts';
import { believedIn, countBelieved, type VerdictRecord } from './verdicts.ts';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const record = JSON.parse(readFileSync(new URL('verdicts.json', import.meta.url), 'utf8')) as VerdictRecord;
const tried = new Set(journeys.flatMap(({ about }) => about));
const believed = believedIn(record.journeys);

/** How many lies were believed when this was last changed. It may only fall, or rise by what a new place brings with it: two of guardians' kits, one of sisters. */
const BELIEVED_AT_MOST = 247;

test('no more lies are believed than before', () => {
  expect(record.believed).toBe(countBelieved(record.journeys));
  expect(record.believed).toBeLessThanOrEqual(BELIEVED_AT_MOST);
});

test('every call that answers something is tried, or says why not', () => {
  const all = answeringCalls.map(({ name }) => name);
  expect(all.filter((call) => !tried.has(call) && !(call in callsNotTried))).toEqual([]);
  const listed = Object.keys(callsNotTried);
  expect(listed.filter((call) => tried.has(call) || !all.includes(call))).toEqual([]);
});

/** The places of a call that were lied about on any journey. */
function placesOf(call: string): Set<string> {
  return new Set(Object.values(record.journeys).flatMap((calls) => Object.keys(calls[call] ?? {})));
}

test('every place of an answer that is tried was lied about, or says why not', () => {
  const missing = [...tried].flatMap((call) => {
    const { reply } = rowNamed(call);
    const places = placesOf(call);
    return [...(reply ? schemasIn(reply).keys() : [])]
      .filter((path) => !places.has(path))
      .map((path) => `${call} ${path}`);
  });
  expect(missing.filter((place) => !(place in placesNotHeld))).toEqual([]);
  expect(Object.keys(placesNotHeld).filter((place) => !missing.includes(place))).toEqual([]);
});

test('for every place where a lie is believed it is said what an operator gains, and for no other', () => {
  const without = believed.filter(({ call, path }) => gainOf(call, path) === null);
  expect(without.map(({ call, path, kinds }) => `${call} ${path}: ${kinds.join(', ')}`)).toEqual([]);
  const places = new Set(believed.map(({ call, path }) => `${call} ${path}`));
  const told = gains.flatMap(({ places: all }) => all);
  expect(told.filter((place) => !places.has(place))).toEqual([]);
  expect(told.filter((place, i) => told.indexOf(place) !== i)).toEqual([]);
});

test('every published attack is answered, by its name', () => {
  const refs = publishedAttacks.map(({ ref }) => ref).sort();
  const numbered = (of: string, n: number) =>
    Array.from({ length: n }, (_, i) => `${of}${String(i + 1).padStart(2, '0')}`);
  expect(refs).toEqual([
    ...numbered('1P', 6),
    ...numbered('BW', 12),
    ...numbered('DL', 6),
    ...numbered('LP', 7),
  ]);
  for (const { tests, weakness, answer } of publishedAttacks) {
    expect(tests.length).toBeGreaterThan(0);
    expect(weakness && answer).toBeTruthy();
  }
});

const named = [...attackClasses, ...publishedAttacks].flatMap(({ tests }) => tests);
const onceEach = [...new Map(named.map((one) => [one.join(), one])).values()];
test.each(onceEach)('%s has the test “%s”', (file, name) => {
  expect(readFileSync(join(root, file), 'utf8')).toContain(`'${name}'`);
});
