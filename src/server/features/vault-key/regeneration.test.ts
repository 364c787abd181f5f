import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Memory } from '../../../shared/nouns/memory.ts';
import type { LeftEntry, ResealedEntry } from '../../../shared/nouns/regeneration.ts';
import type { VaultKeyRecord } from '../../../shared/nouns/vault-key.ts';
import { DAY, HOUR, MINUTE } from '../../../shared/time.ts';
import { foundInFiles } from '../../../testing/data-folder.ts';
import { describeOnEachEngine } from '../../../testing/engines.ts';
import { failure, openTestInstance, type TestInstance } from '../../../testing/instance.ts';
import { aMember, enterByPassphrase, type Person, signUpByPassphrase } from '../../../testing/people.ts';
import { aSealId, ciphertext, type Planting, plantingFor } from '../../../testing/planting.ts';
import {
  aKeyRing,
  anew,
  aSuccessor,
  begin,
  fetchMemories,
  NEW,
  REGENERATION,
  resealedMemory,
  type Sender,
  stage,
  stageMemories,
} from '../../../testing/regenerating.ts';
import { anEnvelope, aPasskeyWrap, aPassphraseWrap } from '../../../testing/vault-keys.ts';
import { lockAccount, lockKey } from '../../db/locks.ts';
import { transact } from '../../db/transact.ts';
import { deleteExpired } from '../../expiry.ts';
import { abandonRegeneration, nameTheKeyOf } from './regeneration-store.ts';
import { sealStaged } from './staged-store.ts';

const invalid = { status: 422, code: 'invalid-input' };
const keyChanged = { status: 409, code: 'key-changed' };
const gone = { status: 409, code: 'regeneration-gone' };
const entriesChanged = { status: 409, code: 'entries-changed' };

