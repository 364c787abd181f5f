// A kind of sealed entry is added by one edit of the list and one of the map. The contract, the key's rotation and the
// counts then know it; a map that lacks it does not compile.
import { type SqlBool, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { sealed } from '../../../shared/http/field-classes.ts';
import {
  type KindList,
  resealableKinds,
  resealedSchema,
  type SealedKind,
  sealedKinds,
  shareableKinds,
  withheldSchema,
} from '../../../shared/sealed-kinds.ts';
import { describeOnEachEngine } from '../../../testing/engines.ts';
import { openTestInstance, type TestInstance } from '../../../testing/instance.ts';
import { aMember } from '../../../testing/people.ts';
import { plantingFor } from '../../../testing/planting.ts';
import { begin } from '../../../testing/regenerating.ts';
import { kindsWithTables, type SealedTables, sealedTables } from '../../db/sealed-tables.ts';
import { transact } from '../../db/transact.ts';
import { somethingMissing } from './regeneration-store.ts';
import { type ResealedRow, toRow } from './reseal-store.ts';
import { sealStaged } from './staged-store.ts';

/** Dreams stand in the table of moments here: a name, words, and perhaps a place. */
const toyKinds = {
  ...sealedKinds,
  dream: {
    rows: 'many',
    fields: { encryptedContent: sealed('a dream', 4096) },
    optional: { place: sealed('where a dream took place', 4096) },
    versioned: true,
    bound: ['version'],
    marks: [],
    exportable: true,
    shareable: true,
    entries: null,
    withheld: { when: 'locked', counted: 'lockedDreams', says: 'how many dreams are locked' },
  },
} as const satisfies KindList;

const dreams = {
  table: 'relationship_entries',
  id: 'id',
  columns: { encryptedContent: 'encrypted_content', place: 'person_name' },
  holds: () => sql<SqlBool>`1 = 1`,
  locked: () => sql<SqlBool>`1 = 0`,
} as const;
const toyTables = { ...sealedTables, dream: dreams } as const satisfies SealedTables<typeof toyKinds>;

describe('a kind that was added to the list alone', () => {
  it('does not compile where its table, a column, its number or its lock is missing', () => {
    const mapped = (tables: SealedTables<typeof toyKinds>) => Object.keys(tables).length;
    const withDreams = (dream: SealedTables<typeof toyKinds>['dream']) => mapped({ ...sealedTables, dream });
    const noColumn = { ...dreams, columns: { encryptedContent: 'encrypted_content' } } as const;
    const strangeColumn = { ...dreams, columns: { ...dreams.columns, place: 'title' } } as const;
    const counts = [
      withDreams(dreams),
      // @ts-expect-error no table
      mapped(sealedTables) + 1,
      // @ts-expect-error the place has no column
      withDreams(noColumn),
      // @ts-expect-error a column of another table
      withDreams(strangeColumn),
      // @ts-expect-error there are many rows, and none has a number
      withDreams({ ...dreams, id: null }),
      // @ts-expect-error nothing says which are locked
      withDreams({ ...dreams, locked: undefined }),
    ];
    expect(new Set(counts)).toEqual(new Set([Object.keys(toyKinds).length]));
  });

  it('is known to the contract', () => {
    const schema = resealedSchema(toyKinds);
    const dream = { kind: 'dream', id: 1, version: 2, encryptedContent: 'bmV3', place: null } as const;
    expect(z.parse(schema, dream)).toEqual(dream);
    // What may be missing is named all the same: it cannot be forgotten.
    expect(z.safeParse(schema, { ...dream, place: undefined }).success).toBe(false);
    expect(z.safeParse(resealedSchema(sealedKinds), dream).success).toBe(false);
    expect(resealableKinds(toyKinds)).toContain('dream');
    expect(shareableKinds(toyKinds)).toContain('dream');
    expect(Object.keys(withheldSchema(toyKinds))).toContain('lockedDreams');
  });
});

describe('every kind of the list', () => {
  it('has three sealed fields at most, which is what the staging table holds', () => {
    for (const { fields, optional } of Object.values<SealedKind>(sealedKinds)) {
      expect(Object.keys({ ...fields, ...optional }).length).toBeLessThanOrEqual(3);
    }
  });
});

describeOnEachEngine('a kind that was added to the list and to the map', (engine) => {
  let instance: TestInstance;
  beforeAll(async () => {
    instance = await openTestInstance({ engine });
  });
  afterAll(() => instance.close());

  it('is missed at a rotation until it is staged, and is then sealed anew', async () => {
    const member = await aMember(instance);
    const old = member.envelope.clientKey.fingerprint;
    const plant = await plantingFor(instance, member, old);
    const { accountId } = plant;
    await begin((method, path, body) => member.request(method, path, { body }), old);
    const row = await plant.relationship();
    const kinds = kindsWithTables(toyKinds, toyTables).filter(({ name }) => name === 'dream');
    const resealing = { accountId, fingerprint: 'f'.repeat(16), time: instance.clock.now() };
    const finish = () =>
      transact(instance.deps.db, async (tx) => {
        await sealStaged(tx, resealing, kinds);
        return somethingMissing(tx, resealing, old, kinds);
      });
    const stage = (texts: { encryptedContent: string; place: string | null }) => {
      const dream = { kind: 'dream', id: row.id, version: row.version, ...texts };
      const staged = toRow(dream as never, kinds) as ResealedRow;
      return instance.deps.db
        .insertInto('staged_entries')
        .values({ ...staged, account_id: accountId })
        .onConflict((conflict) => conflict.columns(['account_id', 'kind', 'entry_id']).doUpdateSet(staged))
        .execute();
    };

    expect(await finish()).toBe(true);
    // A text that was forgotten: the row has a place.
    await stage({ encryptedContent: 'bmV3', place: null });
    expect(await finish()).toBe(true);
    await stage({ encryptedContent: 'bmV3', place: 'aGVyZQ==' });
    expect(await finish()).toBe(false);
    const now = await instance.deps.db
      .selectFrom('relationship_entries')
      .selectAll()
      .where('id', '=', row.id)
      .executeTakeFirst();
    expect(now).toEqual({
      ...row,
      encrypted_content: 'bmV3',
      person_name: 'aGVyZQ==',
      key_fingerprint: resealing.fingerprint,
    });
  });
});
