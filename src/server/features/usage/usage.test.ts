import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatBytes, type Usage } from '../../../shared/nouns/usage.ts';
import { MINUTE } from '../../../shared/time.ts';
import { anything } from '../../../testing/anything.ts';
import { Passkey } from '../../../testing/authenticator.ts';
import { describeOnEachEngine } from '../../../testing/engines.ts';
import { failure, openTestInstance, type TestInstance } from '../../../testing/instance.ts';
import {
  addPasskey,
  aMember,
  ceremonyOptions,
  type Person,
  signUpByPassphrase,
} from '../../../testing/people.ts';
import { accountIdOf, ciphertext, plantingFor, plantMessage } from '../../../testing/planting.ts';
import {
  aSuccessor,
  begin,
  fetchMemories,
  REGENERATION,
  resealedMemory,
  type Sender,
  stage,
} from '../../../testing/regenerating.ts';
import { aWatch, take } from '../../../testing/scrolls.ts';
import { aLink, putSeal, reserve } from '../../../testing/shares.ts';
import { countedFor, limit, recount } from '../../../testing/usage.ts';
import { ACCESS_BYTES, ACCESS_ROWS } from '../../db/counted.ts';

const overBytes = { status: 413, code: 'quota-bytes' };
const overRows = { status: 409, code: 'quota-rows' };
const MEMORIES = '/api/memory-entries';
const KB = 1024;

const memory = (bytes: number) => ({ title: 'dA==', encryptedContent: ciphertext((bytes * 3) / 4) });

