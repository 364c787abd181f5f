// A frozen Ark with the reader of today in the place of the one of its day.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runBundled } from '../scripts/run-bundled.mjs';

const frozen = fileURLToPath(new URL('../src/ark/vectors/', import.meta.url));

/** What is known of a frozen Ark. @param name such as `ark-lines` */
export const knownArk = (name: string) => JSON.parse(readFileSync(join(frozen, `${name}.json`), 'utf8'));

/**
 * Writes it anew.
 * @param folder is there
 * @returns its path
 */
export async function todaysArk(name: string, folder: string): Promise<string> {
  const page = readFileSync(join(frozen, `${name}.html`), 'utf8');
  const dataOf = (id: string) =>
    new RegExp(`<script type="[a-z/]+" id="${id}">([^<]*)</script>`).exec(page)?.[1];
  const [head, pieces] = [dataOf('head'), dataOf('pieces')];
  if (!head || !pieces) throw new Error(`${name} has no data`);
  const { arkPage } = await runBundled<typeof import('../src/ark/template.ts')>('src/ark/template.ts');
  const path = join(folder, `${name}-today.html`);
  writeFileSync(path, await arkPage(head, pieces.split('\n')));
  return path;
}
