// A second implementation of every format, written from docs/formats.md with the noble libraries and none of our code.
// Tests and vectors use it. It must never be imported by the product.
import { gcm } from '@noble/ciphers/aes.js';
import { hkdf } from '@noble/hashes/hkdf.js';
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { ml_kem768_x25519 } from '@noble/post-quantum/hybrid.js';
import { ml_dsa44 } from '@noble/post-quantum/ml-dsa.js';
import { base64, base64urlnopad, bech32, hex } from '@scure/base';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { ageAs, openAgeAs, openAgeBytesAs, type Randomness } from './reference-age.ts';
import { unzipAs, zipAs } from './reference-zip.ts';

type Context = { kind: string; field: string; sealId: string };
type Facts = { bound: readonly string[]; createdAt: string; updatedAt: string };
type Way =
  | { method: 'passkey'; params: { credentialId: string } }
  | {
      method: 'passphrase';
      params: { salt: string; memory: number; iterations: number; parallelism: number };
    };
type ReferenceWrap = Way & { v: 1; salt: string; commitment: string; sealed: string };

/** u32be(length) ‖ bytes, for each field. */
export function tuple(...fields: string[]): Uint8Array {
  return concatBytes(
    ...fields.flatMap((field) => {
      const bytes = utf8ToBytes(field);
      return [new Uint8Array([24, 16, 8, 0].map((bits) => (bytes.length >> bits) & 0xff)), bytes];
    }),
  );
}

export function derive(secret: Uint8Array, info: string): Uint8Array {
  return hkdf(sha256, secret, undefined, utf8ToBytes(info), 32);
}

export function fingerprint(key: Uint8Array): string {
  return bytesToHex(sha256(key)).slice(0, 16);
}

export function importNumberAs(key: Uint8Array, format: string, sourceId: string): string {
  const mac = hmac(sha256, derive(key, 'latebra/v1/import-number'), tuple(format, sourceId));
  return base64urlnopad.encode(mac.subarray(0, 16));
}

export function sealAs(
  text: string,
  key: Uint8Array,
  context: Context,
  iv: Uint8Array,
  facts: Facts | null = null,
): string {
  return sealUnder(derive(key, 'latebra/v1/content-key'), text, context, iv, facts);
}

/** The text, and the fields of its facts: what is bound, then the two times. */
export function openWithFieldsAs(sealed: string, key: Uint8Array, context: Context) {
  return openUnder(derive(key, 'latebra/v1/content-key'), sealed, context);
}

export function openAs(sealed: string, key: Uint8Array, context: Context): string {
  return openWithFieldsAs(sealed, key, context).text;
}

export function sealUnder(
  contentKey: Uint8Array,
  text: string,
  context: Context,
  iv: Uint8Array,
  facts: Facts | null = null,
): string {
  const block = facts ? tuple(...facts.bound, facts.createdAt, facts.updatedAt) : new Uint8Array();
  const bytes = concatBytes(tuple(''), block, utf8ToBytes(text));
  new DataView(bytes.buffer).setUint32(0, block.length);
  const zeros = 255 - (bytes.length % 256);
  const padded = concatBytes(bytes, new Uint8Array([0x80]), new Uint8Array(zeros));
  return base64.encode(concatBytes(iv, cipher(contentKey, context, iv).encrypt(padded)));
}

function openUnder(contentKey: Uint8Array, sealed: string, context: Context) {
  const bytes = base64.decode(sealed);
  const padded = cipher(contentKey, context, bytes.subarray(0, 12)).decrypt(bytes.subarray(12));
  const plain = padded.subarray(0, padded.lastIndexOf(0x80));
  const view = new DataView(plain.buffer, plain.byteOffset);
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const end = 4 + view.getUint32(0);
  const fields: string[] = [];
  for (let at = 4; at < end; ) {
    const next = at + 4 + view.getUint32(at);
    fields.push(decoder.decode(plain.subarray(at + 4, next)));
    at = next;
  }
  return { text: decoder.decode(plain.subarray(end)), fields };
}

function cipher(contentKey: Uint8Array, { kind, field, sealId }: Context, iv: Uint8Array) {
  return gcm(contentKey, iv, tuple('latebra/v2/seal', kind, field, sealId));
}

