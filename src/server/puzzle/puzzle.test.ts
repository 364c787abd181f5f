// The puzzle that is shipped can be solved with what is public, and a replaced one is refused in plain words.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { sections } from '../../shared/black-scroll.ts';
import { game } from '../../shared/nouns/game.ts';
import { StartProblem } from '../errors.ts';
import { HexProblem, hexOf, readHex, readText, toHex } from './hex.ts';
import { normalisePhrase } from './phrase.ts';
import { createPuzzle, readPuzzleFile, sharePositions } from './puzzle.ts';
import { checkPuzzleFile, hiddenTexts, type PuzzleFile } from './puzzle-file.ts';
import { shippedPuzzle } from './shipped.ts';

const copy = (): PuzzleFile => structuredClone(shippedPuzzle);

/** What is wrong with the shipped puzzle when some of its fields are others; an undefined one is missing. */
function problemsWith(...changes: [path: string, value: unknown][]): string[] {
  const file = copy();
  for (const [path, value] of changes) {
    const names = path.split('.');
    const last = names.pop() ?? '';
    const place = names.reduce<Record<string, unknown>>(
      (from, name) => from[name] as Record<string, unknown>,
      file,
    );
    if (value === undefined) delete place[last];
    else place[last] = value;
  }
  const checked = checkPuzzleFile(file);
  return 'problems' in checked ? checked.problems : [];
}

const ONE_LINE = 'must be one line, with single spaces inside and none at its ends.';
const HEX_ONCE = 'must hold {hex} once, where the hex string of strings.shadowScroll goes.';
const BOTH = 'may hold shadow_chamber_access and shadow_scroll_002 alone.';
const EQUAL = 'must hold columns with equally many lines.';
const UNREACHED = 'No hex string unlocks shadow_chamber_access, so nobody could go on.';

describe('the puzzle that is shipped', () => {
  const puzzle = createPuzzle(shippedPuzzle);

  it('has no mistake', () => {
    expect(checkPuzzleFile(shippedPuzzle)).toEqual(shippedPuzzle);
  });

  it('takes its phrase from the manifesto, a word from each section, as the hint says', () => {
    // Each riddle of the hint, and the sentence that answers it.
    const riddles: [riddle: string, answer: RegExp][] = [
      ['what would be noticed', /(\w+) would be noticed/],
      ['what the last reading does to the words', /The last reading (\w+) the words/],
      ['the word with which the sentence about stone begins', /(?:^|[.] )(\w+)[^.]* carved in stone/],
      ['to whom a memory without names belongs', /A memory without names belongs to (\w+)/],
      ['what the server does with ciphertext and dates', /The server (\w+) ciphertext and dates/],
      ['who cannot open what you lose the key to', /(\w+) cannot open what you lose the key to/],
      ['what somebody decided to do', /what somebody decided to (\w+)/],
    ];
    const { hint = '' } = shippedPuzzle.strings.signature;
    let at = 0;
    const words = riddles.map(([riddle, answer], index) => {
      expect(hint.indexOf(riddle, at)).toBeGreaterThan(at);
      at = hint.indexOf(riddle, at);
      const { paragraphs = [], items = [] } = sections[index] ?? {};
      const found = [...paragraphs, ...items.map(({ name, says }) => `${name} ${says}`)]
        .flatMap((text) => [...text.matchAll(new RegExp(answer, 'g'))])
        .map(([, word = '']) => word.toLowerCase());
      expect(found, riddle).toHaveLength(1);
      return found[0];
    });
    expect(sections).toHaveLength(words.length);
    expect(words.join(' ')).toBe(shippedPuzzle.shadow.phrase);
  });

  it('has three shares that are the last text together, and less than nothing of it apart', () => {
    const shares = sharePositions.map((position) => readHex(puzzle.shares.get(position)?.hex ?? ''));
    const together = (...parts: Uint8Array[]) =>
      readText(
        (parts[0] ?? new Uint8Array()).map((_, at) => parts.reduce((all, part) => all ^ (part[at] ?? 0), 0)),
      );
    const { text } = shippedPuzzle.strings.artifacts;
    expect(together(...shares)).toBe(text);
    const some = shares.flatMap((share, index) => [
      together(share),
      together(...shares.filter((_, other) => other !== index)),
    ]);
    for (const part of some) {
      // Noise has each byte about equally often; a text has a few of them very often.
      expect(part).not.toMatch(/[a-z ]{5}/);
    }
    expect(new Set(shares.map(({ length }) => length))).toEqual(new Set([Buffer.byteLength(text)]));
  });

  it('has the same shares each time, and others for another text', () => {
    expect(createPuzzle(copy()).shares).toEqual(puzzle.shares);
    const other = copy();
    other.strings.artifacts.text += '!';
    for (const position of sharePositions) {
      const hex = createPuzzle(other).shares.get(position)?.hex.slice(0, 64);
      expect(hex).not.toBe(puzzle.shares.get(position)?.hex.slice(0, 64));
    }
  });

  it('makes its shares as the formats say', () => {
    const file = copy();
    file.strings.artifacts.text = 'vector';
    // openssl kdf -keylen 6 -kdfopt digest:SHA256 -kdfopt key:vector -kdfopt info:latebra/v1/puzzle-share-1 HKDF
    expect([...createPuzzle(file).shares.values()].map(({ hex }) => hex)).toEqual([
      'ed6e3c13a70b',
      '071fef965d52',
      '9c14b0f1952b',
    ]);
  });

  it('has hex strings that any program decodes', () => {
    for (const [hex, { text }] of puzzle.hidden) expect(Buffer.from(hex, 'hex').toString('utf8')).toBe(text);
    expect([...puzzle.hidden.keys()]).toContain(puzzle.signatureHex);
  });

  it('hides its second hex string in the second scroll, where somebody can copy it', () => {
    const [hex = ''] = /(?:^ {4}[0-9a-f]+\n?)+/m.exec(puzzle.shadowScroll) ?? [];
    expect(readText(readHex(hex))).toBe(shippedPuzzle.strings.shadowScroll.text);
  });

  it('says nothing of what comes later in what comes before', () => {
    const { shadow, strings } = shippedPuzzle;
    const early = [strings.signature.text, strings.signature.hint ?? ''].join(' ').toLowerCase();
    expect(normalisePhrase(early)).not.toContain(shadow.phrase);
    expect(shadow.scroll).not.toContain(strings.shadowScroll.text);
  });

  it('fits the replies that tell it', () => {
    for (const { text, hint, unlocks, phase, source } of hiddenTexts(shippedPuzzle)) {
      const timestamp = '2026-11-22T00:00:00.000Z';
      game.decode.reply.parse({ decoded: text, hint, unlocks, phase, source, timestamp });
    }
    game.verify.reply.parse({ text: puzzle.shadowScroll, phrase: puzzle.phrase });
  });
});

