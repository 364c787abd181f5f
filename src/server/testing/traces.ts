// Looks for a text in the raw bytes of every file of a folder: what was destroyed must stand in none of them.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The names of the files that hold the text. */
export function filesHolding(folder: string, text: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && readFileSync(join(entry.parentPath, entry.name)).includes(text))
    .map(({ name }) => name);
}