describeOnEachEngine('regenerating the key', (engine) => {
  let instance: TestInstance;
  let person: Awaited<ReturnType<typeof aMember>>;
  let old: string;
  let plant: Planting;
  let send: Sender;
  beforeAll(async () => {
    instance = await openTestInstance({ engine });
  });
  afterAll(() => instance.close());
  beforeEach(async () => {
    instance.clock.advance(10 * MINUTE);
    person = await aMember(instance);
    old = person.envelope.clientKey.fingerprint;
    plant = await plantingFor(instance, person, old);
    send = sender(person);
  });

  const sender =
    (by: Person): Sender =>
    (method, path, body) =>
      by.request(method, path, body === undefined ? {} : { body });
  /** Leaves what no browser may fetch, as one does that notes its seal numbers. */
  async function leaveWithheld(id: string) {
    const locked = (await fetchMemories(send)).filter(({ encryptedContent }) => encryptedContent === null);
    const ghosts = await rows('ghost_entries');
    const left: LeftEntry[] = [
      ...locked.map((row) => ({ kind: 'memory' as const, id: row.id })),
      ...ghosts.map((row) => ({ kind: 'ghost' as const, id: row.id })),
      { kind: 'breath', id: null },
    ];
    expect((await stage(send, id, [], left)).status).toBe(204);
  }
  const finish = (body: unknown, by = person as Person) =>
    by.request('POST', `${REGENERATION}/finish`, { body });
  const key = async () =>
    (await (await person.request('GET', '/api/encryption-key')).json()) as VaultKeyRecord;
  const user = async () => (await person.request('GET', '/api/auth/user')).json();
  const rows = (
    table: 'memory_entries' | 'relationship_entries' | 'shareable_keys' | 'ghost_entries' | 'legacy_scrolls',
  ) =>
    instance.deps.db
      .selectFrom(table)
      .selectAll()
      .where('account_id', '=', plant.accountId)
      .orderBy('id')
      .execute();
  const answers = () =>
    instance.deps.db
      .selectFrom('onboarding_answers')
      .selectAll()
      .where('account_id', '=', plant.accountId)
      .executeTakeFirstOrThrow();
  const staged = () =>
    instance.deps.db
      .selectFrom('staged_entries')
      .selectAll()
      .where('account_id', '=', plant.accountId)
      .orderBy('entry_id')
      .execute();
  const regenerations = () =>
    instance.deps.db
      .selectFrom('regenerations')
      .selectAll()
      .where('account_id', '=', plant.accountId)
      .execute();
  /** Everything that a finish may change, to be compared with a later look. */
  const everything = async () => ({
    key: await key(),
    user: await user(),
    memories: await rows('memory_entries'),
    relationships: await rows('relationship_entries'),
    keys: await rows('shareable_keys'),
    scrolls: await rows('legacy_scrolls'),
    ghosts: await rows('ghost_entries'),
    answers: await answers(),
    staged: await staged(),
    regenerations: await regenerations(),
  });
  const patch = (memory: Pick<Memory, 'id' | 'version'>, keyFingerprint = old) =>
    person.request('PATCH', `/api/memory-entries/${memory.id}`, {
      body: { version: memory.version, title: 'YW5vdGhlcg==', encryptedContent: 'dGFi', keyFingerprint },
    });

  it('of a large vault changes a few rows with each statement, where what is changed has to be kept for undoing', async () => {
    if (engine !== 'sqlite') return;
    const { accountId } = plant;
    const { db } = instance.deps;
    await begin(send, old);
    const { id: first } = await plant.memory();
    await sql`insert into memory_entries (account_id, title, encrypted_content, seal_id, key_fingerprint, version, created_at, updated_at)
      with recursive n(i) as (select 1 union all select i + 1 from n where i < 600)
    select account_id, title, encrypted_content, 'seal ' || i, null, version, created_at, updated_at
    from memory_entries, n where id = ${first}`.execute(db);
    await sql`insert into staged_entries (account_id, kind, entry_id, version, first, second)
    select account_id, 'memory', id, version, 'YW5ldw==', 'YW5ldw==' from memory_entries
    where account_id = ${accountId}`.execute(db);
    const changed: number[] = [];
    const counting = db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        changed.push(Number(result.numAffectedRows ?? 0));
        return result;
      },
    });
    const resealing = { accountId, fingerprint: 'f'.repeat(16), time: instance.clock.now() };
    await transact(counting, async (tx) => {
      await nameTheKeyOf(tx, accountId, old);
      await sealStaged(tx, resealing);
    });
    await abandonRegeneration({ ...instance.deps, db: counting }, accountId);
    expect(Math.max(...changed)).toBe(200);
    // Named, sealed anew, and forgotten.
    expect(changed.filter((rows) => rows === 200)).toHaveLength(3 * 3);
    const after = await rows('memory_entries');
    expect(after).toHaveLength(601);
    expect(new Set(after.map((row) => row.key_fingerprint))).toEqual(new Set([resealing.fingerprint]));
    expect(await staged()).toEqual([]);
  });

  describe('begins', () => {
    it('with a number of its own, and says what has to stay behind', async () => {
      const later = instance.clock.now() + HOUR;
      await plant.memory();
      await plant.memory({ time_lock_until: later });
      await plant.memory({ time_lock_until: later, key_fingerprint: '0'.repeat(16) });
      await plant.memory({ time_lock_until: instance.clock.now() });
      await plant.ghost();
      await plant.ghost({ max_reads: 1, current_reads: 1 }, null);
      await plant.ghost({ expires_at: instance.clock.now() });
      await plant.breath();
      await plant.legacyScroll();
      const garden = await plantingFor(instance, await aMember(instance), '0'.repeat(16));
      const whisper = { access: 'vault' as const, recipient_account_id: plant.accountId };
      await garden.legacyScroll({ ...whisper, state: 'released' });
      await garden.legacyScroll({ ...whisper, state: 'released', opened_at: instance.clock.now() });
      // Nobody is told of a whisper before its time, and what a card opens needs no key of this vault.
      await garden.legacyScroll({ ...whisper, state: 'watching' });
      await garden.legacyScroll({ ...whisper, state: 'released', access: 'card' });
      const response = await send('POST', REGENERATION, { fingerprint: old });
      expect(response.status).toBe(201);
      expect(await response.json()).toEqual({
        id: expect.stringMatching(/^[\w-]{22}$/),
        withheld: { lockedMemories: 2, ghosts: 1, breath: 1, whispers: 2 },
      });
    });

    it('with nothing to leave behind where there is nothing, or a breath that was released', async () => {
      await plant.breath({ released_at: instance.clock.now() });
      const response = await send('POST', REGENERATION, { fingerprint: old });
      expect(await response.json()).toMatchObject({
        withheld: { lockedMemories: 0, ghosts: 0, breath: 0, whispers: 0 },
      });
    });

    it('of the key that is there, and of no other', async () => {
      expect(await failure(await send('POST', REGENERATION, { fingerprint: 'f'.repeat(16) }))).toEqual(
        keyChanged,
      );
      const keyless = sender(await signUpByPassphrase(instance));
      expect(await failure(await keyless('POST', REGENERATION, { fingerprint: old }))).toEqual(keyChanged);
    });

    it('anew: what was staged before is forgotten, and its number names nothing', async () => {
      const memory = await plant.memory();
      const first = await begin(send, old);
      await stageMemories(send, first);
      const second = await begin(send, old);
      expect(second).not.toBe(first);
      expect(await staged()).toEqual([]);
      const before = await everything();
      const entry = resealedMemory(await fetched(memory.id));
      expect(await failure(await stage(send, first, [entry]))).toEqual(gone);
      expect(await failure(await finish(aSuccessor(first, old)))).toEqual(gone);
      expect(await everything()).toEqual(before);
    });
  });

  const fetched = async (id: number) =>
    (await (await person.request('GET', `/api/memory-entries/${id}`)).json()) as Memory;

  describe('stages', () => {
    it('nothing without having begun, nor under somebody else’s number', async () => {
      const other = await aMember(instance);
      const theirs = await begin(sender(other), other.envelope.clientKey.fingerprint);
      expect(await failure(await stage(send, theirs, []))).toEqual(gone);
      expect(await failure(await finish(aSuccessor(theirs, old)))).toEqual(gone);
      expect(await staged()).toEqual([]);
    });

    it('the newest of what is sent for a row, also within one batch, and rows that are left', async () => {
      const id = await begin(send, old);
      const row = await plant.memory();
      const memory = (title: string, version = 1): ResealedEntry => ({
        kind: 'memory',
        id: row.id,
        version,
        title,
        encryptedContent: 'bmV3',
        details: null,
      });
      const left = { kind: 'memory' as const, id: row.id };
      await stage(send, id, [memory('YQ=='), memory('Yg==', 2)], [left]);
      expect(await staged()).toMatchObject([{ entry_id: row.id, version: 2, first: 'Yg==' }]);
      await stage(send, id, [memory('Yw==', 3)]);
      expect(await staged()).toMatchObject([{ entry_id: row.id, version: 3, first: 'Yw==' }]);
      await stage(send, id, [], [left, { kind: 'onboarding', id: null }]);
      expect(await staged()).toMatchObject([
        { kind: 'onboarding', entry_id: 0, first: null },
        { kind: 'memory', entry_id: row.id, first: null, second: null },
      ]);
    });

    it('only what is there and the vault’s own, of every kind; the rest is passed over', async () => {
      const stranger = await aMember(instance);
      const garden = await plantingFor(instance, stranger, stranger.envelope.clientKey.fingerprint);
      const id = await begin(send, old);
      const rowsOf = async (who: Planting) => [
        { kind: 'memory' as const, id: (await who.memory()).id },
        { kind: 'relationship' as const, id: (await who.relationship()).id },
        { kind: 'sacred-key' as const, id: (await who.sacredKey()).id },
        { kind: 'legacy-scroll' as const, id: (await who.legacyScroll()).id },
      ];
      const own = await rowsOf(plant);
      const foreign = await rowsOf(garden);
      const nowhere = own.map(({ kind }) => ({ kind, id: 999_999_999 }));
      const numberless = own.map(({ kind }) => ({ kind, id: null }));
      const answered = { kind: 'onboarding' as const, id: null };
      const response = await stage(send, id, [], [...foreign, ...nowhere, ...own, ...numberless, answered]);
      expect(response.status).toBe(204);
      const kept = (await staged()).map(({ kind, entry_id }) => `${kind} ${entry_id}`);
      expect(kept.sort()).toEqual([...own.map((one) => `${one.kind} ${one.id}`), 'onboarding 0'].sort());
      await instance.deps.db
        .deleteFrom('onboarding_answers')
        .where('account_id', '=', plant.accountId)
        .execute();
      const again = await begin(send, old);
      await stage(send, again, [], [answered]);
      expect(await staged()).toEqual([]);
    });

    it('is tried thirty times an hour: each try looks at the whole vault, and everybody else’s writes wait', async () => {
      await plant.memory();
      const id = await begin(send, old);
      const body = aSuccessor(id, old);
      for (let n = 0; n < 30; n += 1) expect(await failure(await finish(body))).toEqual(entriesChanged);
      expect(await failure(await finish(body))).toEqual({ status: 429, code: 'too-many' });
      await stageMemories(send, id);
      expect((await finish(body)).status).toBe(429);
      instance.clock.advance(HOUR);
      person = { ...person, ...(await enterByPassphrase(instance, person)) };
      expect((await finish(body)).status).toBe(201);
    });

    it('no text that lacks its details, nor one that has got some on the way: that row is missed', async () => {
      const row = await plant.memory({ details: 'b2xk' });
      const bare = await plant.memory();
      const id = await begin(send, old);
      const memory = (of: { id: number }, details: string | null): ResealedEntry => ({
        ...{ kind: 'memory', id: of.id, version: 1, title: 'bmV3', encryptedContent: 'bmV3', details },
      });
      const left: LeftEntry[] = [{ kind: 'onboarding', id: null }];
      const { details: _, ...forgotten } = memory(row, null) as Record<string, unknown>;
      expect(await failure(await stage(send, id, [forgotten as ResealedEntry]))).toEqual(invalid);
      await stage(send, id, [memory(row, null), memory(bare, null)], left);
      expect(await failure(await finish(aSuccessor(id, old)))).toEqual(entriesChanged);
      await stage(send, id, [memory(row, 'bmV3'), memory(bare, 'bmV3')]);
      expect(await failure(await finish(aSuccessor(id, old)))).toEqual(entriesChanged);
      expect((await rows('memory_entries')).map(({ title }) => title)).toEqual([row.title, bare.title]);
      await stage(send, id, [memory(bare, null)]);
      expect((await finish(aSuccessor(id, old))).status).toBe(201);
      expect(await rows('memory_entries')).toMatchObject([{ details: 'bmV3' }, { details: null }]);
    });

    it('no ghost: its words are not there to be fetched', async () => {
      const id = await begin(send, old);
      const ghost: ResealedEntry = { kind: 'ghost', id: 1, encryptedContent: 'YQ==' };
      expect(await failure(await stage(send, id, [ghost]))).toEqual(invalid);
      expect(await staged()).toEqual([]);
    });

    it('every number of rows that a batch may have', async () => {
      const id = await begin(send, old);
      const planted = await Promise.all(Array.from({ length: 500 }, () => plant.memory()));
      const left = planted.map((row) => ({ kind: 'memory' as const, id: row.id }));
      for (const size of [0, 1, 2, 3, 255, 256, 257, 499, 500]) {
        expect((await stage(send, id, [], left.slice(0, size))).status).toBe(204);
        expect(await staged()).toHaveLength(size);
      }
      expect((await stage(send, id, [], [...left, { kind: 'memory', id: 501 }])).status).toBe(422);
    });
  });

  it('puts everything in place at once: entries of every kind, the key, its ring and its ways back', async () => {
    instance.clock.advance(-MINUTE);
    const written = instance.clock.now();
    const memory = await plant.memory();
    const moment = await plant.relationship({ version: 4, details: 'b2xk' });
    const share = await plant.sacredKey();
    const scroll = await plant.legacyScroll({ version: 2, state: 'watching' });
    await instance.deps.db
      .updateTable('onboarding_answers')
      .set({ key_fingerprint: old })
      .where('account_id', '=', plant.accountId)
      .execute();
    const other = await enterByPassphrase(instance, person);
    instance.clock.advance(MINUTE);
    await send('POST', '/api/encryption-key/words', { fingerprint: old });
    const id = await begin(send, old);
    await stageMemories(send, id);
    const entries: ResealedEntry[] = [
      {
        kind: 'relationship',
        id: moment.id,
        version: 4,
        personName: 'bmFtZQ==',
        encryptedContent: 'd29yZHM=',
        details: 'ZGV0YWlscw==',
      },
      { kind: 'onboarding', question1: 'bjE=', question2: 'bjI=', question3: 'bjM=' },
      { kind: 'sacred-key', id: share.id, encryptedSecret: 'c2VjcmV0' },
      {
        kind: 'legacy-scroll',
        id: scroll.id,
        version: 2,
        title: 'dGl0bGU=',
        encryptedScrollKey: 'a2V5',
      },
    ];
    expect((await stage(send, id, entries)).status).toBe(204);
    const successor = aSuccessor(id, old);
    const response = await finish(successor);
    expect(response.status).toBe(201);
    const record = { clientKey: successor.clientKey, keyRing: successor.keyRing };
    expect(await response.json()).toEqual({
      ...record,
      createdAt: new Date(instance.clock.now()).toISOString(),
    });
    expect(await key()).toMatchObject(record);

    const key_fingerprint = successor.clientKey.fingerprint;
    expect(await rows('memory_entries')).toEqual([
      {
        ...memory,
        title: anew(memory.title),
        encrypted_content: anew(memory.encrypted_content),
        key_fingerprint,
        version: 1,
        updated_at: written,
      },
    ]);
    expect(await rows('relationship_entries')).toEqual([
      {
        ...moment,
        person_name: 'bmFtZQ==',
        encrypted_content: 'd29yZHM=',
        details: 'ZGV0YWlscw==',
        key_fingerprint,
        version: 4,
      },
    ]);
    expect(await rows('shareable_keys')).toEqual([
      { ...share, encrypted_secret: 'c2VjcmV0', key_fingerprint },
    ]);
    // Its words stay under its own key, and it goes on watching.
    expect(await rows('legacy_scrolls')).toEqual([
      { ...scroll, title: 'dGl0bGU=', encrypted_scroll_key: 'a2V5', key_fingerprint },
    ]);
    expect(await answers()).toMatchObject({
      question1: 'bjE=',
      question2: 'bjI=',
      question3: 'bjM=',
      key_fingerprint,
    });
    expect(await user()).toMatchObject({
      keyFingerprint: key_fingerprint,
      recoveryPassphrase: true,
      recoveryPasskeys: 0,
      wordsKeptAt: null,
    });
    expect((await other.request('GET', '/api/auth/user')).status).toBe(401);
    expect(await staged()).toEqual([]);
    expect(await regenerations()).toEqual([]);
  });

  it('touches nobody else’s rows, whatever numbers are staged', async () => {
    const stranger = await aMember(instance);
    const theirs = stranger.envelope.clientKey.fingerprint;
    const garden = await plantingFor(instance, stranger, theirs);
    const memory = await garden.memory();
    const moment = await garden.relationship();
    const share = await garden.sacredKey();
    const scroll = await garden.legacyScroll({ recipient_account_id: plant.accountId, state: 'released' });
    const id = await begin(send, old);
    await stage(send, id, [
      { kind: 'memory', id: memory.id, version: 1, title: 'YQ==', encryptedContent: 'YQ==', details: null },
      {
        kind: 'relationship',
        id: moment.id,
        version: 1,
        personName: 'YQ==',
        encryptedContent: 'YQ==',
        details: null,
      },
      { kind: 'sacred-key', id: share.id, encryptedSecret: 'YQ==' },
      { kind: 'legacy-scroll', id: scroll.id, version: 1, title: 'YQ==', encryptedScrollKey: 'YQ==' },
      { kind: 'onboarding', question1: 'YQ==', question2: 'YQ==', question3: 'YQ==' },
    ]);
    // Nobody stages what is not their own; even if somebody did, it would name their own rows alone.
    await instance.deps.db
      .insertInto('staged_entries')
      .values(
        [
          { kind: 'memory' as const, entry_id: memory.id, version: 1 },
          { kind: 'relationship' as const, entry_id: moment.id, version: 1 },
          { kind: 'sacred-key' as const, entry_id: share.id, version: 0 },
          { kind: 'legacy-scroll' as const, entry_id: scroll.id, version: 1 },
        ].map((row) => ({ account_id: plant.accountId, ...row, first: 'YQ==', second: 'YQ==', third: null })),
      )
      .execute();
    expect((await finish(aSuccessor(id, old))).status).toBe(201);
    const { db } = instance.deps;
    const one = (
      table: 'memory_entries' | 'relationship_entries' | 'shareable_keys' | 'legacy_scrolls',
      rowId: number,
    ) => db.selectFrom(table).selectAll().where('id', '=', rowId).executeTakeFirst();
    expect(await one('memory_entries', memory.id)).toEqual(memory);
    expect(await one('relationship_entries', moment.id)).toEqual(moment);
    expect(await one('shareable_keys', share.id)).toEqual(share);
    expect(await one('legacy_scrolls', scroll.id)).toEqual(scroll);
    const unread = await db
      .selectFrom('onboarding_answers')
      .select('question1')
      .where('account_id', '=', garden.accountId)
      .execute();
    expect(unread).toEqual([{ question1: 'c2VhbGVk' }]);
  });

  it('takes kept words for a way back, and notes when they were proved', async () => {
    const id = await begin(send, old);
    const successor = aSuccessor(id, old);
    const clientKey = { ...successor.clientKey, wraps: [] };
    expect((await finish({ ...successor, clientKey, wordsKept: true })).status).toBe(201);
    expect(await user()).toMatchObject({
      wordsKeptAt: new Date(instance.clock.now()).toISOString(),
      recoveryPassphrase: false,
    });
  });

  describe('refuses a finish', () => {
    it.each<[string, (body: ReturnType<typeof aSuccessor>) => unknown, object]>([
      ['without a way back', (b) => ({ ...b, clientKey: { ...b.clientKey, wraps: [] } }), invalid],
      [
        'whose signature does not hold',
        (b) => ({ ...b, clientKey: { ...b.clientKey, signature: anEnvelope().clientKey.signature } }),
        invalid,
      ],
      [
        'with two wraps for one way',
        (b) => ({ ...b, clientKey: { ...b.clientKey, wraps: [aPassphraseWrap(), aPassphraseWrap()] } }),
        invalid,
      ],
      [
        'with a wrap under a passkey of nobody',
        (b) => ({ ...b, clientKey: { ...b.clientKey, wraps: [aPasskeyWrap('nobody')] } }),
        invalid,
      ],
      ['without a ring', (b) => ({ ...b, keyRing: null }), invalid],
      [
        'that replaces a key by itself',
        (b) => ({ ...b, previousFingerprint: b.clientKey.fingerprint }),
        invalid,
      ],
      ['of another key', (b) => ({ ...b, previousFingerprint: 'f'.repeat(16) }), keyChanged],
      ['under a number that nobody gave', (b) => ({ ...b, id: 'A'.repeat(22) }), gone],
    ])('%s, and changes nothing', async (_, change, refusal) => {
      await plant.memory();
      const id = await begin(send, old);
      await stageMemories(send, id);
      const before = await everything();
      expect(await failure(await finish(change(aSuccessor(id, old))))).toEqual(refusal);
      expect(await everything()).toEqual(before);
    });

    it('with the verifying key of another vault, and changes nothing', async () => {
      const { envelope } = await aMember(instance);
      await plant.memory();
      const id = await begin(send, old);
      await stageMemories(send, id);
      const before = await everything();
      const clientKey = { ...envelope.clientKey, wraps: [aPassphraseWrap()] };
      expect(await failure(await finish({ ...aSuccessor(id, old), clientKey }))).toEqual(keyChanged);
      expect(await everything()).toEqual(before);
    });
  });

  describe('changes nothing while a row is missing:', () => {
    it.each<[string, () => Promise<unknown>]>([
      ['a memory', () => plant.memory()],
      ['a memory whose lock is over', () => plant.memory({ time_lock_until: instance.clock.now() })],
      ['a moment of the ledger', () => plant.relationship()],
      ['a myth', () => plant.myth()],
      ['the secret of a link', () => plant.sacredKey()],
      ['the key of a legacy scroll', () => plant.legacyScroll()],
      ['the key of a legacy scroll that names no key', () => plant.legacyScroll({ key_fingerprint: null })],
      ['a memory that names no key', () => plant.memory({ key_fingerprint: null })],
      ['a moment that names no key', () => plant.relationship({ key_fingerprint: null })],
      ['the secret of a link that names no key', () => plant.sacredKey({ key_fingerprint: null })],
      [
        'a memory that another program posts without naming a key',
        () =>
          send('POST', '/api/memory-entries', {
            title: 'dA==',
            encryptedContent: 'dA==',
            sealId: aSealId(),
          }),
      ],
      [
        'the answers, which name no key',
        () =>
          instance.deps.db
            .updateTable('onboarding_answers')
            .set({ key_fingerprint: null, seal_id: aSealId() })
            .where('account_id', '=', plant.accountId)
            .execute(),
      ],
      [
        'the answers',
        () =>
          instance.deps.db
            .updateTable('onboarding_answers')
            .set({ key_fingerprint: old })
            .where('account_id', '=', plant.accountId)
            .execute(),
      ],
    ])('%s', async (_, add) => {
      await plant.memory();
      const id = await begin(send, old);
      await stageMemories(send, id);
      await add();
      const before = await everything();
      expect(await failure(await finish(aSuccessor(id, old)))).toEqual(entriesChanged);
      expect(await everything()).toEqual(before);
    });

    it.each<[string, () => Promise<unknown>]>([
      ['a locked memory', () => plant.memory({ time_lock_until: instance.clock.now() + HOUR })],
      ['a ghost', () => plant.ghost()],
      ['the final breath', () => plant.breath()],
    ])('%s that came since: the ring has not noted it', async (_, add) => {
      const id = await begin(send, old);
      await add();
      const before = await everything();
      expect(await failure(await finish(aSuccessor(id, old)))).toEqual(entriesChanged);
      expect(await everything()).toEqual(before);
      await leaveWithheld(id);
      expect((await finish(aSuccessor(id, old))).status).toBe(201);
    });

    it('but not for what was left, is under another key, or was never sealed', async () => {
      const later = instance.clock.now() + HOUR;
      const kept = [
        await plant.memory({ time_lock_until: later }),
        await plant.memory({ key_fingerprint: '0'.repeat(16) }),
        await plant.memory({ key_fingerprint: null, seal_id: null }),
      ];
      const ghost = await plant.ghost();
      const vanished = await plant.ghost({ max_reads: 1, current_reads: 1 }, null);
      const expired = await plant.ghost({ expires_at: instance.clock.now() });
      await plant.breath();
      const reserved = await plant.sacredKey({ encrypted_secret: null, encrypted_content: null });
      const scroll = await plant.legacyScroll({ encrypted_scroll_key: null, access: 'none' });
      const id = await begin(send, old);
      await stage(
        send,
        id,
        [],
        [
          { kind: 'memory', id: kept[0]?.id ?? 0 },
          { kind: 'ghost', id: ghost.id },
          { kind: 'breath', id: null },
        ],
      );
      expect((await finish(aSuccessor(id, old))).status).toBe(201);
      expect(await rows('memory_entries')).toEqual(kept);
      expect(await rows('shareable_keys')).toEqual([reserved]);
      expect(await rows('legacy_scrolls')).toEqual([scroll]);
      expect(await rows('ghost_entries')).toMatchObject(
        [ghost, vanished, expired].map(({ id: shade }) => ({ id: shade, key_fingerprint: old })),
      );
    });

    it('nor for rows that are left on purpose, which stay as they are', async () => {
      const left = await plant.memory();
      const moment = await plant.relationship();
      await plant.memory();
      const id = await begin(send, old);
      await stageMemories(send, id);
      await stage(
        send,
        id,
        [],
        [
          { kind: 'memory', id: left.id },
          { kind: 'relationship', id: moment.id },
        ],
      );
      expect((await finish(aSuccessor(id, old))).status).toBe(201);
      expect((await rows('memory_entries')).map(({ key_fingerprint }) => key_fingerprint === old)).toEqual([
        true,
        false,
      ]);
      expect((await rows('memory_entries'))[0]).toEqual(left);
      expect(await rows('relationship_entries')).toEqual([moment]);
    });

    it('nor for rows that are left and name no key: they say then which one it was', async () => {
      const left = await plant.memory({ key_fingerprint: null });
      const moment = await plant.relationship({ key_fingerprint: null });
      const share = await plant.sacredKey({ key_fingerprint: null });
      const scroll = await plant.legacyScroll({ key_fingerprint: null });
      const id = await begin(send, old);
      await stage(
        send,
        id,
        [],
        [
          { kind: 'memory', id: left.id },
          { kind: 'relationship', id: moment.id },
          { kind: 'sacred-key', id: share.id },
          { kind: 'legacy-scroll', id: scroll.id },
        ],
      );
      expect((await finish(aSuccessor(id, old))).status).toBe(201);
      expect(await rows('memory_entries')).toEqual([{ ...left, key_fingerprint: old }]);
      expect(await rows('relationship_entries')).toEqual([{ ...moment, key_fingerprint: old }]);
      expect(await rows('shareable_keys')).toEqual([{ ...share, key_fingerprint: old }]);
      expect(await rows('legacy_scrolls')).toEqual([{ ...scroll, key_fingerprint: old }]);
    });

    it('nor for a memory whose lock ended only after it had begun', async () => {
      const locked = await plant.memory({ time_lock_until: instance.clock.now() + MINUTE });
      const id = await begin(send, old);
      await leaveWithheld(id);
      instance.clock.advance(2 * MINUTE);
      expect((await finish(aSuccessor(id, old))).status).toBe(201);
      expect(await rows('memory_entries')).toEqual([locked]);
    });
  });

  describe('beside another tab', () => {
    it('that writes: nothing changes, and what is staged again then goes through', async () => {
      await plant.memory();
      const edited = await plant.memory();
      const id = await begin(send, old);
      await stageMemories(send, id);
      expect((await patch(edited)).status).toBe(200);
      const before = await everything();
      expect(await failure(await finish(aSuccessor(id, old)))).toEqual(entriesChanged);
      expect(await everything()).toEqual(before);
      await stage(send, id, [resealedMemory(await fetched(edited.id))]);
      expect((await finish(aSuccessor(id, old))).status).toBe(201);
      expect(await fetched(edited.id)).toMatchObject({
        title: anew('YW5vdGhlcg=='),
        encryptedContent: anew('dGFi'),
        version: 2,
      });
    });

    it('that gives a scroll a new key: the one that was staged does not come back', async () => {
      const scroll = await plant.legacyScroll();
      const id = await begin(send, old);
      const staged = (version: number): ResealedEntry => ({
        kind: 'legacy-scroll',
        id: scroll.id,
        version,
        title: 'dGl0bGU=',
        encryptedScrollKey: 'a2V5',
      });
      await stage(send, id, [staged(1)]);
      await instance.deps.db
        .updateTable('legacy_scrolls')
        .set({ encrypted_scroll_key: 'bmV4dA==', version: 2 })
        .where('id', '=', scroll.id)
        .execute();
      const before = await everything();
      expect(await failure(await finish(aSuccessor(id, old)))).toEqual(entriesChanged);
      expect(await everything()).toEqual(before);
      await stage(send, id, [staged(2)]);
      expect((await finish(aSuccessor(id, old))).status).toBe(201);
      expect(await rows('legacy_scrolls')).toMatchObject([{ encrypted_scroll_key: 'a2V5', version: 2 }]);
    });

    it('that writes a row which names no key: its words are not overwritten either', async () => {
      const edited = await plant.memory({ key_fingerprint: null });
      const id = await begin(send, old);
      await stageMemories(send, id);
      await person.request('PATCH', `/api/memory-entries/${edited.id}`, {
        body: { version: 1, title: 'YQ==', encryptedContent: 'Yg==' },
      });
      expect(await failure(await finish(aSuccessor(id, old)))).toEqual(entriesChanged);
      expect(await fetched(edited.id)).toMatchObject({ encryptedContent: 'Yg==', version: 2 });
    });

    it('that knows nothing of keys and writes afterwards: it is told, and overwrites nothing', async () => {
      const memory = await plant.memory();
      const moment = await plant.relationship();
      const id = await begin(send, old);
      await stageMemories(send, id);
      await stage(send, id, [], [{ kind: 'relationship', id: moment.id }]);
      expect((await finish(aSuccessor(id, old))).status).toBe(201);
      const before = await everything();
      const words = { version: 1, encryptedContent: 'Yg==' };
      const edits = [
        await send('PATCH', `/api/memory-entries/${memory.id}`, { ...words, title: 'YQ==' }),
        await send('PATCH', `/api/relationship-entries/${moment.id}`, {
          ...words,
          personName: 'YQ==',
          eventType: 'moment',
          emotionalWeight: 3,
        }),
        await patch(memory),
      ];
      for (const edit of edits) expect(await failure(edit)).toEqual(keyChanged);
      expect(await everything()).toEqual(before);
    });

    // Only PostgreSQL lets a statement begin before another one is done.
    if (engine === 'postgres') {
      it('that writes at the very moment: what it replaced is sealed anew, and it is told', async () => {
        const { db } = instance.deps;
        const next = 'e'.repeat(16);
        const memory = await plant.memory();
        const moment = await plant.relationship({ key_fingerprint: null });
        const words = { version: 1, encryptedContent: 'Yg==', keyFingerprint: old };
        const waiting = async () => {
          const { rows: found } = await sql`
            select 1 from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
          expect(found).toHaveLength(2);
        };
        const edits = await db.transaction().execute(async (tx) => {
          const sealed = { encrypted_content: NEW, key_fingerprint: next };
          await tx.updateTable('memory_entries').set(sealed).where('id', '=', memory.id).execute();
          await tx.updateTable('relationship_entries').set(sealed).where('id', '=', moment.id).execute();
          const answers = Promise.all([
            patch(memory),
            send('PATCH', `/api/relationship-entries/${moment.id}`, {
              ...words,
              personName: 'YQ==',
              eventType: 'moment',
              emotionalWeight: 3,
            }),
          ]);
          await vi.waitFor(waiting, { timeout: 10_000 });
          await tx
            .updateTable('vault_keys')
            .set({ fingerprint: next })
            .where('account_id', '=', plant.accountId)
            .execute();
          return { answers };
        });
        for (const edit of await edits.answers) expect(await failure(edit)).toEqual(keyChanged);
        const kept = { encrypted_content: NEW, key_fingerprint: next, version: 1 };
        expect(await rows('memory_entries')).toMatchObject([kept]);
        expect(await rows('relationship_entries')).toMatchObject([kept]);
      });
    }

    it('that locks a memory: it is left under the old key first, with the words that were locked', async () => {
      const memory = await plant.memory();
      const id = await begin(send, old);
      await stageMemories(send, id);
      const timeLockUntil = new Date(instance.clock.now() + DAY).toISOString();
      await person.request('PATCH', `/api/memory-entries/${memory.id}`, {
        body: { version: 1, title: 'YQ==', encryptedContent: 'Yg==', keyFingerprint: old, timeLockUntil },
      });
      expect(await failure(await finish(aSuccessor(id, old)))).toEqual(entriesChanged);
      await leaveWithheld(id);
      expect((await finish(aSuccessor(id, old))).status).toBe(201);
      expect(await rows('memory_entries')).toMatchObject([
        { encrypted_content: 'Yg==', key_fingerprint: old, version: 2 },
      ]);
    });

    it('that deletes: what can be restored is sealed anew, and nobody misses what is erased', async () => {
      const [kept, deleted, erased] = [await plant.memory(), await plant.memory(), await plant.memory()];
      const id = await begin(send, old);
      await stageMemories(send, id);
      for (const gone of [deleted, erased]) await send('DELETE', `/api/memory-entries/${gone.id}`);
      await send('DELETE', `/api/deleted-memory-entries/${erased.id}`);
      const successor = aSuccessor(id, old);
      expect((await finish(successor)).status).toBe(201);
      const { fingerprint } = successor.clientKey;
      expect(await rows('memory_entries')).toMatchObject([
        { id: kept.id, key_fingerprint: fingerprint, deleted_at: null },
        { id: deleted.id, key_fingerprint: fingerprint, deleted_at: instance.clock.now() },
      ]);
    });

    it('that replaces the key: the regeneration is over', async () => {
      await plant.memory();
      const id = await begin(send, old);
      await stageMemories(send, id);
      const { clientKey } = anEnvelope();
      await send('POST', '/api/encryption-key', { clientKey, previousFingerprint: old });
      expect(await staged()).toEqual([]);
      expect(await regenerations()).toEqual([]);
      const before = await everything();
      expect(await failure(await finish(aSuccessor(id, old)))).toEqual(keyChanged);
      expect(await failure(await finish(aSuccessor(id, clientKey.fingerprint)))).toEqual(gone);
      expect(await everything()).toEqual(before);
    });

    it('of which two finish at once: one key is there in the end, with everything under it', async () => {
      for (let round = 0; round < 5; round += 1) {
        const previous = (await key()).clientKey.fingerprint;
        await plant.memory({ key_fingerprint: previous });
        const id = await begin(send, previous);
        await stageMemories(send, id);
        const both = [aSuccessor(id, previous), aSuccessor(id, previous)];
        const answers = await Promise.all(both.map((body) => finish(body)));
        expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
        const winner = both[answers.findIndex(({ status }) => status === 201)];
        const { clientKey, keyRing } = await key();
        expect({ clientKey, keyRing }).toEqual({ clientKey: winner?.clientKey, keyRing: winner?.keyRing });
        for (const row of await rows('memory_entries')) {
          expect(row.key_fingerprint).toBe(clientKey.fingerprint);
        }
      }
    });

    it('that creates all the while: nothing new stays under the old key once the new one is in place', async () => {
      const create = (previous: string, reserved: number) => {
        const sealed = { sealId: aSealId(), keyFingerprint: previous };
        const content = { encryptedContent: 'Yg==', ...sealed };
        return [
          send('POST', '/api/memory-entries', { title: 'YQ==', ...content }),
          send('POST', '/api/relationship-entries', {
            personName: 'YQ==',
            eventType: 'moment',
            emotionalWeight: 3,
            ...content,
            sealId: aSealId(),
          }),
          send('PUT', `/api/shareable-keys/${reserved}/seal`, {
            ...content,
            sealId: aSealId(),
            doorHash: 'A'.repeat(43),
            claimHash: 'A'.repeat(43),
            stretching: null,
            encryptedSecret: 'Yg==',
          }),
        ];
      };
      for (let round = 0; round < 30; round += 1) {
        const previous = (await key()).clientKey.fingerprint;
        const kept = await plant.memory({ key_fingerprint: previous });
        const reserve = { entryType: 'memory', entryId: kept.id };
        const reserved = (await (await send('POST', '/api/shareable-keys', reserve)).json()) as {
          id: number;
        };
        const id = await begin(send, previous);
        await stageMemories(send, id);
        const [finished, ...created] = await Promise.all([
          finish(aSuccessor(id, previous)),
          ...create(previous, reserved.id),
        ]);
        for (const { status } of created) expect([200, 201, 409]).toContain(status);
        const tables = ['memory_entries', 'relationship_entries', 'shareable_keys'] as const;
        if (finished.status === 201) {
          for (const table of tables) {
            const under = (await rows(table)).map((row) => row.key_fingerprint);
            expect(under, table).not.toContain(previous);
          }
        } else {
          expect(await failure(finished)).toEqual(entriesChanged);
        }
        for (const table of tables) {
          await instance.deps.db.deleteFrom(table).where('account_id', '=', plant.accountId).execute();
        }
        instance.clock.advance(MINUTE / 10);
      }
    });

    it('that creates at the very moment is told, and one that names no key waits as well', async () => {
      const successor = anEnvelope().clientKey.fingerprint;
      const { id } = await plant.memory();
      const reserve = { entryType: 'memory', entryId: id };
      const reserved = (await (await send('POST', '/api/shareable-keys', reserve)).json()) as { id: number };
      const creating = await transact(instance.deps.db, async (tx) => {
        await lockAccount(tx, plant.accountId);
        await lockKey(tx, plant.accountId);
        const memory = (keyFingerprint: string | null) =>
          send('POST', '/api/memory-entries', { title: 'YQ==', encryptedContent: 'Yg==', keyFingerprint });
        const answers = Promise.all([
          memory(old),
          send('PUT', `/api/shareable-keys/${reserved.id}/seal`, {
            encryptedContent: 'Yg==',
            keyFingerprint: old,
            doorHash: 'A'.repeat(43),
            claimHash: 'A'.repeat(43),
            stretching: null,
            encryptedSecret: 'Yg==',
          }),
          memory(null),
        ]);
        if (engine === 'postgres') {
          const waiting = async () => {
            const { rows: found } = await sql`
              select 1 from pg_stat_activity
              where datname = current_database() and wait_event_type = 'Lock'`.execute(instance.deps.db);
            expect(found).toHaveLength(3);
          };
          await vi.waitFor(waiting, { timeout: 10_000 });
        }
        await tx
          .updateTable('vault_keys')
          .set({ fingerprint: successor })
          .where('account_id', '=', plant.accountId)
          .execute();
        return { answers };
      });
      const [named, link, nameless] = await creating.answers;
      expect(await failure(named)).toEqual(keyChanged);
      expect(await failure(link)).toEqual(keyChanged);
      expect(nameless.status).toBe(201);
    });

    it('that writes all the while: what it was told was kept is there, under a key that is known', async () => {
      for (let round = 0; round < 8; round += 1) {
        const previous = (await key()).clientKey.fingerprint;
        const entries = [];
        for (let n = 0; n < 20; n += 1) entries.push(await plant.memory({ key_fingerprint: previous }));
        const id = await begin(send, previous);
        await stageMemories(send, id);
        const body = aSuccessor(id, previous);
        const next = body.clientKey.fingerprint;
        const [finished, ...edits] = await Promise.all([
          finish(body),
          ...entries.map((entry) => patch(entry, previous)),
        ]);
        const now = await rows('memory_entries');
        const mine = entries.map((entry) => now.find((row) => row.id === entry.id));
        for (const [i, row] of mine.entries()) {
          const wrote = edits[i]?.status === 200;
          const resealed = finished.status === 201;
          expect([200, 409]).toContain(edits[i]?.status);
          // An edit and a re-sealing of what it replaced never both happen.
          expect(wrote && resealed).toBe(false);
          expect(row?.encrypted_content).toBe(
            wrote
              ? 'dGFi'
              : resealed
                ? anew(entries[i]?.encrypted_content ?? '')
                : entries[i]?.encrypted_content,
          );
          expect(row?.key_fingerprint).toBe(resealed ? next : previous);
          expect(row?.version).toBe(wrote ? 2 : 1);
        }
        if (finished.status !== 201) expect(await failure(finished)).toEqual(entriesChanged);
        await instance.deps.db
          .deleteFrom('memory_entries')
          .where('account_id', '=', plant.accountId)
          .execute();
        instance.clock.advance(MINUTE / 10);
      }
    });
  });

  describe('takes its beginning for the proof', () => {
    it('for an hour, however long ago anybody proved who they are', async () => {
      const id = await begin(send, old);
      instance.clock.advance(HOUR - 1);
      await plant.memory();
      await stageMemories(send, id);
      expect((await finish(aSuccessor(id, old))).status).toBe(201);
    });

    it('and wants a new one after that, before anything changes', async () => {
      await plant.memory();
      const id = await begin(send, old);
      await stageMemories(send, id);
      instance.clock.advance(HOUR);
      const before = await everything();
      const proofNeeded = { status: 403, code: 'proof-needed' };
      expect(await failure(await finish(aSuccessor(id, old)))).toEqual(proofNeeded);
      expect(await everything()).toEqual(before);
      await instance.deps.db
        .updateTable('sessions')
        .set({ proved_at: instance.clock.now() })
        .where('account_id', '=', plant.accountId)
        .execute();
      expect((await finish(aSuccessor(id, old))).status).toBe(201);
    });

    it('but nobody else’s: a number that was not given does not help', async () => {
      await begin(send, old);
      instance.clock.advance(10 * MINUTE);
      expect(await failure(await finish(aSuccessor('A'.repeat(22), old)))).toEqual(gone);
    });
  });

  it('answers a finish again whose answer was lost, and no other one', async () => {
    await plant.memory();
    const id = await begin(send, old);
    await stageMemories(send, id);
    const successor = aSuccessor(id, old);
    const first = await (await finish(successor)).json();
    const after = await everything();
    instance.clock.advance(MINUTE);
    const again = await finish(successor);
    expect(again.status).toBe(201);
    expect(await again.json()).toEqual(first);
    expect(await failure(await finish({ ...successor, keyRing: aKeyRing() }))).toEqual(keyChanged);
    expect(await failure(await finish(aSuccessor(id, old)))).toEqual(keyChanged);
    expect(await everything()).toEqual(after);
  });

  it('is given up when somebody says so, or after a day; both leave everything as it was', async () => {
    await plant.memory();
    const before = await everything();
    const id = await begin(send, old);
    await stageMemories(send, id);
    expect((await send('DELETE', REGENERATION)).status).toBe(204);
    expect(await everything()).toEqual(before);
    expect(await failure(await finish(aSuccessor(id, old)))).toEqual(gone);
    expect((await send('DELETE', REGENERATION)).status).toBe(204);

    await stageMemories(send, await begin(send, old));
    instance.clock.advance(DAY - 1);
    await deleteExpired(instance.deps);
    expect(await staged()).toHaveLength(1);
    instance.clock.advance(1);
    await deleteExpired(instance.deps);
    expect(await staged()).toEqual([]);
    expect(await rows('memory_entries')).toEqual(before.memories);
  });

  it('puts two thousand entries in place', { timeout: 120_000 }, async () => {
    for (let batch = 0; batch < 20; batch += 1) {
      const many = Array.from({ length: 100 }, () => ({
        account_id: plant.accountId,
        title: ciphertext(256),
        encrypted_content: ciphertext(1024),
        time_lock_until: null,
        seal_id: null,
        key_fingerprint: old,
        version: 1,
        created_at: instance.clock.now(),
        updated_at: instance.clock.now(),
      }));
      await instance.deps.db.insertInto('memory_entries').values(many).execute();
    }
    const id = await begin(send, old);
    expect(await stageMemories(send, id)).toBe(2000);
    const successor = aSuccessor(id, old);
    expect((await finish(successor)).status).toBe(201);
    const memories = await fetchMemories(send);
    expect(memories).toHaveLength(2000);
    for (const { title, encryptedContent, keyFingerprint, version } of memories) {
      expect([title.slice(0, 4), encryptedContent?.slice(0, 4)]).toEqual([NEW, NEW]);
      expect([keyFingerprint, version]).toEqual([successor.clientKey.fingerprint, 1]);
    }
    expect(await staged()).toEqual([]);
  });

  // Only the embedded database has files of its own.
  if (engine === 'sqlite') {
    it('leaves nothing of the old key and its words in any file', async () => {
      const memory = await plant.memory({ encrypted_content: ciphertext(20_000) });
      const share = await plant.sacredKey();
      const { keyCheck, wraps } = person.envelope.clientKey;
      const short = [memory.title, share.encrypted_secret ?? '', keyCheck, wraps[0]?.sealed ?? ''];
      // Long words go over several pages of the file.
      const long = memory.encrypted_content.match(/.{200}/g) ?? [];
      expect(foundInFiles(instance, short)).toEqual(short);
      expect(foundInFiles(instance, long).length).toBeGreaterThan(80);
      const id = await begin(send, old);
      const after = [ciphertext(), ciphertext(20_000), ciphertext()] as const;
      await stage(send, id, [
        {
          kind: 'memory',
          id: memory.id,
          version: 1,
          title: after[0],
          encryptedContent: after[1],
          details: null,
        },
        { kind: 'sacred-key', id: share.id, encryptedSecret: after[2] },
      ]);
      expect((await finish(aSuccessor(id, old))).status).toBe(201);
      expect(foundInFiles(instance, [...short, ...long])).toEqual([]);
      expect(foundInFiles(instance, [after[0], after[2]])).toEqual([after[0], after[2]]);
    });
  }

  it('keeps a locked memory through two new keys, until its date and the ring open it', async () => {
    const until = instance.clock.now() + 20 * MINUTE;
    const locked = await plant.memory({ time_lock_until: until });
    const id = await begin(send, old);
    await leaveWithheld(id);
    const first = aSuccessor(id, old);
    expect((await finish(first)).status).toBe(201);
    instance.clock.advance(MINUTE);
    const between = first.clientKey.fingerprint;
    const second = aSuccessor(await begin(send, between), between);
    expect((await finish(second)).status).toBe(201);
    expect(await fetched(locked.id)).toMatchObject({ encryptedContent: null, keyFingerprint: old });

    instance.clock.set(until);
    const opened = await fetched(locked.id);
    expect(opened).toMatchObject({
      encryptedContent: locked.encrypted_content,
      keyFingerprint: old,
      version: 1,
    });
    expect((await key()).keyRing).toEqual(second.keyRing);
    const present = second.clientKey.fingerprint;
    const body = { keyFingerprint: present, entries: [resealedMemory(opened)] };
    expect((await send('POST', '/api/encryption-key/reseal', body)).status).toBe(204);
    expect(await fetched(locked.id)).toMatchObject({ keyFingerprint: present, version: 1 });
  });

  it('says of what it cannot fetch and named no key which one it was, so that the ring can open it', async () => {
    const until = instance.clock.now() + 20 * MINUTE;
    const locked = await plant.memory({ time_lock_until: until, key_fingerprint: null });
    const id = await begin(send, old);
    const posted = await send('POST', '/api/ghost-entries', {
      encryptedContent: 'dA==',
      expiresAt: new Date(until).toISOString(),
      maxReads: 1,
      sealId: aSealId(),
    });
    expect(posted.status).toBe(201);
    const unsealed = await plant.ghost({ key_fingerprint: null, seal_id: null });
    await plant.breath({ key_fingerprint: null });
    expect(await failure(await finish(aSuccessor(id, old)))).toEqual(entriesChanged);
    await leaveWithheld(id);
    expect((await finish(aSuccessor(id, old))).status).toBe(201);
    expect(await fetched(locked.id)).toMatchObject({ keyFingerprint: old, version: 1 });
    const ghosts = await rows('ghost_entries');
    expect(ghosts.map((ghost) => ghost.key_fingerprint)).toEqual([old, null]);
    expect(ghosts[1]?.id).toBe(unsealed.id);
    const breath = await instance.deps.db
      .selectFrom('final_breaths')
      .select('key_fingerprint')
      .where('account_id', '=', plant.accountId)
      .executeTakeFirstOrThrow();
    expect(breath.key_fingerprint).toBe(old);
  });

  it('lets the old words burn where a key is simply replaced: the ring is empty', async () => {
    const successor = aSuccessor(await begin(send, old), old);
    await finish(successor);
    const { clientKey } = anEnvelope();
    const previousFingerprint = successor.clientKey.fingerprint;
    await send('POST', '/api/encryption-key', { clientKey, previousFingerprint });
    expect(await key()).toMatchObject({ clientKey, keyRing: null });
  });
});
