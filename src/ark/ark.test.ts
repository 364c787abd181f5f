// An Ark is made and opened; nothing but what was sealed is ever opened; and what was made once is opened by every later reader.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parseAst } from 'vite';
import { expect, test, vi } from 'vitest';
import { toBase64Url } from '../crypto/base64.ts';
import { fileCipher, newFile, sealRange } from '../crypto/file.ts';
import { fileRoot } from '../crypto/file-root.ts';
import { ARK_LABELS, FILE_LABELS, KIT_LABELS } from '../crypto/labels.ts';
import { wordList } from '../crypto/words.ts';
import { arkSalt } from './ark-salt.ts';
import { arkText } from './contents.ts';
import { ArkError, openArk, readHead, stretch, wrappingKey } from './reader/ark.js';
import { isFile } from './reader/files.js';
import { combineSheets, readSheet } from './reader/sheets.js';
import { readWords } from './reader/words.js';
import { arkPage, scripts } from './template.ts';
import { type ArkPassphrase, type ArkWays, sealArk, writeArk } from './write-ark.ts';

const key = Uint8Array.from({ length: 32 }, (_, i) => i);
const params = { memory: 64, iterations: 1 };
const entry = {
  kind: 'memory',
  title: 'A bell',
  text: 'It still rings. 🜏',
  writtenAt: '2026-01-01T00:00:00.000Z',
};
const contentsOf = (entries: object[]) =>
  JSON.stringify({ asOf: '', entries, format: 'latebra/ark-entries', leftOut: [], v: 1 });
const contents = contentsOf([entry]);

const wordsAlone: ArkWays = { passphrase: null, kitSecrets: [] };
const withPassphrase = (passphrase: ArkPassphrase): ArkWays => ({ passphrase, kitSecrets: [] });

/** The secrets of two kits. */
const kits = [key.map((byte) => byte ^ 85), key.toReversed()];

type Parts = Awaited<ReturnType<typeof sealArk>>;

async function passphraseOf(text: string) {
  const wrap = {
    kind: '',
    check: '',
    sealed: '',
    salt: Buffer.from(await arkSalt(key)).toString('base64'),
    ...params,
  };
  return { stretched: await stretch(wrap, text, async () => {}), params };
}

function open({ head, pieces }: Parts, secret: Uint8Array, kind = 'words') {
  const wrap = readHead(head).wraps.find((one) => one.kind === kind);
  if (!wrap) throw new ArkError('damaged');
  return openArk(head, pieces.join('\n'), wrap, secret);
}

const problemOf = (opening: Promise<unknown>) =>
  opening.then(
    () => 'opened',
    (error: unknown) => (error instanceof ArkError ? error.problem : 'thrown'),
  );

test('a large one is read entry by entry, and never as one text, with DecompressionStream and without', async () => {
  const entries = Array.from({ length: 900 }, (_, i) => ({
    ...entry,
    text: `${i}\n“${'🜏 é, '.repeat(40)}”`,
  }));
  const text = arkText('2026-01-01', entries, ['A line.']);
  const parts = await sealArk(text, key, wordsAlone);
  const parse = vi.spyOn(JSON, 'parse');
  expect(await open(parts, key)).toEqual(JSON.parse(text));
  const lengths = parse.mock.calls.map(([one]) => one.length);
  parse.mockRestore();
  expect(lengths.filter((length) => length > 2000)).toEqual([text.length]);
  vi.stubGlobal('DecompressionStream', undefined);
  expect(await open(parts, key)).toEqual(JSON.parse(text));
  vi.unstubAllGlobals();
  // Also with no entry at all.
  const empty = arkText('', [], []);
  expect(await open(await sealArk(empty, key, wordsAlone), key)).toEqual(JSON.parse(empty));
});

test('opens with the words, and with the passphrase, however it is typed', async () => {
  const passphrase = await passphraseOf('plüm cäke on a wall');
  const parts = await sealArk(contents, key, withPassphrase(passphrase));
  expect(await open(parts, key)).toEqual(JSON.parse(contents));
  const wrap = readHead(parts.head).wraps[1];
  const stretched = await stretch(wrap, '  plu\u0308m ca\u0308ke on a wall ', async () => {});
  expect(await open(parts, stretched, 'passphrase')).toEqual(JSON.parse(contents));
});