export function wrapAs(
  key: Uint8Array,
  secret: Uint8Array,
  way: Way,
  salt: Uint8Array,
  iv: Uint8Array,
): ReferenceWrap {
  const saltText = base64.encode(salt);
  const { wrappingKey, commitment, aad } = wrapKeys(secret, way, saltText);
  return {
    v: 1,
    ...way,
    salt: saltText,
    commitment: base64.encode(commitment),
    sealed: base64.encode(concatBytes(iv, gcm(wrappingKey, iv, aad).encrypt(key))),
  };
}

export function unwrapAs(wrap: ReferenceWrap, secret: Uint8Array): Uint8Array {
  const { wrappingKey, commitment, aad } = wrapKeys(secret, wrap, wrap.salt);
  if (base64.encode(commitment) !== wrap.commitment) throw new Error('commitment');
  const sealed = base64.decode(wrap.sealed);
  return gcm(wrappingKey, sealed.subarray(0, 12), aad).decrypt(sealed.subarray(12));
}

function wrapKeys(secret: Uint8Array, way: Way, salt: string) {
  const fields =
    way.method === 'passkey'
      ? [way.params.credentialId]
      : [way.params.salt, `${way.params.memory}`, `${way.params.iterations}`, `${way.params.parallelism}`];
  const info = tuple('latebra/v1/wrap', way.method, fields[0] ?? '');
  const okm = hkdf(sha256, secret, base64.decode(salt), info, 48);
  const aad = tuple('latebra/v1/wrap', way.method, ...fields, salt);
  return { wrappingKey: okm.subarray(0, 32), commitment: okm.subarray(32), aad };
}

export function bindSaltAs(
  serverPart: string,
  { origin, name }: { origin: string; name: string },
): Uint8Array {
  return sha256(tuple('latebra/v1/passphrase-salt', origin, name, serverPart));
}

export function splitAs(stretched: Uint8Array): { authKey: string; wrapSecret: Uint8Array } {
  return {
    authKey: base64urlnopad.encode(derive(stretched, 'latebra/v1/passphrase-auth')),
    wrapSecret: derive(stretched, 'latebra/v1/passphrase-wrap'),
  };
}

export function shareAs(secret: Uint8Array, stretched: Uint8Array | null) {
  const material = stretched ? concatBytes(secret, stretched) : secret;
  const door = derive(secret, 'latebra/v1/share-door');
  const claim = derive(material, 'latebra/v1/share-claim');
  return {
    text: base64urlnopad.encode(secret),
    salt: hkdf(sha256, secret, undefined, utf8ToBytes('latebra/v1/share-salt'), 16),
    door: base64urlnopad.encode(door),
    claim: base64urlnopad.encode(claim),
    doorHash: base64urlnopad.encode(sha256(door)),
    claimHash: base64urlnopad.encode(sha256(claim)),
    contentKey: derive(material, 'latebra/v1/share-content'),
  };
}

export function sealShareAs(text: string, contentKey: Uint8Array, keyId: string, iv: Uint8Array): string {
  return sealUnder(contentKey, text, { kind: 'share', field: 'encryptedContent', sealId: keyId }, iv);
}

export function openShareAs(sealed: string, contentKey: Uint8Array, keyId: string): string {
  return openUnder(contentKey, sealed, { kind: 'share', field: 'encryptedContent', sealId: keyId }).text;
}

const asPublic = (proof: Uint8Array) => ({
  claim: base64urlnopad.encode(proof),
  claimHash: base64urlnopad.encode(sha256(proof)),
});

export function scrollAs(scrollKey: Uint8Array) {
  const letterKey = derive(scrollKey, 'latebra/v1/scroll-letter');
  return {
    text: base64urlnopad.encode(scrollKey),
    letterKey,
    letterText: base64urlnopad.encode(letterKey),
    contentKey: derive(letterKey, 'latebra/v1/scroll-content'),
  };
}

export function cardAs(scrollKey: Uint8Array, cardNumber: string) {
  const salt = base64urlnopad.decode(cardNumber);
  const cardKey = hkdf(sha256, scrollKey, salt, utf8ToBytes('latebra/v1/scroll-card'), 32);
  return {
    cardKey,
    cardText: base64urlnopad.encode(cardKey),
    ...asPublic(derive(cardKey, 'latebra/v1/scroll-card-claim')),
    wrapKey: derive(cardKey, 'latebra/v1/scroll-card-wrap'),
  };
}

