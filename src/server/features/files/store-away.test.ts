// A store of files that does not answer, or has no room: everything else goes on, and nothing that was acknowledged is lost.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PART_DIGEST_HEADER, partBytes } from '../../../shared/file-limits.ts';
import { aFile, complete, putPart, read, reserve, stateOf } from '../../../testing/files.ts';
import { failure, openTestInstance, type TestInstance } from '../../../testing/instance.ts';
import { type Person, signUpByPassphrase } from '../../../testing/people.ts';
import { aSealId } from '../../../testing/planting.ts';
import { type FileStore, FileStoreAway } from '../../adapters/file-store.ts';

const AWAY = { status: 503, code: 'files-away' };

let instance: TestInstance;
let person: Person;
let isAway = false;
let isFull = false;
beforeAll(async () => {
  instance = await openTestInstance();
  const { fileStore } = instance.deps;
  const orAway = () => {
    if (isAway) throw new FileStoreAway('the bucket of files cannot be reached');
  };
  const store: FileStore = {
    ...fileStore,
    async put(...given) {
      orAway();
      const [, pieces] = given;
      // A disk is found to be full by what is written to it.
      if (isFull)
        for await (const _ of pieces) throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
      await fileStore.put(...given);
    },
    async *read(...given) {
      orAway();
      yield* fileStore.read(...given);
    },
  };
  Object.assign(instance.deps, { fileStore: store });
  person = await signUpByPassphrase(instance);
});
afterAll(() => instance.close());

it('answers 503 with a sentence, keeps what has come, and goes on when the store answers', async () => {
  const file = aFile(2 * partBytes(5));
  await reserve(person, file);
  expect((await putPart(person, file, 0)).status).toBe(204);
  isAway = true;
  const refused = await putPart(person, file, 1);
  expect(refused.headers.get('retry-after')).toBe('5');
  expect(await failure(refused)).toEqual(AWAY);
  expect((await stateOf(person, file)).missing).toEqual([1]);
  isAway = false;
  expect((await putPart(person, file, 1)).status).toBe(204);
  expect((await complete(person, file, aSealId())).status).toBe(200);
  isAway = true;
  expect(await failure(await read(person, file))).toEqual(AWAY);
  expect(instance.log.filter(({ msg }) => msg === 'the store of files is away')).toHaveLength(2);
  isAway = false;
  expect(Buffer.from(await (await read(person, file)).arrayBuffer()).equals(file.content)).toBe(true);
});

it('answers 507 before it reads a part, once nothing can be stored, and takes parts again when there is room', async () => {
  const file = aFile(2 * partBytes(5));
  await reserve(person, file);
  isFull = true;
  expect(await failure(await putPart(person, file, 0))).toEqual({ status: 507, code: 'storage-full' });
  let asked = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        asked += 1;
        controller.enqueue(new Uint8Array(partBytes(5)));
      },
    },
    { highWaterMark: 0 },
  );
  const headers = { 'content-type': 'application/octet-stream', [PART_DIGEST_HEADER]: 'A'.repeat(43) };
  const path = `/api/files/${file.fileId}/parts/0`;
  expect(await failure(await person.request('PUT', path, { body, headers }))).toEqual({
    status: 507,
    code: 'storage-full',
  });
  expect(asked).toBe(0);
  // Words have a disk of their own.
  const ready = async () => (await instance.request('GET', '/readyz')).json();
  expect(await ready()).toEqual({ status: 'ready', degraded: ['files'] });
  expect(instance.deps.storage.isFull()).toBe(false);
  // What the tick says once it has stored something in the database.
  const tick = () => {
    instance.deps.storage.stored();
    instance.deps.fileStorage.tryAgain();
  };
  tick();
  expect(await ready()).toEqual({ status: 'ready', degraded: ['files'] });
  expect(await failure(await putPart(person, file, 0))).toEqual({ status: 507, code: 'storage-full' });
  isFull = false;
  expect(await failure(await putPart(person, file, 0))).toEqual({ status: 507, code: 'storage-full' });
  tick();
  for (const part of [0, 1]) expect((await putPart(person, file, part)).status).toBe(204);
  expect((await complete(person, file, aSealId())).status).toBe(200);
});
