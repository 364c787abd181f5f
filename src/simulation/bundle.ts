// The simulation as a program of its own, perhaps with one rule of the switch taken away from its source.
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { simulate } from './run.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

export interface Mutation {
  /** From src/ on. */
  file: string;
  find: string;
  replace: string;
}

export interface SimulationBundle {
  simulate: typeof simulate;
  remove(): void;
}

export async function bundleSimulation(mutation: Mutation | null): Promise<SimulationBundle> {
  const { build } = await import('vite');
  const home = mkdtempSync(join(tmpdir(), 'latebra-mutant-'));
  symlinkSync(join(root, 'node_modules'), join(home, 'node_modules'), 'dir');
  let changed = 0;
  await build({
    configFile: false,
    root,
    logLevel: 'error',
    publicDir: false,
    plugins: [
      {
        name: 'mutation',
        enforce: 'pre',
        transform(code, id) {
          if (!mutation || !id.endsWith(`/src/${mutation.file}`)) return null;
          changed += 1;
          return code.replace(mutation.find, () => mutation.replace);
        },
      },
    ],
    build: {
      ssr: 'src/simulation/run.ts',
      outDir: home,
      emptyOutDir: false,
      minify: false,
      rolldownOptions: { output: { format: 'es', entryFileNames: 'run.mjs' } },
    },
  });
  if (mutation && changed !== 1) throw new Error(`${mutation.file} is no part of the simulation.`);
  const program = await import(/* @vite-ignore */ pathToFileURL(join(home, 'run.mjs')).href);
  return {
    simulate: program.simulate,
    remove: () => rmSync(home, { recursive: true, force: true }),
  };
}
