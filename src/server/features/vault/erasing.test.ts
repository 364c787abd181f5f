// What is left of a vault between the moment in which it is destroyed and the last step of its erasing: rows that nobody
// can find, and that go whatever happens to the server.
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CLAIM_HEADER } from '../../../shared/letter-claim.ts';
import { DAY, HOUR } from '../../../shared/time.ts';
import { describeOnEachEngine } from '../../../testing/engines.ts';
import { aFile, sendFile } from '../../../testing/files.ts';
import { failure, ORIGIN, openTestInstance, type TestInstance } from '../../../testing/instance.ts';
import { aMember, type Person, signUpByPassphrase } from '../../../testing/people.ts';
import { accountIdOf, aSealId, ciphertext, plantingFor } from '../../../testing/planting.ts';
import { begin, stageMemories } from '../../../testing/regenerating.ts';
import {
  addressOf,
  anEnvelopeForAWhisper,
  anOpeningScroll,
  aWatch,
  firstOf,
  lastMessage,
  openByClaim,
  pageOf,
  pressTokenOf,
  proveWarningAddress,
  take,
} from '../../../testing/scrolls.ts';
import { aRedemptionId, aShare, someWords } from '../../../testing/shares.ts';
import { countedFor, recount } from '../../../testing/usage.ts';
import { countedTables } from '../../db/counted.ts';
import { isOrphan, openEmbedded, openPostgres } from '../../db/open.ts';
import { readInstanceClock } from '../../deadman/clock/counted-time-store.ts';
import { endWaits } from '../../deadman/watch/date-store.ts';
import { releaseScroll } from '../../deadman/watch/release-store.ts';
import { deleteExpired } from '../../expiry.ts';
import { eraseDestroyed, vaultContents } from './erase-store.ts';
import { destroyVault } from './store.ts';

const PATH = '/api/vault/destroy';
const MEMORIES = '/api/memory-entries';

