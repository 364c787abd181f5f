// The whole page of an Ark in a DOM, with nothing that a browser may lack: neither `crypto.subtle` nor `DecompressionStream`. That
// browsers run it as it stands is told in e2e/ark.spec.ts.
import { Window } from 'happy-dom';
import { expect, test, vi } from 'vitest';
import { splitSecret } from '../crypto/guardian-kit.ts';
import { wordsFromSheet } from '../crypto/guardian-sheet.ts';
import { wordsFromKey } from '../crypto/words.ts';
import { type ArkWays, writeArk } from './write-ark.ts';

const key = Uint8Array.from({ length: 32 }, (_, i) => i);
const wordsAlone = { passphrase: null, kitSecrets: [] };
const kitSecrets = [key.map((byte) => byte ^ 85), key.toReversed()];
const entry = { kind: 'memory', title: 'A bell', text: 'It still rings.', facts: [], tags: [], files: [] };
const contents = JSON.stringify({
  ...{ asOf: '', entries: [{ ...entry, writtenAt: '2026-01-01T00:00:00.000Z' }] },
  ...{ format: 'latebra/ark-entries', leftOut: [], v: 1 },
});

/** The words of each sheet of a kit. */
const sheetsOf = async (secret: Uint8Array, count: number, needed: number) =>
  (await splitSecret(secret, count, needed)).map((sheet) => wordsFromSheet(sheet).join(' '));

/** The page of an Ark, and what somebody does with it. */
async function openPage(
  ways: ArkWays,
  damage = (page: string) => page,
  { languages = ['en-US'], lacking = '' } = {},
  inside = contents,
) {
  const page = damage(await writeArk(inside, key, ways));
  const settings = {
    enableJavaScriptEvaluation: true,
    suppressInsecureJavaScriptEnvironmentWarning: true,
  };
  const window = new Window({ url: 'file:///ark.html', settings });
  window.document.write(page.replace(/<script>[\s\S]*?<\/script>/g, ''));
  const scripts = [...page.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, script]) => script);
  Object.defineProperty(window.navigator, 'languages', { value: languages });
  // As one: a script of this DOM does not see what another one has declared.
  window.eval(
    `delete globalThis.crypto; delete globalThis.DecompressionStream; ${lacking}; ${scripts.join('\n')}`,
  );
  const by = (id: string) => window.document.getElementById(id) as unknown as HTMLTextAreaElement;
  const tell = (id: string, event: string) =>
    by(id).dispatchEvent(new window.Event(event, { cancelable: true }) as unknown as Event);
  return {
    by,
    document: window.document,
    window,
    type(id: string, text: string) {
      by(id).value = text;
      tell(id, 'input');
    },
    press: (id: string, event = 'submit') => tell(id, event),
    fields: () => [...window.document.querySelectorAll('#sheets textarea')].map(({ id }) => id),
    opened: () => vi.waitFor(() => expect(by('list').textContent).toContain('A bell')),
  };
}

