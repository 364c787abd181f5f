// Pictures and recordings, which lie beside the Ark as files. One belongs to an entry if, sealed as the vault seals it, it has
// the root that the entry names (“File” in the vault's formats): its name does not matter, and nothing else passes for it.
import { cipherOf, fromBase64Url } from './ark.js';
import { joined, sha256 } from './sha256.js';

const MIB = 1024 ** 2;

/** Each field behind its length as 4 bytes. @param {...string} fields */
function lengthPrefixed(...fields) {
  return joined(
    ...fields.flatMap((field) => {
      const bytes = new TextEncoder().encode(field);
      const length = new Uint8Array(4);
      new DataView(length.buffer).setUint32(0, bytes.length);
      return [length, bytes];
    }),
  );
}

/** @param {Uint8Array<ArrayBuffer>} bytes */
async function sumOf(bytes) {
  const subtle = globalThis.crypto?.subtle;
  return subtle ? new Uint8Array(await subtle.digest('SHA-256', bytes)) : sha256(bytes);
}

/**
 * Whether this is the file that was sealed.
 * @param {Blob} blob @param {import('./ark.js').ArkFile} file
 */
export async function isFile(blob, { id, key, root, bytes }) {
  if (blob.size !== bytes) return false;
  const step = bytes <= MIB ? MIB / 16 : MIB;
  const padded = Math.max(1, Math.ceil(bytes / step)) * step;
  const cipher = await cipherOf(fromBase64Url(key));
  const marks = [];
  for (let index = 0; index * MIB < padded; index++) {
    const from = index * MIB;
    const segment = new Uint8Array(Math.min(MIB, padded - from));
    segment.set(new Uint8Array(await blob.slice(from, from + MIB).arrayBuffer()));
    const last = from + MIB >= padded ? 1 : 0;
    const nonce = new Uint8Array(12);
    new DataView(nonce.buffer).setUint32(7, index);
    nonce[11] = last;
    const additional = lengthPrefixed('latebra/v1/file', id, String(index), String(last), String(padded));
    marks.push(await sumOf(await cipher.seal(nonce, additional, segment)));
  }
  const all = joined(lengthPrefixed('latebra/v1/file-root', id, String(padded)), ...marks);
  const expected = fromBase64Url(root);
  return (await sumOf(all)).every((byte, i) => byte === expected[i]);
}

/**
 * Every file that was dropped, folders walked through. On a page from a disk some browsers read no dropped folder.
 * @param {DataTransfer} dropped @returns {Promise<File[]>}
 */
export async function filesDropped(dropped) {
  const items = [...dropped.items].map((item) => ({
    folder: item.webkitGetAsEntry?.(),
    file: item.getAsFile(),
  }));
  const found = await Promise.all(
    items.map(({ folder, file }) => (folder?.isDirectory ? filesUnder(folder) : file ? [file] : [])),
  );
  return found.flat();
}

/** @param {FileSystemEntry} entry @returns {Promise<File[]>} */
async function filesUnder(entry) {
  if (entry.isFile)
    return new Promise((resolve, reject) => {
      /** @type {FileSystemFileEntry} */ (entry).file((file) => resolve([file]), reject);
    });
  const reader = /** @type {FileSystemDirectoryEntry} */ (entry).createReader();
  /** @type {File[]} */
  const found = [];
  // A folder is told in parts of a hundred names.
  for (;;) {
    /** @type {FileSystemEntry[]} */
    const part = await new Promise((resolve, reject) => {
      reader.readEntries(resolve, reject);
    });
    if (part.length === 0) return found;
    for (const inner of part) found.push(...(await filesUnder(inner)));
  }
}
