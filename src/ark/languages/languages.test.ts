// The catalogues of the Ark: each says everything that its page and the vault say, with the same things put in.
import { afterEach, describe, expect, test } from 'vitest';
import { dayOf, happened, mayBeInDate } from '../reader/dates.js';
import { translateFact } from '../reader/facts.js';
import { bestLanguage, speak, translate } from '../reader/language.js';
import page from '../reader/page.html?raw';
import { readSheet, togetherSays } from '../reader/sheets.js';
import { readWords } from '../reader/words.js';
import { catalogues, scripts } from '../template.ts';

const { en, de, ...others } = catalogues;
const foreign = Object.entries({ de, ...others });
type Code = keyof typeof catalogues;

afterEach(() => speak('en', en));

const formsOf = (said: string | Record<string, string>) =>
  typeof said === 'string' ? [said] : Object.values(said);
const placesIn = (text: string) => [...new Set(text.match(/\{\d\}/g) ?? [])].sort();

describe.each(foreign)('in %s', (code, catalogue) => {
  test('everything is said, and nothing else, each with what stands in it', () => {
    expect(Object.keys(catalogue)).toEqual(Object.keys(de));
    for (const [english, said] of Object.entries(catalogue))
      for (const form of formsOf(said)) {
        expect(form.trim()).toBe(form);
        expect(form).not.toBe('');
        const left = placesIn(english).filter((place) => !form.includes(place));
        // One of something may be said in a word.
        expect(placesIn(form).filter((place) => !english.includes(place))).toEqual([]);
        expect(typeof said === 'string' ? left : left.filter((place) => place !== '{0}')).toEqual([]);
      }
  });

  test('what speaks of a number has a form for each plural', () => {
    const plurals = new Intl.PluralRules(code);
    // Millions are not counted here.
    const needed = new Set(Array.from({ length: 100_000 }, (_, count) => plurals.select(count)));
    const missing = Object.entries(catalogue).filter(
      ([, said]) => typeof said !== 'string' && [...needed].some((plural) => !Object.hasOwn(said, plural)),
    );
    expect(missing).toEqual([]);
  });

  test('the page is in it from the title to the last button', () => {
    const inside = page.replace(/<!--[\s\S]*?-->|<(script|style|noscript)\b[\s\S]*?<\/\1>/g, '');
    const texts = [...inside.matchAll(/>([^<]+)</g)].map(([, text = '']) => text.trim());
    const labels = [...inside.matchAll(/aria-label="([^"]+)"/g)].map(([, label = '']) => label);
    const said = [...texts, ...labels].filter(
      (text) => text !== '' && text !== 'Latebra' && !text.startsWith('If nothing more appears here'),
    );
    expect(said.length).toBeGreaterThan(25);
    expect(said.filter((text) => !Object.hasOwn(catalogue, text))).toEqual([]);
  });
});

test('nothing is in a catalogue that nobody says', () => {
  const said = Object.values(scripts)
    .join('\n')
    .replace(/const CATALOGUES = [\s\S]*?\n\};\n/, '');
  const sealed = Object.keys(de).slice(Object.keys(de).indexOf('What are you hiding?'));
  const own = Object.keys(de).slice(0, -sealed.length);
  expect(own.filter((sentence) => !said.includes(sentence) && !page.includes(sentence))).toEqual([]);
});

test.each<[string[], string]>([
  [['de-AT', 'en'], 'de'],
  [['sw', 'pt-BR'], 'pt'],
  [['EN-us', 'fr'], 'en'],
  [['sw'], 'en'],
  [[], 'en'],
])('somebody who reads %j is spoken to in %s', (wanted, code) => {
  expect(bestLanguage(wanted, Object.keys(catalogues))).toBe(code);
});