describeOnEachEngine('what an account stores', (engine) => {
  let instance: TestInstance;
  beforeAll(async () => {
    instance = await openTestInstance({ engine });
  });
  afterAll(() => instance.close());

  async function somebody() {
    instance.clock.advance(10 * MINUTE);
    const person = await aMember(instance);
    return { person, accountId: await accountIdOf(instance, person) };
  }
  const write = (person: Person, bytes: number) => person.request('POST', MEMORIES, { body: memory(bytes) });
  const usageOf = async (person: Person) =>
    (await (await person.request('GET', '/api/usage')).json()) as Usage;
  const sender =
    (person: Person): Sender =>
    (method, path, body) =>
      person.request(method, path, body === undefined ? {} : { body });
  /** Leaves an account this much room. */
  async function leave(accountId: number, room: { bytes?: number; rows?: number }) {
    const now = await recount(instance, accountId);
    await limit(
      instance,
      {
        ...(room.bytes === undefined ? {} : { bytes: now.bytes + room.bytes }),
        ...(room.rows === undefined ? {} : { rows: now.row_count + room.rows }),
      },
      accountId,
    );
  }

  it('is counted exactly, whatever is done in whatever order', async () => {
    const names = Object.keys(anything(instance, (await somebody()).person));
    const steps = fc.array(fc.tuple(fc.constantFrom(...names), fc.nat(5000)), {
      minLength: 15,
      maxLength: 45,
    });
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        const { person, accountId } = await somebody();
        const doing = anything(instance, person);
        for (const [name, pick] of sequence) {
          await doing[name]?.(pick);
          expect(await countedFor(instance, accountId), name).toEqual(await recount(instance, accountId));
        }
        const { bytes, row_count } = await recount(instance, accountId);
        expect(await usageOf(person)).toMatchObject({ bytes, rows: row_count });
      }),
      { numRuns: 12 },
    );
  });

  it('is counted exactly while everything happens at once', async () => {
    const { person, accountId } = await somebody();
    const doing = anything(instance, person);
    for (const name of ['writeMemory', 'writeMemory', 'writeGhost', 'reserveLink', 'writeScroll']) {
      await doing[name]?.(7);
    }
    const together = [
      'writeMemory',
      'editMemory',
      'deleteMemory',
      'writeGhost',
      'readGhost',
      'writeMoment',
    ].concat(['sealLink', 'setPassphrase', 'writeScroll', 'editScroll', 'deleteScroll', 'waitForTheLease']);
    for (let round = 0; round < 4; round += 1) {
      // Refusals and lost races belong to it; only what is left must agree.
      await Promise.all(together.flatMap((name) => [doing[name]?.(round), doing[name]?.(round + 1)]));
    }
    expect(await countedFor(instance, accountId)).toEqual(await recount(instance, accountId));
  });

  it('is neither a deadlock nor an orphan while its account is destroyed', async () => {
    for (let round = 0; round < 6; round += 1) {
      const { person, accountId } = await somebody();
      await aWatch(person);
      await write(person, KB);
      const [one] = await fetchMemories(sender(person));
      const edit = { version: 1, ...memory(2 * KB) };
      const body = { confirm: 'DESTROY', scrolls: 'release' };
      const answers = await Promise.all([
        ...Array.from({ length: 5 }, () => write(person, KB)),
        person.request('POST', '/api/vault/destroy', { body }),
        person.request('PATCH', `${MEMORIES}/${one?.id}`, { body: edit }),
        ...Array.from({ length: 5 }, () => write(person, KB)),
      ]);
      for (const { status } of answers) expect([200, 201, 204, 401, 404]).toContain(status);
      expect(answers[5]?.status).toBe(204);
      expect(await countedFor(instance, accountId)).toBeNull();
      expect((await recount(instance, accountId)).row_count).toBe(0);
    }
  });

  it('has a limit of its own for keys and passkeys, which a full vault does not reach', async () => {
    const { person, accountId } = await somebody();
    const beyond = { access_bytes: ACCESS_BYTES, access_rows: ACCESS_ROWS };
    for (const values of [{ access_bytes: beyond.access_bytes }, { access_rows: beyond.access_rows }]) {
      const { db } = instance.deps;
      const before = await countedFor(instance, accountId);
      await db.updateTable('usage').set(values).where('account_id', '=', accountId).execute();
      const options = await ceremonyOptions(await person.request('POST', '/api/passkeys/options'));
      const refused = await person.request('POST', '/api/passkeys', {
        body: { response: new Passkey().create(options) },
      });
      expect(await failure(refused)).toEqual({ status: 413, code: 'too-large' });
      await db
        .updateTable('usage')
        .set({ access_bytes: before?.access_bytes ?? 0, access_rows: before?.access_rows ?? 0 })
        .where('account_id', '=', accountId)
        .execute();
    }
    await addPasskey(person);
  });

  it('is told to its owner, in bytes and rows, with what it may be', async () => {
    const { person, accountId } = await somebody();
    const before = await usageOf(person);
    expect(before).toMatchObject({ bytesMax: 2 ** 30, rowsMax: 100_000 });
    await write(person, 4 * KB);
    expect(await usageOf(person)).toEqual({
      ...before,
      bytes: before.bytes + 4 * KB + 4,
      rows: before.rows + 1,
    });
    await limit(instance, { bytes: 5, rows: 7 }, accountId);
    expect(await usageOf(person)).toMatchObject({ bytesMax: 5, rowsMax: 7 });
  });

  it('begins with the account and ends with it', async () => {
    const { person, accountId } = await somebody();
    await anything(instance, person).writeMemory?.(5);
    const body = { confirm: 'DESTROY', scrolls: 'release' };
    expect((await person.request('POST', '/api/vault/destroy', { body })).status).toBe(204);
    expect(await countedFor(instance, accountId)).toBeNull();
  });

  it('of fifty creations at once takes as many as there is room for, and not one more', async () => {
    for (const room of [{ rows: 7 }, { bytes: 7 * (KB + 4) }]) {
      const { person, accountId } = await somebody();
      await leave(accountId, room);
      const statuses = await Promise.all(
        Array.from({ length: 50 }, async () => (await write(person, KB)).status),
      );
      expect(statuses.filter((status) => status === 201)).toHaveLength(7);
      expect(new Set(statuses)).toEqual(new Set([201, room.rows ? 409 : 413]));
      expect((await fetchMemories(sender(person))).length).toBe(7);
      expect(await countedFor(instance, accountId)).toEqual(await recount(instance, accountId));
    }
  });

  it('is refused beyond the limit with a sentence that says how much is used', async () => {
    const { person, accountId } = await somebody();
    await limit(instance, { bytes: 64 * KB }, accountId);
    const tooLarge = await write(person, 100 * KB);
    const { bytes } = await usageOf(person);
    expect(await tooLarge.clone().json()).toEqual({
      code: 'quota-bytes',
      message: `This does not fit into your vault: ${formatBytes(bytes)} of 64.0 KB are used. Delete something for good, or ask the administrator for more room.`,
    });
    expect(tooLarge.status).toBe(413);
    await limit(instance, { bytes }, accountId);
    const full = await write(person, KB);
    expect(((await full.json()) as { message: string }).message).toBe(
      `Your vault is full: ${formatBytes(bytes)} of ${formatBytes(bytes)}. Delete something for good, or ask the administrator for more room.`,
    );
    await limit(instance, { bytes: null, rows: 3 }, accountId);
    expect(await (await write(person, KB)).json()).toEqual({
      code: 'quota-rows',
      message:
        'Your vault is full: 3 of 3 items. Delete something for good, or ask the administrator for more room.',
    });
  });

  it('can be read, exported and deleted above a limit that was lowered, and shrinks', async () => {
    const { person, accountId } = await somebody();
    await write(person, 20 * KB);
    await write(person, KB);
    const { key } = { key: await reserve(person) };
    await putSeal(person, key.id, aLink({ words: ciphertext(5 * KB) }).seal);
    await aWatch(person);
    await limit(instance, { bytes: 10, rows: 1 }, accountId);
    const [small, large] = (await fetchMemories(sender(person))).slice(-2);
    expect(small && large).toBeDefined();
    for (const path of [
      MEMORIES,
      '/api/summary',
      '/api/shareable-keys',
      '/api/legacy-scrolls',
      '/api/usage',
    ]) {
      expect((await person.request('GET', path)).status, path).toBe(200);
    }
    const shorter = { version: large?.version, ...memory(10 * KB) };
    expect((await person.request('PATCH', `${MEMORIES}/${large?.id}`, { body: shorter })).status).toBe(200);
    expect((await person.request('DELETE', `${MEMORIES}/${small?.id}`)).status).toBe(204);
    expect((await person.request('DELETE', `/api/shareable-keys/${key.id}`)).status).toBe(204);
    // Who is locked out of the vault's keys is locked out of the vault: they have a limit of their own.
    const [scroll] = (await (await person.request('GET', '/api/legacy-scrolls')).json()) as { id: number }[];
    await take(person, scroll ?? { id: 0 }, 'release');
    await anything(instance, person).setPassphrase?.(1);
    await anything(instance, person).addPasskey?.(1);
    expect(await failure(await write(person, KB))).toEqual(overBytes);
    expect(await countedFor(instance, accountId)).toEqual(await recount(instance, accountId));
    expect((await recount(instance, accountId)).access_rows).toBeGreaterThanOrEqual(3);
  });

  it('is not refused what the server writes of its own accord: a warning, a release', async () => {
    const { person, accountId } = await somebody();
    const watching = await aWatch(person);
    await limit(instance, { bytes: 1, rows: 1 }, accountId);
    const before = await recount(instance, accountId);
    await plantMessage(instance, { account_id: accountId });
    await take(person, watching, 'release');
    expect((await countedFor(instance, accountId))?.row_count).toBe(before.row_count + 2);
  });

  it('can be sealed under a new key where it is full, and above a lowered limit', async () => {
    for (const room of [0, -30 * KB]) {
      const { person, accountId } = await somebody();
      const send = sender(person);
      for (let n = 0; n < 12; n += 1) await write(person, 4 * KB);
      const memories = await fetchMemories(send);
      await leave(accountId, { bytes: room, rows: room === 0 ? 0 : -5 });
      const { fingerprint } = person.envelope.clientKey;
      const id = await begin(send, fingerprint);
      const anew = memories.map((one) => ({
        ...resealedMemory(one),
        encryptedContent: one.encryptedContent ?? '',
      }));
      for (const some of [anew.slice(0, 5), anew.slice(5)]) {
        expect((await stage(send, id, some)).status).toBe(204);
      }
      expect((await countedFor(instance, accountId))?.staged_bytes).toBeGreaterThan(48 * KB);
      const body = aSuccessor(id, fingerprint);
      const finished = await person.request('POST', `${REGENERATION}/finish`, { body });
      expect(finished.status, await finished.clone().text()).toBe(201);
      const counted = await countedFor(instance, accountId);
      expect(counted).toEqual(await recount(instance, accountId));
      expect(counted).toMatchObject({ staged_bytes: 0, staged_rows: 0 });
    }
  });

  it('may be staged for a new key as often as it is, and hardly more', async () => {
    const { person, accountId } = await somebody();
    const send = sender(person);
    const ids: number[] = [];
    for (let n = 0; n < 4; n += 1) {
      ids.push(((await (await write(person, KB)).json()) as { id: number }).id);
    }
    const id = await begin(send, person.envelope.clientKey.fingerprint);
    const blown = (entryId: number) => ({
      kind: 'memory' as const,
      id: entryId,
      version: 1,
      title: 'dA==',
      encryptedContent: 'A'.repeat(2 * KB * KB),
      details: null,
    });
    const answers: number[] = [];
    for (const one of ids) answers.push((await stage(send, id, [blown(one)])).status);
    expect(answers).toEqual([204, 204, 413, 413]);
    const counted = await countedFor(instance, accountId);
    expect(counted?.staged_bytes).toBeLessThan((counted?.bytes ?? 0) + 5 * KB * KB);
  });

  it('is refused at every door that stores: a ghost, a breath, a scroll, a link, an answer', async () => {
    const { person, accountId } = await somebody();
    const [reserved, other] = [await reserve(person), await reserve(person)];
    await limit(instance, { bytes: 1, rows: 1 }, accountId);
    const doing: [string, string, unknown][] = [
      [
        'POST',
        '/api/relationship-entries',
        { personName: 'dA==', eventType: 'moment', encryptedContent: 'dA==' },
      ],
      ['POST', '/api/final-breath', { encryptedContent: 'dA==' }],
      [
        'POST',
        '/api/ghost-entries',
        { encryptedContent: 'dA==', expiresAt: new Date(instance.clock.now() + MINUTE).toISOString() },
      ],
      ['POST', '/api/shareable-keys', { entryType: 'memory', entryId: reserved.entryId }],
    ];
    for (const [method, path, body] of doing) {
      const { status, code } = await failure(await person.request(method, path, { body }));
      expect([overBytes, overRows], path).toContainEqual({ status, code });
    }
    // Sealing what is reserved grows a row that is there: a little beyond the limit, and no further.
    const words = 'A'.repeat(2 * KB * KB);
    expect((await putSeal(person, reserved.id, aLink({ words }).seal)).status).toBe(200);
    expect(
      await failure(await putSeal(person, other.id, aLink({ words: `${words.slice(4)}` }).seal)),
    ).toEqual(overBytes);
    expect(await countedFor(instance, accountId)).toEqual(await recount(instance, accountId));
  });

  it('is not everybody’s: a full vault refuses nobody else', async () => {
    const [full, other] = [await somebody(), await somebody()];
    await limit(instance, { bytes: 1, rows: 1 }, full.accountId);
    expect((await write(full.person, KB)).status).toBe(413);
    expect((await write(other.person, KB)).status).toBe(201);
  });
});

