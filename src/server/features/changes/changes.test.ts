// What has changed in a vault, read by a client that knows nothing else: each change once and in order, whoever made it, and in
// the end exactly what the lists have.
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DELETED_LASTS } from '../../../shared/nouns/entry-calls.ts';
import type { Memory } from '../../../shared/nouns/memory.ts';
import { type KindName, kindNames, sealedKinds } from '../../../shared/sealed-kinds.ts';
import { DAY, HOUR } from '../../../shared/time.ts';
import { anEntry, withEntry } from '../../../testing/book.ts';
import { ChangesClient, readChanges, readLists } from '../../../testing/changes.ts';
import { aRecipient, makeWebhook, type NewWebhook } from '../../../testing/deliveries.ts';
import { describeOnEachEngine } from '../../../testing/engines.ts';
import { failure, openTestInstance, type TestInstance } from '../../../testing/instance.ts';
import { aMember } from '../../../testing/people.ts';
import { aSealId, ciphertext, type Planting, plantingFor } from '../../../testing/planting.ts';
import {
  aSuccessor,
  begin,
  fetchMemories,
  REGENERATION,
  resealedMemory,
  stage,
} from '../../../testing/regenerating.ts';
import { aRedemptionId, aShare, redeem } from '../../../testing/shares.ts';
import { aDelivery, pathOf } from '../../../testing/signed-deliveries.ts';
import { CHANGES_REMEMBERED, ENDED_LASTS } from '../../changes/expiry-store.ts';
import { deleteExpired } from '../../expiry.ts';

