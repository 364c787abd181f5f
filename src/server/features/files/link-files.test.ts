import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { partBytes } from '../../../shared/file-limits.ts';
import { FILES_LEASE, REDEMPTION_HEADER } from '../../../shared/share-lease.ts';
import { DAY, HOUR, MINUTE } from '../../../shared/time.ts';
import { describeOnEachEngine } from '../../../testing/engines.ts';
import {
  aFile,
  read,
  reserve as reserveFile,
  sendFile,
  storedBy,
  type TestFile,
} from '../../../testing/files.ts';
import { failure, openTestInstance, type TestInstance } from '../../../testing/instance.ts';
import { type Person, signUpByPassphrase } from '../../../testing/people.ts';
import { accountIdOf, aSealId, ciphertext } from '../../../testing/planting.ts';
import {
  acknowledge,
  aLink,
  aMemory,
  aRedemptionId,
  putSeal,
  redeem,
  reserve,
  type Share,
  wordsOf,
} from '../../../testing/shares.ts';
import { countedFor, recount } from '../../../testing/usage.ts';
import { deleteExpired } from '../../expiry.ts';
import { eraseFiles } from './erasing.ts';

const PART = partBytes(5);

describeOnEachEngine('files of one-time links', (engine) => {
  let instance: TestInstance;
  let owner: Person;
  beforeAll(async () => {
    instance = await openTestInstance({ engine });
  });
  // The clock goes on for weeks here: sessions end, and so do the links of the test before.
  beforeEach(async () => {
    instance.clock.advance(32 * DAY);
    await sweep();
    owner = await signUpByPassphrase(instance);
  });
  afterAll(() => instance.close());

  const found404 = { status: 404, code: 'not-found' };
  const sweep = async () => {
    await deleteExpired(instance.deps);
    await eraseFiles(instance.deps);
  };
  const usedBy = async (person: Person) => {
    const account = await accountIdOf(instance, person);
    const counted = await countedFor(instance, account);
    expect(counted).toEqual(await recount(instance, account));
    return counted?.bytes ?? 0;
  };
  const parts = () => storedBy(instance).length;

  /** A link that carries these files. */
  async function linkTo(files: readonly TestFile[], sealId = aSealId(), hours = 720): Promise<Share> {
    const { id, keyId } = await reserve(owner, { expiresInHours: hours });
    const link = aLink();
    const seal = { ...link.seal, sealId, files: files.map(({ fileId }) => fileId) };
    const answer = await putSeal(owner, id, seal);
    expect(answer.status).toBe(200);
    return { ...link, seal, key: (await answer.json()) as Share['key'], keyId, words: seal.encryptedContent };
  }
  /** A link of one file that belongs to it alone. */
  async function linkOfItsOwn(size = 1000): Promise<{ share: Share; file: TestFile }> {
    const sealId = aSealId();
    const file = await sendFile(owner, aFile(size), sealId);
    return { file, share: await linkTo([file], sealId) };
  }
  const readBy = (
    { keyId }: Pick<Share, 'keyId'>,
    { fileId }: Pick<TestFile, 'fileId'>,
    redemptionId: string | null,
    headers: Record<string, string> = {},
  ) =>
    instance.request('GET', `/api/shares/${keyId}/files/${fileId}`, {
      headers: { ...headers, ...(redemptionId !== null && { [REDEMPTION_HEADER]: redemptionId }) },
    });
  const bytesOf = async (answer: Response) => Buffer.from(await answer.arrayBuffer());

  it('are read whole and by ranges by whoever has opened the link, as often as they like', async () => {
    const { share, file } = await linkOfItsOwn(2 * PART + 5);
    const redemptionId = aRedemptionId();
    expect(await failure(await readBy(share, file, redemptionId))).toEqual(found404);
    await wordsOf(await redeem(instance, share, { redemptionId }));
    await acknowledge(instance, share, redemptionId);
    for (const _ of ['once', 'again']) {
      const answer = await readBy(share, file, redemptionId);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect((await bytesOf(answer)).equals(file.content)).toBe(true);
    }
    const range = await readBy(share, file, redemptionId, { range: `bytes=${PART - 1}-${PART}` });
    expect(range.status).toBe(206);
    expect((await bytesOf(range)).equals(file.content.subarray(PART - 1, PART + 1))).toBe(true);
    const { db } = instance.deps;
    const opened = db.selectFrom('shareable_keys').select('opened_at').where('key_id', '=', share.keyId);
    expect(await opened.executeTakeFirst()).toEqual({ opened_at: instance.clock.now() });
  });

  it('are there again for the same browser where the answer to its opening was lost, and the server was away', async () => {
    const { share, file } = await linkOfItsOwn();
    const redemptionId = aRedemptionId();
    await redeem(instance, share, { redemptionId });
    instance.clock.advance(9 * MINUTE);
    await sweep();
    await wordsOf(await redeem(instance, share, { redemptionId }));
    const answer = await readBy(share, file, redemptionId);
    expect((await bytesOf(answer)).equals(file.content)).toBe(true);
    // Coming again does not make the time longer.
    instance.clock.advance(FILES_LEASE - 9 * MINUTE);
    expect(await failure(await readBy(share, file, redemptionId))).toEqual(found404);
  });

  it('are not there for anybody else', async () => {
    const { share, file } = await linkOfItsOwn();
    const { share: other, file: foreign } = await linkOfItsOwn();
    const [mine, theirs] = [aRedemptionId(), aRedemptionId()];
    await wordsOf(await redeem(instance, share, { redemptionId: mine }));
    await wordsOf(await redeem(instance, other, { redemptionId: theirs }));
    expect((await redeem(instance, share)).status).toBe(410);
    for (const [link, asked, by] of [
      [share, file, theirs],
      [share, file, aRedemptionId()],
      [share, file, null],
      [share, file, ''],
      [other, file, theirs],
      [other, file, mine],
      [share, foreign, mine],
      [share, aFile(1), mine],
      [{ keyId: aRedemptionId() }, file, mine],
    ] as const) {
      expect(await failure(await readBy(link, asked, by))).toEqual(found404);
    }
    expect((await readBy(share, file, mine)).status).toBe(200);
  });

  it('end a day after the opening, and nothing of them is left then', async () => {
    const before = parts();
    const { share, file } = await linkOfItsOwn();
    expect(parts()).toBe(before + 1);
    // Longer than a file waits that belongs to nothing.
    instance.clock.advance(30 * DAY - HOUR);
    await sweep();
    const redemptionId = aRedemptionId();
    await redeem(instance, share, { redemptionId });
    await acknowledge(instance, share, redemptionId);
    instance.clock.advance(FILES_LEASE - 1);
    await sweep();
    expect((await readBy(share, file, redemptionId)).status).toBe(200);
    instance.clock.advance(1);
    expect(await failure(await readBy(share, file, redemptionId))).toEqual(found404);
    await sweep();
    expect(parts()).toBe(before);
    expect(await usedBy(owner)).toBeLessThan(file.content.length);
  });

  it('go with a link that expires, and with one that is revoked, also in the hands of its reader', async () => {
    const before = parts();
    const { share, file } = await linkOfItsOwn();
    const redemptionId = aRedemptionId();
    await redeem(instance, share, { redemptionId });
    await owner.request('DELETE', `/api/shareable-keys/${share.key.id}`);
    expect(await failure(await readBy(share, file, redemptionId))).toEqual(found404);
    await sweep();
    expect(parts()).toBe(before);

    const { share: unopened } = await linkOfItsOwn();
    expect(parts()).toBe(before + 1);
    instance.clock.advance(720 * HOUR);
    expect((await redeem(instance, unopened)).status).toBe(410);
    await sweep();
    expect(parts()).toBe(before);
  });

  it('are those of an entry, which keeps them when the link is over, and takes them along when it is erased', async () => {
    const sealId = aSealId();
    const file = await sendFile(owner, aFile(1000), sealId);
    const body = { title: ciphertext(), encryptedContent: ciphertext(), sealId };
    const created = await owner.request('POST', '/api/memory-entries', { body });
    const { id } = (await created.json()) as { id: number };
    const [first, second] = [await linkTo([file]), await linkTo([file])];
    const [mine, theirs] = [aRedemptionId(), aRedemptionId()];
    await redeem(instance, first, { redemptionId: mine });
    instance.clock.advance(FILES_LEASE);
    await sweep();
    expect(await failure(await readBy(first, file, mine))).toEqual(found404);
    expect((await bytesOf(await read(owner, file))).equals(file.content)).toBe(true);

    await redeem(instance, second, { redemptionId: theirs });
    await owner.request('DELETE', `/api/memory-entries/${id}`);
    expect((await readBy(second, file, theirs)).status).toBe(200);
    const before = parts();
    await owner.request('DELETE', `/api/deleted-memory-entries/${id}`);
    expect(await failure(await readBy(second, file, theirs))).toEqual(found404);
    await sweep();
    expect(parts()).toBe(before - 1);
  });

  it('have to be whole, of the same account, and each once, before the link is sealed', async () => {
    const stranger = await signUpByPassphrase(instance);
    const foreign = await sendFile(stranger, aFile(500));
    const begun = aFile(500);
    await reserveFile(owner, begun);
    const whole = await sendFile(owner, aFile(500));
    const { id, keyId } = await reserve(owner);
    const link = aLink();
    const sealing = (files: readonly TestFile[]) =>
      putSeal(owner, id, { ...link.seal, files: files.map(({ fileId }) => fileId) });
    for (const files of [[foreign], [begun], [whole, begun], [aFile(1)]]) {
      expect(await failure(await sealing(files))).toEqual({ status: 409, code: 'file-incomplete' });
    }
    expect((await sealing([whole, whole])).status).toBe(422);
    expect((await sealing(Array.from({ length: 31 }, () => aFile(1)))).status).toBe(422);
    const state = await instance.request('GET', `/api/shares/${keyId}`);
    expect(await state.json()).toMatchObject({ state: 'unsealed' });
    // Sent twice, as after a lost answer, it is one seal; with other files it is another one.
    for (const _ of ['once', 'again']) expect((await sealing([whole])).status).toBe(200);
    expect(await failure(await sealing([]))).toEqual({ status: 409, code: 'already-sealed' });
  });

  it('count for the author alone, once, however many links carry them', async () => {
    const used = await usedBy(owner);
    const { share, file } = await linkOfItsOwn(100_000);
    const filled = await usedBy(owner);
    expect(filled - used).toBeGreaterThanOrEqual(100_000);
    // A link to a file that is there already takes none of its bytes once more.
    await linkTo([file]);
    expect((await usedBy(owner)) - filled).toBeLessThan(100_000);
    const redemptionId = aRedemptionId();
    await redeem(instance, share, { redemptionId });
    const opened = await usedBy(owner);
    await (await readBy(share, file, redemptionId)).arrayBuffer();
    expect(await usedBy(owner)).toBe(opened);
  });

  it('leave nothing behind where the vault is destroyed', async () => {
    const leaving = await signUpByPassphrase(instance);
    const before = parts();
    const sealId = aSealId();
    const file = await sendFile(leaving, aFile(1000), sealId);
    const { id, keyId } = await reserve(leaving, { entryId: await aMemory(leaving) });
    const link = aLink();
    const seal = { ...link.seal, sealId, files: [file.fileId] };
    expect((await putSeal(leaving, id, seal)).status).toBe(200);
    const redemptionId = aRedemptionId();
    const share = { ...link, keyId } as Share;
    await wordsOf(await redeem(instance, share, { redemptionId }));
    const destroyed = await leaving.request('POST', '/api/vault/destroy', { body: { confirm: 'DESTROY' } });
    expect(destroyed.status).toBe(204);
    expect(await failure(await readBy(share, file, redemptionId))).toEqual(found404);
    await sweep();
    expect(parts()).toBe(before);
    const { db } = instance.deps;
    const left = await db.selectFrom('files').select('id').where('file_id', '=', file.fileId).execute();
    expect(left).toEqual([]);
  });
});