export function scrollPassphraseAs(stretched: Uint8Array) {
  return {
    ...asPublic(derive(stretched, 'latebra/v1/scroll-passphrase-claim')),
    wrapKey: derive(stretched, 'latebra/v1/scroll-passphrase-wrap'),
  };
}

type ScrollField = 'encryptedContent' | 'wrappedKey';

/** A letter under its scroll's content key, or a letter key's 43 characters under a recipient's wrap key. */
export function sealScrollAs(
  text: string,
  key: Uint8Array,
  field: ScrollField,
  sealId: string,
  iv: Uint8Array,
) {
  return sealUnder(key, text, { kind: 'legacy-scroll', field, sealId }, iv);
}

export function openScrollAs(sealed: string, key: Uint8Array, field: ScrollField, sealId: string) {
  return openUnder(key, sealed, { kind: 'legacy-scroll', field, sealId }).text;
}

type ReferenceIdentity = ReturnType<typeof identityAs>;
type Posted = { encryptedContent: string; sealId: string };
type ReferenceEnvelope = Record<'sealedKey' | 'senderRecipient' | 'senderVerifyingKey' | 'signature', string>;

export function whisperAs(
  letterKey: Uint8Array,
  { encryptedContent, sealId }: Posted,
  from: ReferenceIdentity,
  to: Pick<ReferenceIdentity, 'recipient' | 'verifyingKey'>,
  randomness: Randomness,
): ReferenceEnvelope {
  const sender = addressAs(from.recipient, from.verifyingKey);
  const recipient = addressAs(to.recipient, to.verifyingKey);
  // Its members in another order: only their names count.
  const inside = JSON.stringify({ recipient, sender, letterKey: base64urlnopad.encode(letterKey), v: 1 });
  const sealedKey = base64.encode(ageAs(inside, to.recipient, randomness));
  const message = tuple('1', sealId, encryptedContent, sealedKey, sender, recipient);
  return {
    sealedKey,
    senderRecipient: from.recipient,
    senderVerifyingKey: from.verifyingKey,
    signature: base64.encode(from.sign('latebra/v1/whisper', message)),
  };
}

export function openWhisperAs(
  envelope: ReferenceEnvelope,
  { encryptedContent, sealId }: Posted,
  to: ReferenceIdentity,
) {
  const { sealedKey, senderRecipient, senderVerifyingKey } = envelope;
  const sender = addressAs(senderRecipient, senderVerifyingKey);
  const recipient = addressAs(to.recipient, to.verifyingKey);
  const message = tuple('1', sealId, encryptedContent, sealedKey, sender, recipient);
  const context = { context: utf8ToBytes('latebra/v1/whisper') };
  const signature = base64.decode(envelope.signature);
  if (!ml_dsa44.verify(signature, message, base64.decode(senderVerifyingKey), context)) {
    throw new Error('signature');
  }
  const inside = JSON.parse(openAgeAs(base64.decode(sealedKey), to.ageIdentity));
  if (inside.v !== 1 || inside.sender !== sender || inside.recipient !== recipient) throw new Error('inside');
  return { letterKey: base64urlnopad.decode(inside.letterKey), senderAddress: sender };
}

/** A text that a server seals to a vault. */
export function sealedBoxAs(
  text: string,
  { kind, field, sealId }: Context,
  recipient: string,
  randomness: Randomness,
): string {
  const inside = utf8ToBytes(JSON.stringify({ field, kind, sealId, text, v: 1 }));
  const zeros = new Uint8Array(255 - (inside.length % 256));
  return base64.encode(ageAs(concatBytes(inside, new Uint8Array([0x80]), zeros), recipient, randomness));
}

export function openSealedBoxAs(
  sealed: string,
  { kind, field, sealId }: Context,
  ageIdentity: string,
): string {
  const padded = openAgeBytesAs(base64.decode(sealed), ageIdentity);
  const inside = JSON.parse(new TextDecoder().decode(padded.subarray(0, padded.lastIndexOf(0x80))));
  const place = [inside.v, inside.kind, inside.field, inside.sealId];
  if (place.join() !== [1, kind, field, sealId].join()) throw new Error('place');
  return inside.text;
}

type ReferenceRingKey = { key: Uint8Array; stayed: string[] };

