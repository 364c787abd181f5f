// Two projects: `unit` runs in seconds without a database server; `server` runs stores, races and routes
// on the embedded database and, where its programs are installed, on a real PostgreSQL.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['src/{shared,crypto,web,loom}/**/*.test.{ts,tsx}', 'scripts/**/*.test.mjs'],
          environment: 'node',
        },
      },
      {
        test: {
          name: 'server',
          include: ['src/server/**/*.test.ts'],
          environment: 'node',
          globalSetup: ['src/server/testing/postgres.ts'],
        },
      },
    ],
  },
});