test('opens with nothing else', async () => {
  const parts = await sealArk(contents, key, withPassphrase(await passphraseOf('plum cake')));
  expect(await problemOf(open(parts, key.with(0, 1)))).toBe('another-secret');
  expect(await problemOf(open(parts, key, 'passphrase'))).toBe('another-secret');
  const { stretched } = await passphraseOf('plum cakes');
  expect(await problemOf(open(parts, stretched, 'passphrase'))).toBe('another-secret');
});

test('opens with the secret of each kit of guardians, however these are listed, and with no other', async () => {
  const parts = await sealArk(contents, key, { passphrase: null, kitSecrets: kits });
  expect(await sealArk(contents, key, { passphrase: null, kitSecrets: kits.toReversed() })).toEqual(parts);
  const head = readHead(parts.head);
  expect(head.wraps.map(({ kind }) => kind)).toEqual(['words', 'guardians', 'guardians']);
  const opening = (secret: Uint8Array) => head.wraps.filter((wrap) => wrappingKey(head, wrap, secret));
  for (const secret of kits) {
    const [wrap, ...others] = opening(secret);
    if (!wrap) throw new Error('no way fits');
    expect(others).toEqual([]);
    expect(await openArk(parts.head, parts.pieces.join('\n'), wrap, secret)).toEqual(JSON.parse(contents));
  }
  expect(opening(key.with(0, 9))).toEqual([]);
  const short = { passphrase: null, kitSecrets: [new Uint8Array(31)] };
  await expect(sealArk(contents, key, short)).rejects.toThrow(TypeError);
});

test('the same vault is the same bytes', async () => {
  const passphrase = await passphraseOf('plum cake');
  expect(await writeArk(contents, key, withPassphrase(passphrase))).toBe(
    await writeArk(contents, key, withPassphrase(passphrase)),
  );
});

test('another text, another way to open it or another passphrase has another number, another key and no byte in common', async () => {
  const made = [
    await sealArk(contents, key, wordsAlone),
    await sealArk(contents.replace('A bell', 'A ball'), key, wordsAlone),
    await sealArk(contents, key, withPassphrase(await passphraseOf('plum cake'))),
    await sealArk(contents, key, withPassphrase(await passphraseOf('plum cakes'))),
    await sealArk(contents, key.with(0, 9), wordsAlone),
    await sealArk(contents, key, { passphrase: null, kitSecrets: kits.slice(0, 1) }),
    await sealArk(contents, key, { passphrase: null, kitSecrets: kits.slice(1) }),
    await sealArk(contents, key, { passphrase: null, kitSecrets: kits }),
  ];
  const heads = made.map(({ head }) => readHead(head));
  expect(new Set(heads.map(({ id }) => id)).size).toBe(made.length);
  expect(new Set(heads.map(({ wraps }) => wraps[0].sealed)).size).toBe(made.length);
  // A ciphertext under one key and nonce would begin alike where the texts do.
  expect(new Set(made.map(({ pieces }) => pieces[0].slice(0, 8))).size).toBe(made.length);
});

const long = contentsOf(
  Array.from({ length: 3000 }, (_, i) => ({
    ...entry,
    text: createHash('sha512').update(`${i}`).digest('base64'),
  })),
);

test('more than one piece: none is missing, doubled or in another place', async () => {
  const parts = await sealArk(long, key, wordsAlone);
  const { head, pieces } = parts;
  expect(pieces.length).toBeGreaterThan(2);
  expect(await open(parts, key)).toEqual(JSON.parse(long));
  for (const changed of [
    pieces.slice(0, -1),
    pieces.slice(1),
    [pieces[1], pieces[0], ...pieces.slice(2)],
    [pieces[0], ...pieces],
    [...pieces, pieces.at(-1) ?? ''],
    [...pieces, ''],
    [],
  ])
    expect(await problemOf(open({ head, pieces: changed }, key))).toBe('damaged');
});

