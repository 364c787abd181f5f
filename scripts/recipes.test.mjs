// The recipes in the documents work as they are printed: they are run against a server, with nothing added.
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { stretch } from '../src/crypto/argon2.ts';
import { toBase64Url } from '../src/crypto/base64.ts';
import { createClientKey } from '../src/crypto/client-key.ts';
import { fileCipher, newFile, sealRange } from '../src/crypto/file.ts';
import { fileRoot } from '../src/crypto/file-root.ts';
import { wordsFromSheet } from '../src/crypto/guardian-sheet.ts';
import { bindSalt, splitStretched } from '../src/crypto/passphrase.ts';
import { newSealId, seal } from '../src/crypto/seal.ts';
import { deriveContentKey, generateVaultKey, vaultKeyToHex } from '../src/crypto/vault-key.ts';
import { wordList, wordsFromKey } from '../src/crypto/words.ts';
import { wrapVaultKey } from '../src/crypto/wrap.ts';
import { normaliseName } from '../src/shared/nouns/account.ts';
import { boundNames } from '../src/shared/sealed-facts.ts';
import { kindNames, sealedKinds } from '../src/shared/sealed-kinds.ts';
import { startListening } from '../src/testing/listening-server.ts';
import { writeWebRoot } from '../src/testing/web-files.ts';

// Stretching takes its time, and more of it on a busy machine.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const root = fileURLToPath(new URL('..', import.meta.url));
const NAME = 'Ágnes  of the Lake';
const PASSPHRASE = 'plum cake on a stone wall';
const key = generateVaultKey();

/** The only block of this language in a document that has a word. */
function blockOf(document, language, word = 'import') {
  const blocks = [...readFileSync(join(root, document), 'utf8').matchAll(/^```(\w+)\n([\s\S]*?)^```/gm)];
  const [found, ...more] = blocks.filter((block) => block[1] === language && (block[2] ?? '').includes(word));
  if (!found || more.length > 0)
    throw new Error(`${document} has not exactly one block of ${language} with ${word}`);
  return found[2] ?? '';
}

/** Runs a script as somebody would who had saved it to a file. */
function run(script, options = {}) {
  return runProgram(process.execPath, ['--input-type=module', '-e', script, 'script'], options);
}

function runProgram(program, flags, { args = [], env = {}, input = '' } = {}) {
  return new Promise((resolve) => {
    const child = execFile(
      program,
      [...flags, ...args],
      { cwd: root, env: { PATH: process.env.PATH, ...env } },
      (_, said, failed) => resolve({ said: said.trimEnd(), failed }),
    );
    child.stdin?.end(input);
  });
}

test('the server is started with the same options of Node by npm, systemd and Docker', () => {
  const optionsIn = (file, start) => {
    const line = readFileSync(join(root, file), 'utf8')
      .split('\n')
      .find((text) => start.test(text));
    return line?.match(/--[\w-]+=\d+/g);
  };
  const options = optionsIn('package.json', /^ +"start":/);
  expect(options).toHaveLength(2);
  expect(optionsIn('docs/operations.md', /^ExecStart=/)).toEqual(options);
  expect(optionsIn('Dockerfile', /^CMD /)).toEqual(options);
});

test('Docker’s image has what the scripts that are copied into it import', () => {
  const copied = [...readFileSync(join(root, 'Dockerfile'), 'utf8').matchAll(/\/app\/(scripts\/\S+)/g)].map(
    ([, file]) => file,
  );
  expect(copied).toContain('scripts/backup.mjs');
  for (const file of copied) {
    for (const [, imported] of readFileSync(join(root, file), 'utf8').matchAll(
      /^(?:import|.*from) '(\.[^']+)'/gm,
    )) {
      expect(copied).toContain(join('scripts', imported));
    }
  }
});

test('the proxy of compose.yaml is believed, and nothing else of its network', () => {
  const recipe = readFileSync(join(root, 'compose.yaml'), 'utf8');
  const trusted = /^ +TRUSTED_PROXIES: (\S+)$/m.exec(recipe)?.[1];
  expect(trusted).toMatch(/^[\d.]+$/);
  expect(/^ +ipv4_address: (\S+)$/m.exec(recipe)?.[1]).toBe(trusted);
});

let instance;
let url;
let row;
const folder = mkdtempSync(join(tmpdir(), 'latebra-recipes-'));
const web = writeWebRoot();