describeOnEachEngine('erasing a destroyed vault', (engine) => {
  let instance: TestInstance;
  beforeEach(async () => {
    instance = await openTestInstance({ engine, env: { PUBLIC_URL: 'http://localhost:3000' } });
  });
  afterEach(() => instance.close());

  const destroy = (person: Person, scrolls?: 'disarm' | 'release') =>
    person.request('POST', PATH, { body: { confirm: 'DESTROY', scrolls } });

  /** The first moment alone: nothing is erased yet. */
  async function markDestroyed(person: Person, scrolls: 'disarm' | 'release' = 'disarm') {
    const accountId = await accountIdOf(instance, person);
    await destroyVault(instance.deps, { accountId, uid: person.user.id }, scrolls);
    return accountId;
  }

  /** Plants so many memories, straight into their table. */
  async function manyMemories(person: Person, count: number): Promise<number> {
    const accountId = await accountIdOf(instance, person);
    const plain = { account_id: accountId, time_lock_until: null, key_fingerprint: null, version: 1 };
    for (let planted = 0; planted < count; planted += 500) {
      const rows = Array.from({ length: Math.min(500, count - planted) }, () => ({
        ...plain,
        title: ciphertext(12),
        encrypted_content: ciphertext(90),
        seal_id: aSealId(),
        created_at: instance.clock.now(),
        updated_at: instance.clock.now(),
      }));
      await instance.deps.db.insertInto('memory_entries').values(rows).execute();
    }
    return accountId;
  }

  async function rowsOf(table: string, accountId: number): Promise<number> {
    const { rows } = await sql<{ n: number }>`
      select count(*) as n from ${sql.table(table)} where account_id = ${accountId}`.execute(
      instance.deps.db,
    );
    return Number(rows[0]?.n);
  }
  const vaultOf = (id: number) =>
    instance.deps.db.selectFrom('vaults').selectAll().where('id', '=', id).executeTakeFirst();

  it('ends its account at once, and its content in steps that the sweep goes on with', async () => {
    const [person, neighbour] = [await signUpByPassphrase(instance), await aMember(instance)];
    await manyMemories(neighbour, 20);
    const accountId = await manyMemories(person, 2500);
    expect((await destroy(person)).status).toBe(204);
    expect((await person.request('GET', '/api/auth/user')).status).toBe(401);
    const left = await rowsOf('memory_entries', accountId);
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThan(2500);
    await deleteExpired(instance.deps);
    expect(await rowsOf('memory_entries', accountId)).toBe(0);
    expect(await vaultOf(accountId)).toBeUndefined();
    const neighbours = await accountIdOf(instance, neighbour);
    expect(await rowsOf('memory_entries', neighbours)).toBe(20);
    expect(await countedFor(instance, neighbours)).toEqual(await recount(instance, neighbours));
  });

  it('lets others have their turn between two steps', async () => {
    const [person, other] = [await signUpByPassphrase(instance), await signUpByPassphrase(instance)];
    const accountId = await manyMemories(person, 1500);
    let answered = false;
    const destroyed = destroy(person).then(() => {
      answered = true;
    });
    const seen = new Set<number>();
    while (!answered) {
      await setImmediate();
      expect((await other.request('GET', '/api/auth/user')).status).toBe(200);
      if (!answered) seen.add(await rowsOf('memory_entries', accountId));
    }
    await destroyed;
    // Some of what there was, and less and less of it.
    expect([...seen].filter((count) => count > 0 && count < 1500).length).toBeGreaterThan(2);
  });

  it('goes on with what a killed server has not come to', async () => {
    const person = await aMember(instance);
    const accountId = await manyMemories(person, 700);
    const { clientKey } = person.envelope;
    const send = (method: string, path: string, body?: unknown) =>
      person.request(method, path, body === undefined ? {} : { body });
    const plant = await plantingFor(instance, person, clientKey.fingerprint);
    for (let n = 0; n < 3; n += 1) await plant.ghost();
    await plant.sacredKey();
    await plant.legacyScroll();
    await stageMemories(send, await begin(send, clientKey.fingerprint));
    await markDestroyed(person);
    await eraseDestroyed(instance.deps, accountId, { steps: 2 });
    expect(await rowsOf('memory_entries', accountId)).toBeGreaterThan(0);
    const { url, file } = instance.database;
    const again = url ? await openPostgres(url) : await openEmbedded(file ?? '');
    await deleteExpired({ ...instance.deps, db: again.db });
    await again.db.destroy();
    for (const { table } of countedTables) expect(await rowsOf(table, accountId), table).toBe(0);
    expect(await vaultOf(accountId)).toBeUndefined();
  });

  it('keeps no later vault waiting where one cannot be erased', async () => {
    const { db } = instance.deps;
    const people = [await signUpByPassphrase(instance), await signUpByPassphrase(instance)];
    const [stuck = 0, next = 0] = [
      await manyMemories(people[0] as Person, 3),
      await manyMemories(people[1] as Person, 3),
    ];
    for (const person of people) await markDestroyed(person);
    await sql`create table obstacles (vault bigint references vaults (id))`.execute(db);
    await sql`insert into obstacles values (${stuck})`.execute(db);
    await expect(deleteExpired(instance.deps)).rejects.toThrow();
    expect([await vaultOf(stuck), await vaultOf(next)]).toEqual([expect.anything(), undefined]);
    await sql`drop table obstacles`.execute(db);
    await deleteExpired(instance.deps);
    expect(await vaultOf(stuck)).toBeUndefined();
  });

  it('takes what others wrote for it from its number in steps, however much it is', async () => {
    const [writer, reader] = [await signUpByPassphrase(instance), await signUpByPassphrase(instance)];
    const to = await accountIdOf(instance, reader);
    const plant = await plantingFor(instance, writer, '0'.repeat(16));
    for (let n = 0; n < 230; n += 1) await plant.legacyScroll({ recipient_account_id: to });
    const pointing = async () => {
      const rows = instance.deps.db.selectFrom('scroll_recipients').select('recipient_account_id').execute();
      return (await rows).filter(({ recipient_account_id }) => recipient_account_id !== null).length;
    };
    await markDestroyed(reader);
    await eraseDestroyed(instance.deps, to, { steps: 1 });
    expect(await pointing()).toBe(30);
    await deleteExpired(instance.deps);
    expect(await pointing()).toBe(0);
    expect(await rowsOf('legacy_scrolls', plant.accountId)).toBe(230);
    expect(await countedFor(instance, plant.accountId)).toEqual(await recount(instance, plant.accountId));
  });

  it('opens a link, or does not, where both happen at once', async () => {
    for (let round = 0; round < 8; round += 1) {
      const person = await aMember(instance);
      const { door, claim, keyId } = await aShare(person);
      const body = { door, claim, redemptionId: aRedemptionId() };
      const [opened, destroyed] = await Promise.all([
        instance.request('POST', `/api/shares/${keyId}/redeem`, { body }),
        destroy(person),
      ]);
      expect([200, 404]).toContain(opened.status);
      expect(destroyed.status).toBe(204);
    }
  });

  it('knows every table that refers to vaults', async () => {
    const { db } = instance.deps;
    const tables = (await db.introspection.getTables()).map(({ name }) => name);
    const referring: string[] = [];
    for (const table of tables) {
      const { rows } =
        engine === 'postgres'
          ? await sql<{ column: string }>`
              select a.attname as column from pg_constraint c
                join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
              where c.contype = 'f' and c.confrelid = 'vaults'::regclass
                and c.conrelid = ${table}::regclass`.execute(db)
          : await sql<{ column: string }>`
              select "from" as "column" from pragma_foreign_key_list(${table}) where "table" = 'vaults'`.execute(
              db,
            );
      referring.push(...rows.map(({ column }) => `${table}.${column}`));
    }
    const erased = [...new Set(vaultContents.map(({ table }) => `${table}.account_id`))];
    // Staged entries refer to their regeneration. Words of ghosts go with these.
    const known = [
      ...erased.filter((name) => name !== 'staged_entries.account_id'),
      'ghost_words.account_id',
      'messages.account_id',
      // Recipients go with their scrolls.
      'scroll_recipients.account_id',
      'scroll_recipients.recipient_account_id',
    ];
    expect(referring.sort()).toEqual(known.sort());
  });

  it('is asked for by whoever deletes the row of an account, too', async () => {
    const person = await signUpByPassphrase(instance);
    const accountId = await manyMemories(person, 3);
    await instance.deps.db.deleteFrom('accounts').where('id', '=', accountId).execute();
    expect(await vaultOf(accountId)).toMatchObject({ state: 'erasing' });
    await deleteExpired(instance.deps);
    expect(await rowsOf('memory_entries', accountId)).toBe(0);
  });

  it('is not held up by what somebody still wanted to write: that is refused', async () => {
    const person = await aMember(instance);
    const accountId = await manyMemories(person, 1);
    await markDestroyed(person);
    const { db } = instance.deps;
    const late = { account_id: accountId, created_at: 0 };
    const writing = [
      () =>
        db
          .insertInto('memory_entries')
          .values({ ...late, title: '', encrypted_content: '', version: 1, updated_at: 0 } as never)
          .execute(),
      () =>
        db
          .insertInto('shareable_keys')
          .values({ ...late, key_id: 'late', entry_type: 'memory', entry_id: 1, expires_at: 0 } as never)
          .execute(),
      () =>
        db
          .updateTable('memory_entries')
          .set({ encrypted_content: 'A'.repeat(5000) })
          .where('account_id', '=', accountId)
          .execute(),
      () =>
        db
          .insertInto('passkeys')
          .values({ ...late, id: 'late', public_key: '', counter: 0, transports: '[]', label: '' } as never)
          .execute(),
    ];
    for (const write of writing) {
      const refused = await write().then(
        () => null,
        (error: unknown) => error,
      );
      expect(isOrphan(refused)).toBe(true);
    }
    await deleteExpired(instance.deps);
    expect(await rowsOf('memory_entries', accountId)).toBe(0);
  });

  it('shows nobody a part of a list that was being read meanwhile', async () => {
    const person = await signUpByPassphrase(instance);
    await manyMemories(person, 1200);
    const reading = person.request('GET', MEMORIES);
    // It reads a slice, and lets others have their turn.
    await setImmediate();
    await Promise.all([
      markDestroyed(person).then((accountId) => eraseDestroyed(instance.deps, accountId, { steps: 3 })),
      reading,
    ]);
    const answer = await reading;
    if (answer.status === 200) expect(await answer.json()).toHaveLength(1200);
    else expect(answer.status).toBe(401);
    if (engine === 'sqlite') expect(answer.status).toBe(401);
  });

  describe('before its first step', () => {
    /** Somebody with everything that another way than a session leads to, and somebody whom it was written for. */
    async function everythingThatIsFound() {
      const [person, reader, writer] = [
        await aMember(instance),
        await aMember(instance),
        await aMember(instance),
      ];
      await proveWarningAddress(instance, person);
      const share = await aShare(person);
      const released = await anOpeningScroll(person);
      await take(person, released.scroll, 'activate', { handedOver: true });
      await take(person, released.scroll, 'release');
      const envelope = { kind: 'vault', envelope: anEnvelopeForAWhisper() };
      const whisperTo = (to: typeof reader) => ({
        recipientType: 'whisper',
        recipientAddress: addressOf(to.envelope.clientKey),
        access: envelope,
        encryptedScrollKey: someWords(60),
      });
      const whisper = await take(person, await aWatch(person, whisperTo(reader)), 'release');
      const watching = await anOpeningScroll(person);
      await take(person, watching.scroll, 'activate', { handedOver: true });
      const toThem = await aWatch(writer, whisperTo(person));
      const question = await lastMessage(instance, 'prove-address');
      return { person, reader, writer, share, released, whisper, watching, toThem, question };
    }
    const whispersOf = async (reader: Person) =>
      (await (await reader.request('GET', '/api/whispers')).json()) as { publicId: string }[];
    const outbox = async () => {
      const administrator = await signUpByPassphrase(instance);
      await instance.deps.db
        .updateTable('accounts')
        .set({ is_admin: 1 })
        .where('uid', '=', administrator.user.id)
        .execute();
      const list = await administrator.request('GET', '/api/outbox');
      return { administrator, list: (await list.json()) as { id: number; kind: string; scrollId: number }[] };
    };

    it('nobody finds anything of it, by any way', async () => {
      const found = await everythingThatIsFound();
      const { person, reader, share, released, whisper, watching, question } = found;
      expect(await whispersOf(reader)).toMatchObject([{ publicId: firstOf(whisper).publicId }]);
      const before = await outbox();
      expect(before.list.length).toBeGreaterThan(1);
      const token = await pressTokenOf(instance, question);
      await markDestroyed(person);

      const enter = { body: { name: person.name, authKey: person.authKey } };
      const words = await (await instance.request('POST', '/api/gate/words/nonce')).json();
      const { nonce } = words as { nonce: string };
      const signed = { nonce, signature: person.envelope.signNonce(nonce, ORIGIN) };
      const { door, claim, keyId } = share;
      const redemption = { door, claim, redemptionId: aRedemptionId() };
      const gone = { status: 404, code: 'not-found' };
      const out = { status: 401, code: 'not-signed-in' };
      const asked: [string, Promise<Response>, object][] = [
        ['session', person.request('GET', MEMORIES), out],
        ['passphrase', instance.request('POST', '/api/gate/passphrase/enter', enter), { status: 401 }],
        [
          'words',
          instance.request('POST', '/api/gate/words/enter', {
            body: { verifyingKey: person.envelope.clientKey.verifyingKey, ...signed },
          }),
          { status: 401 },
        ],
        ['link', instance.request('GET', `/api/shares/${keyId}`), gone],
        ['link opened', instance.request('POST', `/api/shares/${keyId}/redeem`, { body: redemption }), gone],
        ['scroll', instance.request('GET', pageOf(released.scroll)), gone],
        ['scroll opened', openByClaim(instance, released.scroll, released.claim), gone],
        ['watching scroll', openByClaim(instance, watching.scroll, watching.claim), gone],
        ['whisper opened', reader.request('POST', `/api/whispers/${firstOf(whisper).publicId}/open`), gone],
        ['vault', reader.request('GET', `/api/vaults/${addressOf(person.envelope.clientKey)}`), gone],
        [
          'press looked at',
          instance.request('POST', '/api/confirmations/look', { body: { token } }),
          { status: 404 },
        ],
        ['press', instance.request('POST', '/api/confirmations', { body: { token } }), { status: 404 }],
      ];
      for (const [what, answer, expected] of asked) {
        const said = await failure(await answer);
        expect({ what, ...said }).toMatchObject({ what, ...expected });
      }
      expect(await whispersOf(reader)).toEqual([]);
      const summary = await (await reader.request('GET', '/api/summary')).json();
      expect(summary).toMatchObject({ whispers: 0 });
      expect((await outbox()).list).toEqual([]);
      const [message] = before.list;
      for (const verb of ['retry', 'passed-on']) {
        const answer = await before.administrator.request('POST', `/api/outbox/${message?.id}/${verb}`);
        expect(await failure(answer)).toEqual(gone);
      }
    });

    it('what is left to recipients opens for them all the while, and watching scrolls are released by a step', async () => {
      const { person, reader, released, whisper, watching } = await everythingThatIsFound();
      const files = new Map<object, string>();
      for (const one of [released, watching]) {
        const { fileId } = await sendFile(person, aFile(100), one.scroll.sealId ?? '');
        files.set(one, fileId);
      }
      const accountId = await markDestroyed(person, 'release');
      const opens = async (one: typeof released) => {
        const { status } = await openByClaim(instance, one.scroll, one.claim);
        const { publicId } = firstOf(one.scroll);
        const file = await instance.request('GET', `/api/legacy/${publicId}/files/${files.get(one)}`, {
          headers: { [CLAIM_HEADER]: one.claim },
        });
        // A letter’s files open when its words do.
        expect(file.status).toBe(status === 200 ? 200 : 404);
        return status;
      };
      expect(await opens(released)).toBe(200);
      expect(await opens(watching)).toBe(409);
      expect(await whispersOf(reader)).toMatchObject([{ publicId: firstOf(whisper).publicId }]);
      expect((await outbox()).list).toEqual([]);
      await eraseDestroyed(instance.deps, accountId, { steps: 1 });
      expect([await opens(released), await opens(watching)]).toEqual([200, 200]);
      await deleteExpired(instance.deps);
      expect([await opens(released), await opens(watching)]).toEqual([200, 200]);
      expect(await whispersOf(reader)).toMatchObject([{ publicId: firstOf(whisper).publicId }]);
      expect((await outbox()).list.map(({ kind }) => kind)).toEqual(['release', 'release', 'release']);
      expect(await vaultOf(accountId)).toBeUndefined();
    });

    it('what others have written for it is not delivered to it, and stays theirs', async () => {
      const { person, writer, toThem } = await everythingThatIsFound();
      await markDestroyed(person);
      await take(writer, toThem, 'release');
      await deleteExpired(instance.deps);
      const row = await instance.deps.db
        .selectFrom('legacy_scrolls')
        .innerJoin('scroll_recipients', 'scroll_recipients.scroll_id', 'legacy_scrolls.id')
        .select(['state', 'recipient_account_id'])
        .where('legacy_scrolls.id', '=', toThem.id)
        .executeTakeFirst();
      expect(row).toEqual({ state: 'released', recipient_account_id: null });
    });

    it('the switch releases nothing of it', async () => {
      const { person } = await everythingThatIsFound();
      const plant = await plantingFor(instance, person, '0'.repeat(16));
      const day = await plant.legacyScroll({ state: 'watching', trigger_type: 'date', due_at: 1 });
      await markDestroyed(person);
      const clock = await readInstanceClock(instance.deps.db);
      const later = {
        ...clock,
        counted_time: clock.counted_time + DAY,
        ticked_at: instance.clock.now() + DAY,
      };
      const ticked = { clock: later, isProved: true, mayBeAheadBy: 0 };
      expect(await endWaits(instance.deps, ticked)).toMatchObject({ released: 0 });
      expect(await endWaits(instance.deps, ticked)).toMatchObject({ released: 0 });
      const { db } = instance.deps;
      expect(await db.transaction().execute((tx) => releaseScroll(instance.deps, tx, day.id))).toBe(false);
    });
  });

  it('leaves no more than was counted before, and shuts nobody out of leaving theirs', async () => {
    // Six vaults at their quotas, with nothing but letters in them. A limit over all of them would be full by now.
    const crowd = await openTestInstance({
      engine,
      env: { QUOTA_BYTES: '40K', QUOTA_ROWS: '20' },
    });
    let allowed = 0;
    for (let n = 0; n < 7; n += 1) {
      const person = await signUpByPassphrase(crowd);
      for (let letter = 0; letter < 3; letter += 1) {
        await aWatch(person, { encryptedContent: ciphertext(6 * 1024) });
      }
      allowed += (await countedFor(crowd, await accountIdOf(crowd, person)))?.bytes ?? 0;
      const body = { confirm: 'DESTROY', scrolls: 'release' };
      expect((await person.request('POST', PATH, { body })).status).toBe(204);
    }
    const { db } = crowd.deps;
    const left = await db.selectFrom('legacy_scrolls').selectAll().execute();
    expect(left).toHaveLength(21);
    const texts = left.flatMap((row) => Object.values(row).filter((value) => typeof value === 'string'));
    expect(texts.reduce((sum, text) => sum + text.length, 0)).toBeLessThan(allowed + left.length * 200);
    expect(await db.selectFrom('messages').select('id').execute()).toHaveLength(21);
    await crowd.close();
  });

  if (engine === 'sqlite') {
    const wish = async () => {
      const { rows } = await sql<{
        hour: number;
      }>`select user_version as hour from pragma_user_version`.execute(instance.deps.db);
      return (rows[0]?.hour ?? 0) * HOUR;
    };

    it('asks for no rewriting of the file where nothing was written', async () => {
      const person = await aMember(instance);
      expect((await destroy(person)).status).toBe(204);
      await deleteExpired(instance.deps);
      expect(await wish()).toBe(0);
    });

    it('asks for one in the next night where there was, which the request does not wait for', async () => {
      const [first, second] = [await signUpByPassphrase(instance), await signUpByPassphrase(instance)];
      await manyMemories(first, 400);
      await manyMemories(second, 400);
      const free = async () => {
        const { rows } = await sql<{
          n: number;
        }>`select freelist_count as n from pragma_freelist_count`.execute(instance.deps.db);
        return rows[0]?.n ?? 0;
      };
      await destroy(first);
      const asked = await wish();
      expect(new Date(asked).getHours()).toBe(3);
      expect(asked - instance.clock.now()).toBeLessThanOrEqual(DAY);
      expect(await free()).toBeGreaterThan(0);
      instance.clock.advance(HOUR);
      await second.request('POST', '/api/proof/passphrase', { body: { authKey: second.authKey } });
      expect((await destroy(second)).status).toBe(204);
      expect(await wish()).toBe(asked);
      instance.clock.set(asked);
      await deleteExpired(instance.deps);
      expect([await wish(), await free()]).toEqual([0, 0]);
    });
  }
});
