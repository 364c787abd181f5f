// Looks for texts in every byte of a data folder, as somebody would who has its disk.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TestHouse } from './house.ts';

/** Which of these texts stand in a file beside an embedded database, its log included. */
export function foundInFiles({ database }: Pick<TestHouse, 'database'>, texts: string[]): string[] {
  if (database.file === null) throw new Error('This database has no files here.');
  const folder = dirname(database.file);
  const files = readdirSync(folder).map((name) => readFileSync(join(folder, name)));
  return texts.filter((text) => files.some((file) => file.includes(text)));
}