beforeAll(async () => {
  instance = await startListening({ DATA_DIR: folder }, web.root);
  url = `http://localhost:${instance.port}`;
  let cookie = '';
  async function post(path, body) {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(response.ok).toBe(true);
    cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? cookie;
    return response.json();
  }
  const { salt, ...params } = await post('/api/gate/passphrase/salt', { name: NAME });
  const bound = await bindSalt(salt, { origin: url, name: normaliseName(NAME) });
  const stretched = await stretch(PASSPHRASE, bound, params);
  const { authKey, wrapSecret } = await splitStretched(stretched);
  await post('/api/gate/passphrase/begin', { name: NAME, authKey });
  const wrap = await wrapVaultKey(key, wrapSecret, { method: 'passphrase', params: { salt, ...params } });
  await post('/api/encryption-key', { clientKey: { ...(await createClientKey(key)), wraps: [wrap] } });
  const contentKey = await deriveContentKey(key);
  const sealId = newSealId();
  const at = '2026-01-13T09:30:00.000Z';
  const facts = { bound: ['1', ''], createdAt: at, updatedAt: at };
  const sealed = (field, text, number = sealId) =>
    seal(text, contentKey, { kind: 'memory', field, sealId: number }, facts);
  row = await post('/api/memory-entries', {
    title: await sealed('title', 'The bell under the lake'),
    encryptedContent: await sealed('encryptedContent', 'It still rings.'),
    sealId,
  });
  await post('/api/memory-entries', { title: 'c2VhbGVk', encryptedContent: 'c2VhbGVk' });
  // As a browser seals what a webhook brought, and as a server does before that.
  const number = newSealId();
  const arrived = await sealed('arrived/title', 'From the calendar', number);
  await post('/api/memory-entries', { title: arrived, encryptedContent: 'c2VhbGVk', sealId: number });
  const box = Buffer.from('age-encryption.org/v1\n-> X25519 ').toString('base64');
  await post('/api/memory-entries', { title: box, encryptedContent: box });
});
afterAll(async () => {
  await instance.stop();
  web.remove();
  rmSync(folder, { recursive: true });
});

test('the client of docs/api.md signs in, unwraps the key and reads the titles', async () => {
  const script = blockOf('docs/api.md', 'js');
  const env = { NAME: 'ágnes of the LAKE', PASSPHRASE: ` ${PASSPHRASE} ` };
  expect(await run(script, { args: [url], env })).toEqual({
    said: [
      '(arrived, and not opened in a browser yet)',
      'From the calendar',
      '(unreadable)',
      'The bell under the lake',
    ].join('\n'),
    failed: '',
  });
});

test('the client of docs/api.md says why it fails', async () => {
  const env = { NAME, PASSPHRASE: 'plum cake on a stone walk' };
  const { failed } = await run(blockOf('docs/api.md', 'js'), { args: [url], env });
  expect(failed).toContain('wrong-passphrase');
});

test('the script of docs/formats.md opens an entry without us', async () => {
  const opened = await run(blockOf('docs/formats.md', 'js', 'latebra/v2/seal'), {
    args: ['memory', 'encryptedContent'],
    env: { VAULT_KEY: vaultKeyToHex(key) },
    input: JSON.stringify(row),
  });
  expect(opened).toEqual({ said: 'It still rings.', failed: '' });
});

describe('the script of docs/formats.md that opens a file without us', () => {
  const description = join(folder, 'description.json');
  const [sealed, opened] = [join(folder, 'sealed'), join(folder, 'photograph.jpg')];
  const script = blockOf('docs/formats.md', 'js', 'latebra/v1/file-root');
  const plain = Uint8Array.from({ length: 1_500_000 }, (_, i) => i % 251);
  let ciphertext;

  beforeAll(async () => {
    const { id, key: fileKey } = newFile();
    const file = await fileCipher({ id, key: fileKey, bytes: plain.length });
    const read = async ({ from, to }) => plain.slice(from, to);
    const made = await sealRange(file, { from: 0, to: file.layout.sealed }, read, new Map());
    ciphertext = made.bytes;
    const root = toBase64Url(await fileRoot(file, made.marks));
    const text = JSON.stringify({ id, key: toBase64Url(fileKey), root, bytes: plain.length });
    writeFileSync(description, text);
  });

  test('gives it back, byte for byte', async () => {
    writeFileSync(sealed, ciphertext);
    expect(await run(script, { args: [description, sealed, opened] })).toEqual({ said: '', failed: '' });
    expect(readFileSync(opened).equals(plain)).toBe(true);
  });

  test.each([
    ['a changed byte', () => ciphertext.map((byte, at) => (at === 1_100_000 ? byte ^ 1 : byte))],
    ['a segment less', () => ciphertext.slice(0, 1024 ** 2 + 16)],
    ['another root', () => ciphertext, { root: 'A'.repeat(43) }],
  ])('gives nothing of one with %s', async (_, change, other = {}) => {
    writeFileSync(sealed, change());
    const changed = join(folder, 'changed.json');
    writeFileSync(changed, JSON.stringify({ ...JSON.parse(readFileSync(description, 'utf8')), ...other }));
    const { failed } = await run(script, { args: [changed, sealed, join(folder, 'nothing.jpg')] });
    expect(failed).toMatch(/authenticate|not the file/);
    expect(existsSync(join(folder, 'nothing.jpg'))).toBe(false);
  });
});