describeOnEachEngine('the quota of a server', (engine) => {
  it('is what it is configured with, for administrators too', async () => {
    const instance = await openTestInstance({ engine, env: { QUOTA_BYTES: '40K', QUOTA_ROWS: '6' } });
    const person = await signUpByPassphrase(instance);
    await instance.deps.db.updateTable('accounts').set({ is_admin: 1 }).execute();
    const usage = (await (await person.request('GET', '/api/usage')).json()) as Usage;
    expect(usage).toEqual({ bytes: 0, bytesMax: 40 * KB, rows: 0, rowsMax: 6 });
    const big = await person.request('POST', MEMORIES, { body: memory(48 * KB) });
    expect(await failure(big)).toEqual(overBytes);
    for (let n = 0; n < 6; n += 1) await person.request('POST', MEMORIES, { body: memory(16) });
    expect(await failure(await person.request('POST', MEMORIES, { body: memory(16) }))).toEqual(overRows);
    await instance.close();
  });

  it('counts a vault’s rows in one statement as one change, however many go', async () => {
    const instance = await openTestInstance({ engine });
    const person = await aMember(instance);
    const plant = await plantingFor(instance, person, person.envelope.clientKey.fingerprint);
    for (let n = 0; n < 40; n += 1) await plant.ghost({ expires_at: instance.clock.now() + 1 });
    await instance.deps.db.deleteFrom('ghost_entries').execute();
    expect(await countedFor(instance, plant.accountId)).toEqual(await recount(instance, plant.accountId));
    await instance.close();
  });
});

describe('bytes in words', () => {
  it.each([
    [0, '0 bytes'],
    [1, '1 byte'],
    [1023, '1023 bytes'],
    [1024, '1.0 KB'],
    [4.2 * 1024 * 1024, '4.2 MB'],
    [2 ** 30 - 1, '1.0 GB'],
    [2 ** 30, '1.0 GB'],
    [5000 * 2 ** 40, '5000.0 TB'],
  ])('%d are %s', (bytes, said) => {
    expect(formatBytes(bytes)).toBe(said);
  });
});
