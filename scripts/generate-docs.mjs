// Writes the documents that are made from code: docs/configuration.md and docs/api.md. A test sees to it that they
// are fresh.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { runnerImport } from 'vite';
import { renderApi } from './docs/api.mjs';
import { renderConfiguration } from './docs/configuration.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** @returns {Promise<Map<string, string>>} the text of each document by its path from the repository's root */
export async function generateDocs() {
  const { module: sources } = await runnerImport(join(root, 'scripts/docs/sources.mjs'), {
    configFile: false,
    root,
    logLevel: 'error',
  });
  const guide = readFileSync(join(root, 'scripts/docs/api-guide.md'), 'utf8');
  return new Map([
    ['docs/configuration.md', renderConfiguration(sources.variables)],
    ['docs/api.md', renderApi(guide, sources)],
  ]);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const [path, text] of await generateDocs()) {
    writeFileSync(join(root, path), text);
    console.log(`Wrote ${path}`);
  }
}
