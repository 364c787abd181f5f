// What a plan limits, and what a lapse leaves as it was: everything that is there already.
import { generateHybridIdentity, identityToRecipient } from 'age-encryption';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Usage } from '../../shared/nouns/usage.ts';
import { planLimits } from '../../shared/plans.ts';
import { DAY } from '../../shared/time.ts';
import { billingOf, openSelling, type SellingInstance, subscribe } from '../../testing/billing.ts';
import { testClock } from '../../testing/clock.ts';
import { describeOnEachEngine } from '../../testing/engines.ts';
import { openTestInstance } from '../../testing/instance.ts';
import { aMember, keepVaultKey, signUpByPassphrase } from '../../testing/people.ts';
import { accountIdOf } from '../../testing/planting.ts';
import { plainScroll } from '../../testing/scrolls.ts';
import { anEnvelope } from '../../testing/vault-keys.ts';
import { writePlanQuotas } from '../features/billing/store.ts';
import { setServerQuota } from './quota-store.ts';
import { countStory, storiesThisMonth } from './story-store.ts';

type Member = Awaited<ReturnType<typeof aMember>>;
const large = 'A'.repeat(planLimits.free.entryBytes + 4);
const memory = (encryptedContent: string) => ({ title: 'dA==', encryptedContent });

describeOnEachEngine('a plan', (engine) => {
  let instance: SellingInstance;
  let person: Member;
  beforeEach(async () => {
    instance = await openSelling({ engine });
    person = await aMember(instance);
  });
  afterEach(() => instance.close());

  const post = (path: string, body: object) => person.request('POST', path, { body });
  async function lapse(): Promise<void> {
    const subscription = [...instance.stripe.books.subscriptions.values()].at(-1);
    if (subscription) instance.stripe.books.end(subscription);
    await instance.catchUp();
    expect((await billingOf(person)).plan).toBe('free');
  }
  const refusal = async (response: Response) => {
    const { code, message } = (await response.json()) as { code: string; message: string };
    return { status: response.status, code, message };
  };
  const limited = (of: RegExp) => ({
    status: 402,
    code: 'plan-limit',
    message: expect.stringMatching(of),
  });
  async function aWatch(): Promise<Response> {
    const created = await post('/api/legacy-scrolls', plainScroll());
    expect(created.status).toBe(201);
    const { id } = (await created.json()) as { id: number };
    return post(`/api/legacy-scrolls/${id}/activate`, { handedOver: true });
  }
  const usage = async () => (await (await person.request('GET', '/api/usage')).json()) as Usage;

  it.each([
    ['/api/memory-entries', memory(large)],
    ['/api/relationship-entries', { personName: 'dA==', eventType: 'moment', encryptedContent: large }],
    ['/api/myth-stories', { title: 'dA==', storyType: 'biography', encryptedContent: large }],
    [
      '/api/ghost-entries',
      { encryptedContent: large, maxReads: 1, expiresAt: new Date(testClock().now() + DAY).toISOString() },
    ],
    ['/api/final-breath', { encryptedContent: large }],
    ['/api/legacy-scrolls', { ...plainScroll(), encryptedContent: large }],
  ])('keeps no entry by %s that is larger than the free one allows', async (path, body) => {
    expect(await refusal(await post(path, body))).toEqual(
      limited(/entries of up to 256\.0 KB.*Nothing was lost.*Enhanced/),
    );
    await subscribe(instance, person);
    expect((await post(path, body)).status).toBe(201);
  });

  it('lets a large entry be read, exported and edited after a lapse, and no other one grow', async () => {
    await subscribe(instance, person);
    const kept = (await (await post('/api/memory-entries', memory(large))).json()) as { id: number };
    const small = (await (await post('/api/memory-entries', memory('AAAA'))).json()) as { id: number };
    await lapse();
    const read = await (await person.request('GET', `/api/memory-entries/${kept.id}`)).json();
    expect(read).toMatchObject({ encryptedContent: large });
    const edit = (id: number, content: string) =>
      person.request('PATCH', `/api/memory-entries/${id}`, { body: { ...memory(content), version: 1 } });
    expect((await edit(kept.id, `${large}AAAA`)).status).toBe(200);
    expect(await refusal(await edit(small.id, large))).toEqual(limited(/entries of up to/));
    expect((await edit(small.id, 'BBBB')).status).toBe(200);
    expect((await edit(9999, large)).status).toBe(402);
  });

  it('leaves everything of a vault that is over every limit of the free plan readable, exportable and watching', async () => {
    await subscribe(instance, person);
    const lists = {
      '/api/memory-entries': memory(large),
      '/api/relationship-entries': { personName: 'dA==', eventType: 'moment', encryptedContent: large },
      '/api/myth-stories': { title: 'dA==', storyType: 'biography', encryptedContent: large },
    };
    for (const [path, body] of Object.entries(lists)) expect((await post(path, body)).status).toBe(201);
    for (let i = 0; i < 5; i += 1) expect((await aWatch()).status).toBe(200);
    expect((await post('/api/final-breath', { encryptedContent: large })).status).toBe(201);
    await lapse();
    // Over the limits of bytes and rows, too, as a vault of years would be.
    const { bytes, rows } = await usage();
    await instance.deps.db
      .updateTable('quota')
      .set({ bytes_max: Math.floor(bytes / 2), rows_max: rows - 1 })
      .execute();
    expect((await post('/api/memory-entries', memory('AAAA'))).status).toBe(413);

    // What an export asks for (web/chambers/settings/archive/gather.ts).
    for (const path of Object.keys(lists)) {
      const [row] = (await (await person.request('GET', path)).json()) as { id: number }[];
      const one = await person.request('GET', `${path}/${row?.id}`);
      expect([one.status, await one.json()]).toEqual([
        200,
        expect.objectContaining({ encryptedContent: large }),
      ]);
    }
    for (const path of ['/api/final-breath', '/api/summary', '/api/activity', '/api/onboarding']) {
      expect((await person.request('GET', path)).status, path).toBe(200);
    }
    const scrolls = (await (await person.request('GET', '/api/legacy-scrolls')).json()) as {
      id: number;
      isActive: boolean;
    }[];
    expect(scrolls.filter(({ isActive }) => isActive)).toHaveLength(5);
    expect((await billingOf(person)).used.scrollsWatching).toBe(5);
    // One ends when its author ends it.
    const [scroll] = scrolls;
    expect((await person.request('DELETE', `/api/legacy-scrolls/${scroll?.id}`)).status).toBe(204);
    expect((await billingOf(person)).used.scrollsWatching).toBe(4);
  });

  it('lets three scrolls watch, any number when enhanced, and disarms none after a lapse', async () => {
    for (let i = 0; i < 3; i += 1) expect((await aWatch()).status).toBe(200);
    expect(await refusal(await aWatch())).toEqual(limited(/3 letters watch.*Nothing was lost/));
    await subscribe(instance, person);
    expect((await aWatch()).status).toBe(200);
    expect((await billingOf(person)).used.scrollsWatching).toBe(4);
    await lapse();
    expect((await billingOf(person)).used.scrollsWatching).toBe(4);
    const scrolls = await instance.deps.db.selectFrom('legacy_scrolls').select('state').execute();
    expect(scrolls.filter(({ state }) => state === 'watching')).toHaveLength(4);
    // Four watch, so that disarming one alone would make no room.
    expect(await refusal(await aWatch())).toEqual(
      limited(/disarm others until fewer than 3 watch, or unlock/),
    );
  });

  it('lets no more watch when several are activated at once', async () => {
    const ids: number[] = [];
    for (let i = 0; i < 6; i += 1) {
      ids.push(((await (await post('/api/legacy-scrolls', plainScroll())).json()) as { id: number }).id);
    }
    const answers = await Promise.all(
      ids.map((id) => post(`/api/legacy-scrolls/${id}/activate`, { handedOver: true })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
  });

  it('counts the stories of a month, gives back what came to nothing, and begins anew the next', async () => {
    const accountId = await accountIdOf(instance, person);
    const { deps } = instance;
    const most = planLimits.free.storiesPerMonth ?? 0;
    const tries = await Promise.allSettled(
      Array.from({ length: most + 3 }, () => countStory(deps, accountId)),
    );
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(most);
    await expect(countStory(deps, accountId)).rejects.toMatchObject(limited(/5 stories in a month/));
    const [first] = tries.filter((one) => one.status === 'fulfilled');
    await first?.value();
    await countStory(deps, accountId);
    expect((await billingOf(person)).used.storiesThisMonth).toBe(most);
    instance.clock.advance(31 * 24 * 60 * 60 * 1000);
    expect(await storiesThisMonth(deps.db, accountId, deps.now())).toBe(0);
    await countStory(deps, accountId);
    expect(await storiesThisMonth(deps.db, accountId, deps.now())).toBe(1);
  });

  it('makes five stories in a month, and more when enhanced', async () => {
    // A story is sealed to a key that can be sealed to.
    const recipient = await identityToRecipient(await generateHybridIdentity());
    const author = await signUpByPassphrase(instance);
    person = { ...author, envelope: await keepVaultKey(author, anEnvelope(recipient)) };
    const body = {
      storyType: 'biography',
      sourceContent: 'I was born by the sea, and my mother rang the bell.',
    };
    const generate = () => post('/api/myth-stories/generate', body);
    for (let i = 0; i < 5; i += 1) expect((await generate()).status).toBe(201);
    expect(await refusal(await generate())).toEqual(limited(/5 stories in a month.*Nothing was lost/));
    await subscribe(instance, person);
    expect((await generate()).status).toBe(201);
    await lapse();
    expect(await (await person.request('GET', '/api/myth-stories')).json()).toHaveLength(6);
    expect((await generate()).status).toBe(402);
  });

  it('gives an enhanced account the server’s own room, and takes only what is free of it after a lapse', async () => {
    const free = { bytesMax: planLimits.free.bytes, rowsMax: planLimits.free.rows };
    const server = { bytesMax: 2 ** 30, rowsMax: 100_000 };
    expect(await usage()).toMatchObject(free);
    await subscribe(instance, person);
    expect(await usage()).toMatchObject(server);
    await post('/api/memory-entries', memory('AAAA'));
    await lapse();
    expect(await usage()).toMatchObject(free);
    expect(await (await person.request('GET', '/api/memory-entries')).json()).toHaveLength(1);
  });

  it('says in a full vault how to make room', async () => {
    await instance.deps.db.updateTable('quota').set({ rows_max: 4 }).execute();
    const answers = [
      await post('/api/memory-entries', memory('AAAA')),
      await post('/api/memory-entries', memory('AAAA')),
    ];
    const full = await refusal(answers.find(({ status }) => status === 409) ?? new Response('{}'));
    expect(full).toEqual({
      status: 409,
      code: 'quota-rows',
      message: expect.stringContaining('unlock the Enhanced plan'),
    });
  });

  it('follows the configuration of a server that starts: other room, and none sold at all', async () => {
    await subscribe(instance, person);
    const smaller = instance.sibling({ QUOTA_BYTES: '10M', QUOTA_ROWS: '50' });
    await setServerQuota(smaller.deps.db, smaller.deps.config);
    await writePlanQuotas(smaller.deps);
    expect(await usage()).toMatchObject({ bytesMax: 10 * 2 ** 20, rowsMax: 50 });
    const config = { ...instance.deps.config, payments: null };
    await setServerQuota(instance.deps.db, config);
    await writePlanQuotas({ ...instance.deps, config });
    expect(await usage()).toMatchObject({ bytesMax: 2 ** 30, rowsMax: 100_000 });
  });
});

describe('a server without payments', () => {
  it('limits nothing but what it is configured with', async () => {
    const instance = await openTestInstance();
    const person = await aMember(instance);
    for (let i = 0; i < 4; i += 1) {
      const created = await person.request('POST', '/api/legacy-scrolls', {
        body: { ...plainScroll(), encryptedContent: large },
      });
      expect(created.status).toBe(201);
      const { id } = (await created.json()) as { id: number };
      const body = { handedOver: true };
      expect((await person.request('POST', `/api/legacy-scrolls/${id}/activate`, { body })).status).toBe(200);
    }
    const accountId = await accountIdOf(instance, person);
    for (let i = 0; i < 20; i += 1) await countStory(instance.deps, accountId);
    await instance.close();
  });
});
