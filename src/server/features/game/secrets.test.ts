// Nothing that solves the puzzle can be read where it was not earned: not in what the browser loads, not in what anybody
// may fetch, neither as it is nor in hex or base64.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contractRows } from '../../../shared/http/contract.ts';
import { scrollFiles } from '../../../shared/nouns/game.ts';
import { screens } from '../../../shared/screens.ts';
import { openTestInstance, type TestInstance } from '../../../testing/instance.ts';
import { anOwner, plantHolders, toyChain } from '../../../testing/wallets.ts';
import { hexOf } from '../../puzzle/hex.ts';
import { createPuzzle } from '../../puzzle/puzzle.ts';
import { hiddenTexts } from '../../puzzle/puzzle-file.ts';
import { shippedPuzzle } from '../../puzzle/shipped.ts';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const puzzle = createPuzzle(shippedPuzzle);

/** What the page calls the second scroll before it shows it. */
const TITLE = 'SHADOW SCROLL 002';

/** Sentences and lines that are long enough to be found nowhere by chance. */
const sentences = (text: string) =>
  text
    .replace(TITLE, '')
    .split(/\n|(?<=[.?!]) /)
    .map((each) => each.trim())
    .filter((each) => each.length >= 16);

const secretTexts = [
  shippedPuzzle.shadow.phrase,
  ...hiddenTexts(shippedPuzzle).flatMap(({ text, hint = '' }) => [...sentences(text), ...sentences(hint)]),
  ...sentences(puzzle.shadowScroll).filter((line) => !/^[0-9a-f]+$/.test(line)),
  ...[...puzzle.shares.values()].flatMap(({ lines }) => lines.filter((line) => line.length >= 16)),
];
const secretHex = [...puzzle.hidden.keys(), ...[...puzzle.shares.values()].map(({ hex }) => hex)];

/** A text in base64, as it stands there after no, one or two other bytes: without the characters that those share. */
const base64Of = (bytes: Buffer) =>
  [0, 1, 2].map((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes]);
    return whole
      .subarray(0, whole.length - (whole.length % 3))
      .toString('base64')
      .slice(before === 0 ? 0 : 4);
  });

/** What is looked for, by what it is. Letters are small, except in base64. */
const needles = [
  ...secretTexts.flatMap((text) => [text.toLowerCase(), hexOf(text)]),
  ...secretHex.flatMap((hex) => (hex.match(/.{32}/g) ?? [hex]).slice(0, 4)),
];
const needles64 = [
  ...secretTexts.map((text) => Buffer.from(text)),
  ...secretHex.flatMap((hex) => [Buffer.from(hex), Buffer.from(hex, 'hex')]),
].flatMap(base64Of);

/** What of the puzzle stands in a text. @param except what may */
function foundIn(text: string, except = ''): string[] {
  const [small, plain] = [text.toLowerCase(), text.replaceAll('-', '+').replaceAll('_', '/')];
  return [
    ...needles.filter((needle) => small.includes(needle) && !except.includes(needle)),
    ...needles64.filter((needle) => plain.includes(needle)),
  ];
}

/** The bytes inside of armor, as text. */
const unarmored = (text: string) =>
  [...text.matchAll(/^-----BEGIN PGP [A-Z ]+-----\n(?:\w+: .*\n)*\n([A-Za-z0-9+/=\n]+?)\n=....\n-----END/gm)]
    .map(([, body = '']) => Buffer.from(body, 'base64').toString('latin1'))
    .join('\n');

function filesUnder(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? filesUnder(path) : [path];
  });
}

describe('what solves the puzzle', () => {
  it('is found by this test where it is', () => {
    const shipped = readFileSync(join(root, 'src/server/puzzle/shipped.ts'), 'utf8');
    expect(foundIn(shipped).length).toBeGreaterThan(40);
    const { phrase } = shippedPuzzle.shadow;
    for (const text of [
      `x ${phrase.toUpperCase()} y`,
      `00${hexOf(phrase).toUpperCase()}`,
      ...['', 'a', 'ab'].map((before) => Buffer.from(`${before}${phrase}.`).toString('base64url')),
      puzzle.signatureHex,
    ]) {
      expect(foundIn(text), text).not.toEqual([]);
    }
  });

  it.each(['src/web', 'src/shared', 'src/crypto', 'docs', 'README.md'])('is not in %s', (place) => {
    const path = join(root, place);
    for (const file of statSync(path).isDirectory() ? filesUnder(path) : [path]) {
      expect(foundIn(readFileSync(file, 'utf8')), file).toEqual([]);
    }
  });

  it.skipIf(!existsSync(join(root, 'dist/web')))('is in no file of the built web app', () => {
    for (const file of filesUnder(join(root, 'dist/web'))) {
      if (/\.(?:br|gz)$/.test(file)) continue;
      expect(foundIn(readFileSync(file, 'utf8')), file).toEqual([]);
    }
  });

  describe('is in no public answer', () => {
    let instance: TestInstance;
    beforeAll(async () => {
      instance = await openTestInstance({ deps: { holderSource: toyChain() } });
      await plantHolders(
        instance,
        Array.from({ length: 13 }, (_, n) => [anOwner(n), 500 - n] as const),
      );
    });
    afterAll(() => instance.close());

    const files = Object.values(scrollFiles).map((name) => `/api/black-scroll/${name}`);
    const calls = contractRows()
      .filter(({ row }) => row.method === 'GET' && row.access === 'anyone')
      .map(({ row }) => row.path.replace(/\{\w+\}/g, '1'));
    const paths = [...new Set([...files, ...calls, ...Object.keys(screens), '/metrics', '/robots.txt'])];

    it.each(paths)('%s', async (path) => {
      const response = await instance.request('GET', path, { headers: { 'accept-encoding': 'identity' } });
      const text = await response.text();
      const said = JSON.stringify([...response.headers]);
      expect(foundIn(text + said)).toEqual([]);
      const inside = unarmored(text);
      expect(inside === '').toBe(!text.includes('-----BEGIN PGP'));
      // The first hex string is what the signatures of the manifesto are looked at for.
      const isSeal = [scrollFiles.signature, scrollFiles.scroll].some((name) => path.endsWith(name));
      expect(foundIn(inside, isSeal ? puzzle.signatureHex : '')).toEqual([]);
      expect(inside.includes(puzzle.signatureHex)).toBe(isSeal);
    });

    it('nor in what a wrong guess is told', async () => {
      const ask = async (path: string, body: object) =>
        (await instance.request('POST', path, { body })).text();
      for (const phrase of ['', 'wrong', shippedPuzzle.shadow.phrase.slice(0, -1)]) {
        expect(foundIn(await ask('/api/phase2/verify', { phrase }))).toEqual([]);
      }
      for (const hexString of ['', '0', '41', puzzle.signatureHex.slice(0, 20), puzzle.shares.get(7)?.hex]) {
        expect(foundIn(await ask('/api/phase2/decode', { hexString }))).toEqual([]);
      }
    });
  });
});
