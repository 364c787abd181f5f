// The walls of the server stand, and the tests of them can fail.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findBreaches, OWNERS } from './walls.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

function readSources() {
  const files = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter(
      (entry) =>
        entry.isFile() &&
        (/\.tsx?$/.test(entry.name) || /ark\/reader\/[\w-]+\.js$/.test(join(entry.parentPath, entry.name))),
    )
    .map((entry) => join(entry.parentPath, entry.name));
  return new Map(
    files.map((file) => [relative(root, file).split(sep).join('/'), readFileSync(file, 'utf8')]),
  );
}

const breach = (path, text) => findBreaches(new Map([[path, text]]));

// A busy machine parses slowly.
test('every table has an owner', () => {
  const schema = readFileSync(join(root, 'src/server/db/schema.ts'), 'utf8');
  const [, tables = ''] = /export interface Schema \{([^}]*)\}/.exec(schema) ?? [];
  const names = [...tables.matchAll(/^ {2}(\w+):/gm)].map(([, name]) => name);
  expect(names.length).toBeGreaterThan(20);
  expect(Object.keys(OWNERS).sort()).toEqual(names.sort());
});

test('files that import each other are found, also by way of others', () => {
  const circle = new Map([
    ['src/server/http/a.ts', `import './b.ts';`],
    ['src/server/http/b.ts', `import type { C } from './c.ts';`],
    ['src/server/http/c.ts', `export { a } from './a.ts';`],
    ['src/server/http/d.ts', `import './a.ts';`],
  ]);
  expect(findBreaches(circle)).toEqual([
    expect.stringMatching(/a\.ts imports .*b\.ts imports .*c\.ts imports .*a\.ts\. Imports go one way/),
  ]);
});

test('folders of the engine that import each other are found, though no files do', () => {
  const rooms = new Map([
    ['src/vault/kinds/a.ts', `import '../entries/b.ts';`],
    ['src/vault/entries/b.ts', `import '../vault.ts';`],
    ['src/vault/entries/c.ts', `import type { D } from '../kinds/d.ts';`],
  ]);
  expect(findBreaches(rooms)).toEqual([
    'src/vault/entries/c.ts imports src/vault/kinds/d.ts, and src/vault/kinds/a.ts imports src/vault/entries/b.ts. Of two folders of src/vault/ one imports the other.',
  ]);
});

test('no file of the server goes through a wall', { timeout: 60_000 }, () => {
  const sources = readSources();
  expect(sources.size).toBeGreaterThan(100);
  expect(findBreaches(sources)).toEqual([]);
});

