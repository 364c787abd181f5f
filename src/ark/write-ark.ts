// Makes an Ark: one page that opens with the vault's 24 words, a passphrase or guardians' sheets (docs/formats.md, "Ark"). It draws
// nothing at random: the same contents under the same ways to open them are the same bytes. Heavy: load it lazily.
import { deflateSync } from 'fflate';
import { toBase64, toHex } from '../crypto/base64.ts';
import { type Bytes, exactly, lengthPrefixed, utf8 } from '../crypto/encoding.ts';
import { hkdf } from '../crypto/hkdf.ts';
import { ARK_LABELS } from '../crypto/labels.ts';
import type { StretchParams } from '../crypto/passphrase.ts';
import { assertVaultKey } from '../crypto/vault-key.ts';
import { arkSalt } from './ark-salt.ts';
import { arkPage } from './template.ts';

/** Of the format. Whatever else changes in how the same contents are sealed is a part of the seed as well (decision 202). */
const VERSION = 1;
/** The plaintext of a piece, in bytes. The last one is shorter, or as long. */
const PIECE_BYTES = 64 * 1024;

/** A passphrase that an Ark opens with as well, as `stretchPassphrase` gives it for `arkSalt`. */
export interface ArkPassphrase {
  stretched: Uint8Array;
  params: Pick<StretchParams, 'memory' | 'iterations'>;
}

/** What an Ark opens with beside the words of its vault. */
export interface ArkWays {
  passphrase: ArkPassphrase | null;
  /** The secret of each guardians' kit whose sheets open it, 32 bytes, in any order. */
  kitSecrets: readonly Uint8Array[];
}

const SECRET_LENGTH = 32;

/** One way to open an Ark: what its reader is told of it, and 32 bytes that only who opens it has. */
interface Way {
  said: { kind: string; salt?: string; memory?: number; iterations?: number };
  secret: Uint8Array;
}

const noSalt = new Uint8Array();

async function waysOf(key: Uint8Array, { passphrase, kitSecrets }: ArkWays): Promise<Way[]> {
  // The words are the key: the reader makes the one of the other.
  const ways: Way[] = [{ said: { kind: 'words' }, secret: key }];
  if (passphrase !== null) {
    const { memory, iterations } = passphrase.params;
    const salt = toBase64(await arkSalt(key));
    ways.push({ said: { kind: 'passphrase', salt, memory, iterations }, secret: passphrase.stretched });
  }
  // In an order of their own: kits that were listed otherwise are the same kits.
  for (const secret of kitSecrets.toSorted((a, b) => (toHex(a) < toHex(b) ? -1 : 1)))
    ways.push({ said: { kind: 'guardians' }, secret: exactly(SECRET_LENGTH, secret) });
  return ways;
}

/**
 * What number and key are derived with: another text, another length, another way to open it or another secret gives others,
 * so that no key ever seals two texts, nor one text beside two heads (decision 202).
 */
async function seedOf(deflated: Bytes, plain: number, ways: readonly Way[]): Promise<Bytes> {
  const sum = new Uint8Array(await crypto.subtle.digest('SHA-256', deflated));
  const fields = ways.flatMap(({ said, secret }) => [JSON.stringify(said), toHex(secret)]);
  const all = lengthPrefixed(
    ...[ARK_LABELS.seed, String(VERSION), String(PIECE_BYTES)],
    ...[toHex(sum), String(plain), ...fields],
  );
  return new Uint8Array(await crypto.subtle.digest('SHA-256', all));
}

async function sealed(key: Bytes, iv: Bytes, additionalData: Bytes, plain: Bytes): Promise<string> {
  const imported = await crypto.subtle.importKey('raw', key, 'AES-GCM', false, ['encrypt']);
  return toBase64(
    new Uint8Array(await crypto.subtle.encrypt({ name: 'AES-GCM', iv, additionalData }, imported, plain)),
  );
}

/** The key of the entries as one way opens it. */
async function wrapped({ said, secret }: Way, id: Bytes, arkKey: Bytes) {
  const derived = await hkdf(secret, id, utf8(`${ARK_LABELS.wrap}/${said.kind}`), 48);
  const sealedKey = await sealed(derived.slice(0, 32), new Uint8Array(12), noSalt, arkKey);
  return { ...said, check: toBase64(derived.slice(32)), sealed: sealedKey };
}

async function sealPieces(deflated: Bytes, arkKey: Bytes, head: string): Promise<string[]> {
  const headSum = new Uint8Array(await crypto.subtle.digest('SHA-256', utf8(head)));
  const count = Math.max(1, Math.ceil(deflated.length / PIECE_BYTES));
  const pieces: string[] = [];
  for (let index = 0; index < count; index++) {
    const nonce = new Uint8Array(12);
    new DataView(nonce.buffer).setUint32(7, index);
    nonce[11] = index === count - 1 ? 1 : 0;
    const additional = new Uint8Array([...headSum, ...nonce.subarray(7)]);
    const plain = deflated.slice(index * PIECE_BYTES, (index + 1) * PIECE_BYTES);
    pieces.push(await sealed(arkKey, nonce, additional, plain));
  }
  return pieces;
}

/**
 * The two parts of an Ark that hold data.
 * @param contents what `arkContents` gives
 * @param key the vault's, 32 bytes: what its 24 words are
 */
export async function sealArk(contents: string, key: Uint8Array, others: ArkWays) {
  assertVaultKey(key);
  const plain = utf8(contents);
  const deflated = new Uint8Array(deflateSync(plain, { level: 9 }));
  const ways = await waysOf(key, others);
  const seed = await seedOf(deflated, plain.length, ways);
  const [id, arkKey] = await Promise.all([
    hkdf(key, seed, utf8(ARK_LABELS.id), 16),
    hkdf(key, seed, utf8(ARK_LABELS.key), 32),
  ]);
  const wraps = await Promise.all(ways.map((way) => wrapped(way, id, arkKey)));
  const head = JSON.stringify({
    format: 'latebra/ark',
    v: VERSION,
    id: toBase64(id),
    plain: plain.length,
    wraps,
  });
  return { head, pieces: await sealPieces(deflated, arkKey, head) };
}

/** An Ark, as the text of its file. Parameters as of `sealArk`. @throws TypeError for a key or a kit's secret of another length */
export async function writeArk(contents: string, key: Uint8Array, others: ArkWays): Promise<string> {
  const { head, pieces } = await sealArk(contents, key, others);
  return arkPage(head, pieces);
}
