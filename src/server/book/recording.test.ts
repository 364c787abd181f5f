// A change and its entry of the book: both are kept, or neither, whatever the change.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { contractRows } from '../../shared/http/contract.ts';
import { ENTRY_IN_HEADER_MAX, type SealedBookEntry } from '../../shared/nouns/book.ts';
import { HOUR, MINUTE } from '../../shared/time.ts';
import { anEntry, withEntry } from '../../testing/book.ts';
import { describeOnEachEngine } from '../../testing/engines.ts';
import { failure, openTestInstance, type TestInstance } from '../../testing/instance.ts';
import { keepVaultKey, type Person, signUpByPassphrase } from '../../testing/people.ts';
import { aSealId, type Planting, plantingFor } from '../../testing/planting.ts';
import { plainScroll } from '../../testing/scrolls.ts';
import { aLink } from '../../testing/shares.ts';
import { limit } from '../../testing/usage.ts';
import type { Database } from '../db/open.ts';
import { padToOverflow } from '../db/overflow.ts';
import type { Deps } from '../deps.ts';
import { deleteExpired } from '../expiry.ts';
import { recorded } from './recording.ts';

const SEALED = 'd29yZHM=';
const OLD_KEY = '0'.repeat(16);

interface Call {
  path: string;
  body?: unknown;
}

/** What a call of each row changes: something that is there, or something new. */
type Prepare = (plant: Planting, instance: TestInstance, fingerprint: string) => Promise<Call>;

const memory = () => ({ title: SEALED, encryptedContent: SEALED, sealId: aSealId() });
const moment = () => ({ ...memory(), personName: SEALED, eventType: 'moment', emotionalWeight: 3 });
const myth = () => ({ ...memory(), storyType: 'biography' });
/** Rows that name no key may be changed by whoever names none. */
const keyless = { key_fingerprint: null };

const deleted = async (row: Promise<{ id: number }>, path: string, then = ''): Promise<Call> => ({
  path: `/api/${path}/${(await row).id}${then}`,
});

