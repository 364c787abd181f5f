// A server that is on for a part of the time keeps its author's days, and docs/legacy.md tells how well.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { uptimeTable } from './uptime-patterns.ts';

const PATIENCE = 5 * 60_000;

it(
  'docs/legacy.md has the table that the simulation makes',
  async () => {
    const table = await uptimeTable();
    expect(readFileSync(new URL('../../docs/legacy.md', import.meta.url), 'utf8')).toContain(`\n${table}\n`);
  },
  PATIENCE,
);