describeOnEachEngine('what has changed in a vault', (engine) => {
  let instance: TestInstance;
  let person: Awaited<ReturnType<typeof aMember>>;
  let plant: Planting;
  let client: ChangesClient;
  beforeAll(async () => {
    instance = await openTestInstance({ engine });
  });
  afterAll(() => instance.close());
  beforeEach(async () => {
    instance.clock.advance(HOUR);
    person = await aMember(instance);
    plant = await plantingFor(instance, person, person.envelope.clientKey.fingerprint);
    client = new ChangesClient(ask);
    await client.pull();
  });

  const ask = (path: string) => person.request('GET', path);
  const send = async (method: string, path: string, body?: object, headers?: Record<string, string>) => {
    const response = await person.request(method, path, {
      ...(body ? { body } : {}),
      ...(headers ? { headers } : {}),
    });
    expect(response.status, await response.clone().text()).toBeLessThan(300);
    return response;
  };
  const at = (time: number) => new Date(time).toISOString();
  const sealed = () => ({ sealId: aSealId(), keyFingerprint: person.envelope.clientKey.fingerprint });
  const memory = () => ({ title: ciphertext(), encryptedContent: ciphertext(), ...sealed() });
  const create = async (fields: object = {}, headers?: Record<string, string>) =>
    (await (await send('POST', '/api/memory-entries', { ...memory(), ...fields }, headers)).json()) as Memory;
  const sweep = () => deleteExpired(instance.deps);
  /** Half of a time, and the other half, so that whoever is signed in stays so. */
  const advance = async (time: number) => {
    for (const half of [Math.floor(time / 2), Math.ceil(time / 2)]) {
      instance.clock.advance(half);
      await ask('/api/auth/user');
    }
  };
  const db = () => instance.deps.db;

  /** Steps in the life of a row; each is one change or more of one row. */
  type Steps = readonly (readonly [what: string, step: () => Promise<unknown>])[];

  /** An entry of a list, from made to erased. */
  function entrySteps(path: string, own: object): Steps {
    let id = 0;
    const edit = (version: number) => ({ ...own, encryptedContent: ciphertext(), version, ...sealed() });
    return [
      [
        'made',
        async () => {
          const body = { ...own, encryptedContent: ciphertext(), ...sealed() };
          ({ id } = (await (await send('POST', `/api/${path}`, body)).json()) as { id: number });
        },
      ],
      ['changed', () => send('PATCH', `/api/${path}/${id}`, edit(1))],
      ['deleted', () => send('DELETE', `/api/${path}/${id}`)],
      ['restored', () => send('POST', `/api/deleted-${path}/${id}/restore`)],
      ['deleted once more', () => send('DELETE', `/api/${path}/${id}`)],
      ['erased', () => send('DELETE', `/api/deleted-${path}/${id}`)],
    ];
  }

  const LIVES: Record<KindName, () => Steps> = {
    memory: () => entrySteps('memory-entries', { title: ciphertext() }),
    relationship: () =>
      entrySteps('relationship-entries', {
        personName: ciphertext(),
        eventType: 'moment',
        emotionalWeight: 2,
      }),
    myth: () => entrySteps('myth-stories', { title: ciphertext(), storyType: 'eulogy' }),
    // They were given already.
    onboarding: () => [
      [
        'sealed anew',
        () =>
          db()
            .updateTable('onboarding_answers')
            .set({ question1: ciphertext() })
            .where('account_id', '=', plant.accountId)
            .execute(),
      ],
    ],
    'sacred-key': () => {
      let share: Awaited<ReturnType<typeof aShare>>;
      const redemptionId = aRedemptionId();
      return [
        [
          'made and sealed',
          async () => {
            share = await aShare(person);
          },
        ],
        ['opened', () => redeem(instance, share, { redemptionId })],
        ['taken off the list', () => send('DELETE', `/api/shareable-keys/${share.key.id}`)],
      ];
    },
    webhook: () => {
      let webhook: NewWebhook;
      const deliver = (headers: object = {}) =>
        instance.request(
          'POST',
          pathOf(webhook),
          aDelivery(webhook, { at: instance.clock.now(), headers: headers as Record<string, string> }),
        );
      return [
        [
          'made',
          async () => {
            webhook = await makeWebhook(person, sealed());
          },
        ],
        ['refused', () => deliver({ 'webhook-signature': 'v1,AAAA' })],
        [
          'given another secret',
          () => send('POST', `/api/import-webhooks/${webhook.id}/rotate`, { oldSecret: 'stays-a-day' }),
        ],
        ['revoked', () => send('DELETE', `/api/import-webhooks/${webhook.id}`)],
      ];
    },
    'guardian-kit': () => {
      let id = 0;
      const kit = (fields: object) =>
        db().updateTable('guardian_kits').set(fields).where('id', '=', id).execute();
      return [
        [
          'made',
          async () => {
            ({ id } = await plant.guardianKit());
          },
        ],
        ['asked for', () => kit({ asks: 1, asked_at: instance.clock.now(), asked_counted: 1 })],
        ['waited for', () => kit({ ended_at: instance.clock.now() })],
        ['opened', () => kit({ opened_at: instance.clock.now() })],
        ['stopped', () => kit({ asked_counted: null, ended_at: null, stopped_at: instance.clock.now() })],
        ['removed', () => send('DELETE', `/api/guardian-kits/${id}`)],
      ];
    },
    'legacy-scroll': () => {
      let id = 0;
      const recipient = (fields: object) =>
        db().updateTable('scroll_recipients').set(fields).where('scroll_id', '=', id).execute();
      const scroll = (fields: object) =>
        db().updateTable('legacy_scrolls').set(fields).where('id', '=', id).execute();
      return [
        [
          'made',
          async () => {
            ({ id } = await plant.legacyScroll());
          },
        ],
        ['activated', () => scroll({ state: 'watching', armed_at: instance.clock.now() })],
        ['released', () => scroll({ state: 'released', released_at: instance.clock.now() })],
        ['released to its recipient', () => recipient({ released_at: instance.clock.now() })],
        ['opened', () => recipient({ opened_at: instance.clock.now() })],
        ['erased', () => db().deleteFrom('legacy_scrolls').where('id', '=', id).execute()],
      ];
    },
    ghost: () => {
      let id = 0;
      return [
        [
          'made',
          async () => {
            const expiresAt = at(instance.clock.now() + HOUR);
            const body = { encryptedContent: ciphertext(), maxReads: 2, expiresAt, ...sealed() };
            ({ id } = (await (await send('POST', '/api/ghost-entries', body)).json()) as { id: number });
          },
        ],
        ['read', () => send('POST', `/api/ghost-entries/${id}/read`)],
        ['read to the end', () => send('POST', `/api/ghost-entries/${id}/read`)],
        ['erased', () => send('DELETE', `/api/ghost-entries/${id}`)],
      ];
    },
    breath: () => {
      const redemptionId = aRedemptionId();
      return [
        ['sealed', () => send('POST', '/api/final-breath', { encryptedContent: ciphertext(), ...sealed() })],
        ['released', () => send('POST', '/api/final-breath/read', { redemptionId })],
        ['forgotten', () => send('POST', '/api/final-breath/acknowledge', { redemptionId })],
      ];
    },
  };

  it.each(kindNames(sealedKinds))('has each step in the life of a row of the kind %s, once', async (kind) => {
    for (const [what, step] of LIVES[kind]()) {
      await step();
      const heard = await client.pull();
      // A link is made for a memory of its own.
      const own = heard.filter((change) => change.kind === kind);
      expect(own, what).toHaveLength(1);
      expect(await client.pull(), what).toEqual([]);
      expect(client.rows, what).toEqual(await readLists(ask));
    }
    expect(client.beginnings).toBe(1);
  });

  it('has what is gone for good by its kind, number and seal', async () => {
    const { id, sealId } = await create();
    await client.pull();
    await send('DELETE', `/api/memory-entries/${id}`);
    await send('DELETE', `/api/deleted-memory-entries/${id}`);
    expect(await client.pull()).toEqual([{ n: client.last, kind: 'memory', ended: { id, sealId } }]);
  });

  it('has a row as its list answers it, deleted ones with their times, and withholds what is locked', async () => {
    const until = instance.clock.now() + DAY;
    const locked = await create({ timeLockUntil: at(until) });
    const deleted = await create();
    await send('DELETE', `/api/memory-entries/${deleted.id}`);
    const time = instance.clock.now();
    expect((await client.pull()).map((change) => 'row' in change && change.row)).toEqual([
      { ...locked, encryptedContent: null, details: null },
      { ...deleted, deletedAt: at(time), erasedAt: at(time + DELETED_LASTS) },
    ]);
    // That a lock ends is no change: the row says when it does.
    instance.clock.advance(DAY);
    expect(await client.pull()).toEqual([]);
    const opened = (await (await ask(`/api/memory-entries/${locked.id}`)).json()) as Memory;
    expect(opened.encryptedContent).not.toBeNull();
  });

  it('has a deleted entry as gone once nothing lists it any more, before and after the sweep', async () => {
    const { id, sealId } = await create();
    await client.pull();
    await send('DELETE', `/api/memory-entries/${id}`);
    await advance(DELETED_LASTS);
    const ended = { kind: 'memory', ended: { id, sealId } };
    expect(await client.pull()).toMatchObject([ended]);
    await sweep();
    expect(await client.pull()).toMatchObject([ended]);
    expect(client.rows).toEqual(await readLists(ask));
  });

  it('has what a delivery, a story, a sweep and another client have done', async () => {
    person = await aRecipient(instance);
    plant = await plantingFor(instance, person, person.envelope.clientKey.fingerprint);
    client = new ChangesClient(ask);
    const webhook = await makeWebhook(person, sealed());
    await client.pull();
    const delivery = aDelivery(webhook, { at: instance.clock.now() });
    expect((await instance.request('POST', pathOf(webhook), delivery)).status).toBeLessThan(300);
    const kinds = (await client.pull()).map(({ kind }) => kind);
    expect(kinds.sort()).toEqual(['memory', 'webhook']);
    const ghost = await plant.ghost({ expires_at: instance.clock.now() + HOUR });
    await client.pull();
    instance.clock.advance(2 * DAY);
    await sweep();
    expect(await client.pull()).toMatchObject([{ kind: 'ghost', ended: { id: ghost.id } }]);
    // From a client that knows neither seals nor keys, and one that says what it does in the book.
    await send('POST', '/api/memory-entries', { title: 'dA==', encryptedContent: 'dA==' });
    await create({}, withEntry(anEntry(1)));
    expect(await client.pull()).toHaveLength(2);
    expect(client.rows).toEqual(await readLists(ask));
  });

  it('has every row of a rotation once, under the new key', async () => {
    const some = [await create(), await create(), await create()];
    await client.pull();
    const sender = (method: string, path: string, body?: unknown) =>
      person.request(method, path, body === undefined ? {} : { body });
    const { fingerprint } = person.envelope.clientKey;
    const id = await begin(sender, fingerprint);
    const memories = await fetchMemories(sender);
    const answers = (await (await ask('/api/onboarding')).json()) as Record<string, string>;
    const { question1 = '', question2 = '', question3 = '' } = answers;
    await stage(sender, id, [
      ...memories.map(resealedMemory),
      { kind: 'onboarding', question1, question2, question3 },
    ]);
    const successor = aSuccessor(id, fingerprint);
    await send('POST', `${REGENERATION}/finish`, successor);
    const heard = await client.pull();
    expect(heard.map(({ kind }) => kind).sort()).toEqual(['memory', 'memory', 'memory', 'onboarding']);
    for (const change of heard) {
      expect('row' in change && change.row.keyFingerprint).toBe(successor.clientKey.fingerprint);
    }
    expect(some).toHaveLength(3);
    expect(client.rows).toEqual(await readLists(ask));
  });

  it('comes in pages that lose nothing, whatever is changed between them', async () => {
    const some: Memory[] = [];
    for (let i = 0; i < 12; i += 1) some.push(await create());
    const slow = new ChangesClient(ask, 3);
    const first = await slow.readPage();
    expect(first).toMatchObject({ anew: true, more: true });
    expect(first.changes).toHaveLength(3);
    // One that the client has, one that it has not come to, and one that is new.
    const [had, , , , , , , , , ahead] = some;
    for (const { id } of [had as Memory, ahead as Memory]) {
      await send('DELETE', `/api/memory-entries/${id}`);
      await send('DELETE', `/api/deleted-memory-entries/${id}`);
    }
    await create();
    await slow.pull();
    expect(slow.rows).toEqual(await readLists(ask));
    expect(slow.beginnings).toBe(1);
  });

  it('answers as much as a page may weigh, and one row however large it is', async () => {
    const large = { encryptedContent: 'A'.repeat(2 * 1024 * 1024) };
    for (let i = 0; i < 5; i += 1) await create(large);
    const whole = new ChangesClient(ask);
    const sizes: number[] = [];
    for (;;) {
      const { changes, more } = await whole.readPage();
      sizes.push(changes.filter(({ kind }) => kind === 'memory').length);
      if (!more) break;
    }
    expect(sizes).toEqual([3, 2]);
    expect(whole.rows).toEqual(await readLists(ask));
  });

  it('has the entries of the book from a number on in the same answer, no older than the rows', async () => {
    for (let n = 1; n <= 3; n += 1) await create({}, withEntry(anEntry(n)));
    const numbersIn = async (query: Record<string, string | number>) =>
      (await readChanges(ask, query)).book?.entries.map(({ n }) => n);
    expect(await numbersIn({ book: 0 })).toEqual([1, 2, 3]);
    expect(await numbersIn({ book: 3 })).toEqual([3]);
    expect(await numbersIn({ book: 4 })).toEqual([]);
    expect(await numbersIn({})).toBeUndefined();
    const { entries } = (await readChanges(ask, { book: 0 })).book ?? {};
    expect(entries).toEqual(await (await ask('/api/book')).json());
  });

  it('begins behind everything for a client that reads the lists, and tells it what comes after that', async () => {
    const { id } = await create();
    const now = await readChanges(ask, { since: 'now' });
    expect(now).toMatchObject({ changes: [], anew: false, more: false });
    const later = await create();
    await send('DELETE', `/api/memory-entries/${id}`);
    await send('DELETE', `/api/deleted-memory-entries/${id}`);
    const since = await readChanges(ask, { since: now.next });
    expect(since.anew).toBe(false);
    expect(since.changes.map((one) => ('ended' in one ? one.ended.id : (one.row as Memory).id))).toEqual([
      later.id,
      id,
    ]);
    expect('ended' in (since.changes[1] as object)).toBe(true);
  });

  it('is another account’s to nobody', async () => {
    const { id } = await create();
    const mine = await readChanges(ask);
    const other = await aMember(instance);
    const otherClient = new ChangesClient((path) => other.request('GET', path));
    await otherClient.pull();
    expect(otherClient.rows.memory).toEqual({});
    await create();
    expect(await otherClient.pull()).toEqual([]);
    expect(mine.changes).toContainEqual(expect.objectContaining({ row: expect.objectContaining({ id }) }));
    // A place in another vault is none in this one.
    const reply = await readChanges((path) => other.request('GET', path), { since: mine.next });
    expect(reply.anew).toBe(true);
    expect(await failure(await instance.request('GET', '/api/changes'))).toEqual({
      status: 401,
      code: 'not-signed-in',
    });
  });

  it.each(['', '1', '1.1.x', `1.1.${'0'.repeat(33)}`, `-1.1.${'0'.repeat(32)}`])(
    'refuses the place %j',
    async (since) => {
      const answer = await ask(`/api/changes?since=${encodeURIComponent(since)}`);
      expect(await failure(answer)).toEqual({ status: 422, code: 'invalid-input' });
    },
  );

  describe('begins anew', () => {
    const expectAnew = async () => {
      const before = client.beginnings;
      await client.pull();
      expect(client.beginnings).toBe(before + 1);
      expect(client.rows).toEqual(await readLists(ask));
    };

    it('where a backup was restored that has not come so far', async () => {
      const { id } = await create();
      await client.pull();
      const then = client.last - 1;
      await db().deleteFrom('memory_entries').where('id', '=', id).execute();
      await db()
        .deleteFrom('changes')
        .where('account_id', '=', plant.accountId)
        .where('n', '>', then)
        .execute();
      await db()
        .updateTable('usage')
        .set({ last_change: then })
        .where('account_id', '=', plant.accountId)
        .execute();
      await expectAnew();
    });

    it('where the database is another one, was found to be restored, or was confirmed', async () => {
      const clock = await db().selectFrom('instance_clock').selectAll().executeTakeFirstOrThrow();
      const set = (fields: object) => db().updateTable('instance_clock').set(fields).execute();
      for (const fields of [
        { paused_reason: 'restored', paused_at: instance.clock.now() },
        { paused_reason: null, paused_at: null, epoch: clock.epoch + 1 },
        { identity: 'another' },
      ]) {
        await set(fields);
        await expectAnew();
        expect(await client.pull()).toEqual([]);
      }
      const { identity, epoch, paused_reason, paused_at } = clock;
      await set({ identity, epoch, paused_reason, paused_at });
    });

    it('where it is forgotten that a row has ended: thirty days later', async () => {
      const { id } = await create();
      await client.pull();
      await send('DELETE', `/api/memory-entries/${id}`);
      await send('DELETE', `/api/deleted-memory-entries/${id}`);
      await sweep();
      await advance(ENDED_LASTS - 1);
      await sweep();
      const timely = new ChangesClient(ask);
      Object.assign(timely, { next: client.next, rows: structuredClone(client.rows), last: client.last });
      expect(await timely.pull()).toMatchObject([{ ended: { id } }]);
      expect(timely.beginnings).toBe(0);
      instance.clock.advance(1);
      await sweep();
      await expectAnew();
      // Whoever knew of it by then need not.
      await timely.pull();
      expect(timely.beginnings).toBe(0);
      const left = await db()
        .selectFrom('changes')
        .select('n')
        .where('account_id', '=', plant.accountId)
        .where('ended_at', 'is not', null)
        .execute();
      expect(left).toEqual([]);
    });

    it('where more was changed since than is remembered', async () => {
      const { id } = await create();
      await client.pull();
      await send('DELETE', `/api/memory-entries/${id}`);
      await send('DELETE', `/api/deleted-memory-entries/${id}`);
      await sql`update usage set last_change = last_change + ${CHANGES_REMEMBERED}
        where account_id = ${plant.accountId}`.execute(db());
      await sweep();
      await expectAnew();
    });

    it('and comes to an end with pages that are older than what is forgotten', async () => {
      for (let i = 0; i < 6; i += 1) await create();
      const { id } = await create();
      await send('DELETE', `/api/memory-entries/${id}`);
      await send('DELETE', `/api/deleted-memory-entries/${id}`);
      await sweep();
      await advance(ENDED_LASTS);
      await sweep();
      const slow = new ChangesClient(ask, 2);
      await slow.pull();
      expect(slow.beginnings).toBe(1);
      expect(slow.rows).toEqual(await readLists(ask));
    });
  });

  it('loses nothing of what many write at once, for a reader who looks on', {
    timeout: 180_000,
  }, async () => {
    const WRITERS = 12;
    const EACH = 8;
    let writing = true;
    const reader = new ChangesClient(ask, 7);
    const looking = (async () => {
      let looks = 0;
      while (writing) {
        await reader.readPage();
        looks += 1;
        // Reading alone would leave nobody else a turn.
        await setImmediate();
      }
      return looks;
    })();
    const write = async (writer: number) => {
      for (let i = 0; i < EACH; i += 1) {
        const { id } = await create();
        const path = `/api/memory-entries/${id}`;
        if (i % 4 === 1) await send('PATCH', path, { ...memory(), version: 1 });
        if (i % 4 >= 2) await send('DELETE', path);
        if (i % 4 === 3) await send('DELETE', `/api/deleted-memory-entries/${id}`);
        if (i % 4 === 0) await plant.ghost();
        if (writer % 3 === 0) await plant.relationship();
      }
    };
    await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
    writing = false;
    expect(await looking).toBeGreaterThan(2);
    await reader.pull();
    expect(reader.beginnings).toBe(1);
    expect(reader.rows).toEqual(await readLists(ask));
    expect(Object.keys(reader.rows.memory)).toHaveLength((WRITERS * EACH * 3) / 4);
  });

  it('leaves nothing of a vault that is destroyed', async () => {
    await create();
    const { accountId } = plant;
    await send('POST', '/api/vault/destroy', { confirm: 'DESTROY' });
    await sweep();
    const rows = await db().selectFrom('changes').select('n').where('account_id', '=', accountId).execute();
    expect(rows).toEqual([]);
  });
});