describe('each wall stops what it is for', () => {
  test.each([
    ['src/server/start.ts', `import { open } from '../crypto/seal.ts';`, /holds no code that opens an entry/],
    [
      'src/server/start.ts',
      `import type { Wrap } from '../crypto/wrap.ts';`,
      /holds no code that opens an entry/,
    ],
    [
      'src/server/start.ts',
      `import { buildServer } from '../../scripts/build/server.mjs';`,
      /may import shared/,
    ],
    [
      'src/web/main.tsx',
      `const { startInstance } = await import('../server/start.ts');`,
      /shared, crypto, loom/,
    ],
    [
      'src/web/testing/instance.ts',
      `import { createApp } from '../../server/app.ts';`,
      /web may import shared, crypto, loom/,
    ],
    [
      'src/web/vault/key/unlock.tsx',
      `import { openTestInstance } from '../../../testing/instance.ts';`,
      /web may import shared, crypto, loom/,
    ],
    ['src/web/main.tsx', `import { anInstance } from './testing/instance.ts';`, /never the other way round/],
    [
      'src/crypto/seal.ts',
      `import { account } from '../shared/nouns/account.ts';`,
      /may import types of shared/,
    ],
    ['src/shared/http/wire.ts', `export * from '../../crypto/base64.ts';`, /may import nothing of ours/],
    [
      'src/loom/loom.ts',
      `import { storyTypes } from '../shared/nouns/myth.ts';`,
      /may import types of shared/,
    ],
    [
      'src/server/features/memory/deep/er.ts',
      `import '../../auth/routes.ts';`,
      /never imports another feature/,
    ],
    [
      'src/web/chambers/gate/page.tsx',
      `type P = import('../settings/page.tsx').P;`,
      /never imports another chamber/,
    ],
    ['src/server/http/route.ts', `import { f } from '../features/memory/store.ts';`, /stands above it/],
    ['src/server/db/open.ts', `import type { Deps } from '../deps.ts';`, /stands above it/],
    ['src/server/deps.ts', `import type { Route } from './http/route.ts';`, /stands above it/],
    [
      'src/web/vault/key/unlock.tsx',
      `import { SiteNav } from '../../shell/site-nav.tsx';`,
      /stands above it/,
    ],
    ['src/server/helpers/anything.ts', `import { DAY } from '../src/shared/time.ts';`, /no layer/],
    [
      'src/ark/write-ark.ts',
      `import { search } from '../vault/entries/search.ts';`,
      /kinds and archive alone/,
    ],
    ['src/ark/write-ark.ts', `import { DAY } from '../shared/time.ts';`, /ark may import crypto, vault/],
    [
      'src/vault/vault.ts',
      `import { writeArk } from '../ark/write-ark.ts';`,
      /vault may import shared, crypto/,
    ],
    [
      'src/server/start.ts',
      `import { testClock } from '../testing/clock.ts';`,
      /server may import shared, loom/,
    ],
    [
      'src/server/start.ts',
      `import { simulate } from '../simulation/run.ts';`,
      /server may import shared, loom/,
    ],
    [
      'src/server/start.ts',
      `import { startLocalChain } from '../chain/local-chain.ts';`,
      /server may import shared, loom/,
    ],
    ['src/chain/ledger.ts', `import { DAY } from '../shared/time.ts';`, /chain may import nothing of ours/],
    ['src/server/features/ghost/store.ts', `db.updateTable('accounts').set({});`, /writes to accounts/],
    [
      'src/server/features/ghost/store.ts',
      `db.selectFrom(['passkeys as p', 'ghost_entries']);`,
      /reads passkeys/,
    ],
    ['src/server/features/ghost/store.ts', 'sql`delete from messages where id = 1`;', /writes to messages/],
    ['src/server/jobs/troubled-store.ts', 'sql`select 1 from sessions`;', /reads sessions/],
    [
      'src/web/signed-in.tsx',
      `const P = lazy(() => import('./chambers/gate/page.tsx'));`,
      /know the chambers/,
    ],
    ['src/web/ui/button.tsx', `import { send } from '../api/client.ts';`, /kit knows nothing/],
    [
      'src/web/chambers/ghost-mode/page.tsx',
      `import { inBook } from '../../../vault/book/in-book.ts';`,
      /write by src\/vault\/outbox\/ alone/,
    ],
    ['src/server/http/session.ts', `import pg from 'pg';`, /opened in src\/server\/db\/ alone/],
    ['src/server/http/session.ts', `import { sql } from 'kysely';`, /writes SQL/],
    [
      'src/server/features/ghost/store.ts',
      'db.transaction().execute(async () => {});',
      /begins a transaction by itself/,
    ],
    [
      'src/web/chambers/ghost-mode/use-ghosts.ts',
      `f({ refetchOnWindowFocus: true });`,
      /asked again on focus/,
    ],
    ['src/web/vault/session/drafts.ts', `const slot = 'latebra.vault-key:' + uid;`, /alone may touch it/],
  ])('%s: %s', (path, text, sentence) => {
    expect(breach(path, text)).toEqual([expect.stringMatching(sentence)]);
  });

  test.each([
    ['src/crypto/seal.ts', `import type { Noun } from '../shared/http/wire.ts';`],
    ['src/ark/contents.ts', `import { gather } from '../vault/archive/gather.ts';`],
    ['src/web/chambers/settings/a.ts', `import { writeArk } from '../../../ark/write-ark.ts';`],
    ['src/server/features/memory/routes.ts', `import { idParam } from '../../http/route.ts';`],
    ['src/web/chambers/gate/page.tsx', `import { Door } from './passkey-door.tsx';`],
    ['src/web/vault/key/a.ts', `import workerUrl from './argon2-worker.ts?worker&url';`],
    ['src/web/testing/instance.ts', `import { openTestInstance } from '../../testing/instance.ts';`],
    ['src/web/vault/unlock.test.tsx', `import { DAY } from '../src/shared/time.ts';`],
    ['src/server/adapters/solana.test.ts', `import { startLocalChain } from '../../chain/local-chain.ts';`],
    ['src/web/testing/instance.ts', `import { walletOf } from '../../chain/wallets.ts';`],
    ['src/testing/server-program.ts', `import { buildServer } from '../../scripts/build/server.mjs';`],
    ['src/server/http/session-store.ts', `import { sql } from 'kysely';`],
    ['src/server/http/session.ts', `// import { sql } from 'kysely';`],
  ])('and lets through what may pass: %s: %s', (path, text) => {
    expect(breach(path, text)).toEqual([]);
  });
});

describe('the linter knows the walls that it can see', () => {
  const cases = [
    ['src/server/features/memory/a.ts', `export { f } from '../auth/words.ts';`, 'Features never import'],
    ['src/server/features/memory/b.ts', `export { S } from 'stripe';`, "A vendor's SDK"],
    ['src/server/http/c.ts', `export const a = await import('openid-client');`, "A vendor's SDK"],
    ['src/server/http/d.ts', `export const a = (db) => db.selectFrom('accounts');`, 'Statements stand in'],
    ['src/web/chambers/gate/e.ts', `export { f } from '../settings/page.tsx';`, 'Chambers never import'],
    ['src/web/hooks/f.ts', 'export const a = window.localStorage;', 'key-slot.ts'],
    ['src/web/hooks/g.ts', 'export const a = localStorage.length;', 'key-slot.ts'],
    ['src/crypto/h.ts', `export const a = () => fetch('/');`, 'no I/O'],
    ['src/crypto/i.ts', 'export const a = () => Date.now();', 'no clock of its own'],
    ['src/crypto/j.ts', 'export const a = () => Math.random();', 'can be predicted'],
  ];
  let folder = '';
  let said = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'latebra-walls-'));
    const { $schema: _, vcs: __, ...config } = JSON.parse(readFileSync(join(root, 'biome.json'), 'utf8'));
    writeFileSync(join(folder, 'biome.json'), JSON.stringify(config));
    for (const [path, text] of cases) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), `${text}\n`);
    }
    const biome = join(root, 'node_modules/@biomejs/biome/bin/biome');
    const run = spawnSync(process.execPath, [biome, 'lint', '--max-diagnostics=none', '.'], {
      cwd: folder,
      encoding: 'utf8',
    });
    said = `${run.stdout}${run.stderr}`;
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test.each(cases)('%s: %s', (path, _, message) => {
    // One paragraph for each finding, headed by its file.
    const findings = said.split(/^(?=\S+:\d+:\d+ lint\/)/m);
    expect(findings.filter((finding) => finding.startsWith(path)).join('\n')).toContain(message);
  });
});
