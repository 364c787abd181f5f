// The sources that a server offers: all that it was built from, and nothing else that lies beside them.
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { sourceFiles, writeSourceArchive } from './build/source-archive.mjs';

function tree(files) {
  const root = mkdtempSync(join(tmpdir(), 'latebra-sources-'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

test('the archive holds the sources, and no data, secrets, packages or links', async () => {
  const root = tree({
    'package.json': '{}',
    LICENSE: 'AGPL',
    'README.md': '# Read me',
    'src/server/main.ts': 'start();',
    'docs/decisions/0001-first.md': '# First',
    '.env': 'SECRET_KEY=1',
    'compose.override.yaml': 'secrets',
    'data/secret.key': 'secret',
    'src/.env.local': 'SECRET_KEY=1',
    'src/server.key': 'secret',
    'src/vault.sqlite': 'rows',
    'src/node_modules/x/index.js': 'x',
    'node_modules/x/index.js': 'x',
    'dist/server/main.js': 'built',
  });
  symlinkSync(join(root, 'data'), join(root, 'src/data'));
  const file = join(root, 'source.zip');
  await writeSourceArchive(root, file);
  const archive = readFileSync(file);
  expect(Object.keys(unzipSync(archive)).sort()).toEqual([
    'latebra/LICENSE',
    'latebra/README.md',
    'latebra/docs/decisions/0001-first.md',
    'latebra/package.json',
    'latebra/src/server/main.ts',
  ]);
  await writeSourceArchive(root, file);
  expect(readFileSync(file).equals(archive)).toBe(true);
  rmSync(root, { recursive: true });
});

const root = fileURLToPath(new URL('..', import.meta.url));

test('all that is in the repository is in it', async () => {
  const listed = spawnSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' });
  // An archive of the sources has no history to ask.
  const known = listed.status === 0 ? listed.stdout.split('\0').filter(Boolean) : [];
  const files = await sourceFiles(root);
  expect(known.filter((file) => existsSync(join(root, file)) && !files.includes(file))).toEqual([]);
});

test('an image is built from all of it, so that it offers all of it', async () => {
  const rules = readFileSync(join(root, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  // First all is left out, then names at the top are let in; what is left out below is in no archive either.
  expect(rules[0]).toBe('*');
  const letIn = rules.filter((rule) => rule.startsWith('!')).map((rule) => rule.slice(1));
  expect(rules.slice(1 + letIn.length)).toEqual(['**/node_modules', '**/.env*']);
  const isLetIn = (top) =>
    letIn.some((name) => (name.startsWith('*') ? top.endsWith(name.slice(1)) : name === top));
  const tops = new Set((await sourceFiles(root)).map((file) => file.split('/')[0]));
  expect([...tops].filter((top) => !isLetIn(top))).toEqual([]);
  expect(readFileSync(join(root, 'Dockerfile'), 'utf8')).toMatch(/^COPY \. \.$/m);
});

test('all that this server is built from is in it', async () => {
  const files = await sourceFiles(root);
  expect(files).toEqual(
    expect.arrayContaining([
      ...[
        'LICENSE',
        'package.json',
        'package-lock.json',
        'vite.config.ts',
        'tsconfig.base.json',
        'Dockerfile',
      ],
      ...['scripts/build.mjs', 'scripts/build/source-archive.mjs', 'src/server/main.ts', 'src/web/main.tsx'],
    ]),
  );
});
