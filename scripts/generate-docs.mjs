// Writes the documents that are made from code: docs/configuration.md, docs/api.md, in docs/threat-model.md the list of
// fields and the tables about a server that lies, and in docs/imports.md the counts. A test sees to it that they are fresh.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { runnerImport } from 'vite';
import { renderApi } from './docs/api.mjs';
import { renderConfiguration } from './docs/configuration.mjs';
import { fillFields } from './docs/fields.mjs';
import { fillImports } from './docs/imports.mjs';
import { fillLies } from './docs/lies.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** What came of every lie when all were last told (`npm run lies`). */
const VERDICTS = 'src/web/testing/lies/verdicts.json';

/** @returns {Promise<Map<string, string>>} the text of each document by its path from the repository's root */
export async function generateDocs() {
  const { module: sources } = await runnerImport(join(root, 'scripts/docs/sources.mjs'), {
    configFile: false,
    root,
    logLevel: 'error',
  });
  const read = (path) => readFileSync(join(root, path), 'utf8');
  return new Map([
    ['docs/configuration.md', renderConfiguration(sources.variables)],
    [
      'docs/threat-model.md',
      fillLies(fillFields(read('docs/threat-model.md'), sources), JSON.parse(read(VERDICTS)), sources),
    ],
    ['docs/imports.md', fillImports(read('docs/imports.md'), sources)],
    ['docs/api.md', renderApi(read('scripts/docs/api-guide.md'), sources)],
  ]);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const [path, text] of await generateDocs()) {
    writeFileSync(join(root, path), text);
    console.log(`Wrote ${path}`);
  }
}