test('enough sheets open it, and what is wrong with others is said where it is', async () => {
  const page = await openPage({ passphrase: null, kitSecrets });
  const [one, two, three] = (await sheetsOf(kitSecrets[0] ?? key, 5, 3)) as [string, string, string];
  expect([page.by('by-passphrase').hidden, page.by('by-guardians').hidden]).toEqual([true, false]);
  expect(page.fields()).toEqual(['sheet-1']);
  page.press('by-guardians');
  expect(page.by('problem').textContent).toBe('No sheet is whole yet.');
  // The first one says how many are needed.
  page.type('sheet-1', one);
  expect(page.fields()).toEqual(['sheet-1', 'sheet-2', 'sheet-3']);
  expect(page.by('sheet-1-note').textContent).toMatch(/^This sheet is whole\. .* of which 3 are needed\.$/);
  expect(page.by('together').textContent).toBe('2 more sheets are needed.');
  page.type('sheet-2', two.replace(/^\w+/, 'aple'));
  expect(page.by('sheet-2').getAttribute('aria-invalid')).toBe('true');
  expect(page.by('sheet-2-note').textContent).toMatch(/^Word 1, “aple”, is not in the list\./);
  page.press('by-guardians');
  expect(page.by('problem').textContent).toMatch(/^Sheet 2: Word 1, “aple”/);
  // Another sheet is asked for only where every field has one, and they are not enough.
  page.type('sheet-2', two);
  page.type('sheet-3', two);
  expect(page.by('together').textContent).toMatch(/^One more sheet is needed\. Sheet 3 is there already/);
  page.press('another-sheet', 'click');
  expect(page.by('another-sheet').hidden).toBe(true);
  page.type('sheet-4', three);
  expect(page.by('together').textContent).toMatch(/^These sheets are enough\./);
  page.press('by-guardians');
  await page.opened();
  // A page that is saved now has nothing of what opened it.
  expect(page.fields().map((id) => page.by(id).value + page.by(`${id}-note`).textContent)).toEqual(
    Array(4).fill(''),
  );
  expect(page.by('together').textContent).toBe('');
});

test('each kit that it was made with opens it, and no other one', async () => {
  for (const secret of [...kitSecrets, key]) {
    const page = await openPage({ passphrase: null, kitSecrets });
    const [one, two] = (await sheetsOf(secret, 2, 2)) as [string, string];
    page.type('sheet-1', one);
    page.type('sheet-2', two);
    page.press('by-guardians');
    if (secret === key) expect(page.by('problem').textContent).toMatch(/^These sheets do not open this Ark/);
    else await page.opened();
  }
});

