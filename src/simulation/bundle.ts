// The simulation as a program of its own, in which rules of the switch can be taken away while it runs.
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Place, SWITCH, withSwitches } from './rules-in-source.ts';
import type { Report, simulate } from './run.ts';
import type { simulateSisters } from './sisters/simulate-sisters.ts';
import type { daysToRelease } from './uptime-patterns.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

export interface RuleInFile extends Place {
  rule: string;
  /** From src/ on. */
  file: string;
  /** Where else in the file it is kept: it is taken away at each place. */
  also?: readonly Place[];
}

export interface SimulationBundle {
  /** @param rule the one that is taken away; null for none */
  simulateWithout(rule: string | null, ...wanted: Parameters<typeof simulate>): Promise<Report>;
  daysToReleaseWithout(
    rule: string,
    ...pattern: Parameters<typeof daysToRelease>
  ): ReturnType<typeof daysToRelease>;
  sistersWithout(
    rule: string | null,
    ...scenario: Parameters<typeof simulateSisters>
  ): ReturnType<typeof simulateSisters>;
  remove(): void;
}

/**
 * Builds it once, for all rules.
 * @throws Error that names a rule which is not in its file exactly once, or whose file is no part of the simulation
 */
export async function bundleSimulation(rules: readonly RuleInFile[]): Promise<SimulationBundle> {
  const { build } = await import('vite');
  const home = mkdtempSync(join(tmpdir(), 'latebra-mutants-'));
  symlinkSync(join(root, 'node_modules'), join(home, 'node_modules'), 'dir');
  const pathOf = ({ file }: RuleInFile) => join(root, 'src', file);
  const unseen = new Set(rules.map(pathOf));
  await build({
    configFile: false,
    root,
    logLevel: 'error',
    publicDir: false,
    plugins: [
      {
        name: 'switches-for-rules',
        enforce: 'pre',
        transform(code, id) {
          const here = rules.filter((rule) => pathOf(rule) === id);
          if (here.length === 0) return null;
          unseen.delete(id);
          return withSwitches(
            code,
            here.flatMap(({ rule, also = [], ...place }) =>
              [place, ...also].map((one) => [rule, one] as const),
            ),
          );
        },
      },
    ],
    build: {
      ssr: true,
      outDir: home,
      emptyOutDir: false,
      minify: false,
      rolldownOptions: {
        input: [
          'src/simulation/run.ts',
          'src/simulation/uptime-patterns.ts',
          'src/simulation/sisters/simulate-sisters.ts',
        ],
        output: { format: 'es', entryFileNames: '[name].mjs', chunkFileNames: '[name].mjs' },
      },
    },
  });
  if (unseen.size > 0) throw new Error(`${[...unseen].join(', ')} is no part of the simulation.`);
  const load = (file: string) => import(/* @vite-ignore */ pathToFileURL(join(home, file)).href);
  const [{ simulate }, uptime] = [await load('run.mjs'), await load('uptime-patterns.mjs')];
  const { simulateSisters: sisters } = await load('simulate-sisters.mjs');
  async function without<T>(rule: string | null, run: () => Promise<T>): Promise<T> {
    Reflect.set(globalThis, SWITCH, rule);
    try {
      return await run();
    } finally {
      Reflect.deleteProperty(globalThis, SWITCH);
    }
  }
  return {
    simulateWithout: (rule, wanted) => without(rule, () => simulate(wanted)),
    daysToReleaseWithout: (rule, ...pattern) => without(rule, () => uptime.daysToRelease(...pattern)),
    sistersWithout: (rule, scenario) => without(rule, () => sisters(scenario)),
    remove: () => rmSync(home, { recursive: true, force: true }),
  };
}
