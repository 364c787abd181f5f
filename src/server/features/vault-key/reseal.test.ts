import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ResealedEntry } from '../../../shared/nouns/regeneration.ts';
import { HOUR, MINUTE } from '../../../shared/time.ts';
import { anEntry, withEntry } from '../../../testing/book.ts';
import { describeOnEachEngine } from '../../../testing/engines.ts';
import { failure, openTestInstance, type TestInstance } from '../../../testing/instance.ts';
import { aMember, type Person } from '../../../testing/people.ts';
import { type Planting, plantingFor } from '../../../testing/planting.ts';
import { rowsTouched } from '../../../testing/touched.ts';
import { unpadOverflow } from '../../db/overflow.ts';

const OLD = '0'.repeat(16);
const NEWER = 'bmV3ZXI=';

describeOnEachEngine('entries that a browser opened with an older key', (engine) => {
  let instance: TestInstance;
  let person: Person;
  let present: string;
  let plant: Planting;
  beforeAll(async () => {
    instance = await openTestInstance({ engine });
  });
  afterAll(() => instance.close());
  beforeEach(async () => {
    instance.clock.advance(10 * MINUTE);
    const member = await aMember(instance);
    person = member;
    present = member.envelope.clientKey.fingerprint;
    plant = await plantingFor(instance, person, OLD);
  });

  const reseal = (entries: ResealedEntry[], keyFingerprint = present, by = person) =>
    by.request('POST', '/api/encryption-key/reseal', { body: { keyFingerprint, entries } });
  const one = (
    table: 'memory_entries' | 'relationship_entries' | 'shareable_keys' | 'ghost_entries' | 'legacy_scrolls',
    id: number,
  ) => instance.deps.db.selectFrom(table).selectAll().where('id', '=', id).executeTakeFirst();
  const words = async (ghostId: number) => {
    const row = await instance.deps.db
      .selectFrom('ghost_words')
      .select('encrypted_content')
      .where('ghost_id', '=', ghostId)
      .executeTakeFirst();
    return row && unpadOverflow(row.encrypted_content);
  };
  const memory = (id: number, version = 1): ResealedEntry => ({
    kind: 'memory',
    id,
    version,
    title: NEWER,
    encryptedContent: NEWER,
    details: null,
  });
  const relationship = (id: number, version = 1): ResealedEntry => ({
    kind: 'relationship',
    id,
    version,
    personName: NEWER,
    encryptedContent: NEWER,
    details: null,
  });
  const ghost = (id: number): ResealedEntry => ({ kind: 'ghost', id, encryptedContent: NEWER });
  const sacredKey = (id: number): ResealedEntry => ({ kind: 'sacred-key', id, encryptedSecret: NEWER });
  const legacyScroll = (id: number, version = 1): ResealedEntry => ({
    kind: 'legacy-scroll',
    id,
    version,
    title: NEWER,
    encryptedScrollKey: NEWER,
  });
  const answers: ResealedEntry = {
    kind: 'onboarding',
    question1: NEWER,
    question2: NEWER,
    question3: NEWER,
  };

  it('are kept under the present one, of every kind, without seeming to have been written anew', async () => {
    const planted = {
      memory: await plant.memory(),
      relationship: await plant.relationship({ version: 3 }),
      share: await plant.sacredKey(),
      scroll: await plant.legacyScroll({ version: 2 }),
      ghost: await plant.ghost(),
    };
    instance.clock.advance(HOUR);
    const response = await reseal([
      memory(planted.memory.id),
      relationship(planted.relationship.id, 3),
      sacredKey(planted.share.id),
      legacyScroll(planted.scroll.id, 2),
      ghost(planted.ghost.id),
      answers,
    ]);
    expect(response.status).toBe(204);
    const under = { key_fingerprint: present };
    expect(await one('memory_entries', planted.memory.id)).toEqual({
      ...planted.memory,
      ...under,
      title: NEWER,
      encrypted_content: NEWER,
    });
    expect(await one('relationship_entries', planted.relationship.id)).toEqual({
      ...planted.relationship,
      ...under,
      person_name: NEWER,
      encrypted_content: NEWER,
    });
    expect(await one('shareable_keys', planted.share.id)).toEqual({
      ...planted.share,
      ...under,
      encrypted_secret: NEWER,
    });
    expect(await one('legacy_scrolls', planted.scroll.id)).toEqual({
      ...planted.scroll,
      ...under,
      title: NEWER,
      encrypted_scroll_key: NEWER,
    });
    expect(await one('ghost_entries', planted.ghost.id)).toMatchObject({ ...under, current_reads: 0 });
    expect(await words(planted.ghost.id)).toBe(NEWER);
    const kept = await instance.deps.db
      .selectFrom('onboarding_answers')
      .selectAll()
      .where('account_id', '=', plant.accountId)
      .executeTakeFirst();
    expect(kept).toMatchObject({ ...under, question1: NEWER, question2: NEWER, question3: NEWER });
  });

  it('are refused under a key that is not the present one, and nothing changes', async () => {
    const planted = await plant.memory();
    expect(await failure(await reseal([memory(planted.id)], OLD))).toEqual({
      status: 409,
      code: 'key-changed',
    });
    expect(await one('memory_entries', planted.id)).toEqual(planted);
  });

  // With an entry of the book nothing may be passed over: what is refused is undone, and all others wait for that.
  // The embedded database counts the rows that it touches.
  if (engine === 'sqlite') {
    it('are not written before it is known that each of them is there', async () => {
      const there: ResealedEntry[] = [ghost((await plant.ghost()).id)];
      for (let i = 0; i < 20; i += 1) there.push(memory((await plant.memory()).id));
      const [first, second] = there as [ResealedEntry, ResealedEntry];
      const gone = { ...second, id: 999_999_999 } as ResealedEntry;
      const recorded = (entries: ResealedEntry[]) =>
        person.request('POST', '/api/encryption-key/reseal', {
          body: { keyFingerprint: present, entries },
          headers: withEntry(anEntry(1)),
        });
      const before = await rowsTouched(instance.deps.db);
      for (const refused of [gone, first, second]) {
        expect(await failure(await recorded([...there, refused]))).toEqual({
          status: 409,
          code: 'entries-changed',
        });
      }
      expect((await rowsTouched(instance.deps.db)) - before).toBeLessThan(20);
      expect((await recorded(there)).status).toBe(204);
    });
  }

  describe('are passed over', () => {
    it('when they were changed meanwhile', async () => {
      const changed = await plant.memory({ version: 2 });
      const moment = await plant.relationship({ version: 2 });
      const scroll = await plant.legacyScroll({ version: 2 });
      const stale = [memory(changed.id), relationship(moment.id), legacyScroll(scroll.id)];
      expect((await reseal(stale)).status).toBe(204);
      expect(await one('legacy_scrolls', scroll.id)).toEqual(scroll);
      expect(await one('memory_entries', changed.id)).toEqual(changed);
      expect(await one('relationship_entries', moment.id)).toEqual(moment);
    });

    it('when another tab has done it: what is under the present key stays', async () => {
      const under = { key_fingerprint: present };
      const planted = [await plant.memory(under), await plant.relationship(under)] as const;
      const share = await plant.sacredKey(under);
      const shade = await plant.ghost(under);
      await reseal([
        memory(planted[0].id),
        relationship(planted[1].id),
        sacredKey(share.id),
        ghost(shade.id),
      ]);
      expect(await one('memory_entries', planted[0].id)).toEqual(planted[0]);
      expect(await one('relationship_entries', planted[1].id)).toEqual(planted[1]);
      expect(await one('shareable_keys', share.id)).toEqual(share);
      expect(await words(shade.id)).toBe(shade.words);
    });

    it('when they are locked: no browser can have read them', async () => {
      const locked = await plant.memory({ time_lock_until: instance.clock.now() + 1 });
      expect((await reseal([memory(locked.id)])).status).toBe(204);
      expect(await one('memory_entries', locked.id)).toEqual(locked);
      instance.clock.advance(1);
      await reseal([memory(locked.id)]);
      expect(await one('memory_entries', locked.id)).toMatchObject({ key_fingerprint: present });
    });

    it('when their words are gone, or not sealed yet: nothing comes back, nor before its time', async () => {
      const vanished = await plant.ghost({ max_reads: 1, current_reads: 1 }, null);
      const expired = await plant.ghost({ expires_at: instance.clock.now() });
      const reserved = await plant.sacredKey({ encrypted_secret: null });
      const entries = [ghost(vanished.id), ghost(expired.id), sacredKey(reserved.id), memory(999_999)];
      expect((await reseal(entries)).status).toBe(204);
      expect(await words(vanished.id)).toBeUndefined();
      expect(await words(expired.id)).toBe(expired.words);
      expect(await one('ghost_entries', vanished.id)).toMatchObject({ key_fingerprint: OLD });
      expect(await one('shareable_keys', reserved.id)).toEqual(reserved);
    });

    it('when they are somebody else’s', async () => {
      const stranger = await aMember(instance);
      const planted = await plant.memory();
      const moment = await plant.relationship();
      const share = await plant.sacredKey();
      const shade = await plant.ghost();
      const entries = [memory(planted.id), relationship(moment.id), sacredKey(share.id), ghost(shade.id)];
      const theirs = stranger.envelope.clientKey.fingerprint;
      expect((await reseal(entries, theirs, stranger)).status).toBe(204);
      expect(await one('memory_entries', planted.id)).toEqual(planted);
      expect(await one('relationship_entries', moment.id)).toEqual(moment);
      expect(await one('shareable_keys', share.id)).toEqual(share);
      expect(await words(shade.id)).toBe(shade.words);
    });
  });

  it('are no edit: whoever writes meanwhile is not told that somebody else was faster, and wins', async () => {
    for (let round = 0; round < 20; round += 1) {
      const planted = await plant.memory();
      const moment = await plant.relationship();
      const words = { version: 1, encryptedContent: 'Yg==', keyFingerprint: present };
      const resealed = [memory(planted.id), relationship(moment.id)];
      const [edit, ledger] = await Promise.all([
        person.request('PATCH', `/api/memory-entries/${planted.id}`, { body: { ...words, title: 'YQ==' } }),
        person.request('PATCH', `/api/relationship-entries/${moment.id}`, {
          body: { ...words, personName: 'YQ==', eventType: 'moment', emotionalWeight: 3 },
        }),
        reseal(resealed),
      ]);
      expect([edit.status, ledger.status]).toEqual([200, 200]);
      // Sent again, or late: what was written stays.
      await reseal(resealed);
      const written = { encrypted_content: 'Yg==', key_fingerprint: present, version: 2 };
      expect(await one('memory_entries', planted.id)).toMatchObject(written);
      expect(await one('relationship_entries', moment.id)).toMatchObject(written);
    }
  });

  it('never part words from the key that opens them, however a reading and a re-sealing meet', async () => {
    for (let round = 0; round < 20; round += 1) {
      const shade = await plant.ghost({ max_reads: 2 });
      const read = async () =>
        (await (await person.request('POST', `/api/ghost-entries/${shade.id}/read`)).json()) as {
          encryptedContent: string;
          keyFingerprint: string;
        };
      const [one, , two] = await Promise.all([read(), reseal([ghost(shade.id)]), read()]);
      for (const { encryptedContent, keyFingerprint } of [one, two]) {
        expect(encryptedContent).toBe(keyFingerprint === present ? NEWER : shade.words);
      }
      expect(await words(shade.id)).toBeUndefined();
    }
  });
});
