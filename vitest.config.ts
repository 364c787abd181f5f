// Three projects: `unit` runs in seconds without a database server; `web` shows the real app in a DOM, before a real
// server in the same process; `server` runs stores, races and routes on the embedded database and, where its programs are
// installed, on a real PostgreSQL.
import { configDefaults, defineConfig } from 'vitest/config';
import { findCompiler } from './scripts/find-programs.mjs';
import LongestFirst from './scripts/longest-first.mjs';

/** They start servers or other programs, wait for a network, or take a minute: `npm run check` leaves them out. */
const inTheSuiteAlone = [
  'src/ark/flipped-bits.test.ts',
  'src/ark/paper/scans.test.ts',
  'src/ark/paper/zbar.test.ts',
  'src/crypto/book-walks.test.ts',
  'src/crypto/every-byte.test.ts',
  'scripts/age.test.mjs',
  'scripts/backup.test.mjs',
  'scripts/chain.test.mjs',
  'scripts/files-through-nginx.test.mjs',
  'scripts/heir.test.mjs',
  'scripts/install.test.mjs',
  'scripts/operations.test.mjs',
  'scripts/recipes.test.mjs',
  'scripts/sqlite3.test.mjs',
];

// `isolate: false` everywhere: files share the modules of their process, which take longer to load than many tests take.
// The time-outs are long because no test measures time: what takes a second on a machine at rest takes many on a busy one.
export default defineConfig({
  test: {
    // Tests wait for disks and processes more than they compute: two at a time, also on two cores.
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    tags: [
      {
        name: 'long',
        description:
          'Computes for a second or more: `npm run check` and the other Node leave it out, the suite does not.',
      },
    ],
    projects: [
      {
        test: {
          name: 'unit',
          isolate: false,
          testTimeout: 60_000,
          include: ['src/{shared,crypto,vault,ark,web,loom}/**/*.test.ts', 'scripts/**/*.test.mjs'],
          exclude: [...configDefaults.exclude, ...inTheSuiteAlone],
          environment: 'node',
        },
      },
      {
        // The React that people get, not the one for development: it takes a third of the time, and has no act().
        oxc: { jsx: { runtime: 'automatic', development: false } },
        test: {
          name: 'web',
          // Each file begins with an empty browser, and what a module keeps it keeps by account.
          isolate: false,
          // A query that is tried until it finds something would print the page each time: a fifteenth of a test's time. With
          // `DEBUG_PRINT_LIMIT=7000` it does.
          env: { NODE_ENV: 'production', DEBUG_PRINT_LIMIT: process.env.DEBUG_PRINT_LIMIT ?? '0' },
          testTimeout: 60_000,
          hookTimeout: 60_000,
          include: ['src/web/**/*.test.tsx'],
          environment: './src/web/testing/dom.ts',
          setupFiles: ['src/web/testing/setup.ts'],
        },
      },
      {
        test: {
          name: 'server',
          isolate: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          include: ['src/{server,simulation,demo,testing,chain}/**/*.test.ts', ...inTheSuiteAlone],
          environment: 'node',
          globalSetup: ['src/testing/postgres.ts'],
          provide: { compiler: findCompiler() },
        },
      },
    ],
  },
});