describe('a phrase', () => {
  const { isPhrase, phrase } = createPuzzle(shippedPuzzle);
  it.each([
    phrase,
    phrase.toUpperCase(),
    `  ${phrase}\n`,
    'Fire takes what nobody keeps. We carry!',
    'fire  takes\twhat\nnobody keeps — we carry',
    `I say: ${phrase}, and nothing else`,
    hexOf(phrase),
    hexOf(phrase).toUpperCase(),
    `0x${hexOf(phrase)}`,
    (hexOf(phrase).match(/../g) ?? []).join(':'),
  ])('is heard in %j', (said) => {
    expect(isPhrase(said)).toBe(true);
  });

  it.each([
    '',
    ' ',
    'fire takes what nobody keeps',
    'we carry what nobody keeps',
    `${hexOf(phrase)}00`,
    `00${hexOf(phrase)}`,
    hexOf('fire'),
    'f',
    '{secret}',
  ])('is not heard in %j', (said) => {
    expect(isPhrase(said)).toBe(false);
  });
});

describe('hex', () => {
  it('is read in any case, with spaces, line breaks, colons and 0x', () => {
    for (const text of ['4C61', '4c61', ' 4c\n61 ', '4c:61', '0x4c61', '0x4c 0x61', '0X4C:0X61', '4 c 6 1']) {
      expect(readText(readHex(text))).toBe('La');
    }
  });

  it.each([
    ['', /^Enter a hex string/],
    ['  :: ', /^Enter a hex string/],
    ['0x', /^Enter a hex string/],
    ['0x7', /number of digits is odd/],
    ['4c6', /number of digits is odd/],
    ['hello', /^This is not hex/],
    ['4c 0y', /^This is not hex/],
    ['４c', /^This is not hex/],
  ])('%j is none', (text, sentence) => {
    expect(() => readHex(text)).toThrow(HexProblem);
    expect(() => readHex(text)).toThrow(sentence);
  });

  it('of any bytes is read back', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1 }), (bytes) => {
        expect(readHex(toHex(bytes))).toEqual(bytes);
        expect(readText(bytes).replace(/[\t\n]/g, '')).not.toMatch(/\p{Cc}/u);
      }),
    );
  });

  it('of any text is read as that text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (text) => {
        fc.pre(!/\p{Cc}/u.test(text));
        expect(readText(readHex(hexOf(text)))).toBe(text);
      }),
    );
  });

  it('shows what is no text as replaced', () => {
    expect(readText(readHex('ff4c00e2821b'))).toBe('\ufffdL\ufffd\ufffd\ufffd');
  });
});

