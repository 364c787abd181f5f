import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  FILE_BYTES_MAX,
  FILES_OF_ENTRY_MAX,
  FILES_OF_SEAL_MAX,
  PART_DIGEST_HEADER,
  PART_HALVINGS_MAX,
  partBytes,
} from '../../../shared/file-limits.ts';
import { errorCodes } from '../../../shared/http/error-codes.ts';
import type { FileState } from '../../../shared/nouns/files.ts';
import { DAY, HOUR, MINUTE } from '../../../shared/time.ts';
import { countedAs } from '../../../testing/attempts.ts';
import { describeOnEachEngine } from '../../../testing/engines.ts';
import {
  aFile,
  complete,
  digestOf,
  partOf,
  putPart,
  read,
  reserve,
  sendFile,
  stateOf,
  storedBy,
} from '../../../testing/files.ts';
import { failure, openTestInstance, type TestInstance } from '../../../testing/instance.ts';
import { aMember, type Person, signUpByPassphrase } from '../../../testing/people.ts';
import { accountIdOf, aSealId, ciphertext, plantingFor } from '../../../testing/planting.ts';
import { countedFor, limit, recount } from '../../../testing/usage.ts';
import { deleteExpired } from '../../expiry.ts';
import { pacedReadLimits } from '../../http/paced-reads.ts';
import { createFileErasing, eraseFiles, eraseOrphans } from './erasing.ts';
import { nextToErase, postponeErasing } from './erasing-store.ts';
import { bytesOf as bytesOfFile } from './read.ts';
import { findFile } from './store.ts';

const PART = partBytes(5);
const threeZeros = { bytes: 3, digest: digestOf(new Uint8Array(3)) };