test('a head and pieces of two Arks do not open together', async () => {
  const [one, two] = [
    await sealArk(contents, key, wordsAlone),
    await sealArk(contents, key, withPassphrase(await passphraseOf('x'))),
  ];
  expect(await problemOf(open({ head: one.head, pieces: two.pieces }, key))).toBe('damaged');
});

test('what lies beside it is recognised by its root, whatever it is called', async () => {
  for (const length of [0, 1, 70_000, 2 ** 20 + 5]) {
    const plain = Uint8Array.from({ length }, (_, i) => i % 251);
    const { id, key: fileKey } = newFile();
    const cipher = await fileCipher({ id, key: fileKey, bytes: length });
    const read = async ({ from, to }: { from: number; to: number }) => plain.slice(from, to);
    const { marks } = await sealRange(cipher, { from: 0, to: cipher.layout.sealed }, read, new Map());
    const root = toBase64Url(await fileRoot(cipher, marks));
    const file = { id, key: toBase64Url(fileKey), root, name: 'bees.jpg', type: 'image/jpeg', bytes: length };
    expect(await isFile(new Blob([plain]), file)).toBe(true);
    expect(await isFile(new Blob([plain, 'x']), file)).toBe(false);
    if (length > 0) expect(await isFile(new Blob([plain.with(length - 1, 255)]), file)).toBe(false);
  }
});

const partsIn = (page: string): Parts => {
  const part = (id: string) =>
    new RegExp(`<script type="[^"]*" id="${id}">([^<]*)</script>`).exec(page)?.[1] ?? '';
  return { head: part('head'), pieces: part('pieces').split('\n') };
};

const readVector = (name: string) => readFileSync(new URL(`./vectors/${name}`, import.meta.url), 'utf8');

interface Frozen {
  words: string;
  passphrase: string;
  params: ArkPassphrase['params'];
  contents: Awaited<ReturnType<typeof openArk>>;
  /** Some of these open it, where it opens with sheets. */
  sheets?: string[];
  /** The files that belong to it, base64. */
  beside?: Record<string, string>;
}

/** Frozen Arks: their pages, what is known of each, and how the text that is sealed in it was made. */
const frozenArks: [page: string, known: string[], textOf: (contents: Frozen['contents']) => string][] = [
  ['ark.html', ['ark.json'], JSON.stringify],
  ['ark-guardians.html', ['ark.json', 'ark-guardians.json'], JSON.stringify],
  ['ark-lines.html', ['ark-lines.json'], ({ asOf, entries, leftOut }) => arkText(asOf, entries, leftOut)],
];

test.each(frozenArks)(
  '%s, made by an earlier version, opens in each way, and is made again',
  async (...one) => {
    const [page, known, textOf] = one;
    const frozen: Frozen = Object.assign({}, ...known.map((name) => JSON.parse(readVector(name))));
    const parts = partsIn(readVector(page));
    const head = readHead(parts.head);
    const words = readWords(frozen.words, wordList).key ?? new Uint8Array();
    expect(await open(parts, words)).toEqual(frozen.contents);
    const stretched = await stretch(head.wraps[1], frozen.passphrase, async () => {});
    expect(await open(parts, stretched, 'passphrase')).toEqual(frozen.contents);
    const opens = (secret: Uint8Array) => head.wraps.some((wrap) => wrappingKey(head, wrap, secret));
    const sheets = (frozen.sheets ?? []).map((text) => readSheet(text, wordList).sheet);
    const { secret = null } = combineSheets(sheets.flatMap((sheet) => sheet ?? []).slice(-3), opens);
    expect(secret === null).toBe(frozen.sheets === undefined);
    if (secret) expect(await open(parts, secret, 'guardians')).toEqual(frozen.contents);
    for (const [name, data] of Object.entries(frozen.beside ?? {})) {
      const file = frozen.contents.entries.flatMap(({ files }) => files).find((file) => file.name === name);
      if (!file) throw new Error(`${name} belongs to nothing`);
      expect(await isFile(new Blob([Buffer.from(data, 'base64')]), file)).toBe(true);
    }
    // And what is made now of the same is the same in all that is sealed.
    const ways = { passphrase: { stretched, params: frozen.params }, kitSecrets: secret ? [secret] : [] };
    expect(await sealArk(textOf(frozen.contents), words, ways)).toEqual(parts);
  },
);