export function keyRingAs(keys: ReferenceRingKey[], key: Uint8Array, sealId: string, iv: Uint8Array) {
  const context = { kind: 'vault', field: 'key-ring', sealId };
  const text = JSON.stringify(
    keys.map((each) => ({
      // Its members in another order: only their names count.
      stayed: base64urlnopad.encode(concatBytes(...each.stayed.map((id) => base64urlnopad.decode(id)))),
      key: hex.encode(each.key),
    })),
  );
  return { sealId, sealed: sealAs(text, key, context, iv) };
}

export function openKeyRingAs(ring: { sealId: string; sealed: string }, key: Uint8Array): ReferenceRingKey[] {
  const context = { kind: 'vault', field: 'key-ring', sealId: ring.sealId };
  return JSON.parse(openAs(ring.sealed, key, context)).map((one: { key: string; stayed: string }) => {
    const numbers = base64urlnopad.decode(one.stayed);
    const stayed: string[] = [];
    for (let at = 0; at < numbers.length; at += 16)
      stayed.push(base64urlnopad.encode(numbers.subarray(at, at + 16)));
    return { key: hex.decode(one.key), stayed };
  });
}

export function identityAs(key: Uint8Array) {
  const ageSeed = derive(key, 'latebra/v1/age-identity');
  const signingSeed = derive(key, 'latebra/v1/signing-key');
  const { publicKey } = ml_kem768_x25519.keygen(ageSeed);
  const signer = ml_dsa44.keygen(signingSeed);
  return {
    ageIdentity: bech32.encode('AGE-SECRET-KEY-PQ-'.toLowerCase(), bech32.toWords(ageSeed)).toUpperCase(),
    recipient: bech32.encode('age1pq', bech32.toWords(publicKey), false),
    verifyingKey: base64.encode(signer.publicKey),
    sign: (context: string, message: Uint8Array) =>
      ml_dsa44.sign(message, signer.secretKey, { context: utf8ToBytes(context), extraEntropy: false }),
  };
}

export function addressAs(recipient: string, verifyingKey: string): string {
  return bytesToHex(sha256(utf8ToBytes(recipient + verifyingKey))).slice(0, 32);
}

type ReferenceSignedKey = {
  v: 1;
  generation: number;
  fingerprint: string;
  recipient: string;
  verifyingKey: string;
  signature: string;
  keyCheck: string;
};
type ReferenceClientKey = ReferenceSignedKey & { succession: string | null; wraps: never[] };

/** An envelope; `before` is the key whose place it takes. */
export function clientKeyAs(
  key: Uint8Array,
  iv: Uint8Array,
  generation = 1,
  before: Uint8Array | null = null,
): ReferenceClientKey {
  const { recipient, verifyingKey, sign } = identityAs(key);
  const sealId = base64urlnopad.encode(hex.decode(addressAs(recipient, verifyingKey)));
  const context = { kind: 'vault', field: 'key-check', sealId };
  const made = {
    v: 1 as const,
    generation,
    fingerprint: fingerprint(key),
    recipient,
    verifyingKey,
    signature: base64.encode(
      sign('latebra/v1/identity', tuple('1', String(generation), recipient, verifyingKey)),
    ),
    keyCheck: sealAs('latebra/v1/key-check', key, context, iv),
  };
  const succession =
    before && base64.encode(identityAs(before).sign('latebra/v1/succession', successionDigestAs(made)));
  return { ...made, succession, wraps: [] };
}

/** Whether the key before, by its verifying key, vouches for an envelope. */
export function succeedsAs(envelope: Omit<ReferenceClientKey, 'wraps'>, verifyingKey: string): boolean {
  const signature = base64.decode(envelope.succession ?? '');
  const context = { context: utf8ToBytes('latebra/v1/succession') };
  return ml_dsa44.verify(signature, successionDigestAs(envelope), base64.decode(verifyingKey), context);
}

function successionDigestAs(envelope: ReferenceSignedKey): Uint8Array {
  const { v, generation, fingerprint, recipient, verifyingKey, signature, keyCheck } = envelope;
  return sha256(
    tuple(String(v), String(generation), fingerprint, recipient, verifyingKey, signature, keyCheck),
  );
}

type Files = Record<string, Uint8Array>;

