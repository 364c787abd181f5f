// Each command of the documents names the test that runs its program, or the reason why none does. A command that is
// added to a document without either fails this test.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readConfig } from '../src/server/config.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (file) => readFileSync(join(root, file), 'utf8');

const documents = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(root, 'docs'), { recursive: true })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

const ROOT_AND_A_SYSTEM = 'It needs root on a machine with systemd, and changes that machine.';
const AN_ENGINE = 'It needs an engine for containers.';
const A_CLUSTER =
  'It asks for a password, as the superuser of a cluster; src/testing/postgres.ts makes clusters.';
const IT_IS_THE_TEST = 'It is what runs the tests, or part of it.';

/**
 * The test that runs a command, or why there is none. A command is known by how it begins; `…` is more words.
 * @type {[begins: string, by: { test: string } | { reason: string }][]}
 */
const COMMANDS = [
  ['git clone', { reason: 'It names an address that the reader fills in.' }],
  ['npm start', { test: 'src/server/program.test.ts' }],
  ['npm run --silent heir', { test: 'scripts/heir.test.mjs' }],
  ['npm run chain', { test: 'scripts/chain.test.mjs' }],
  ['SOLANA_RPC_URL=http://127.0.0.1:8899', { test: 'scripts/chain.test.mjs' }],
  ['npm test', { reason: IT_IS_THE_TEST }],
  ['npm run check', { reason: IT_IS_THE_TEST }],
  ['npm run dev', { reason: 'It serves sources until somebody ends it; .ci/run does not need it.' }],
  ['gpg', { test: 'src/server/features/game/scroll-files.test.ts' }],
  ['sq verify', { test: 'src/server/features/game/scroll-files.test.ts' }],
  ['node dist/server/walkthrough.js', { test: 'src/server/program.test.ts' }],
  ['PUZZLE_FILE=', { test: 'src/server/program.test.ts' }],
  ['sudo useradd', { reason: ROOT_AND_A_SYSTEM }],
  ['sudo git', { reason: ROOT_AND_A_SYSTEM }],
  ['sudo npm run prestart', { reason: ROOT_AND_A_SYSTEM }],
  ['sudo systemctl', { reason: ROOT_AND_A_SYSTEM }],
  ['sudo journalctl', { reason: ROOT_AND_A_SYSTEM }],
  ['sudo apt-get', { reason: ROOT_AND_A_SYSTEM }],
  ['sudo mv', { reason: ROOT_AND_A_SYSTEM }],
  ['sudo cp', { reason: ROOT_AND_A_SYSTEM }],
  ['sudo chown', { reason: ROOT_AND_A_SYSTEM }],
  ['sudo install', { reason: ROOT_AND_A_SYSTEM }],
  ['sudo -u latebra env DATA_DIR', { test: 'scripts/backup.test.mjs' }],
  ['sudo -u latebra node scripts/backup.mjs', { test: 'scripts/backup.test.mjs' }],
  ['journalctl', { reason: ROOT_AND_A_SYSTEM }],
  ['npm run backup -- /somewhere/safe --keep', { test: 'scripts/backup.test.mjs' }],
  ['npm run backup -- --check', { test: 'scripts/backup.test.mjs' }],
  ['PUBLIC_URL=https://vault.example.org TRUSTED_PROXIES', { test: 'src/server/program.test.ts' }],
  ['sudo -u postgres', { reason: A_CLUSTER }],
  [
    'sudo node --env-file=/etc/latebra.env dist/server/confirm-switch.js',
    { test: 'src/server/program.test.ts' },
  ],
  ['sudo node --env-file=/etc/latebra.env dist/server/heir.js', { test: 'scripts/heir.test.mjs' }],
  ['docker compose', { reason: AN_ENGINE }],
  ['cd /opt/latebra', { reason: 'It changes the folder for the commands below it.' }],
  ['install --directory', { test: 'scripts/operations.test.mjs' }],
  ['sqlite3', { test: 'scripts/sqlite3.test.mjs' }],
  ['sudo -u latebra sqlite3', { test: 'scripts/sqlite3.test.mjs' }],
  ['cp /var/lib/latebra/secret.key', { test: 'scripts/operations.test.mjs' }],
  ['cp -r /var/lib/latebra/files', { test: 'scripts/operations.test.mjs' }],
  ['pg_dump', { test: 'scripts/backup.test.mjs' }],
  ['psql', { test: 'scripts/backup.test.mjs' }],
  ['node --input-type=module', { test: 'scripts/recipes.test.mjs' }],
  ['curl "$LLM_BASE_URL', { test: 'scripts/operations.test.mjs' }],
  ['url="$WEBHOOK_URL"', { test: 'src/server/webhook-examples.test.ts' }],
];

