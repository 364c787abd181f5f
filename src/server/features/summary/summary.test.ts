import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ReplyOf } from '../../../shared/http/call.ts';
import type { summary } from '../../../shared/nouns/summary.ts';
import { DAY, HOUR } from '../../../shared/time.ts';
import { describeOnEachEngine } from '../../../testing/engines.ts';
import { openTestInstance, type TestInstance } from '../../../testing/instance.ts';
import { type Person, signUpByPassphrase } from '../../../testing/people.ts';
import { type Planting, plantingFor } from '../../../testing/planting.ts';

const KEY = '0'.repeat(16);

describeOnEachEngine('the dashboard’s counts', (engine) => {
  let instance: TestInstance;
  beforeAll(async () => {
    instance = await openTestInstance({ engine });
  });
  afterAll(() => instance.close());

  const counts = async (person: Person) =>
    (await (await person.request('GET', '/api/summary')).json()) as ReplyOf<typeof summary.get>;

  it('are naught in a new vault, whatever others keep', async () => {
    const other = await plantingFor(instance, await signUpByPassphrase(instance), KEY);
    await Promise.all([other.memory(), other.relationship(), other.myth(), other.ghost(), other.sacredKey()]);
    await other.legacyScroll({ state: 'watching' });
    expect(await counts(await signUpByPassphrase(instance))).toEqual({
      memories: 0,
      relationships: 0,
      myths: 0,
      ghosts: 0,
      legacyScrolls: 0,
      whispers: 0,
      whispersHeldBack: 0,
      shareableKeys: 0,
      unsentMessages: 0,
      kitsAsked: 0,
      kitsStopped: 0,
      nearRelease: null,
    });
  });

  it('count entries, ghosts with words left, scrolls that watch, whispers not opened, and links that were not used', async () => {
    const person = await signUpByPassphrase(instance);
    const plant = await plantingFor(instance, person, KEY);
    const now = instance.clock.now();
    for (let n = 0; n < 3; n += 1) await plant.memory();
    await plant.memory({ time_lock_until: now + HOUR });
    for (let n = 0; n < 2; n += 1) await plant.relationship();
    await plant.myth();
    await plant.ghost({ max_reads: null, current_reads: 7 });
    await plant.ghost({ max_reads: 3, current_reads: 2 });
    await plant.ghost({ max_reads: 1, current_reads: 1 }, null);
    await plant.ghost({ expires_at: now });
    await plant.sacredKey();
    await plant.sacredKey({ door_hash: null, claim_hash: null, encrypted_content: null });
    await plant.sacredKey({ opened_at: now });
    await plant.sacredKey({ expires_at: now });
    await plant.legacyScroll();
    await plant.legacyScroll({ state: 'watching' });
    await plant.legacyScroll({ state: 'released' });
    const other = await plantingFor(instance, await signUpByPassphrase(instance), KEY);
    const whisper = { recipient_type: 'whisper' as const, recipient_account_id: plant.accountId };
    await other.legacyScroll({ ...whisper, state: 'released' });
    await other.legacyScroll({ ...whisper, state: 'released', opened_at: now });
    await other.legacyScroll({ ...whisper, state: 'watching' });
    const here = {
      memories: 4,
      relationships: 2,
      myths: 1,
      ghosts: 2,
      legacyScrolls: 1,
      whispers: 1,
      whispersHeldBack: 0,
      // As the specification counts them: also one that is not ready, and one that has expired.
      shareableKeys: 3,
      unsentMessages: 0,
      kitsAsked: 0,
      kitsStopped: 0,
      nearRelease: null,
    };
    expect(await counts(person)).toEqual(here);
    instance.clock.advance(24 * HOUR - 1);
    expect(await counts(person)).toEqual(here);
    instance.clock.advance(1);
    expect(await counts(person)).toEqual({ ...here, ghosts: 0 });
  });

  describe('of scrolls near their release', () => {
    let person: Person;
    let plant: Planting;
    const setClock = (fields: object) => instance.deps.db.updateTable('instance_clock').set(fields).execute();
    const near = async () => (await counts(person)).nearRelease;
    const aWatch = (days: number, fields: object = {}) =>
      plant.legacyScroll({
        state: 'watching',
        period: days * DAY,
        watching_since: 100 * DAY,
        warning: 'dashboard',
        ...fields,
      });
    beforeEach(async () => {
      await setClock({ counted_time: 100 * DAY, held_until: 0, paused_reason: null });
      person = await signUpByPassphrase(instance);
      plant = await plantingFor(instance, person, KEY);
      await instance.deps.db.deleteFrom('last_activity').where('account_id', '=', plant.accountId).execute();
    });

    it('tell from the first warning on, and of the nearest', async () => {
      await aWatch(30);
      await aWatch(28);
      await aWatch(90);
      await aWatch(1, { trigger_type: 'date', period: null, due_at: instance.clock.now() + HOUR });
      await aWatch(1, { state: 'dormant' });
      await setClock({ counted_time: 121 * DAY - 1 });
      expect(await near()).toBeNull();
      await setClock({ counted_time: 121 * DAY });
      expect(await near()).toEqual({ scrolls: 1, remaining: 7 * DAY, hold: null });
      await setClock({ counted_time: 124 * DAY });
      expect(await near()).toEqual({ scrolls: 2, remaining: 4 * DAY, hold: null });
      await person.request('POST', '/api/proof-of-life');
      expect(await near()).toBeNull();
    });

    it('tell what holds them, and do not take a pause for nearness', async () => {
      await aWatch(30, { warning: 'mail' });
      await setClock({ held_until: 131 * DAY });
      expect(await near()).toEqual({ scrolls: 1, remaining: 30 * DAY, hold: 'after-outage' });
      await setClock({ held_until: 0, counted_time: 131 * DAY });
      expect(await near()).toEqual({ scrolls: 1, remaining: -DAY, hold: 'warning-unaccepted' });
      await setClock({ counted_time: 101 * DAY, paused_reason: 'restored' });
      expect(await near()).toBeNull();
    });
  });
});
