// What becomes of requests to a bucket that is busy, silent or away: what nobody has made of a real store on purpose.
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { freePort } from '../../testing/free-port.ts';
import { createFileBucket } from './file-bucket.ts';
import { FileStoreAway } from './file-store.ts';

const PART = { file: 'a'.repeat(32), name: 'AAAA' };
const bytes = randomBytes(300_000);
const content = { bytes: bytes.length, digest: createHash('sha256').update(bytes).digest('base64url') };

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

/** A store at this address, which is waited for without waiting. */
function storeAt(port: number) {
  const waited: number[] = [];
  const patience = { waits: [1, 2, 3], silence: 60_000, pause: async (time: number) => waited.push(time) };
  const key = { id: 'id', secret: 'secret', region: 'us-east-1' };
  return {
    waited,
    store: createFileBucket({ url: new URL(`http://127.0.0.1:${port}/bucket`), key }, patience),
  };
}

/** A server that answers each request by the next of these, and the last of them for ever. */
async function answering(...answers: RequestListener[]) {
  const asked: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    const answer = answers[Math.min(asked.length, answers.length - 1)];
    asked.push(request);
    answer?.(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { asked, ...storeAt((server.address() as AddressInfo).port) };
}

const refuses =
  (status: number, reason: string): RequestListener =>
  (_, response) =>
    response.writeHead(status).end(`<Error><Code>${reason}</Code></Error>`);

const done: RequestListener = (_, response) => response.writeHead(204).end();

/** The bytes in pieces, and what became of them. */
function inPieces(fail?: Error) {
  const seen = { asked: 0, ended: false };
  async function* pieces() {
    try {
      for (let at = 0; at < bytes.length; at += 10_000) {
        seen.asked += 1;
        if (fail && at > 100_000) throw fail;
        yield bytes.subarray(at, at + 10_000);
      }
    } finally {
      seen.ended = true;
    }
  }
  return { seen, pieces: pieces() };
}

it('asks a busy store again, each time after longer, and one that refuses not at all', async () => {
  const busy = await answering(refuses(503, 'SlowDown'), refuses(500, 'InternalError'), done);
  await busy.store.remove(PART);
  expect(busy.waited).toEqual([1, 2]);
  const closed = await answering(refuses(403, 'AccessDenied'));
  await expect(closed.store.remove(PART)).rejects.toThrow('the bucket of files answers 403 AccessDenied');
  expect(closed.asked).toHaveLength(1);
  const gone = await answering(refuses(404, 'NoSuchKey'));
  await gone.store.remove(PART);
  const never = await answering(refuses(503, 'SlowDown'));
  await expect(never.store.remove(PART)).rejects.toThrow(FileStoreAway);
  expect(never.waited).toEqual([1, 2, 3]);
});

it('goes on reading where a connection broke off', async () => {
  const send =
    (from: number, to: number): RequestListener =>
    (request, response) => {
      const [, first] = /^bytes=(\d+)-299999$/.exec(request.headers.range ?? '') ?? [];
      expect(Number(first)).toBe(from);
      response.writeHead(206, {
        'content-range': `bytes ${from}-299999/300000`,
        'content-length': 300_000 - from,
      });
      if (to === 300_000) response.end(bytes.subarray(from));
      else response.write(bytes.subarray(from, to), () => response.destroy());
    };
  const { store, waited } = await answering(send(0, 100_000), send(100_000, 300_000));
  const read: Uint8Array[] = [];
  for await (const piece of store.read(PART, 0, 299_999)) read.push(piece);
  expect(Buffer.concat(read).equals(bytes)).toBe(true);
  expect(waited).toEqual([1]);
});

it('takes no answer that is another range', async () => {
  const { store } = await answering((_, response) => response.writeHead(200).end(bytes));
  const first = store.read(PART, 10, 19)[Symbol.asyncIterator]().next();
  await expect(first).rejects.toThrow('does not answer the range');
});

it('takes nothing of a body while the store cannot be reached', async () => {
  const { store, waited } = storeAt(await freePort());
  const { seen, pieces } = inPieces();
  await expect(store.put(PART, pieces, content)).rejects.toThrow(FileStoreAway);
  expect(seen.asked).toBe(0);
  expect(waited).toEqual([1, 2, 3]);
});

it.each<[string, RequestListener, string]>([
  ['is refused', refuses(503, 'SlowDown'), 'the bucket of files answers 503 SlowDown'],
  ['is said to be whole too soon', done, 'answers before it has a body'],
])(
  'stops taking a body that %s, and gives its connection to nothing that follows',
  async (_, answer, why) => {
    let isAnswered = () => {};
    const answered = new Promise<void>((resolve) => (isAnswered = resolve));
    const { store, asked } = await answering((request, response) => {
      response.once('finish', isAnswered);
      answer(request, response);
    }, done);
    let taken = 0;
    /** Its sender is slow: nothing follows the first piece before there is an answer, and time to hear it. */
    async function* slowly() {
      for (let at = 0; at < bytes.length; at += 10_000) {
        taken += 1;
        yield bytes.subarray(at, at + 10_000);
        if (at === 0) await answered;
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
    await expect(store.put(PART, slowly(), content)).rejects.toThrow(why);
    expect(taken).toBeLessThan(30);
    expect(asked[1]?.socket).not.toBe(asked[0]?.socket);
    expect(asked.map(({ method, url }) => `${method} ${url}`)).toEqual([
      `PUT /bucket/${PART.file}/${PART.name}`,
      `DELETE /bucket/${PART.file}/${PART.name}`,
    ]);
  },
);

it('never ends a body whose sender has failed', async () => {
  let tell = (_isWhole: boolean) => {};
  const told = new Promise<boolean>((resolve) => (tell = resolve));
  const { store } = await answering((request) => {
    request.resume().once('close', () => tell(request.complete));
    request.on('error', () => {});
  }, done);
  const { pieces } = inPieces(new Error('the sender has gone'));
  await expect(store.put(PART, pieces, content)).rejects.toThrow('the sender has gone');
  expect(await told).toBe(false);
});

it('tells a full store from one that is away', async () => {
  const { store } = await answering(refuses(507, 'XMinioStorageFull'));
  await expect(store.put(PART, inPieces().pieces, content)).rejects.toMatchObject({ code: 'EDQUOT' });
});

it('does not take a list for all there is that has more, and says nothing of how to go on', async () => {
  const page =
    (next: string): RequestListener =>
    (_, response) =>
      response.end(
        `<ListBucketResult><IsTruncated>true</IsTruncated><Contents><Key>${PART.file}/${PART.name}</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified></Contents>${next}</ListBucketResult>`,
      );
  const end: RequestListener = (_, response) =>
    response.end('<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>');
  const token = (text: string) => page(`<NextContinuationToken>${text}</NextContinuationToken>`);
  for (const [pages, asks] of [
    [[page('')], 1],
    [[token('')], 1],
    // It would begin anew for ever.
    [[token('b')], 2],
    [[token('a'), token('b'), token('a'), end], 3],
  ] as const) {
    const { store, asked } = await answering(...pages);
    const all = async () => {
      let count = 0;
      for await (const _ of store.list()) count += 1;
      return count;
    };
    await expect(all()).rejects.toThrow('does not say how to go on');
    expect(asked).toHaveLength(asks);
  }
});
