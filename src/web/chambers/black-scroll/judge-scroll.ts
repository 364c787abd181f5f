// Whether the files of the black scroll belong together, as gpg and sha256sum would say. OpenPGP is large, so it is fetched
// when somebody asks.
import { type ScrollFileName, scrollFiles } from '../../../shared/nouns/game.ts';

export type ScrollFiles = Readonly<Record<ScrollFileName, Uint8Array<ArrayBuffer>>>;

export type Verdict =
  | {
      verdict: 'good';
      /** Of the key that signed, hex in capitals. */
      fingerprint: string;
      signedAt: Date;
    }
  | {
      verdict: 'broken';
      /** Those that do not fit the others. */
      files: readonly ScrollFileName[];
      /** The page says something else than what was signed. */
      pageDiffers: boolean;
    };

/** What a key has signed. */
interface Signed {
  text: string;
  at: Date;
}

const { scroll, text, signature, manifest, publicKey } = scrollFiles;
/** Those with a sum in the manifest, in its order. */
const summed = [text, scroll, signature, publicKey] as const;

const decode = (bytes: Uint8Array) =>
  new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);

/**
 * Checks all three signatures, the sums, and that the clear-signed text, the plain one and the page's are the same.
 *
 * A file is named as broken if its sum is another. Where the manifest itself is broken, it is named with whatever fails
 * besides; where no signature fits the key, the key is.
 * @param shown what the page says, in the form of the text
 * @param now by the clock of this device, which may be behind that of the server
 */
export async function judgeScroll(files: ScrollFiles, shown: string, now: Date): Promise<Verdict> {
  const { readKey } = await import('openpgp');
  const key = await orNull(async () => readKey({ armoredKey: decode(files[publicKey]) }));
  if (!key) return { verdict: 'broken', files: [publicKey], pageDiffers: false };

  const [clear, detached, sums] = await Promise.all([
    orNull(() => openClearSigned(files[scroll], key, now)),
    orNull(() => openDetached(files[text], files[signature], key, now)),
    orNull(() => openClearSigned(files[manifest], key, now)),
  ]);
  const broken = new Set<ScrollFileName>();
  if (!clear && !detached && !sums) broken.add(publicKey);
  else {
    const listed = sums && readSums(sums.text);
    if (!listed) broken.add(manifest);
    for (const name of summed)
      if (listed && listed.get(name) !== (await sha256(files[name]))) broken.add(name);
    if (!clear) broken.add(scroll);
    // Of a text and a signature that do not fit, the text is the changed one if its sum is.
    if (!detached && !broken.has(text)) broken.add(clear && !hasText(clear, files[text]) ? text : signature);
    if (clear && detached && !hasText(clear, files[text])) broken.add(scroll);
  }
  const signed = detached ?? clear;
  const pageDiffers = signed !== null && withoutEnd(signed.text) !== withoutEnd(shown);
  if (broken.size > 0 || pageDiffers || !detached) {
    return { verdict: 'broken', files: [...broken], pageDiffers };
  }
  return { verdict: 'good', fingerprint: key.getFingerprint().toUpperCase(), signedAt: detached.at };
}

type Key = import('openpgp').PublicKey;
type Verified = import('openpgp').VerifyMessageResult['signatures'][number];

/** @throws where it is not clear-signed by this key, or has one byte that the signature does not account for */
async function openClearSigned(file: Uint8Array, key: Key, now: Date): Promise<Signed> {
  const { readCleartextMessage, readSignature, verify } = await import('openpgp');
  const armored = decode(file);
  const message = await readCleartextMessage({ cleartextMessage: armored });
  // What is no part of the text or of the signature, such as the armor's check sum, is as it would be written.
  if (message.armor().replaceAll('\r\n', '\n') !== armored) throw new Error('not as it was written');
  const armoredSignature = armored.slice(armored.lastIndexOf('-----BEGIN PGP SIGNATURE-----'));
  const date = timeToJudgeAt(now, key, await readSignature({ armoredSignature }));
  const { signatures } = await verify({ message, verificationKeys: key, date });
  return { text: message.getText(), at: await onlyOne(signatures) };
}

/** @throws where this is not the signature of these bytes by this key */
async function openDetached(bytes: Uint8Array, file: Uint8Array, key: Key, now: Date): Promise<Signed> {
  const { createMessage, readSignature, verify } = await import('openpgp');
  const detached = await readSignature({ armoredSignature: decode(file) });
  const { signatures } = await verify({
    message: await createMessage({ binary: bytes }),
    signature: detached,
    verificationKeys: key,
    date: timeToJudgeAt(now, key, detached),
    format: 'binary',
  });
  return { text: decode(bytes), at: await onlyOne(signatures) };
}

/**
 * A signature is no worse because the clock of this device is behind: it is judged at the latest of all the times. By a
 * clock that is ahead of them, a key may have expired.
 */
function timeToJudgeAt(now: Date, key: Key, { packets }: import('openpgp').Signature): Date {
  const signed = packets.flatMap(({ created }) => created ?? []);
  return new Date(Math.max(...[now, key.getCreationTime(), ...signed].map((time) => time.getTime())));
}

/** When the one signature was made. @throws unless there is exactly one, it is good, and it holds nothing unsigned */
async function onlyOne(signatures: readonly Verified[]): Promise<Date> {
  const [first, ...others] = signatures;
  if (!first || others.length > 0 || !(await first.verified)) throw new Error('not signed once');
  const [packet] = (await first.signature).packets;
  if (!packet?.created) throw new Error('signed at no time');
  // Anybody could have put these beside what is signed (RFC 9580, 5.2.3); the server writes none.
  if (packet.unhashedSubpackets.length > 0) throw new Error('holds what nobody has signed');
  return packet.created;
}

/** The sums of a manifest by name; null unless it lists the four files, each once. */
function readSums(listed: string): ReadonlyMap<string, string> | null {
  const lines = listed.trimEnd().split('\n');
  const sums = new Map(lines.map((line) => [line.slice(66), line.slice(0, 64)]));
  const whole = lines.every((line) => /^[0-9a-f]{64} {2}\S+$/.test(line));
  return whole && lines.length === summed.length && summed.every((name) => sums.has(name)) ? sums : null;
}

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** A clear-signed text has no line break at its end. */
const withoutEnd = (words: string) => words.trimEnd();

const hasText = (signed: Signed, bytes: Uint8Array): boolean => {
  try {
    return withoutEnd(signed.text) === withoutEnd(decode(bytes));
  } catch {
    return false;
  }
};

/** OpenPGP throws for whatever it cannot read, and for what is not signed by this key. */
async function orNull<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch {
    return null;
  }
}
