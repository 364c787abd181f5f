// The built web app as the server holds it: whole documents in memory, hashed assets on disk.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { GATHERING_THRESHOLD } from '../shared/nouns/holders.ts';
import { StartProblem } from './errors.ts';

/** The landing page for each count of holders: the wheel is drawn by the build, and needs no script. */
export const gatheringNames = Array.from(
  { length: GATHERING_THRESHOLD + 1 },
  (_, count) => `landing-${count}` as const,
);

export type DocumentName =
  | 'landing'
  | 'black-scroll'
  | 'help'
  | 'privacy'
  | 'app'
  | 'desk'
  | 'thirteen-holders'
  | 'whisper'
  | 'share'
  | 'enter'
  | 'not-found'
  | 'insecure-origin'
  | 'pay';

type Bytes = Uint8Array<ArrayBuffer>;

export interface Document {
  plain: Bytes;
  gzip: Bytes;
  brotli: Bytes;
  /** CSP sources of the inline styles that the build put there, such as `sha256-…`. */
  styleHashes: string[];
}

export interface WebFiles {
  documents: Record<DocumentName, Document>;
  /** The landing page by how many of the thirteen have gathered, from none to all; empty where the build made none. */
  gathering: readonly Document[];
  /** The whisper that plays until an administrator puts another one in its place: MP3. */
  whisper: Bytes;
  /**
   * The modules of the app: under `app` what all screens need, under `signed-in` what all need that somebody signed in
   * sees, and the others by the first segment of their screen's path, such as `/settings`.
   */
  preloads: Readonly<Record<string, readonly string[]>>;
  /** The folder whose `assets/` and root files are served. */
  root: string;
}

/**
 * Reads what the build made.
 * @throws StartProblem when it has not been built
 */
export function loadWebFiles(root: string): WebFiles {
  let index: Record<string, { styleHashes?: string[]; preloads?: Record<string, string[]> }>;
  try {
    index = JSON.parse(readFileSync(join(root, 'documents.json'), 'utf8'));
  } catch {
    throw new StartProblem(`The web app is not built: ${root} is missing. Run "npm run build" first.`);
  }
  const load = (name: string): Document => {
    const file = join(root, `${name}.html`);
    return {
      plain: new Uint8Array(readFileSync(file)),
      gzip: new Uint8Array(readFileSync(`${file}.gz`)),
      brotli: new Uint8Array(readFileSync(`${file}.br`)),
      styleHashes: index[`${name}.html`]?.styleHashes ?? [],
    };
  };
  return {
    root,
    preloads: index['app.html']?.preloads ?? {},
    whisper: new Uint8Array(readFileSync(join(root, 'whisper.mp3'))),
    documents: {
      landing: load('landing'),
      'black-scroll': load('black-scroll'),
      help: load('help'),
      privacy: load('privacy'),
      app: load('app'),
      desk: load('desk'),
      'thirteen-holders': load('thirteen-holders'),
      whisper: load('whisper'),
      share: load('share'),
      enter: load('enter'),
      'not-found': load('not-found'),
      'insecure-origin': load('insecure-origin'),
      pay: load('pay'),
    },
    gathering: gatheringNames.every((name) => `${name}.html` in index) ? gatheringNames.map(load) : [],
  };
}