const CHANGES: Record<string, Prepare> = {
  'account.onboarding': async () => ({
    path: '/api/onboarding',
    body: { question1: SEALED, question2: SEALED, question3: SEALED },
  }),
  'regeneration.reseal': async (plant, _, keyFingerprint) => {
    const { id, version } = await plant.memory({ key_fingerprint: OLD_KEY });
    const entry = { kind: 'memory', id, version, title: SEALED, encryptedContent: SEALED, details: null };
    return { path: '/api/encryption-key/reseal', body: { keyFingerprint, entries: [entry] } };
  },
  'memories.create': async () => ({ path: '/api/memory-entries', body: memory() }),
  'memories.update': async (plant) => {
    const { id, version } = await plant.memory(keyless);
    return { path: `/api/memory-entries/${id}`, body: { ...memory(), version } };
  },
  'memories.remove': (plant) => deleted(plant.memory(), 'memory-entries'),
  'relationships.create': async () => ({ path: '/api/relationship-entries', body: moment() }),
  'relationships.update': async (plant) => {
    const { id, version } = await plant.relationship(keyless);
    return { path: `/api/relationship-entries/${id}`, body: { ...moment(), version } };
  },
  'relationships.remove': (plant) => deleted(plant.relationship(), 'relationship-entries'),
  'myths.create': async () => ({ path: '/api/myth-stories', body: myth() }),
  'myths.update': async (plant) => {
    const { id, version } = await plant.myth(keyless);
    return { path: `/api/myth-stories/${id}`, body: { ...myth(), version } };
  },
  'myths.remove': (plant) => deleted(plant.myth(), 'myth-stories'),
  'deletedMemories.restore': (plant, { clock }) =>
    deleted(plant.memory({ deleted_at: clock.now() }), 'deleted-memory-entries', '/restore'),
  'deletedMemories.erase': (plant, { clock }) =>
    deleted(plant.memory({ deleted_at: clock.now() }), 'deleted-memory-entries'),
  'deletedRelationships.restore': (plant, { clock }) =>
    deleted(plant.relationship({ deleted_at: clock.now() }), 'deleted-relationship-entries', '/restore'),
  'deletedRelationships.erase': (plant, { clock }) =>
    deleted(plant.relationship({ deleted_at: clock.now() }), 'deleted-relationship-entries'),
  'deletedMyths.restore': (plant, { clock }) =>
    deleted(plant.myth({ deleted_at: clock.now() }), 'deleted-myth-stories', '/restore'),
  'deletedMyths.erase': (plant, { clock }) =>
    deleted(plant.myth({ deleted_at: clock.now() }), 'deleted-myth-stories'),
  'importWebhooks.create': async () => ({
    path: '/api/import-webhooks',
    body: { name: SEALED, sealId: aSealId() },
  }),
  'guardianKits.create': async () => ({
    path: '/api/guardian-kits',
    body: {
      ...{ details: SEALED, needed: 2, count: 3, waitDays: 14, address: aSealId() },
      ...{ claimHash: 'A'.repeat(43), wrap: 'A'.repeat(32), sealId: aSealId() },
    },
  }),
  'guardianKits.remove': (plant) => deleted(plant.guardianKit(), 'guardian-kits'),
  'importWebhooks.remove': (plant) => deleted(plant.webhook(), 'import-webhooks'),
  'ghosts.create': async (_, { clock }) => ({
    path: '/api/ghost-entries',
    body: { encryptedContent: SEALED, expiresAt: new Date(clock.now() + HOUR).toISOString() },
  }),
  'ghosts.remove': (plant) => deleted(plant.ghost(), 'ghost-entries'),
  'shareableKeys.seal': async (plant) => {
    const { id: entry_id } = await plant.memory();
    const unsealed = { door_hash: null, claim_hash: null, encrypted_content: null, encrypted_secret: null };
    const { id } = await plant.sacredKey({ ...unsealed, seal_id: null, entry_id });
    return { path: `/api/shareable-keys/${id}/seal`, body: aLink().seal };
  },
  'shareableKeys.remove': (plant) => deleted(plant.sacredKey(), 'shareable-keys'),
  'finalBreath.create': async () => ({ path: '/api/final-breath', body: { encryptedContent: SEALED } }),
  'finalBreath.read': async (plant) => {
    await plant.breath({ encrypted_content: padToOverflow(SEALED) });
    return { path: '/api/final-breath/read', body: {} };
  },
  'finalBreath.remove': async (plant) => {
    await plant.breath();
    return { path: '/api/final-breath' };
  },
  'legacyScrolls.create': async () => ({ path: '/api/legacy-scrolls', body: plainScroll() }),
  'legacyScrolls.update': async (plant) => {
    const { id, version } = await plant.legacyScroll(keyless);
    return { path: `/api/legacy-scrolls/${id}`, body: { ...plainScroll(), version } };
  },
  'legacyScrolls.remove': (plant) => deleted(plant.legacyScroll(), 'legacy-scrolls'),
};

const recordedRows = contractRows().filter(({ row }) => row.inBook);
const methodOf = (name: string) => recordedRows.find((one) => one.name === name)?.row.method ?? '';

it('every call that takes an entry is tried', () => {
  expect(Object.keys(CHANGES).sort()).toEqual(recordedRows.map(({ name }) => name).sort());
});

