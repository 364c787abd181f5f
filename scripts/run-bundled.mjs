// Bundles a program of the server's sources and loads it, for scripts that need more than what `npm start` runs.
import { mkdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'vite';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * @param {string} entry from the repository's root
 * @returns {Promise<any>} its exports
 */
export async function runBundled(entry) {
  return import(pathToFileURL(await bundle(entry)).href);
}

/**
 * @param {string} entry from the repository's root
 * @returns {Promise<string>} the bundle's path; it is removed when this process ends
 */
export async function bundle(entry) {
  const name = `${basename(entry, '.ts')}.mjs`;
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
      rolldownOptions: { output: { format: 'es', entryFileNames: name } },
    },
  });
  return join(outDir, name);
}
