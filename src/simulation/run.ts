// Lives through years with a server: what happens to it, what its people do, and an oracle after every step.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DAY } from '../shared/time.ts';
import { Breach, type Invariant } from './invariants.ts';
import { type Scenario, scenario } from './scenario.ts';
import { World } from './world.ts';

export interface Report {
  seed: number;
  /** Steps that were lived through: ticks of the world. */
  steps: number;
  counts: Record<string, number>;
  breach: { invariant: Invariant; detail: string; step: number; day: number } | null;
}

/** @throws whatever is no breach of a promise */
export async function simulate(wanted: Partial<Scenario>): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'latebra-years-'));
  const world = await World.begin(scenario(wanted), folder);
  let breach: Report['breach'] = null;
  try {
    await world.live();
  } catch (error) {
    if (!(error instanceof Breach)) throw error;
    breach = {
      invariant: error.invariant,
      detail: error.message,
      step: world.steps,
      day: Math.floor(world.time / DAY),
    };
  } finally {
    await world.end();
    rmSync(folder, { recursive: true, force: true });
  }
  return { seed: world.scenario.seed, steps: world.steps, counts: world.oracle.counts, breach };
}

/** A report as lines, for whoever runs it by hand. */
export function describeReport({ seed, steps, counts, breach }: Report): string {
  const lines = Object.entries(counts)
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([what, times]) => `  ${what.padEnd(52)} ${String(times).padStart(8)}`);
  const end = breach
    ? `BROKEN at step ${breach.step}, day ${breach.day}: ${breach.detail}`
    : 'Every promise was kept.';
  return [`seed ${seed}, ${steps} steps`, ...lines, end].join('\n');
}
