// A web app of a few lines in place of the built one: its documents, and a folder of assets where a test wants it.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { type Document, gatheringNames, type WebFiles } from '../server/web-files.ts';

export const STYLE_HASH = 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=';

const html = (title: string) => `<!doctype html><title>${title}</title>`;

function document(title: string, styleHashes: string[] = []): Document {
  const plain = new Uint8Array(Buffer.from(html(title)));
  return {
    plain,
    gzip: new Uint8Array(gzipSync(plain)),
    brotli: new Uint8Array(brotliCompressSync(plain)),
    styleHashes,
  };
}

/** Two frames of silence: MPEG 1 layer III, 128 kbit/s, 44.1 kHz. */
export const STUB_WHISPER = new Uint8Array(Buffer.from(`fffb9000${'00'.repeat(413)}`.repeat(2), 'hex'));

/** Documents that live in memory; there are no assets. */
export function stubWebFiles(root = tmpdir()): WebFiles {
  return {
    root,
    preloads: { '/': ['/assets/dashboard-1a2b3c4d.js'], '/legacy': ['/assets/legacy-1a2b3c4d.js'] },
    whisper: STUB_WHISPER,
    documents: {
      landing: document('landing', [STYLE_HASH]),
      'black-scroll': document('black-scroll', [STYLE_HASH]),
      help: document('help', [STYLE_HASH]),
      privacy: document('privacy', [STYLE_HASH]),
      app: document('app'),
      desk: document('desk'),
      'thirteen-holders': document('thirteen-holders'),
      whisper: document('whisper'),
      share: document('share', [STYLE_HASH]),
      enter: document('enter', [STYLE_HASH]),
      'not-found': document('not-found'),
      'insecure-origin': document('insecure-origin'),
      pay: document('pay', [STYLE_HASH]),
    },
    gathering: gatheringNames.map((name) => document(name, [STYLE_HASH])),
  };
}

/** What the build would leave on disk, in a folder of its own. */
export function writeWebRoot(): { root: string; remove(): void } {
  const root = mkdtempSync(join(tmpdir(), 'latebra-web-'));
  mkdirSync(join(root, 'assets'));
  const put = (name: string, content: string) => {
    writeFileSync(join(root, name), content);
    writeFileSync(join(root, `${name}.gz`), gzipSync(content));
    writeFileSync(join(root, `${name}.br`), brotliCompressSync(content));
  };
  const unstyledNames = ['app', 'desk', 'thirteen-holders', 'whisper', 'not-found', 'insecure-origin'];
  const styledNames = [
    'landing',
    ...gatheringNames,
    'black-scroll',
    'help',
    'privacy',
    'share',
    'enter',
    'pay',
  ];
  for (const name of [...styledNames, ...unstyledNames]) put(`${name}.html`, html(name));
  const styled = styledNames.map((name) => [`${name}.html`, { styleHashes: [STYLE_HASH] }]);
  put('documents.json', JSON.stringify(Object.fromEntries(styled)));
  writeFileSync(join(root, 'whisper.mp3'), STUB_WHISPER);
  put('favicon.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>');
  writeFileSync(join(root, 'favicon.ico'), Buffer.from([0, 0, 1, 0]));
  writeFileSync(join(root, 'source.zip'), 'PK');
  put('service-worker.js', 'self.addEventListener();\n');
  put('app.webmanifest', '{}');
  writeFileSync(join(root, 'icon-192.png'), Buffer.from([0x89, 0x50, 0x4e, 0x47]));
  put('robots.txt', 'User-agent: *\n');
  put('assets/app-1a2b3c4d.js', 'export const answer = 42;\n');
  put('assets/argon2-worker-5e6f7a8b.js', 'self.onmessage = () => {};\n');
  return { root, remove: () => rmSync(root, { recursive: true }) };
}