describeOnEachEngine('files of entries', (engine) => {
  let instance: TestInstance;
  let person: Person;
  beforeAll(async () => {
    instance = await openTestInstance({ engine });
    person = await signUpByPassphrase(instance);
  });
  afterAll(() => instance.close());

  const bytesOf = async (answer: Response) => Buffer.from(await answer.arrayBuffer());
  const rowsOf = async (table: 'files' | 'file_parts' | 'files_to_erase') =>
    (await instance.deps.db.selectFrom(table).selectAll().execute()).length;
  const usedBy = async (one: Person) => {
    const account = await accountIdOf(instance, one);
    const counted = await countedFor(instance, account);
    expect(counted).toEqual(await recount(instance, account));
    return counted?.bytes ?? 0;
  };
  const createMemory = async (one: Person, sealId: string) => {
    const body = { title: ciphertext(), encryptedContent: ciphertext(), sealId };
    const created = await one.request('POST', '/api/memory-entries', { body });
    expect(created.status).toBe(201);
    return ((await created.json()) as { id: number }).id;
  };
  /** Everything that is due: what sweeps find, and what the lane erases. */
  const sweep = async () => {
    await deleteExpired(instance.deps);
    await eraseFiles(instance.deps);
  };

  it('come in parts, in any order and twice, and are read whole', async () => {
    const file = aFile(3 * PART + 77);
    const before = await usedBy(person);
    const reserved = await reserve(person, file);
    expect(reserved.status).toBe(200);
    const { fileId, halvings, content } = file;
    const state = { fileId, halvings, bytes: content.length, sealId: null, isWhole: false };
    expect(await reserved.json()).toEqual({ ...state, missing: [0, 1, 2, 3] });
    expect(await usedBy(person)).toBe(before + content.length);

    for (const part of [3, 1, 1]) expect((await putPart(person, file, part)).status).toBe(204);
    expect(await stateOf(person, file)).toEqual({ ...state, missing: [0, 2] });
    expect(await (await reserve(person, file)).json()).toEqual({ ...state, missing: [0, 2] });
    const sealId = aSealId();
    expect(await failure(await complete(person, file, sealId))).toEqual({
      status: 409,
      code: 'file-incomplete',
    });
    expect(await failure(await read(person, file))).toEqual({ status: 409, code: 'file-incomplete' });
    await Promise.all([0, 2].map((part) => putPart(person, file, part)));

    const whole = { ...state, sealId, isWhole: true, missing: [] };
    for (const _ of ['first', 'again']) {
      expect(await (await complete(person, file, sealId)).json()).toEqual(whole);
    }
    expect(await stateOf(person, file)).toEqual(whole);
    const answer = await read(person, file);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-length')).toBe(String(content.length));
    expect(answer.headers.get('content-type')).toBe('application/octet-stream');
    expect(answer.headers.get('content-disposition')).toBe('attachment');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect((await bytesOf(answer)).equals(content)).toBe(true);
    // Nothing is left of what came twice.
    const account = await accountIdOf(instance, person);
    const { id } = await instance.deps.db
      .selectFrom('files')
      .select('id')
      .where('account_id', '=', account)
      .executeTakeFirstOrThrow();
    const parts = await instance.deps.db
      .selectFrom('file_parts')
      .select('stored_as')
      .where('file', '=', id)
      .execute();
    expect(storedBy(instance).sort()).toEqual(parts.map(({ stored_as }) => stored_as).sort());
  });

  it('are read by ranges, also over the borders of parts', async () => {
    const file = await sendFile(person, aFile(3 * PART + 77));
    const { content } = file;
    for (const [first, last] of [
      [0, 0],
      [PART - 1, PART],
      [PART, 2 * PART - 1],
      [5, 3 * PART + 10],
      [3 * PART + 76, 3 * PART + 76],
    ] as const) {
      const answer = await read(person, file, { range: `bytes=${first}-${last}` });
      expect(answer.status).toBe(206);
      expect(answer.headers.get('content-range')).toBe(`bytes ${first}-${last}/${content.length}`);
      expect((await bytesOf(answer)).equals(content.subarray(first, last + 1))).toBe(true);
    }
    const tag = (await read(person, file, { range: 'bytes=0-0' })).headers.get('etag') ?? '';
    expect((await read(person, file, { 'if-none-match': tag })).status).toBe(304);
    expect((await read(person, file, { range: `bytes=${content.length}-` })).status).toBe(416);
  });

  it('are read by one account a few at a time, and by everybody else beside it', async () => {
    const reader = await signUpByPassphrase(instance);
    const file = await sendFile(reader, aFile(PART));
    const answers = await Promise.all(
      Array.from({ length: pacedReadLimits.perPerson }, () => read(reader, file)),
    );
    expect(answers.every(({ ok }) => ok)).toBe(true);
    const refused = await read(reader, file);
    expect(refused.headers.get('retry-after')).toBe('5');
    expect(await failure(refused)).toEqual({ status: 429, code: 'too-many' });
    // What sends no bytes takes no place.
    expect((await reader.request('HEAD', `/api/files/${file.fileId}/bytes`)).status).toBe(200);
    const other = await signUpByPassphrase(instance);
    const theirs = await sendFile(other, aFile(PART));
    expect((await bytesOf(await read(other, theirs))).equals(theirs.content)).toBe(true);
    await answers[0]?.body?.cancel();
    for (const answer of [...answers.slice(1), await read(reader, file)]) {
      expect((await bytesOf(answer)).equals(file.content)).toBe(true);
    }
    expect((await bytesOf(await read(reader, file))).equals(file.content)).toBe(true);
  });

  it('are not found where they are erased before the first byte is answered', async () => {
    const file = await sendFile(person, aFile(2 * PART));
    const row = await findFile(instance.deps.db, await accountIdOf(instance, person), file.fileId);
    if (!row) throw new Error('there is no such file');
    await person.request('DELETE', `/api/files/${file.fileId}`);
    await eraseFiles(instance.deps);
    await expect(bytesOfFile(instance.deps, row, 0, PART)).rejects.toMatchObject({ code: 'not-found' });
  });

  it('are read by the names of a few parts at a time, as they are asked for', async () => {
    const file = await (await plantingFor(instance, person, '0'.repeat(16))).file({
      bytes: 100 * PART,
      halvings: 5,
      parts: 100,
    });
    const rows = Array.from({ length: 100 }, (_, part) => ({
      ...{ file: file.id, part, digest: 'A'.repeat(43) },
      stored_as: `${file.store_key.slice(0, 10)}-${part}`,
    }));
    await instance.deps.db.insertInto('file_parts').values(rows).execute();
    const opened: string[] = [];
    const fileStore: typeof instance.deps.fileStore = {
      ...instance.deps.fileStore,
      async *read({ name }) {
        opened.push(name);
        yield new Uint8Array(1);
      },
    };
    const reader = (
      await bytesOfFile({ ...instance.deps, fileStore }, file, PART, 100 * PART - 1)
    ).getReader();
    for (let n = 1; n <= 50; n += 1) expect((await reader.read()).value).toHaveLength(1);
    expect(opened).toEqual(rows.slice(1, 51).map(({ stored_as }) => stored_as));
    // What has not been asked for by now is not known by now.
    await instance.deps.db.deleteFrom('files').where('id', '=', file.id).execute();
    const rest = async () => {
      while (!(await reader.read()).done);
    };
    await expect(rest()).rejects.toMatchObject({ code: 'not-found' });
    expect(opened.length).toBeLessThan(70);
  });

  it('lets go of what it reads from when its reader leaves', async () => {
    const file = await sendFile(person, aFile(2 * PART));
    const answer = await read(person, file);
    const reader = answer.body?.getReader();
    await reader?.read();
    await reader?.cancel();
    expect((await bytesOf(await read(person, file))).equals(file.content)).toBe(true);
  });

  it('take no bytes but those that the digest names, and as many as the part has', async () => {
    const file = aFile(2 * PART - 5);
    await reserve(person, file);
    const other = aFile(PART).content;
    const refusals = [
      ['wrong-digest', await putPart(person, file, 0, { bytes: other, digest: digestOf(partOf(file, 0)) })],
      ['wrong-digest', await putPart(person, file, 0, { digest: 'not a digest' })],
      ['wrong-part', await putPart(person, file, 0, { bytes: other.subarray(1) })],
      ['wrong-part', await putPart(person, file, 1, { bytes: other })],
      ['wrong-part', await putPart(person, file, 1, { bytes: new Uint8Array(1) })],
    ] as const;
    for (const [code, answer] of refusals) expect(await failure(answer)).toEqual({ status: 422, code });
    const typed = await person.request('PUT', `/api/files/${file.fileId}/parts/0`, {
      body: partOf(file, 0),
      headers: { 'content-type': 'text/plain', 'x-latebra-digest': digestOf(partOf(file, 0)) },
    });
    expect(await failure(typed)).toEqual({ status: 415, code: 'wrong-type' });
    for (const part of ['2', '-1', 'x', '1.5', '99999999']) {
      const answer = await person.request('PUT', `/api/files/${file.fileId}/parts/${part}`, {
        body: other,
        headers: { 'content-type': 'application/octet-stream', 'x-latebra-digest': digestOf(other) },
      });
      expect(await failure(answer)).toEqual({ status: 404, code: 'not-found' });
    }
    expect((await stateOf(person, file)).missing).toEqual([0, 1]);
  });

  it('change no more once they are whole', async () => {
    const file = await sendFile(person, aFile(PART + 1));
    expect((await putPart(person, file, 0)).status).toBe(204);
    const other = aFile(PART).content;
    expect(await failure(await putPart(person, file, 0, { bytes: other }))).toEqual({
      status: 409,
      code: 'file-whole',
    });
    expect(await (await reserve(person, { ...file, halvings: 2 })).json()).toMatchObject({ isWhole: true });
    expect((await bytesOf(await read(person, file))).equals(file.content)).toBe(true);
  });

  it('have the last of two parts that were sent under one number', async () => {
    const file = aFile(PART);
    await reserve(person, file);
    const other = { ...file, content: aFile(PART).content };
    await putPart(person, other, 0);
    const before = storedBy(instance).length;
    await putPart(person, file, 0);
    expect(storedBy(instance)).toHaveLength(before);
    await complete(person, file, aSealId());
    expect((await bytesOf(await read(person, file))).equals(file.content)).toBe(true);
  });

  it('begin anew in smaller parts, and leave nothing of the larger ones', async () => {
    const file = aFile(2 * PART, 4);
    const before = await usedBy(person);
    await reserve(person, file);
    await putPart(person, file, 0);
    const halved = { ...file, halvings: 5 };
    expect(await (await reserve(person, halved)).json()).toMatchObject({ halvings: 5, missing: [0, 1] });
    expect(await usedBy(person)).toBe(before + file.content.length);
    const stored = storedBy(instance).length;
    await eraseFiles(instance.deps);
    expect(storedBy(instance)).toHaveLength(stored - 1);
    await putPart(person, halved, 0);
    await putPart(person, halved, 1);
    expect((await complete(person, halved, aSealId())).status).toBe(200);
    expect((await bytesOf(await read(person, halved))).equals(file.content)).toBe(true);
  });

  it('are refused under a number that has another size, in too many parts, and beyond the largest', async () => {
    const file = aFile(1000);
    await reserve(person, file);
    const larger = { ...file, content: aFile(1001).content };
    expect(await failure(await reserve(person, larger))).toEqual({ status: 409, code: 'file-reserved' });
    const sized = (bytes: number, halvings: number) =>
      person.request('POST', '/api/files', { body: { fileId: aFile(1).fileId, bytes, halvings } });
    const invalid = { status: 422, code: 'invalid-input' };
    expect(await failure(await sized(FILE_BYTES_MAX + 1, 0))).toEqual(invalid);
    expect(await failure(await sized(FILE_BYTES_MAX, 0))).toEqual({ status: 413, code: 'quota-bytes' });
  });

  it('are taken in the smallest parts that a proxy may want, however large they are', async () => {
    const owner = await signUpByPassphrase(instance);
    await limit(instance, { bytes: 2 * FILE_BYTES_MAX }, await accountIdOf(instance, owner));
    const { fileId } = aFile(1);
    const body = { fileId, bytes: FILE_BYTES_MAX, halvings: PART_HALVINGS_MAX };
    const reserved = await owner.request('POST', '/api/files', { body });
    expect(reserved.status).toBe(200);
    const { missing } = (await reserved.json()) as FileState;
    expect(missing).toHaveLength(32_768);
    const last = missing.at(-1) ?? 0;
    const bytes = randomBytes(FILE_BYTES_MAX - last * PART);
    const answer = await owner.request('PUT', `/api/files/${fileId}/parts/${last}`, {
      body: bytes,
      headers: { 'content-type': 'application/octet-stream', [PART_DIGEST_HEADER]: digestOf(bytes) },
    });
    expect(answer.status).toBe(204);
  });

  it('never pass the limit of a vault, however many race', async () => {
    const racer = await signUpByPassphrase(instance);
    const account = await accountIdOf(instance, racer);
    await limit(instance, { bytes: 20_500 + (await usedBy(racer)) }, account);
    const answers = await Promise.all(Array.from({ length: 100 }, () => reserve(racer, aFile(1000))));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(20);
    expect(statuses.filter((status) => status === 413)).toHaveLength(80);
    await usedBy(racer);
  });

  it('are another’s to nobody, in no call', async () => {
    const file = await sendFile(person, aFile(PART));
    const stranger = await signUpByPassphrase(instance);
    const notFound = { status: 404, code: 'not-found' };
    const calls = [
      stranger.request('GET', `/api/files/${file.fileId}`),
      putPart(stranger, file, 0),
      complete(stranger, file, aSealId()),
      read(stranger, file),
      stranger.request('DELETE', `/api/files/${file.fileId}`),
    ];
    for (const answer of await Promise.all(calls)) expect(await failure(answer)).toEqual(notFound);
    // The number is free to everybody, since nobody can tell who has it.
    expect((await reserve(stranger, file)).status).toBe(200);
    expect((await bytesOf(await read(person, file))).equals(file.content)).toBe(true);
  });

  it('are as many as an entry exchanges that is full, and no more', async () => {
    const owner = await signUpByPassphrase(instance);
    const sealId = aSealId();
    const all = Array.from({ length: FILES_OF_SEAL_MAX + 3 }, () => aFile(10));
    for (const file of all) {
      await reserve(owner, file);
      await putPart(owner, file, 0);
    }
    const answers = await Promise.all(all.map((file) => complete(owner, file, sealId)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(FILES_OF_SEAL_MAX);
    const refused = answers.find(({ status }) => status !== 200);
    expect(refused && (await failure(refused))).toEqual({ status: 409, code: 'files-full' });
    const [, sentence] = errorCodes['files-full'];
    for (const bound of [FILES_OF_ENTRY_MAX, FILES_OF_SEAL_MAX]) expect(sentence).toContain(String(bound));
  });

  it('come three at a time from one person', async () => {
    const [one, two] = [await signUpByPassphrase(instance), await signUpByPassphrase(instance)];
    const file = aFile(4 * PART);
    /** Sends the beginning of a part, and is there once it is taken, or refused. */
    const begin = async (who: Person, part: number) => {
      const bytes = partOf(file, part);
      let [take, end] = [() => {}, () => {}];
      const taken = new Promise<void>((resolve) => {
        take = resolve;
      });
      const ended = new Promise<void>((resolve) => {
        end = resolve;
      });
      const body = new ReadableStream<Uint8Array>(
        {
          async pull(controller) {
            controller.enqueue(bytes.subarray(0, 1000));
            take();
            await ended;
            controller.enqueue(bytes.subarray(1000));
            controller.close();
          },
        },
        { highWaterMark: 0 },
      );
      const answer = who.request('PUT', `/api/files/${file.fileId}/parts/${part}`, {
        body,
        headers: { 'content-type': 'application/octet-stream', 'x-latebra-digest': digestOf(bytes) },
      });
      await Promise.race([taken, answer]);
      return { answer, end };
    };
    for (const who of [one, two]) await reserve(who, file);
    const begun = [await begin(one, 0), await begin(one, 1), await begin(one, 2)];
    const fourth = await begin(one, 3);
    expect(await failure(await fourth.answer)).toEqual({ status: 429, code: 'too-many' });
    expect((await putPart(two, file, 3)).status).toBe(204);
    for (const { end } of begun) end();
    for (const { answer } of begun) expect((await answer).status).toBe(204);
    expect((await putPart(one, file, 3)).status).toBe(204);
  });

  it('leave nothing in the store or the database once they are removed', async () => {
    const owner = await signUpByPassphrase(instance);
    const before = await usedBy(owner);
    const stored = storedBy(instance).length;
    const file = await sendFile(owner, aFile(2 * PART));
    expect((await owner.request('DELETE', `/api/files/${file.fileId}`)).status).toBe(204);
    expect((await read(owner, file)).status).toBe(404);
    expect(await usedBy(owner)).toBe(before);
    await eraseFiles(instance.deps);
    expect(storedBy(instance)).toHaveLength(stored);
    expect(await rowsOf('files_to_erase')).toBe(0);
  });

  it.each(['memory-entries', 'relationship-entries', 'myth-stories'])(
    'go with an entry of %s when it is erased, and not before',
    async (list) => {
      const owner = await signUpByPassphrase(instance);
      const stored = storedBy(instance).length;
      const file = await sendFile(owner, aFile(PART + 1));
      const sealed = { encryptedContent: ciphertext(), sealId: file.sealId };
      const body = {
        'memory-entries': { ...sealed, title: ciphertext() },
        'relationship-entries': { ...sealed, personName: ciphertext(), eventType: 'moment' },
        'myth-stories': { ...sealed, title: ciphertext(), storyType: 'biography' },
      }[list];
      const created = await owner.request('POST', `/api/${list}`, { body });
      const { id } = (await created.json()) as { id: number };
      await owner.request('DELETE', `/api/${list}/${id}`);
      instance.clock.advance(3 * DAY);
      await sweep();
      expect((await read(owner, file)).status).toBe(200);
      expect((await owner.request('DELETE', `/api/deleted-${list}/${id}`)).status).toBe(204);
      expect((await read(owner, file)).status).toBe(404);
      await sweep();
      expect(storedBy(instance).length).toBeLessThanOrEqual(stored);
      await usedBy(owner);
      const left = await instance.deps.db
        .selectFrom('files')
        .select('id')
        .where('account_id', '=', await accountIdOf(instance, owner))
        .execute();
      expect(left).toEqual([]);
    },
  );

  it('go with the trash of an entry whose time is over', async () => {
    const owner = await signUpByPassphrase(instance);
    const file = await sendFile(owner);
    const id = await createMemory(owner, file.sealId);
    await owner.request('DELETE', `/api/memory-entries/${id}`);
    instance.clock.advance(40 * DAY);
    await sweep();
    expect(storedBy(instance)).toEqual([]);
    expect(await rowsOf('files')).toBe(0);
    expect(await rowsOf('file_parts')).toBe(0);
    expect(await rowsOf('files_to_erase')).toBe(0);
  });

  it('go with the vault that is destroyed, all of it', async () => {
    const owner = await aMember(instance);
    const neighbour = await signUpByPassphrase(instance);
    const theirs = await sendFile(neighbour);
    await createMemory(neighbour, theirs.sealId);
    for (let n = 0; n < 5; n += 1) await sendFile(owner, aFile(PART + 1));
    const unfinished = aFile(2 * PART);
    await reserve(owner, unfinished);
    await putPart(owner, unfinished, 1);
    const answer = await owner.request('POST', '/api/vault/destroy', { body: { confirm: 'DESTROY' } });
    expect(answer.status).toBe(204);
    await sweep();
    expect(storedBy(instance)).toHaveLength(1);
    expect(await rowsOf('files')).toBe(1);
    expect(await rowsOf('files_to_erase')).toBe(0);
    expect((await bytesOf(await read(neighbour, theirs))).equals(theirs.content)).toBe(true);
  });

  it('are erased two days later where parts are missing, and thirty days later without an entry', async () => {
    const owner = await signUpByPassphrase(instance);
    const [left, unclaimed, claimed] = [aFile(2 * PART), aFile(10), aFile(20)];
    const drafted = aFile(30);
    for (const file of [left, drafted]) await reserve(owner, file);
    for (const file of [left, drafted]) await putPart(owner, file, 0);
    await sendFile(owner, unclaimed);
    const { sealId } = await sendFile(owner, claimed);
    await createMemory(owner, sealId);
    instance.clock.advance(47 * HOUR);
    await sweep();
    expect((await stateOf(owner, left)).missing).toEqual([1]);
    instance.clock.advance(HOUR);
    await sweep();
    const account = await accountIdOf(instance, owner);
    // Sessions do not last so long.
    const isThere = async ({ fileId }: { fileId: string }) =>
      (await findFile(instance.deps.db, account, fileId)) !== null;
    expect(await Promise.all([left, unclaimed, drafted].map(isThere))).toEqual([false, true, true]);
    instance.clock.advance(28 * DAY - 1);
    await sweep();
    expect(await Promise.all([unclaimed, drafted].map(isThere))).toEqual([true, true]);
    // Its draft is opened.
    expect((await reserve(owner, drafted)).status).toBe(200);
    instance.clock.advance(1);
    await sweep();
    expect(await Promise.all([unclaimed, drafted].map(isThere))).toEqual([false, true]);
    instance.clock.advance(30 * DAY);
    await sweep();
    expect(await Promise.all([drafted, claimed].map(isThere))).toEqual([false, true]);
  });

  it('belong to another entry when they are completed again with its number', async () => {
    const owner = await signUpByPassphrase(instance);
    const file = await sendFile(owner);
    const first = await createMemory(owner, file.sealId);
    const other = aSealId();
    expect(await (await complete(owner, file, other)).json()).toMatchObject({ sealId: other });
    await createMemory(owner, other);
    await owner.request('DELETE', `/api/memory-entries/${first}`);
    await owner.request('DELETE', `/api/deleted-memory-entries/${first}`);
    expect((await read(owner, file)).status).toBe(200);
  });

  it('that were erased leave a turn to the rest where their bytes are many', async () => {
    const owner = await signUpByPassphrase(instance);
    for (const _ of [1, 2, 3]) {
      const { fileId } = await sendFile(owner);
      await owner.request('DELETE', `/api/files/${fileId}`);
    }
    const { fileStore, clock } = { ...instance.deps, clock: instance.clock };
    const slow = {
      ...instance.deps,
      fileStore: {
        ...fileStore,
        removeAll: async (file: string) => {
          clock.advance(MINUTE + 1);
          await fileStore.removeAll(file);
        },
      },
    };
    await eraseFiles(slow);
    expect(await rowsOf('files_to_erase')).toBe(1);
    await eraseFiles(slow);
    expect(await rowsOf('files_to_erase')).toBe(0);
  });

  it('leave nothing to erase where no part was ever on its way', async () => {
    const owner = await signUpByPassphrase(instance);
    const file = aFile(2 * PART);
    const remove = () => owner.request('DELETE', `/api/files/${file.fileId}`);
    await reserve(owner, file);
    await reserve(owner, { ...file, halvings: 4 });
    expect(await rowsOf('files_to_erase')).toBe(0);
    expect((await remove()).status).toBe(204);
    expect(await rowsOf('files_to_erase')).toBe(0);

    // A part that was refused may have left something in the store, and so may one that still comes.
    await reserve(owner, file);
    const refused = await putPart(owner, file, 0, { digest: digestOf(new Uint8Array(1)) });
    expect(refused.status).toBe(422);
    await reserve(owner, { ...file, halvings: 4 });
    expect(await rowsOf('files_to_erase')).toBe(1);
    // Begun anew, it has nothing in the store by now.
    expect((await remove()).status).toBe(204);
    expect(await rowsOf('files_to_erase')).toBe(1);
    await eraseFiles(instance.deps);
    expect(await rowsOf('files_to_erase')).toBe(0);
  });

  it('are reserved and erased 6,000 times in ten minutes by one account, and by others beside it', async () => {
    const [owner, neighbour] = [await signUpByPassphrase(instance), await signUpByPassphrase(instance)];
    const file = aFile(100);
    const tooMany = { status: 429, code: 'too-many' };
    const remove = () => owner.request('DELETE', `/api/files/${file.fileId}`);
    expect((await countedAs(instance, 5998, () => reserve(owner, file))).status).toBe(200);
    expect((await remove()).status).toBe(204);
    expect((await remove()).status).toBe(404);
    expect(await failure(await remove())).toEqual(tooMany);
    expect(await failure(await reserve(owner, file))).toEqual(tooMany);
    expect((await reserve(neighbour, file)).status).toBe(200);
    expect((await neighbour.request('DELETE', `/api/files/${file.fileId}`)).status).toBe(204);
    instance.clock.advance(10 * MINUTE);
    expect((await reserve(owner, file)).status).toBe(200);
    expect((await remove()).status).toBe(204);
  });

  it('that could not be erased have their turn, however many have gone since', async () => {
    const { db } = instance.deps;
    const note = (store_key: string) => db.insertInto('files_to_erase').values({ store_key }).execute();
    const keyOf = (n: number) => n.toString(16).padStart(32, '0');
    const late = 'f'.repeat(32);
    await note(late);
    await postponeErasing(instance.deps, late);
    instance.clock.advance(MINUTE);
    // What went first has the last of the names: names decide nothing.
    for (let n = 200; n > 0; n -= 1) await note(keyOf(n));
    const due = await nextToErase(instance.deps);
    expect(due).toContain(late);
    expect(due.filter((key) => key !== late)).toEqual(Array.from({ length: 50 }, (_, i) => keyOf(200 - i)));
    await eraseFiles(instance.deps);
    expect(await rowsOf('files_to_erase')).toBe(0);
  });

  it('are tried again where the store would not erase them', async () => {
    const owner = await signUpByPassphrase(instance);
    const file = await sendFile(owner);
    await owner.request('DELETE', `/api/files/${file.fileId}`);
    let refused = 0;
    const { fileStore } = instance.deps;
    const silent = {
      ...instance.deps,
      fileStore: {
        ...fileStore,
        removeAll: async () => {
          refused += 1;
          throw new Error('the store is away');
        },
      },
    };
    await eraseFiles(silent);
    await eraseFiles(silent);
    expect(refused).toBe(1);
    instance.clock.advance(MINUTE);
    await eraseFiles(silent);
    instance.clock.advance(MINUTE);
    await eraseFiles(silent);
    expect(refused).toBe(2);
    const stored = storedBy(instance).length;
    instance.clock.advance(MINUTE);
    await eraseFiles(instance.deps);
    expect(storedBy(instance)).toHaveLength(stored - 1);
    expect(await rowsOf('files_to_erase')).toBe(0);
  });

  it('leave nothing that the database knows nothing of, once it is a day old', async () => {
    const owner = await signUpByPassphrase(instance);
    const file = await sendFile(owner);
    await createMemory(owner, file.sealId);
    const { fileStore } = instance.deps;
    const orphan = { file: 'f'.repeat(32), name: 'nobody-knows-it' };
    const pieces = async function* () {
      yield new Uint8Array(3);
    };
    const age = (by: number) => {
      const at = (instance.clock.now() - by) / 1000;
      utimesSync(join(instance.filesFolder, orphan.file, orphan.name), at, at);
    };
    const lane = createFileErasing(instance.deps);
    await fileStore.put(orphan, pieces(), threeZeros);
    age(DAY - MINUTE);
    instance.clock.advance(HOUR);
    age(DAY - MINUTE);
    await lane();
    expect(storedBy(instance)).toContain(orphan.name);
    instance.clock.advance(DAY);
    await lane();
    expect(storedBy(instance)).not.toContain(orphan.name);
    expect((await bytesOf(await read(owner, file))).equals(file.content)).toBe(true);
    expect(await eraseOrphans(instance.deps)).toBe(0);
  });

  it('stay in the store where the database knows too few of them to be theirs', async () => {
    const owner = await signUpByPassphrase(instance);
    const file = await sendFile(owner, aFile(2 * PART));
    await createMemory(owner, file.sealId);
    const old = storedBy(instance).length;
    const folder = 'e'.repeat(32);
    const at = (instance.clock.now() - 2 * DAY) / 1000;
    const plant = async (name: string) => {
      const pieces = async function* () {
        yield new Uint8Array(3);
      };
      await instance.deps.fileStore.put({ file: folder, name }, pieces(), threeZeros);
      utimesSync(join(instance.filesFolder, folder, name), at, at);
    };
    for (let n = 0; n < 51; n += 1) await plant(`of-another-database-${n}`);
    expect(await eraseOrphans(instance.deps)).toBe(0);
    expect(storedBy(instance)).toHaveLength(old + 51);
    expect(instance.log).toContainEqual(
      expect.objectContaining({
        level: 50,
        unknown: 51,
        msg: expect.stringContaining('none of them was erased'),
      }),
    );
    rmSync(join(instance.filesFolder, folder, 'of-another-database-0'));
    expect(await eraseOrphans(instance.deps)).toBe(50);
    expect(storedBy(instance)).toHaveLength(old);
  });

  it('are gone, and not kept, where they are removed while a part comes', async () => {
    const owner = await signUpByPassphrase(instance);
    const file = aFile(PART);
    await reserve(owner, file);
    const stored = storedBy(instance).length;
    const { fileStore } = instance.deps;
    const put: typeof fileStore.put = async (part, pieces, bytes) => {
      await fileStore.put(part, pieces, bytes);
      await owner.request('DELETE', `/api/files/${file.fileId}`);
    };
    const { createApp } = await import('../../app.ts');
    const app = createApp({ ...instance.deps, fileStore: { ...fileStore, put } });
    const request: typeof owner.request = async (method, path, options) =>
      app.request(`http://localhost:3000${path}`, {
        method,
        headers: { host: 'localhost:3000', cookie: owner.cookie, ...options?.headers },
        body: options?.body as Uint8Array<ArrayBuffer>,
      });
    expect(await failure(await putPart({ request }, file, 0))).toEqual({ status: 404, code: 'not-found' });
    expect(storedBy(instance)).toHaveLength(stored);
  });

  it('break off where the store has lost a part, and give nothing else in its place', async () => {
    const owner = await signUpByPassphrase(instance);
    const file = await sendFile(owner, aFile(2 * PART));
    const { stored_as } = await instance.deps.db
      .selectFrom('file_parts')
      .select('stored_as')
      .where('part', '=', 1)
      .orderBy('file', 'desc')
      .executeTakeFirstOrThrow();
    const [folder] = readdirSync(instance.filesFolder).filter((name) =>
      existsSync(join(instance.filesFolder, name, stored_as)),
    );
    rmSync(join(instance.filesFolder, folder ?? '', stored_as));
    await expect((await read(owner, file)).arrayBuffer()).rejects.toThrow();
    rmSync(instance.filesFolder, { recursive: true });
    // Where not even the first byte is there, that is said in place of an answer.
    expect(await failure(await read(owner, file))).toEqual({ status: 404, code: 'not-found' });
  });
});