test('the newest frozen Ark has every kind of entry, a picture with its preview, and a recording', () => {
  const { contents }: Frozen = JSON.parse(readVector('ark-lines.json'));
  const kinds = new Set(contents.entries.map(({ kind }) => kind));
  expect([...kinds].sort()).toEqual(['answer', 'letter', 'memory', 'moment', 'myth', 'whisper']);
  const files = contents.entries.flatMap(({ files }) => files);
  expect(files.map(({ type, thumbnail }) => [type, thumbnail !== undefined]).sort()).toEqual([
    ['audio/wav', false],
    ['image/jpeg', true],
  ]);
});

test('the page says by sums what it may run, and runs nothing else', async () => {
  const page = await writeArk(contents, key, wordsAlone);
  const [, policy = ''] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page) ?? [];
  const sum = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  const run = [...page.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, text]) => text ?? '');
  expect(run).toEqual(Object.values(scripts));
  const styles = [...page.matchAll(/<style>([\s\S]*?)<\/style>/g)].map(([, text]) => sum(text ?? ''));
  expect(policy).toContain(`; script-src ${run.map(sum).join(' ')}; style-src ${styles.join(' ')};`);
  expect(policy).toMatch(/^default-src 'none'/);
  expect(policy).not.toMatch(/connect|unsafe|https?:/);
  expect(page).not.toMatch(/ style="| on[a-z]+="|(?:src|href)="(?!data:,")[^"]/);
});

test('the reader is small, keeps its comments, and uses nothing that sends, stores, loads or makes markup', () => {
  expect(Buffer.byteLength(scripts.reader)).toBeLessThanOrEqual(25_000);
  expect(Buffer.byteLength(scripts.mathematics)).toBeLessThanOrEqual(25_000);
  expect(scripts.reader).toContain(
    '// Opening an Ark: what the comment at the head of this file tells in prose.',
  );
  expect(Buffer.byteLength(scripts.sheets)).toBeLessThanOrEqual(15_000);
  expect(Buffer.byteLength(scripts.language)).toBeLessThanOrEqual(85_000);
  for (const script of Object.values(scripts)) {
    expect(script).not.toMatch(/^(?:import|export) /m);
    expect(script).not.toMatch(
      /\b(?:fetch|XMLHttpRequest|WebSocket|EventSource|sendBeacon|RTCPeerConnection|Worker|eval|Function|localStorage|sessionStorage|indexedDB|caches|cookie|innerHTML|outerHTML|insertAdjacentHTML|srcdoc)\s*[.(]/,
    );
    expect(script).not.toMatch(/<\/?script|<!--/);
    const tree = JSON.stringify(parseAst(script), (_, value) => (typeof value === 'bigint' ? null : value));
    expect(tree).not.toContain('ImportExpression');
  }
});

test('no two parts of the reader use one name: they share one scope', () => {
  const all = Object.values(scripts).join('\n');
  const declared = parseAst(all).body.flatMap((node) => {
    if (node.type === 'FunctionDeclaration' || node.type === 'ClassDeclaration') return [node.id?.name];
    if (node.type !== 'VariableDeclaration') return [];
    return node.declarations.flatMap(({ id }) =>
      id.type === 'Identifier'
        ? [id.name]
        : id.type === 'ArrayPattern'
          ? id.elements.map((one) => (one as { name: string }).name)
          : [],
    );
  });
  expect(declared.length).toBeGreaterThan(40);
  expect(new Set(declared).size).toBe(declared.length);
});

test('the labels of the reader are those of the writer', () => {
  expect(scripts.reader).toContain(`\`${ARK_LABELS.wrap}/\${kind}\``);
  for (const label of Object.values(FILE_LABELS)) expect(scripts.reader).toContain(`'${label}'`);
  expect(scripts.sheets).toContain(`'${KIT_LABELS.number}'`);
});

test('nothing in what is sealed is taken for a part of the page', async () => {
  const page = await arkPage('$& {pieces} {"a":1}', ["$'"]);
  expect(page).toContain('id="head">$& {pieces} {"a":1}</script>');
  expect(page).toContain('id="pieces">$\'</script>');
});