describeOnEachEngine('a change with an entry of the book', (engine) => {
  let instance: TestInstance;
  let person: Person;
  let plant: Planting;
  let fingerprint: string;
  /** What was asked of the server's own database while a transaction was open. */
  const beside: string[] = [];

  beforeAll(async () => {
    instance = await openTestInstance({ engine });
    watch(instance.deps, beside);
  });
  afterAll(() => instance.close());
  beforeEach(async () => {
    instance.clock.advance(10 * MINUTE);
    person = await signUpByPassphrase(instance);
    fingerprint = (await keepVaultKey(person)).clientKey.fingerprint;
    plant = await plantingFor(instance, person, fingerprint);
  });

  const send = (name: string, { path, body }: Call, entry?: SealedBookEntry | string) =>
    person.request(methodOf(name), path, {
      ...(body === undefined ? {} : { body }),
      ...(entry === undefined
        ? {}
        : { headers: typeof entry === 'string' ? { 'x-latebra-book': entry } : withEntry(entry) }),
    });
  const book = async (by: Person = person) =>
    (await (await by.request('GET', '/api/book')).json()) as unknown;

  /** Everything that this account has, apart from what its requests leave by themselves. */
  async function everything(): Promise<Record<string, unknown[]>> {
    const found: Record<string, unknown[]> = {};
    for (const { name, columns } of await instance.deps.db.introspection.getTables()) {
      if (name === 'sessions' || !columns.some((column) => column.name === 'account_id')) continue;
      const rows = await instance.deps.db
        .selectFrom(name as 'memory_entries')
        .selectAll()
        .where('account_id', '=', plant.accountId)
        .execute();
      found[name] = rows.map((row) => JSON.stringify(row)).sort();
    }
    return found;
  }

  describe.each(Object.entries(CHANGES))('by %s', (name, prepare) => {
    it('is kept together with it, and asks for nothing beside its transaction', async () => {
      const call = await prepare(plant, instance, fingerprint);
      const before = await everything();
      beside.length = 0;
      const entry = anEntry(1);
      const answer = await send(name, call, entry);
      expect(answer.ok, await answer.text()).toBe(true);
      expect(await book()).toEqual([entry]);
      expect(await everything()).not.toEqual({ ...before, book_entries: (await everything()).book_entries });
      expect(beside).toEqual([]);
    });

    it('is undone where the number is not the next one', async () => {
      const call = await prepare(plant, instance, fingerprint);
      const before = await everything();
      for (const n of [2, 7]) {
        expect(await failure(await send(name, call, anEntry(n)))).toEqual({
          status: 409,
          code: 'book-moved',
        });
        expect(await everything()).toEqual(before);
      }
      expect((await send(name, call, anEntry(1))).ok).toBe(true);
    });

    it('goes without an entry as ever', async () => {
      const answer = await send(name, await prepare(plant, instance, fingerprint));
      expect(answer.ok).toBe(true);
      expect(await book()).toEqual([]);
    });
  });

  const create = (entry?: SealedBookEntry | string, body: object = memory()) =>
    send('memories.create', { path: '/api/memory-entries', body }, entry);
  const memories = async () =>
    (await (await person.request('GET', '/api/memory-entries')).json()) as unknown[];
  const bookOf = async () => (await book()) as SealedBookEntry[];

  describe('that is refused', () => {
    it.each<[why: string, code: string, refused: () => Promise<Response>]>([
      [
        'an edit of what was edited elsewhere',
        'stale-version',
        async () => {
          const { id } = await plant.memory(keyless);
          return send(
            'memories.update',
            { path: `/api/memory-entries/${id}`, body: { ...memory(), version: 7 } },
            anEntry(1),
          );
        },
      ],
      [
        'a page that has an older key',
        'key-changed',
        () => create(anEntry(1), { ...memory(), keyFingerprint: OLD_KEY }),
      ],
      [
        'a deletion of what is gone',
        'not-found',
        () => send('memories.remove', { path: '/api/memory-entries/999' }, anEntry(1)),
      ],
      [
        'a deletion of what is no number',
        'not-found',
        () => send('memories.remove', { path: '/api/memory-entries/x' }, anEntry(1)),
      ],
      [
        'a second seal of one number',
        'seal-reused',
        async () => {
          const { seal_id: sealId } = await plant.memory();
          return create(anEntry(1), { ...memory(), sealId });
        },
      ],
      [
        'a webhook whose seal another one has',
        'seal-reused',
        async () => {
          const { seal_id: sealId } = await plant.webhook();
          return send(
            'importWebhooks.create',
            { path: '/api/import-webhooks', body: { name: SEALED, sealId } },
            anEntry(1),
          );
        },
      ],
      ['a body that is none', 'invalid-input', () => create(anEntry(1), {})],
    ])('leaves no entry: %s', async (_, code, refused) => {
      expect((await failure(await refused())).code).toBe(code);
      expect(await book()).toEqual([]);
      // Nothing is left of the transaction either: the next one has the same number.
      expect((await create(anEntry(1))).status).toBe(201);
    });

    it('leaves no entry where the vault is full, and takes the deletion that makes room', async () => {
      const { id } = await plant.memory();
      await limit(instance, { rows: 1 }, plant.accountId);
      expect(await failure(await create(anEntry(1)))).toEqual({ status: 409, code: 'quota-rows' });
      expect(await book()).toEqual([]);
      await limit(instance, { bytes: 0 }, plant.accountId);
      const removed = await send('memories.remove', { path: `/api/memory-entries/${id}` }, anEntry(1, 4000));
      expect(removed.status).toBe(204);
      expect(await bookOf()).toHaveLength(1);
    });

    it('leaves nothing where one of many rows is not as the entry says', async () => {
      const sound = await plant.memory({ key_fingerprint: OLD_KEY });
      const changed = await plant.memory({ key_fingerprint: OLD_KEY });
      const ghost = await plant.ghost({ key_fingerprint: OLD_KEY });
      const entries = [
        ...[sound, changed].map(({ id, version }) => ({
          kind: 'memory',
          id,
          version,
          title: SEALED,
          encryptedContent: SEALED,
          details: null,
        })),
        { kind: 'ghost', id: ghost.id, encryptedContent: SEALED },
      ];
      const call = { path: '/api/encryption-key/reseal', body: { keyFingerprint: fingerprint, entries } };
      await instance.deps.db
        .updateTable('memory_entries')
        .set({ version: 2 })
        .where('id', '=', changed.id)
        .execute();
      const before = await everything();
      expect(await failure(await send('regeneration.reseal', call, anEntry(1)))).toEqual({
        status: 409,
        code: 'entries-changed',
      });
      expect(await everything()).toEqual(before);
      await instance.deps.db
        .updateTable('memory_entries')
        .set({ version: 1 })
        .where('id', '=', changed.id)
        .execute();
      expect((await send('regeneration.reseal', call, anEntry(1))).status).toBe(204);
      // They are under the present key by now: there is nothing left that this would say.
      expect(await failure(await send('regeneration.reseal', call, anEntry(2)))).toEqual({
        status: 409,
        code: 'entries-changed',
      });
      // Without an entry they are passed over.
      expect((await send('regeneration.reseal', call)).status).toBe(204);
      expect(await bookOf()).toHaveLength(1);
    });
  });

  describe('that is not well formed', () => {
    const long = 'A'.repeat(ENTRY_IN_HEADER_MAX);
    it.each([
      '',
      '1',
      '1.',
      '.AAAA',
      '0.AAAA',
      '-1.AAAA',
      '01.AAAA',
      '+1.AAAA',
      '1.5.AAAA',
      '1,5.AAAA',
      '1e3.AAAA',
      '0x1.AAAA',
      'NaN.AAAA',
      '1.AAA',
      '1.A A A',
      '1.AA=A',
      '1.AAAA=',
      '1.====',
      '1.AA-_',
      '1.\u00e4\u00e4\u00e4\u00e4',
      '1.AAAA, 2.AAAA',
      '2147483648.AAAA',
      '9007199254740993.AAAA',
      `${'9'.repeat(400)}.AAAA`,
      '__proto__.AAAA',
    ])('is refused plainly: %j', async (header) => {
      const before = await everything();
      const answer = await create(header);
      const text = await answer.text();
      expect(answer.status).toBe(400);
      expect(text).toMatch(/^\{"message":"x-latebra-book holds .+\.","code":"bad-request"\}$/);
      expect(await everything()).toEqual(before);
    });

    it('is refused where it is longer than a header may be, and taken where it is as long', async () => {
      expect(await failure(await create(`1.${long}AAAA`))).toEqual({ status: 413, code: 'too-large' });
      expect(await failure(await create(`1.${'A'.repeat(100_000)}`))).toEqual({
        status: 413,
        code: 'too-large',
      });
      expect((await create(`1.${long}`)).status).toBe(201);
      expect(await failure(await create(`2147483647.${long}`))).toEqual({ status: 409, code: 'book-moved' });
    });

    it('is nothing that another call takes, and then nothing is done', async () => {
      const others = contractRows().filter(
        ({ row }) => !row.inBook && row.access !== 'admin' && !row.requires && !row.checkoutOrigin,
      );
      const before = await everything();
      for (const { name, row } of others) {
        const path = row.path.replace(/\{\w+\}/g, '1');
        const answer = await person.request(row.method, path, { headers: withEntry(anEntry(1)) });
        expect(await failure(answer), name).toEqual({ status: 400, code: 'bad-request' });
      }
      expect(others.length).toBeGreaterThan(50);
      expect(await everything()).toEqual(before);
    });
  });

  it('is told to nobody: neither a log nor a refusal has anything of it', async () => {
    const entry = anEntry(1);
    instance.log.length = 0;
    await create(entry);
    const refused = await (await create(entry)).text();
    await create({ ...entry, n: 9 });
    expect(refused).not.toContain(entry.sealed.slice(0, 20));
    expect(JSON.stringify(instance.log)).not.toContain(entry.sealed.slice(0, 20));
  });

  it('is in the book of its own account alone', async () => {
    const other = await signUpByPassphrase(instance);
    await create(anEntry(1));
    expect(await book(other)).toEqual([]);
    const body = memory();
    const mine = await other.request('POST', '/api/memory-entries', { body, headers: withEntry(anEntry(2)) });
    expect(await failure(mine)).toEqual({ status: 409, code: 'book-moved' });
    const headers = { ...withEntry(anEntry(1)), 'x-latebra-account': person.user.id };
    const foreign = await other.request('POST', '/api/memory-entries', { body, headers });
    expect(await failure(foreign)).toEqual({ status: 409, code: 'other-account' });
    expect(await book(other)).toEqual([]);
  });

  it('has one winner of fifty, and a row for it alone', async () => {
    for (let n = 1; n <= 3; n += 1) {
      const entries = Array.from({ length: 50 }, () => anEntry(n));
      const answers = await Promise.all(entries.map((entry) => create(entry)));
      const won = answers.flatMap(({ status }, i) => (status === 201 ? [entries[i]] : []));
      expect(won).toHaveLength(1);
      for (const answer of answers) {
        if (answer.status !== 201) expect(await failure(answer)).toEqual({ status: 409, code: 'book-moved' });
      }
      expect((await bookOf()).slice(-1)).toEqual(won);
      expect(await memories()).toHaveLength(n);
    }
  });

  it('follows those before it without a gap, whatever else is written at the same time', async () => {
    const { id } = await plant.memory(keyless);
    let written = 0;
    /** Writes with an entry, and looks for the next number wherever another one was faster. */
    async function write(times: number): Promise<void> {
      for (let done = 0; done < times; ) {
        const entry = anEntry(((await bookOf()).at(-1)?.n ?? 0) + 1);
        const { status } = await create(entry);
        if (status === 201) {
          done += 1;
          written += 1;
        } else expect(status).toBe(409);
      }
    }
    const aside = async (times: number) => {
      for (let i = 0; i < times; i += 1) {
        await create();
        await send('memories.update', {
          path: `/api/memory-entries/${id}`,
          body: { ...memory(), version: i + 1 },
        });
      }
    };
    await Promise.all([write(6), write(6), write(6), aside(10), aside(10)]);
    expect((await bookOf()).map(({ n }) => n)).toEqual(Array.from({ length: written }, (_, i) => i + 1));
    expect(await memories()).toHaveLength(written + 20 + 1);
  });

  it('is answered 401 where the vault was destroyed meanwhile, and leaves nothing', async () => {
    await create(anEntry(1));
    const destroyed = await person.request('POST', '/api/vault/destroy', { body: { confirm: 'DESTROY' } });
    expect(destroyed.status).toBe(204);
    for (const n of [1, 2]) {
      const late = recorded(instance.deps, plant.accountId, `${n}.AAAA`, async () => 'kept');
      await expect(late).rejects.toMatchObject({ code: 'not-signed-in' });
    }
    expect((await everything()).book_entries).toEqual([]);
  });

  it('is written beside a vault that is destroyed, or not at all', async () => {
    const writers = Array.from({ length: 10 }, (_, i) => create(anEntry(i + 1)));
    const destroying = person.request('POST', '/api/vault/destroy', { body: { confirm: 'DESTROY' } });
    for (const { status } of await Promise.all(writers)) expect([201, 401, 409]).toContain(status);
    expect((await destroying).status).toBe(204);
    await deleteExpired(instance.deps);
    expect((await everything()).book_entries).toEqual([]);
    expect((await everything()).memory_entries).toEqual([]);
  });
});

/** Notes whatever is asked of the server's own database while one of its transactions is open. */
function watch(deps: Deps, beside: string[]): void {
  const { db } = deps;
  let open = 0;
  const transaction = () => ({
    execute: <T>(work: (tx: Database) => Promise<T>) =>
      db.transaction().execute(async (tx) => {
        open += 1;
        try {
          return await work(tx);
        } finally {
          open -= 1;
        }
      }),
  });
  deps.db = new Proxy(db, {
    get(_, name) {
      if (name === 'transaction') return transaction;
      if (open > 0) beside.push(String(name));
      const value = Reflect.get(db, name, db);
      return typeof value === 'function' ? value.bind(db) : value;
    },
  });
}