test('one whose head is damaged says so, and does not blame the sheets', async () => {
  const page = await openPage({ passphrase: null, kitSecrets }, (whole) =>
    whole.replace(/("kind":"guardians","check":")../, '$1!!'),
  );
  const [one, two] = (await sheetsOf(kitSecrets[1] ?? key, 2, 2)) as [string, string];
  page.type('sheet-1', one);
  page.type('sheet-2', two);
  page.press('by-guardians');
  await vi.waitFor(() => expect(page.by('problem').textContent).toMatch(/^This Ark is damaged/));
});

test('an Ark without guardians does not speak of them', async () => {
  const page = await openPage({ passphrase: null, kitSecrets: [] });
  expect([page.by('by-words').hidden, page.by('by-guardians').hidden]).toEqual([false, true]);
});

test('it speaks the language of whoever reads it, and another one at a choice', async () => {
  const { by, document, type, press, opened } = await openPage(
    { passphrase: null, kitSecrets },
    (page) => page,
    { languages: ['sw', 'de-AT', 'en'] },
  );
  const said = () => document.body.textContent.replace(/\s+/g, ' ');
  expect([document.documentElement.lang, document.title, by('language').value]).toEqual([
    ...['de', 'Die Arche: ein versiegelter Tresor', 'de'],
  ]);
  expect(by('language').textContent).toContain('DeutschEnglishEspañolFrançais');
  expect(by('language').getAttribute('aria-label')).toBe('Sprache');
  expect(said()).toContain('Die 24 Wörter des Tresors');
  expect(document.querySelector('label[for=sheet-1]')?.textContent).toBe('Blatt 1');
  const [one, two] = (await sheetsOf(kitSecrets[0] ?? key, 2, 2)) as [string, string];
  type('sheet-1', one);
  expect(by('together').textContent).toBe('Es ist noch ein Blatt nötig.');
  by('language').value = 'fr';
  press('language', 'change');
  expect(by('together').textContent).toBe('Il faut encore une feuille.');
  expect(said()).not.toContain('Wörter');
  type('sheet-2', two);
  press('by-guardians');
  await opened();
  expect(by('as-of').textContent).toBe('1 écrit');
  expect(by('list').textContent).toContain('1 janvier 2026');
  expect(by('list').textContent).toContain('Souvenir');
  type('query', 'janvier');
  expect(by('found').textContent).toBe('1 trouvé.');
  by('language').value = 'en';
  press('language', 'change');
  expect([document.documentElement.lang, by('as-of').textContent]).toEqual(['en', '1 entry']);
  // What was typed stays, and is sought in the words of this language.
  expect([by('query').value, by('found').textContent]).toEqual(['janvier', '0 are found.']);
  type('query', 'january');
  expect(by('found').textContent).toBe('1 is found.');
});

test.each([
  ['another format', '"format":"other"', /^This Ark is damaged/],
  ['a later version', '"v":2', /^This Ark is of a later kind/],
])('a head with %s says what it is', async (_, other, says) => {
  const name = other.split(':')[0] ?? '';
  const { by } = await openPage(wordsAlone, (page) =>
    page.replace(new RegExp(`(id="head">.*?)${name}:(?:"[^"]*"|\\d+)`), `$1${other}`),
  );
  expect(by('problem').textContent).toMatch(says);
  expect([by('by-words').hidden, by('dead').hidden]).toEqual([true, true]);
});

test.each([
  'delete Intl.PluralRules',
  'delete Intl.ListFormat',
  'delete Object.hasOwn',
  'delete Array.prototype.at',
])('it opens, and says what is wrong, in a browser after “%s”', async (lacking) => {
  const words = wordsFromKey(key);
  const page = await openPage(wordsAlone, undefined, { languages: ['de'], lacking });
  page.type('words', words.with(3, 'aple').join(' '));
  expect(page.by('hint').textContent).toMatch(/^Wort 4, „aple“, steht nicht in der Liste\. Vielleicht /);
  page.press('by-words');
  expect(page.by('problem').textContent).toMatch(/^Wort 4/);
  page.type('words', words.join(' '));
  page.press('by-words');
  await page.opened();
  expect(page.by('as-of').textContent).toBe('1 Eintrag');
});

test('another language leaves the reader where they are, and a page that was saved so speaks any', async () => {
  const many = JSON.stringify({
    ...{ asOf: '', format: 'latebra/ark-entries', leftOut: [], v: 1 },
    entries: Array.from({ length: 80 }, (_, i) => ({
      ...{ ...entry, title: `A bell ${i}`, text: `Number ${i}.` },
      writtenAt: '2026-01-01T00:00:00.000Z',
    })),
  });
  const page = await openPage(wordsAlone, undefined, {}, many);
  const { by, document } = page;
  const change = (code: string) => {
    by('language').value = code;
    page.press('language', 'change');
  };
  // What is wrong is said in the language that is chosen to understand it.
  page.type('words', 'aple');
  page.press('by-words');
  change('fr');
  expect(by('problem').textContent).toMatch(/^Le mot 1/);
  const saved = `<!doctype html>${document.documentElement.outerHTML}`;
  page.type('words', wordsFromKey(key).join(' '));
  page.press('by-words');
  await page.opened();
  page.press('more', 'click');
  expect(document.querySelectorAll('#list a')).toHaveLength(60);
  change('es');
  expect(document.querySelectorAll('#list a')).toHaveLength(60);
  page.window.location.hash = '#2';
  page.window.dispatchEvent(new page.window.Event('hashchange'));
  await vi.waitFor(() => expect(document.activeElement?.textContent).toBe('A bell 1'));
  by('language').focus();
  change('de');
  expect(document.activeElement?.id).toBe('language');
  expect(by('reading').textContent).toContain('Alle Einträge');

  // This DOM keeps no scripts.
  const again = await openPage(wordsAlone, (whole) => saved + whole.match(/<script>[\s\S]*<\/script>/));
  expect([again.document.documentElement.lang, again.document.title]).toEqual([
    'en',
    'The Ark: a sealed vault',
  ]);
  expect(again.by('language').querySelectorAll('option')).toHaveLength(8);
  expect(again.fields()).toEqual(['sheet-1']);
});