/** A signed zip; its manifest in another order and on one line, since only its bytes count. */
export function archiveAs(
  files: Files,
  key: Uint8Array,
  meta: { createdAt: string; origin: string; book?: { n: number; hash: string } },
) {
  const { recipient, verifyingKey, sign } = identityAs(key);
  const listed = Object.entries(files).map(([path, content]) => ({
    sha256: bytesToHex(sha256(content)),
    path,
    size: content.length,
  }));
  const manifest = utf8ToBytes(
    JSON.stringify({ v: 1, files: listed, verifyingKey, recipient, ...meta, format: 'latebra/export' }),
  );
  const signature = utf8ToBytes(base64.encode(sign('latebra/v1/export', manifest)));
  const all = { ...files, 'manifest.sig': signature, 'manifest.json': manifest };
  return zipAs(Object.entries(all).map(([name, content]) => ({ name, content })));
}

export async function readArchiveAs(zip: Uint8Array) {
  const { 'manifest.json': manifest, 'manifest.sig': signature, ...files } = await unzipAs(zip);
  if (!manifest || !signature) throw new Error('manifest');
  const { recipient, verifyingKey, files: listed, ...meta } = JSON.parse(new TextDecoder().decode(manifest));
  const context = { context: utf8ToBytes('latebra/v1/export') };
  const signed = base64.decode(new TextDecoder().decode(signature).trim());
  if (!ml_dsa44.verify(signed, manifest, base64.decode(verifyingKey), context)) throw new Error('signature');
  if (listed.length !== Object.keys(files).length) throw new Error('count');
  for (const { path, size, sha256: sum } of listed) {
    const content = files[path] ?? new Uint8Array();
    if (content.length !== size || bytesToHex(sha256(content)) !== sum) throw new Error(path);
  }
  return { files, vaultAddress: addressAs(recipient, verifyingKey), ...meta };
}

/** A row as an entry of a book writes it: its seal number, kind and leaf, the number of its version if any, and by what it may end. */
export type ReferenceBookRow = [
  sealId: string,
  kind: string,
  leaf: string,
  ...rest: ([number] | string | number)[],
];

/** What an entry of a book says, in the order in which it is written. */
export interface ReferenceBookEntry {
  p: string;
  r: string;
  d: string;
  t: number;
  put?: ReferenceBookRow[];
  del?: string[];
  all?: true;
  lost?: [number, string];
}

export function bookEntryAs(entry: ReferenceBookEntry, n: number, key: Uint8Array, iv: Uint8Array): string {
  const aad = tuple('latebra/v1/book', String(n));
  const entryKey = hkdf(sha256, key, undefined, aad, 32);
  const ciphertext = gcm(entryKey, iv, aad).encrypt(utf8ToBytes(JSON.stringify(entry)));
  return base64.encode(concatBytes(iv, ciphertext));
}

export function openBookEntryAs(sealed: string, n: number, key: Uint8Array): ReferenceBookEntry {
  const bytes = base64.decode(sealed);
  const aad = tuple('latebra/v1/book', String(n));
  const entryKey = hkdf(sha256, key, undefined, aad, 32);
  const text = gcm(entryKey, bytes.subarray(0, 12), aad).decrypt(bytes.subarray(12));
  return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(text)) as ReferenceBookEntry;
}

export const bookHashAs = (sealed: string): string => base64urlnopad.encode(sha256(base64.decode(sealed)));

export function bookWordsAs(n: number, hash: string): string[] {
  const bits = [...sha256(tuple('latebra/v1/book-words', String(n), hash))]
    .map((byte) => byte.toString(2).padStart(8, '0'))
    .join('');
  return [0, 11, 22, 33].map((at) => wordlist[Number.parseInt(bits.slice(at, at + 11), 2)] ?? '');
}

/** @param seals base64, or null for a field that is empty */
export const bookLeafAs = ([first = null, second = null]: readonly (string | null)[]): string =>
  base64urlnopad.encode(
    concatBytes(
      ...[first, second].map((sealed) =>
        sealed === null ? new Uint8Array(16) : base64.decode(sealed).slice(-16),
      ),
    ),
  );

export function bookRootAs(rows: Record<string, string>): string {
  const numbers = Object.keys(rows).sort();
  return base64urlnopad.encode(sha256(utf8ToBytes(numbers.map((sealId) => sealId + rows[sealId]).join(''))));
}
