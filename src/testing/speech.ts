// Recordings, and programs that stand in for the real ones.
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { audioTypeOf } from '../server/adapters/audio-type.ts';
import type { Recording } from '../server/adapters/speech-decoding.ts';

/** Nine seconds of a synthetic voice (flite's kal16). */
export const OLD_HOUSE = {
  bytes: readFileSync(fileURLToPath(new URL('speech/old-house.mp3', import.meta.url))),
  words:
    'the old house stands by the river and nobody remembers who built it she wrote a letter every morning and burned it in the evening',
};

/** @throws where it is no audio */
export function recordingOf(bytes: Buffer): Recording {
  const type = audioTypeOf(bytes);
  if (!type) throw new Error('This is no audio.');
  return { bytes, type };
}

export interface Programs {
  folder: string;
  /** For PATH: these programs and no others. */
  searchPath: string;
  remove(): void;
}

/** A folder of programs, each a shell script. */
export function standInPrograms(scripts: Record<string, string>): Programs {
  const folder = mkdtempSync(join(tmpdir(), 'latebra-programs-'));
  for (const [name, script] of Object.entries(scripts)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, name), 0o755);
  }
  return {
    folder,
    searchPath: ['relative', '', folder].join(delimiter),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Decodes everything to a second of silence. */
export const SILENT_FFMPEG = 'head -c 32000 /dev/zero';

const nameless = (): string[] =>
  ['/dev/shm', tmpdir()].flatMap((folder) => {
    try {
      return readdirSync(folder).filter((name) => /^latebra-[0-9a-f]{32}$/.test(name));
    } catch {
      return [];
    }
  });

/** What recordings could have left behind. Other tests run meanwhile, whose files have a name for a moment. */
export function leftovers(): string[] {
  const first = nameless();
  return first.length === 0 ? [] : nameless().filter((name) => first.includes(name));
}

/** Levenshtein's distance over words, as a share of the words that were said. */
export function wordErrorRate(said: string, heard: string): number {
  const wordsOf = (text: string): string[] => text.toLowerCase().match(/[a-z']+/g) ?? [];
  const [wanted, got] = [wordsOf(said), wordsOf(heard)];
  let row = got.map((_, n) => n + 1);
  for (const [i, word] of wanted.entries()) {
    let diagonal = i;
    let left = i + 1;
    row = row.map((above, j) => {
      const cost = Math.min(above + 1, left + 1, diagonal + (got[j] === word ? 0 : 1));
      diagonal = above;
      left = cost;
      return cost;
    });
  }
  return (row.at(-1) ?? wanted.length) / wanted.length;
}
