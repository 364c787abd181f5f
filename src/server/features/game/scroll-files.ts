// The files of the black scroll, made when somebody first asks and kept in memory. All of them but the second scroll are
// the same bytes on every server with this key, so that the manifest of one fits the files of another.
import { createHash } from 'node:crypto';
import { SHADOW_SCROLL_FILE, scrollFiles } from '../../../shared/nouns/game.ts';
import { wrapParagraphs } from '../../../shared/plain-text.ts';
import { scrollText } from '../../../shared/scroll-text.ts';
import { once } from '../../once.ts';
import type { Puzzle } from '../../puzzle/puzzle.ts';
import type { InstanceKey } from '../../signing/instance-key.ts';

/** The name of the notation that carries a hex string. It names the page where hex is decoded. */
export const NOTATION = 'test-verification@latebra';

export interface Download {
  name: string;
  /** A media type. */
  type: string;
  bytes: Uint8Array<ArrayBuffer>;
  /** SHA-256 of the bytes, hex. */
  digest: string;
}

export interface ScrollFiles {
  /** Null where no file has this name. */
  find(name: string): Promise<Download | null>;
  shadow(): Promise<Download>;
}

const TEXT = 'text/plain; charset=utf-8';
const SIGNATURE = 'application/pgp-signature';
const KEYS = 'application/pgp-keys';
const ENCRYPTED = 'application/pgp-encrypted';

// A large library that few requests need.
const openpgp = () => import('../../adapters/openpgp.ts');

export function createScrollFiles(puzzle: Puzzle, key: InstanceKey, text = scrollText()): ScrollFiles {
  const files = once(async () => {
    const [{ clearSign, signDetached, madeAt }, unlocked, publicKey] = await Promise.all([
      openpgp(),
      key.unlocked(),
      key.publicKey(),
    ]);
    // The time of the key, because every server has to write the same one.
    const signing = { key: unlocked, at: madeAt(unlocked) };
    const noted = { ...signing, notation: { name: NOTATION, value: puzzle.signatureHex } };
    const plain = download(scrollFiles.text, TEXT, text);
    const listed = [
      plain,
      download(scrollFiles.scroll, TEXT, await clearSign(text, noted)),
      download(scrollFiles.signature, SIGNATURE, await signDetached(plain.bytes, noted)),
      download(scrollFiles.publicKey, KEYS, publicKey),
    ];
    // As `sha256sum` writes them, and `sha256sum -c` reads them.
    const sums = listed.map(({ digest, name }) => `${digest}  ${name}\n`).join('');
    const manifest = download(scrollFiles.manifest, TEXT, await clearSign(sums, signing));
    return new Map([...listed, manifest].map((file) => [file.name, file]));
  });
  const shadow = once(async () => {
    const [{ signAndEncrypt, madeAt }, unlocked] = await Promise.all([openpgp(), key.unlocked()]);
    const armored = await signAndEncrypt(wrapParagraphs(puzzle.shadowScroll), {
      key: unlocked,
      passphrase: puzzle.phrase,
      at: madeAt(unlocked),
      isGuessable: true,
    });
    return download(SHADOW_SCROLL_FILE, ENCRYPTED, armored);
  });
  // What is none of them makes no key.
  const isFile = (name: string) => Object.values<string>(scrollFiles).includes(name);
  return { find: async (name) => (isFile(name) && (await files()).get(name)) || null, shadow };
}

function download(name: string, type: string, content: string): Download {
  const bytes = new TextEncoder().encode(content);
  return { name, type, bytes, digest: createHash('sha256').update(bytes).digest('hex') };
}
