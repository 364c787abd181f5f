// The room for whispers in a vault: nobody fills it for others, and what does not fit waits, is told, and comes.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { DETACHED_LASTS, type Scroll } from '../../../shared/nouns/legacy.ts';
import type { Message } from '../../../shared/nouns/outbox.ts';
import { WHISPERS_PER_AUTHOR, WHISPERS_PER_VAULT, type Whisper } from '../../../shared/nouns/whispers.ts';
import { DAY, HOUR } from '../../../shared/time.ts';
import { describeOnEachEngine } from '../../../testing/engines.ts';
import { failure } from '../../../testing/instance.ts';
import { aMember, type Person, signUpByPassphrase } from '../../../testing/people.ts';
import { accountIdOf, aSealId } from '../../../testing/planting.ts';
import { addressOf, anEnvelopeForAWhisper, scrollsOf } from '../../../testing/scrolls.ts';
import { aWatchedInstance, HOURLY, type Watched } from '../../../testing/switch.ts';
import { transact } from '../../db/transact.ts';
import { deleteExpired } from '../../expiry.ts';
import { releaseScroll } from '../watch/release-store.ts';
import { FOLLOW_UP } from './message-store.ts';

// Hundreds of releases each.
vi.setConfig({ testTimeout: 5 * 60_000 });

const WAITS =
  'Withheld: this vault takes no more unread whispers for now. This one arrives once its recipient has read or deleted some.';

