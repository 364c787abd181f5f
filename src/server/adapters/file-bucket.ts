// Files in a bucket of an object store of Amazon's kind (S3): an object for each part, named as in a folder. A part is an
// object once the store has said so, and is there whole or not at all: that is the store's promise, and its bytes are held
// against their digest by the store as well.
import {
  checkFileKey,
  checkPart,
  type FileStore,
  FileStoreAway,
  isFileKey,
  isPartName,
  PartMissing,
  type StoredPart,
} from './file-store.ts';
import {
  type Bucket,
  createS3Requests,
  type S3Patience,
  S3Refusal,
  type S3Requests,
  s3Patience,
  textOf,
} from './s3-requests.ts';

/** How many objects are erased at a time. */
const ERASED_AT_ONCE = 8;

export interface FileBucket extends FileStore {
  /**
   * Looks at the bucket once, without waiting for a better time.
   * @returns whether erased objects stay in it as versions; null where it does not say
   * @throws FileStoreAway, as S3Refusal where the store has answered
   */
  look(): Promise<{ keepsVersions: boolean | null }>;
}

/** How many names a store lists at a time: more than that it gives nobody. */
const LISTED_AT_ONCE = 1000;

export function createFileBucket(
  bucket: Bucket,
  patience: S3Patience = s3Patience,
  listedAtOnce = LISTED_AT_ONCE,
): FileBucket {
  const requests = createS3Requests(bucket, patience);
  const pathOf = (part: StoredPart) => {
    checkPart(part);
    return `${part.file}/${part.name}`;
  };

  async function erase(path: string, once = false): Promise<void> {
    try {
      (await requests.ask({ method: 'DELETE', path }, { once })).resume();
    } catch (error) {
      if (!(error instanceof S3Refusal && error.status === 404)) throw error;
    }
  }

  return {
    async put(part, pieces, content) {
      const path = pathOf(part);
      try {
        await requests.send(path, pieces, content);
      } catch (error) {
        // Where its answer alone was lost, it is there. What this leaves is found by the search for what nobody knows.
        await erase(path, true).catch(() => {});
        throw error;
      }
    },

    read: (part, first, last) => piecesOf(requests, patience, pathOf(part), first, last),

    remove: async (part) => erase(pathOf(part)),

    async removeAll(file) {
      checkFileKey(file);
      let paths: string[] = [];
      const eraseThese = async () => {
        await Promise.all(paths.map((path) => erase(path)));
        paths = [];
      };
      for await (const { key } of listed(requests, listedAtOnce, `${file}/`)) {
        // Another name would be no part of this file, but a way to one of another.
        if (!isPartName(key.slice(file.length + 1))) continue;
        paths.push(key);
        if (paths.length === ERASED_AT_ONCE) await eraseThese();
      }
      await eraseThese();
    },

    async *list() {
      for await (const { key, at } of listed(requests, listedAtOnce)) {
        const [file = '', name = '', ...more] = key.split('/');
        if (isFileKey(file) && isPartName(name) && more.length === 0) yield { file, name, at };
      }
    },

    async look() {
      await textOf(
        await requests.ask(
          { method: 'GET', path: '', query: { 'list-type': '2', 'max-keys': '1' } },
          { once: true },
        ),
      );
      try {
        const answer = await requests.ask(
          { method: 'GET', path: '', query: { versioning: '' } },
          { once: true },
        );
        return { keepsVersions: /<Status>\s*Enabled/.test(await textOf(answer)) };
      } catch {
        // It may be forbidden to ask, or be a question that this store does not know.
        return { keepsVersions: null };
      }
    },
  };
}

/** Reads a range of an object. Where the connection breaks off, it goes on from where it was. */
async function* piecesOf(
  requests: S3Requests,
  { waits, pause }: S3Patience,
  path: string,
  first: number,
  last: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  let broken = 0;
  for (let at = first; at <= last; ) {
    const headers = { range: `bytes=${at}-${last}` };
    const answer = await requests.ask({ method: 'GET', path, headers }).catch(explained);
    if (answer.statusCode !== 206 || !answer.headers['content-range']?.startsWith(`bytes ${at}-${last}/`)) {
      answer.destroy();
      throw new FileStoreAway('the bucket of files does not answer the range that was asked for');
    }
    try {
      for await (const piece of answer as AsyncIterable<Buffer>) {
        at += piece.length;
        broken = 0;
        yield piece;
      }
      if (at <= last) throw new Error('it ended before its range did');
    } catch (error) {
      const wait = waits[broken];
      if (wait === undefined) throw new FileStoreAway('the bucket of files breaks off', { cause: error });
      broken += 1;
      await pause(wait);
    }
  }
}

/** @throws PartMissing where the store has answered that there is no such object, and else the very error */
function explained(error: unknown): never {
  const isMissing = error instanceof S3Refusal && error.status === 404 && error.reason !== 'NoSuchBucket';
  throw isMissing ? new PartMissing('the bucket of files has no such part') : error;
}

interface Listed {
  key: string;
  /** Epoch milliseconds. */
  at: number;
}

/** Everything in the bucket whose name begins so. */
async function* listed(
  requests: S3Requests,
  atOnce: number,
  prefix = '',
): AsyncGenerator<Listed, void, undefined> {
  const asked = new Set<string>();
  for (let from: string | null = ''; from !== null; ) {
    asked.add(from);
    const query = {
      'list-type': '2',
      'max-keys': String(atOnce),
      ...(prefix && { prefix }),
      ...(from && { 'continuation-token': from }),
    };
    const text: string = await textOf(await requests.ask({ method: 'GET', path: '', query }));
    if (!text.includes('<ListBucketResult')) throw new FileStoreAway('the bucket of files sends no list');
    for (const [, object = ''] of text.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
      yield { key: textIn(object, 'Key') ?? '', at: Date.parse(textIn(object, 'LastModified') ?? '') };
    }
    from = textIn(text, 'IsTruncated') === 'true' ? (textIn(text, 'NextContinuationToken') ?? '') : null;
    // A list that ends early would be taken for all there is, and one that leads back to where it was has no end.
    if (from !== null && asked.has(from)) {
      throw new FileStoreAway('the bucket of files has more than it lists, and does not say how to go on');
    }
  }
}

/** What stands in an element of XML that has nothing but text in it; null where there is none. */
function textIn(xml: string, element: string): string | null {
  const [, text] = new RegExp(`<${element}>([^<]*)</${element}>`).exec(xml) ?? [];
  return text?.replace(/&(amp|lt|gt|quot|apos);/g, (_, name: keyof typeof SIGNS) => SIGNS[name]) ?? null;
}

const SIGNS = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