/** The blocks of a shell in a document, without those that hold nothing but settings. */
function blocksOf(file) {
  return [...read(file).matchAll(/^```(?:sh|bash|shell|console)\n([\s\S]*?)^```/gm)].map(
    ([, text = '']) => text,
  );
}

const SETTING = /^[A-Z][A-Z0-9_]*=\S*(?: <\S+>)?$/;
const isSettings = (block) =>
  block
    .trim()
    .split('\n')
    .every((line) => SETTING.test(line) || (/^[A-Z_]+=/.test(line) && !/ npm | node /.test(line)));

/** The commands of a block: a line each, but for what goes on in the next one. A script with variables of its own is one. */
function commandsOf(block) {
  if (/^[a-z]+=/.test(block)) return [block];
  const whole = block.replace(/\\\n\s*/g, ' ').replace(/-e "\n[\s\S]*?"$/m, '-e "…"');
  return whole
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .flatMap((line) => line.split(' && ').map((part) => part.trim()));
}

const all = documents.flatMap((file) =>
  blocksOf(file)
    .filter((block) => !isSettings(block))
    .flatMap((block) => commandsOf(block).map((command) => ({ file, command }))),
);
const entryOf = (command) => COMMANDS.find(([begins]) => command.startsWith(begins));

test('each command of a document names the test of its program, or a reason', () => {
  expect(all.length).toBeGreaterThan(40);
  expect(all.filter(({ command }) => command !== 'cd latebra' && !entryOf(command))).toEqual([]);
});

test('no entry is left of a command that stands in no document, and every test that is named exists', () => {
  const used = new Set(all.map(({ command }) => entryOf(command)));
  expect(COMMANDS.filter((entry) => !used.has(entry)).map(([begins]) => begins)).toEqual([]);
  const tests = COMMANDS.flatMap(([, by]) => ('test' in by ? [by.test] : []));
  expect(tests.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});

test('the test of a command takes it from its document, or runs its program with the options that are printed', () => {
  // OpenPGP's programs are run by what several tests have in common.
  const shared = read('src/testing/openpgp-programs.ts');
  const others = all.flatMap(({ file, command }) => {
    const by = entryOf(command)?.[1] ?? {};
    if (!('test' in by)) return [];
    const text = read(by.test);
    if (text.includes(file)) return [];
    const options = command.replace(/^sudo (?:-u \w+ )?/, '').match(/(?<= )--?[a-z][\w-]*/g) ?? [];
    return options
      .filter((option) => !text.includes(option) && !shared.includes(option))
      .map((option) => `${file}: ${option} in “${command}”, and not in ${by.test}`);
  });
  expect(others).toEqual([]);
});

test('each npm script that a document names is there', () => {
  const { scripts } = JSON.parse(read('package.json'));
  const named = documents
    .filter((file) => file !== 'CHANGELOG.md')
    .flatMap((file) =>
      [...read(file).matchAll(/npm run (?:--silent )?([\w:-]+)/g)].map(([, name]) => ({ file, name })),
    );
  expect(named.filter(({ name }) => !(name in scripts))).toEqual([]);
});

test('each block of settings is taken by the program as it is printed', () => {
  const blocks = documents.flatMap((file) =>
    blocksOf(file)
      .filter(isSettings)
      .map((block) => ({ file, block })),
  );
  expect(blocks.length).toBeGreaterThan(4);
  for (const { file, block } of blocks) {
    const env = Object.fromEntries(
      block
        .trim()
        .split('\n')
        .map((line) => {
          const [, name = '', value = ''] = /^([A-Z0-9_]+)=(.*)$/.exec(line) ?? [];
          // The one secret that is left out, and the address that all of them need.
          return [name, value === '…' ? 'x'.repeat(32) : value];
        }),
    );
    expect(
      () => readConfig({ PUBLIC_URL: 'https://vault.example.org', ...env }),
      `${file}\n${block}`,
    ).not.toThrow();
  }
});

test('programs that no test starts find the files that they import', () => {
  const missing = ['bench', 'scripts'].flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith('.mjs'))
      .flatMap((name) =>
        [...read(`${folder}/${name}`).matchAll(/^(?:import|\} from|import .* from) '(\.[^']+)';$/gm)]
          .filter(([, path]) => !existsSync(join(root, folder, path)))
          .map(([, path]) => `${folder}/${name}: ${path}`),
      ),
  );
  expect(missing).toEqual([]);
});