const arks = ['ark', 'ark-lines'].map((name) => ({
  path: join(root, `src/ark/vectors/${name}.html`),
  ...JSON.parse(readFileSync(join(root, `src/ark/vectors/${name}.json`), 'utf8')),
}));
const PYTHON = '/usr/bin/python3';
describe.each([
  ['Node', (options) => run(blockOf('docs/formats.md', 'js', 'latebra/v1/ark-wrap'), options), true],
  [
    'Python',
    (options) =>
      runProgram(PYTHON, ['-c', blockOf('docs/formats.md', 'python', 'latebra/v1/ark-wrap')], options),
    existsSync(PYTHON),
  ],
])('the program of docs/formats.md in %s that opens an Ark without a browser', (_, open, isThere) => {
  const [{ path, words: sentence }] = arks;
  const words = sentence.split(' ');

  test.runIf(isThere).each(arks)(
    'prints the entries of $path, by the first four letters of the words',
    async (ark) => {
      const typed = ark.words.split(' ').map((word) => word.slice(0, 4));
      const { said, failed } = await open({ args: [ark.path, ...typed] });
      expect(failed).toBe('');
      for (const { title, text } of ark.contents.entries) {
        expect(said).toContain(`${title} (`);
        expect(said).toContain(`\n\n${text}`);
      }
    },
  );

  test.runIf(isThere)('prints nothing by other words, and nothing of a changed one', async () => {
    const args = (list) => ({ args: [path, ...list] });
    expect((await open(args(words.with(6, 'aple')))).failed).toMatch(/Word 7, aple/);
    expect((await open(args(words.toReversed()))).failed).toMatch(/belong together/);
    expect((await open(args([...Array(23).fill('abandon'), 'art']))).failed).toMatch(/another vault/);
    const page = readFileSync(path, 'utf8');
    const changed = join(folder, 'changed.html');
    const at = page.indexOf('id="pieces">') + 40;
    writeFileSync(changed, page.slice(0, at) + (page[at] === 'A' ? 'B' : 'A') + page.slice(at + 1));
    const { said, failed } = await open({ args: [changed, ...words] });
    expect(said).toBe('');
    expect(failed).toMatch(/authenticate|damaged/);
  });
});

describe('the program of docs/formats.md that combines sheets without Latebra', () => {
  const kits = JSON.parse(readFileSync(join(root, 'src/crypto/vectors/guardian-kit.json'), 'utf8'));
  const [kit, other] = kits;
  const list = join(folder, 'english.txt');
  const combine = (sheets) =>
    runProgram(PYTHON, ['-c', blockOf('docs/formats.md', 'python', 'latebra/v1/kit-number')], {
      args: [list],
      input: sheets.join('\n'),
    });
  beforeAll(() => writeFileSync(list, wordList.join('\n')));

  test.runIf(existsSync(PYTHON)).each(kits)(
    'gives the secret of a kit of which $needed are needed',
    async (one) => {
      const sheets = one.sheets.map(({ words }) => words);
      const short = sheets
        .at(-1)
        .replace(/(\w{4})\w*/g, '$1')
        .toUpperCase();
      expect(await combine(sheets)).toEqual({ said: one.secret, failed: '' });
      expect((await combine([short, ...sheets.slice(0, one.needed - 1)])).said).toBe(one.secret);
      const { said, failed } = await combine([sheets[0], sheets[0]]);
      expect([said, failed]).toEqual(['', `${one.needed} sheets are needed; ${one.needed - 1} more.\n`]);
    },
  );

  test.runIf(existsSync(PYTHON))('says what is wrong with them', async () => {
    const words = kit.sheets[0].words.split(' ');
    const [right, stray] = [kit.sheets[1].words, other.sheets[0].words];
    const wrong = (sheet) => combine([right, sheet.join(' ')]).then(({ failed }) => failed);
    expect(await wrong(words.with(6, 'aple'))).toMatch(/Sheet 2: word 7, aple/);
    expect(await wrong(words.slice(1))).toMatch(/has 26 words/);
    expect(await wrong(words.with(6, 'zoo').with(7, 'zoo'))).toMatch(/Sheet 2: these words do not belong/);
    expect((await combine([right, stray])).failed).toMatch(/different kits/);
    const forged = wordsFromSheet({ kit: kit.kit, needed: 2, x: 9, share: new Uint8Array(32) });
    expect(await wrong(forged)).toMatch(/One of these sheets is wrong/);
  });
});

test('docs/formats.md names what is sealed in with every kind of row, in its order', () => {
  const page = readFileSync(join(root, 'docs/formats.md'), 'utf8');
  for (const kind of kindNames(sealedKinds)) {
    const facts = boundNames(kind).map((name) => `\`${name}\``);
    expect(page).toContain(`| \`${kind}\` | ${facts.join(', ') || 'none'} |`);
  }
});

test('the line of docs/operations.md makes the words from a key', async () => {
  const [, script = ''] =
    /^node --input-type=module -e "\n([\s\S]*?)"\n```/m.exec(
      readFileSync(join(root, 'docs/operations.md'), 'utf8'),
    ) ?? [];
  const { said } = await run(script, { env: { KEY: vaultKeyToHex(key) } });
  expect(said).toBe(wordsFromKey(key).join(' '));
});