describeOnEachEngine('the room for whispers in a vault', (engine) => {
  let watched: Watched;
  let reader: Person;
  let readerId: number;
  let address: string;
  beforeEach(async () => {
    watched = await aWatchedInstance({ engine, rules: HOURLY, alone: false });
    await watched.setClock({ counted_time: 1000 * DAY });
    const member = await aMember(watched.instance);
    reader = member;
    readerId = await accountIdOf(watched.instance, member);
    address = addressOf(member.envelope.clientKey);
  });
  afterEach(() => watched.close());

  const fields = () => ({
    state: 'watching' as const,
    access: 'vault' as const,
    envelope: JSON.stringify(anEnvelopeForAWhisper()),
    trigger_type: 'manual' as const,
    recipient_type: 'whisper' as const,
    recipient_address: address,
    recipient_account_id: readerId,
  });
  const releaseNow = (id: number) => transact(watched.deps.db, (tx) => releaseScroll(watched.deps, tx, id));
  /** Releases so many whispers, one after the other. Returns the public ids. */
  async function whisper(authorId: number, count = 1, more: object = {}): Promise<string[]> {
    const ids: string[] = [];
    for (let i = 0; i < count; i += 1) {
      const id = await watched.aScroll(authorId, { ...fields(), ...more });
      await releaseNow(id);
      ids.push((await watched.recipients(id))[0]?.public_id ?? '');
    }
    return ids;
  }
  /** So many unread whispers of accounts that nothing else is asked of. */
  async function fill(count: number): Promise<void> {
    const { db, now } = watched.deps;
    const author = await watched.anAuthor();
    const values = { ...fields(), state: 'released' as const, released_at: now() };
    const [row] = await watched.recipients(await watched.aScroll(author, values));
    if (!row) throw new Error('There is no recipient to copy.');
    await db.deleteFrom('scroll_recipients').where('id', '=', row.id).execute();
    const { id: _, ...recipient } = row;
    for (let left = count; left > 0; left -= 100) {
      const some = Array.from({ length: Math.min(left, 100) }, () => ({
        ...recipient,
        public_id: aSealId(),
      }));
      await db.insertInto('scroll_recipients').values(some).execute();
    }
  }
  const list = async () => (await (await reader.request('GET', '/api/whispers')).json()) as Whisper[];
  const listed = async () => new Set((await list()).map(({ publicId }) => publicId));
  /** Which of these have arrived. */
  const arrived = async (ids: string[]) => {
    const all = await listed();
    return ids.filter((id) => all.has(id));
  };
  const counts = async () =>
    (await (await reader.request('GET', '/api/summary')).json()) as {
      whispers: number;
      whispersHeldBack: number;
    };
  const read = (id: string) => reader.request('POST', `/api/whispers/${id}/open`);
  const remove = (id: string) => reader.request('DELETE', `/api/whispers/${id}`);
  const deliver = () => watched.server.deliver();
  const jobs = () => watched.deps.db.selectFrom('jobs').selectAll().where('kind', '!=', FOLLOW_UP).execute();

  it('holds back what one author leaves beyond it, tells author and administrator, and loses none', async () => {
    const author = await signUpByPassphrase(watched.instance);
    const administrator = await signUpByPassphrase(watched.instance);
    await watched.deps.db
      .updateTable('accounts')
      .set({ is_admin: 1 })
      .where('uid', '=', administrator.user.id)
      .execute();
    const ids = await whisper(await accountIdOf(watched.instance, author), WHISPERS_PER_AUTHOR + 3);
    const [fits, held] = [ids.slice(0, WHISPERS_PER_AUTHOR), ids.slice(WHISPERS_PER_AUTHOR)];
    expect(await arrived(ids)).toEqual(fits);
    for (let round = 0; round < 3; round += 1) await deliver();
    expect(await arrived(ids)).toEqual(fits);
    expect(await counts()).toMatchObject({ whispers: WHISPERS_PER_AUTHOR, whispersHeldBack: 3 });
    for (const id of held) {
      for (const refused of [await read(id), await remove(id)]) {
        expect(await failure(refused)).toEqual({ status: 404, code: 'not-found' });
      }
    }
    const told = async () =>
      (await scrollsOf(author)).toReversed().map((scroll: Scroll) => scroll.recipients[0]?.delivery);
    expect((await told()).map((delivery) => delivery?.state)).toEqual([
      ...fits.map(() => 'sent'),
      ...held.map(() => 'waiting'),
    ]);
    expect((await told()).at(-1)).toMatchObject({ why: WAITS, attempts: 0 });
    const outbox = (await (await administrator.request('GET', '/api/outbox')).json()) as Message[];
    expect(outbox.slice(0, 3)).toMatchObject(
      held.map(() => ({ channel: 'whisper', state: 'waiting', withheld: 'vault', why: WAITS, body: null })),
    );
    expect((await watched.deps.metrics.render(null)).body).toContain(
      'latebra_messages_withheld_total{kind="release",channel="whisper",limit="vault"} 3',
    );

    expect((await read(fits[4] ?? '')).status).toBe(200);
    await deliver();
    expect(await arrived(held)).toEqual(held.slice(0, 1));
    // Only the first reading makes room.
    expect((await read(fits[4] ?? '')).status).toBe(200);
    await deliver();
    expect(await arrived(held)).toEqual(held.slice(0, 1));
    expect((await remove(fits[5] ?? '')).status).toBe(204);
    expect((await remove(fits[6] ?? '')).status).toBe(204);
    await deliver();
    expect(await arrived(held)).toEqual(held);
    expect(await counts()).toMatchObject({ whispers: WHISPERS_PER_AUTHOR, whispersHeldBack: 0 });
    expect((await told()).map((delivery) => [delivery?.state, delivery?.why])).toEqual(
      ids.map(() => ['sent', null]),
    );
    expect(await jobs()).toEqual([]);
  });

  it('is not used up for others by one author, however much they leave', async () => {
    const [hostile, other] = [await watched.anAuthor(), await watched.anAuthor()];
    await whisper(hostile, 60);
    await deliver();
    const ids = await whisper(other, 2);
    await deliver();
    expect(await arrived(ids)).toEqual(ids);
    expect(await listed()).toHaveLength(WHISPERS_PER_AUTHOR + 2);
  });

  it('has a bound for all authors together, also where many are released at the same moment', async () => {
    await fill(WHISPERS_PER_VAULT - 5);
    const ids: number[] = [];
    for (let i = 0; i < 12; i += 1) ids.push(await watched.aScroll(await watched.anAuthor(), fields()));
    await Promise.all(ids.map(releaseNow));
    await Promise.all([deliver(), deliver()]);
    expect(await counts()).toMatchObject({ whispers: WHISPERS_PER_VAULT, whispersHeldBack: 7 });
    for (const { publicId } of (await list()).slice(-4)) await remove(publicId);
    await Promise.all([deliver(), deliver()]);
    await deliver();
    expect(await counts()).toMatchObject({ whispers: WHISPERS_PER_VAULT, whispersHeldBack: 3 });
  });

  it('goes by turns: two authors with many do not keep a third one’s whisper away', async () => {
    await fill(WHISPERS_PER_VAULT);
    for (const hostile of [await watched.anAuthor(), await watched.anAuthor()]) {
      await whisper(hostile, 40, { watching_since: 100 * DAY });
    }
    const [letter = ''] = await whisper(await watched.anAuthor(), 1, { watching_since: 200 * DAY });
    await deliver();
    const oldest = [...(await listed())].reverse();
    for (let turn = 0; turn < 3; turn += 1) {
      expect(await arrived([letter])).toEqual([]);
      await remove(oldest[turn] ?? '');
      await deliver();
    }
    expect(await arrived([letter])).toEqual([letter]);
  });

  it('goes to whose watch began first: accounts that come later stand behind', async () => {
    await fill(WHISPERS_PER_VAULT);
    for (let i = 0; i < 5; i += 1) await whisper(await watched.anAuthor(), 2, { watching_since: 900 * DAY });
    const [letter = ''] = await whisper(await watched.anAuthor(), 1, { watching_since: 100 * DAY });
    await deliver();
    const [oldest] = (await list()).slice(-1);
    await remove(oldest?.publicId ?? '');
    await deliver();
    expect(await arrived([letter])).toEqual([letter]);
  });

  it('is not made by an author who opens their own by its card', async () => {
    const author = await watched.anAuthor();
    const card = { access: 'card' as const, envelope: null, opened_at: watched.deps.now() };
    const ids = await whisper(author, WHISPERS_PER_AUTHOR + 1, card);
    expect(await arrived(ids)).toEqual(ids.slice(0, WHISPERS_PER_AUTHOR));
  });

  it('is looked for within the hour where an author has made it by deleting', async () => {
    const author = await signUpByPassphrase(watched.instance);
    const ids = await whisper(await accountIdOf(watched.instance, author), WHISPERS_PER_AUTHOR + 1);
    await deliver();
    const [first] = (await scrollsOf(author)).slice(-1);
    expect((await author.request('DELETE', `/api/legacy-scrolls/${first?.id}`)).status).toBe(204);
    const [waiting] = await scrollsOf(author);
    const next = Date.parse(waiting?.recipients[0]?.delivery?.nextTryAt ?? '') - watched.deps.now();
    expect(next).toBeGreaterThan(0);
    expect(next).toBeLessThanOrEqual(HOUR);
    await watched.setClock({ counted_time: 1000 * DAY + HOUR });
    await deliver();
    expect(await arrived(ids)).toEqual(ids.slice(1));
    expect(await jobs()).toEqual([]);
  });

  it('ends with the vault, and its authors are told', async () => {
    const author = await signUpByPassphrase(watched.instance);
    await whisper(await accountIdOf(watched.instance, author), WHISPERS_PER_AUTHOR + 2);
    await deliver();
    const body = { scrolls: 'disarm', confirm: 'DESTROY' };
    expect((await reader.request('POST', '/api/vault/destroy', { body })).status).toBe(204);
    await deliver();
    const [last, , ...others] = await scrollsOf(author);
    expect(last?.recipients[0]?.delivery).toMatchObject({
      state: 'failed',
      why: expect.stringContaining('No vault'),
    });
    expect(others.at(-1)?.recipients[0]?.delivery).toMatchObject({ state: 'sent' });
    expect(await jobs()).toEqual([]);
  });

  it('ends with the vault at once, whatever of it is not erased yet', async () => {
    const author = await signUpByPassphrase(watched.instance);
    const authorId = await accountIdOf(watched.instance, author);
    await whisper(authorId, WHISPERS_PER_AUTHOR + 1);
    await deliver();
    await watched.deps.db.deleteFrom('accounts').where('id', '=', readerId).execute();
    await whisper(authorId);
    await watched.setClock({ counted_time: 1000 * DAY + HOUR });
    await deliver();
    const [last, before] = await scrollsOf(author);
    for (const scroll of [last, before]) {
      expect(scroll?.recipients[0]?.delivery).toMatchObject({
        state: 'failed',
        why: expect.stringContaining('No vault'),
      });
    }
    expect(await jobs()).toEqual([]);
  });

  it('stands open for a year to what a destroyed vault has left, by the same rule', async () => {
    const author = await signUpByPassphrase(watched.instance);
    const authorId = await accountIdOf(watched.instance, author);
    for (let i = 0; i < WHISPERS_PER_AUTHOR + 2; i += 1) await watched.aScroll(authorId, fields());
    const body = { scrolls: 'release', confirm: 'DESTROY' };
    expect((await author.request('POST', '/api/vault/destroy', { body })).status).toBe(204);
    await deliver();
    const here = await listed();
    expect(here).toHaveLength(WHISPERS_PER_AUTHOR);
    const [first = ''] = here;
    await read(first);
    await deliver();
    expect(await listed()).toHaveLength(WHISPERS_PER_AUTHOR + 1);
    // Whoever never comes keeps nothing on this server for ever.
    await watched.setClock({ counted_time: 1000 * DAY + DETACHED_LASTS });
    await deleteExpired(watched.deps);
    expect(await watched.deps.db.selectFrom('legacy_scrolls').select('id').execute()).toEqual([]);
    expect(await counts()).toMatchObject({ whispers: 0, whispersHeldBack: 0 });
  });
});
