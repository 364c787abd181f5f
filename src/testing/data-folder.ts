// Data folders: a server that has one, and texts that are looked for in every byte of one, as somebody would who has its disk.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type InstanceOptions, openTestInstance, type TestInstance } from './instance.ts';

/** A whole server with a data folder, which goes when the server is closed. */
export async function openInstanceInFolder(
  options: InstanceOptions = {},
): Promise<TestInstance & { dataDir: string }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'latebra-data-'));
  const instance = await openTestInstance({ ...options, env: { ...options.env, DATA_DIR: dataDir } });
  return {
    ...instance,
    dataDir,
    async close() {
      await instance.close();
      rmSync(dataDir, { recursive: true });
    },
  };
}

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
