// What the administrator has written for those who come after: heir.txt in the data folder, printed as it is.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../db/away.ts';

export const NOTE_FILE = 'heir.txt';

/** Bytes. Some forty pages: beyond that it is another file that was put there. */
const NOTE_MAX = 128 * 1024;

export type Note = { text: string } | { problem: string } | null;

/** @returns null where there is none */
export function readNote(dataDir: string): Note {
  const path = join(dataDir, NOTE_FILE);
  try {
    if (statSync(path).size > NOTE_MAX) {
      return { problem: `${path} is too large to be printed here. Open it by itself.` };
    }
    const text = readFileSync(path, 'utf8')
      .replace(/^\uFEFF/, '')
      .replace(/\r\n?/g, '\n')
      .replaceAll('\t', '    ')
      // A terminal obeys these.
      .replace(/[^\P{Cc}\n]/gu, '')
      .trimEnd();
    return text.trim() === '' ? null : { text };
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT') return null;
    return { problem: `${path} is there and could not be read (${code ?? 'no reason given'}).` };
  }
}