describe('a puzzle file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'latebra-puzzle-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const written = (content: string | Uint8Array) => {
    const path = join(folder, 'puzzle.json');
    writeFileSync(path, content);
    return path;
  };

  it('replaces every text', () => {
    const file = copy();
    file.shadow.phrase = 'Under the seventh stair';
    file.strings.signature.text = 'Count the stairs.';
    const read = readPuzzleFile(written(JSON.stringify(file)));
    expect(read).toEqual(file);
    const puzzle = createPuzzle(read);
    expect(puzzle.isPhrase('it is under the SEVENTH stair')).toBe(true);
    expect(puzzle.isPhrase(shippedPuzzle.shadow.phrase)).toBe(false);
    expect(puzzle.signatureHex).toBe(hexOf('Count the stairs.'));
  });

  it('is the shipped one where none is named', () => {
    expect(readPuzzleFile(null)).toBe(shippedPuzzle);
  });

  it.each<[what: string, content: string | Uint8Array | null, sentence: RegExp]>([
    ['is not there', null, /^The puzzle in .*missing\.json \(PUZZLE_FILE\) cannot be read: .*ENOENT/],
    ['is too large', ' '.repeat(2 ** 20 + 1), /cannot be read: it is larger than 1 MiB\.$/],
    ['is no JSON', '{"secret phrase', /^The puzzle in \S+ \(PUZZLE_FILE\) is not JSON\.$/],
    ['is no UTF-8', new Uint8Array([0x22, 0xff, 0x22]), /\(PUZZLE_FILE\) is not UTF-8\.$/],
    ['is a list', '[]', /has a mistake:\n {2}The file must be an object\.$/],
    [
      'has two mistakes',
      JSON.stringify({ ...copy(), others: 'none', artifacts: {} }),
      /has 2 mistakes:\n {2}artifacts\.columns is missing\.\n {2}others must be a list\.$/,
    ],
  ])('that %s stops the start with a sentence', (_, content, sentence) => {
    const path = content === null ? join(folder, 'missing.json') : written(content);
    expect(() => readPuzzleFile(path)).toThrow(StartProblem);
    expect(() => readPuzzleFile(path)).toThrow(sentence);
  });

  it.each<[path: string, value: unknown, ...sentences: string[]]>([
    ['shadow.phrase', undefined, 'shadow.phrase is missing.'],
    ['shadow.phrase', 7, 'shadow.phrase must be text.'],
    ['shadow.phrase', '  ', 'shadow.phrase is empty.'],
    ['shadow.phrase', '... --- ... !?', 'shadow.phrase must have 12 letters and digits or more.'],
    ['shadow.phrase', ' in the well, at night', `shadow.phrase ${ONE_LINE}`],
    ['shadow.phrase', 'in the well,\nat night', `shadow.phrase ${ONE_LINE}`],
    ['shadow.scroll', 'A scroll without it.', `shadow.scroll ${HEX_ONCE}`],
    ['shadow.scroll', '{hex} {hex}', `shadow.scroll ${HEX_ONCE}`],
    [
      'strings.signature.text',
      'é'.repeat(501),
      'strings.signature.text must have 1000 bytes or fewer as UTF-8.',
    ],
    ['strings.signature.text', 'a\u0007b', 'strings.signature.text holds control characters.'],
    ['strings.signature.text', 'a\ud800', 'strings.signature.text holds half a character.'],
    ['strings.signature.unlocks', ['all'], `strings.signature.unlocks[0] ${BOTH}`],
    ['strings.signature.unlocks', [], UNREACHED],
    ['strings.signature.phase', 'two', 'strings.signature.phase must be a whole number.'],
    ['strings.signature.phase', -1, 'strings.signature.phase must not be negative.'],
    ['strings.signature.hex', '00', 'strings.signature has a field that is not known here.'],
    ['strings.signature.source', undefined, 'strings.signature.source is missing.'],
    ['strings.signature', null, 'strings.signature must be an object.'],
    [
      'artifacts.columns',
      [['a'], ['b']],
      'artifacts.columns must hold three columns: of positions 1, 7 and 13.',
    ],
    ['artifacts.columns', [['a'], ['b'], ['c', 'd']], `artifacts.columns ${EQUAL}`],
    ['artifacts.columns', [['a'], [], ['c']], 'artifacts.columns[1] is empty.', `artifacts.columns ${EQUAL}`],
    ['others', [shippedPuzzle.strings.signature], 'Two hex strings have the same text.'],
  ])('with %s as %j is told what is wrong', (path, value, ...sentences) => {
    expect(problemsWith([path, value])).toEqual(sentences);
  });

  it('repeats nothing of what it holds in what it is told', () => {
    const secret = 'canary 4711';
    const said = problemsWith(
      ['shadow.phrase', ` ${secret} `],
      [`shadow.${secret}`, secret],
      ['strings.signature.unlocks', [secret]],
      ['strings.signature.phase', secret],
    );
    expect(said.length).toBeGreaterThan(3);
    expect(said.join()).not.toContain('4711');
  });
});