test.each<[Code, string, string, string, string, string]>([
  ['en', '12 August 1962', 'August 1962', 'about summer 1962', '12 August 1962, 14:30', 'august'],
  ['de', '12. August 1962', 'August 1962', 'etwa Sommer 1962', '12. August 1962, 14:30', 'marz'],
  [
    'es',
    '12 de agosto de 1962',
    'agosto de 1962',
    'verano de 1962 (aprox.)',
    '12 de agosto de 1962, 14:30',
    'otono',
  ],
  ['fr', '12 août 1962', 'août 1962', 'été 1962 (environ)', '12 août 1962, 14:30', 'aout'],
  [
    'pl',
    '12 sierpnia 1962',
    'sierpień 1962',
    'lato 1962 (w przybliżeniu)',
    '12 sierpnia 1962, 14:30',
    'sierpien',
  ],
])('dates in %s', (code, day, month, season, minute, word) => {
  speak(code, catalogues[code]);
  expect(happened('1962-08-12')).toBe(day);
  expect(dayOf('1962-08-12T12:00:00.000Z')).toBe(day);
  expect(happened('1962-08')).toBe(month);
  expect(happened('1962-22~')).toBe(season);
  expect(happened('1962-08-12T14:30')).toBe(minute);
  expect(happened('1962')).toBe('1962');
  expect([word.toUpperCase(), '12', 'xylophone'].map(mayBeInDate)).toEqual([true, true, false]);
  for (const none of ['1962-13', '1962-00', '1962-08-40', '1962-02-30', '1962-25', 'soon'])
    expect(happened(none)).toBe(none);
});

test('what it says of words, sheets and numbers has the plural and the list of its language', () => {
  speak('pl', catalogues.pl);
  expect([1, 2, 5].map((count) => translate('{0} entries', count))).toEqual([
    '1 wpis',
    '2 wpisy',
    '5 wpisów',
  ]);
  expect(translate('Print all {0}', 1)).toBe('Drukuj ten');
  speak('de', de);
  expect(readWords('abandon', ['abandon']).problem).toBe('Das ist 1 von 24 Wörtern.');
  expect(readWords('abandun', ['abandon']).problem).toBe(
    'Wort 1, „abandun“, steht nicht in der Liste. Vielleicht abandon?',
  );
  expect(readSheet('abandon abandon ', ['abandon']).says).toBe('2 von 27 Wörtern.');
  const together = { secret: null, missing: 1, otherKits: [], wrong: [], isWhole: false };
  expect(togetherSays({ ...together, doubled: [0, 1, 4] })).toEqual([
    'Es ist noch ein Blatt nötig.',
    'Die Blätter 1, 2 und 5 sind schon da und zählen nicht noch einmal.',
  ]);
});

test.each<[Code, string, string]>([
  ['en', 'Unlocked since 2026-02-01', 'Unlocked since 1 February 2026'],
  ['en', 'Locked until 2039-01-01T12:00:00.000Z: A: b', 'Locked until 1 January 2039: A: b'],
  ['de', 'Locked until 2039-01-01T12:00:00.000Z: A: b', 'Gesperrt bis 1. Januar 2039: A: b'],
  [
    'fr',
    'Could not be opened: memory AAAA of 2026-01-02T12:00:00.000Z',
    'N’a pas pu être ouvert\u00a0: memory AAAA, du 2 janvier 2026',
  ],
  [
    'de',
    'A file that did not open: Portrait, of Nora.jpg, of Bees',
    'Eine Datei, die sich nicht öffnen ließ: Portrait, of Nora.jpg, von Bees',
  ],
  [
    'de',
    'A file that did not open: 2020-05-05T10:00:00Z.zip, of Bees',
    'Eine Datei, die sich nicht öffnen ließ: 2020-05-05T10:00:00Z.zip, von Bees',
  ],
  ['de', 'For {0} and $& {1}', 'Für {0} and $& {1}'],
  ['de', 'constructor', 'constructor'],
])('in %s the vault’s “%s” is read as “%s”', (code, english, said) => {
  speak(code, catalogues[code]);
  expect(translateFact(english)).toBe(said);
});
