// Two projects: `unit` runs in seconds without a database server; `server` runs stores, races and routes
// on the embedded database and, where its programs are installed, on a real PostgreSQL.
import { configDefaults, defineConfig } from 'vitest/config';

/** It starts houses, and backs them up. */
const backup = 'scripts/backup.test.mjs';

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['src/{shared,crypto,web,loom}/**/*.test.{ts,tsx}', 'scripts/**/*.test.mjs'],
          exclude: [...configDefaults.exclude, backup],
          environment: 'node',
        },
      },
      {
        test: {
          name: 'server',
          include: ['src/server/**/*.test.ts', backup],
          environment: 'node',
          globalSetup: ['src/server/testing/postgres.ts'],
        },
      },
    ],
  },
});
