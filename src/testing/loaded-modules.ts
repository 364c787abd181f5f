// What a file of the built server loads when it starts: its static imports, and theirs.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The names of the files that one loads from its own folder, itself included. */
export function loadedBy(folder: string, file: string): Set<string> {
  const loaded = new Set<string>();
  const load = (name: string) => {
    if (loaded.has(name)) return;
    loaded.add(name);
    const text = readFileSync(join(folder, name), 'utf8');
    for (const [, next = ''] of text.matchAll(/^(?:import|export) [^;]*?["']\.\/([^"']+)["'];$/gm))
      load(next);
  };
  load(file);
  return loaded;
}
