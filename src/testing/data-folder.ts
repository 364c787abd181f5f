// Looks for texts in every byte of a data folder, as somebody would who has its disk.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TestInstance } from './instance.ts';

function readFiles(folder: string): { name: string; bytes: Buffer }[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => ({ name, bytes: readFileSync(join(parentPath, name)) }));
}

/** The names of the files of a folder that hold a text. */
export function filesHolding(folder: string, text: string): string[] {
  return readFiles(folder).flatMap(({ name, bytes }) => (bytes.includes(text) ? [name] : []));
}

/** Which of these texts stand in a file beside an embedded database, its log included. */
export function foundInFiles({ database }: Pick<TestInstance, 'database'>, texts: string[]): string[] {
  if (database.file === null) throw new Error('This database has no files here.');
  const files = readFiles(dirname(database.file));
  return texts.filter((text) => files.some(({ bytes }) => bytes.includes(text)));
}
