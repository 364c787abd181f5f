// Bundles a program of the server's sources and loads it, for scripts that need more than what `npm start` runs.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'vite';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * @param {string} entry from the repository's root
 * @returns {Promise<any>} its exports
 */
export async function runBundled(entry) {
  // Within the repository, so that packages are found.
  const outDir = join(root, '.cache', `program-${process.pid}`);
  mkdirSync(outDir, { recursive: true });
  process.once('exit', () => rmSync(outDir, { recursive: true, force: true }));
  await build({
    configFile: false,
    root,
    logLevel: 'warn',
    publicDir: false,
    build: {
      ssr: entry,
      outDir,
      emptyOutDir: false,
      target: 'node20',
      minify: false,
      rolldownOptions: { output: { format: 'es', entryFileNames: 'program.mjs' } },
    },
  });
  return import(pathToFileURL(join(outDir, 'program.mjs')).href);
}
