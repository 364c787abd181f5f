// Three instances keep a letter: they count its author's silence, exchange shares, write to recipients and open it together;
// its author, their operators and its recipients end what is to end.
import { afterEach, expect, it, vi } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../../shared/time.ts';
import { describeOnEachEngine } from '../../../testing/engines.ts';
import { aCircle, aSisterAuthor, type Circle, keyOfShares, type Peer } from '../../../testing/sisters.ts';
import { findWaiting } from '../delivery/delivery-store.ts';
import { letterWriter } from '../delivery/message-writer.ts';
import { expireSisterLetters } from './expiry-store.ts';
import { endAllOf, readKept } from './letter-store.ts';
import { turnOf } from './rules.ts';

// Weeks of several instances, on PostgreSQL as well, take their time on a busy machine.
vi.setConfig({ testTimeout: 4 * MINUTE });

const circles: Circle[] = [];
afterEach(async () => {
  for (const circle of circles.splice(0)) await circle.close();
});

const ADA = 'ada@mail.example';
/** Seldom, so that months are short; twice in each sister's turn, and no absence is an outage. */
const STEP = 12 * HOUR;

/** All of them live for some days, side by side. */
async function live({ sisters }: Circle, days: number): Promise<void> {
  for (let passed = 0; passed < days * DAY; passed += STEP)
    for (const { watched, isUp } of sisters)
      if (watched && isUp) await watched.live(STEP, { deliver: true, tick: STEP });
}

const mailsOf = ({ watched }: Peer) => watched?.messages({ kind: 'sister-letter' }) ?? [];
const mailsOfAll = async ({ sisters }: Circle) => (await Promise.all(sisters.map(mailsOf))).flat();

describeOnEachEngine('sisters', (engine) => {
  async function begin(options: Parameters<typeof aCircle>[0] = {}) {
    const circle = await aCircle({ engine, ...options });
    circles.push(circle);
    return { circle, author: aSisterAuthor(circle) };
  }

  it('write to nobody while an author gives signs, and open the letter together once none came for long', async () => {
    const { circle, author } = await begin();
    await author.keep({ days: 31 });
    for (let i = 0; i < 3; i += 1) {
      await live(circle, 15);
      for (const sister of circle.sisters)
        expect(await (await author.live(sister)).json()).toEqual({ state: 'watching' });
    }
    await live(circle, 30);
    expect(await mailsOfAll(circle)).toEqual([]);
    expect(await (await author.open(circle.sisters[0] as Peer, ADA)).json()).toMatchObject({
      ...{ state: 'watching', opened: null, needed: 2 },
    });
  });

  it('write each in a turn of its own, three days apart, to a recipient who has not opened', async () => {
    const { circle, author } = await begin();
    await author.keep({ days: 31 });
    await live(circle, 51);
    const mails = (await mailsOfAll(circle))
      .map(({ created_at }) => Number(created_at))
      .sort((a, b) => a - b);
    expect(mails).toHaveLength(3);
    expect((mails[1] ?? 0) - (mails[0] ?? 0)).toBeGreaterThanOrEqual(3 * DAY);
    expect((mails[2] ?? 0) - (mails[1] ?? 0)).toBeGreaterThanOrEqual(3 * DAY);
    const shares = [];
    for (const sister of circle.sisters) {
      const { opened } = (await (await author.open(sister)).json()) as { opened: { share: string } };
      shares.push(opened.share);
    }
    for (const two of [shares.slice(0, 2), shares.slice(1)])
      expect(await keyOfShares(two)).toEqual(author.letterKey);
  });

  it('write to nobody who has shown that they have the letter, and to the others of it', async () => {
    const { circle, author } = await begin();
    const bob = 'bob@mail.example';
    await author.keep({ days: 31, recipients: [ADA, bob] });
    // At home it was released before: Ada opened it there.
    for (const sister of circle.sisters) expect((await author.open(sister)).status).toBe(200);
    await live(circle, 51);
    expect((await mailsOfAll(circle)).map(({ address }) => address)).toEqual([bob, bob, bob]);
  });

  it('take back a mail that has not left once its recipient has opened, where none of them may lie', async () => {
    const { circle, author } = await begin();
    await author.keep({ days: 31, needed: 3 });
    for (const { watched } of circle.sisters)
      if (watched) watched.mail.answer = () => ({ refused: 'for-now', why: 'Not now.' });
    await live(circle, 51);
    for (const sister of circle.sisters) await author.open(sister);
    const states = (await mailsOfAll(circle)).map(({ state }) => state);
    expect(states).toEqual(['cancelled', 'cancelled', 'cancelled']);
  });

  it('write although somebody shows a token once others may know it, also after its author came back', async () => {
    const { circle, author } = await begin();
    await author.keep({ days: 31 });
    const [one, two, three] = circle.sisters as [Peer, Peer, Peer];
    // One is not reached by the author for long: it has shown its share to another, which may lie.
    for (let i = 0; i < 3; i += 1) {
      await live(circle, 15);
      for (const sister of [two, three]) await author.live(sister);
    }
    expect((await author.challenge(one)).state).toBe('released');
    await author.live(one);
    for (const sister of circle.sisters) expect((await author.open(sister)).status).toBe(200);
    await live(circle, 51);
    expect((await mailsOf(one)).map(({ address }) => address)).toEqual([ADA]);
  });

  it('write no second letter to whoever may have opened it, but that it was opened', async () => {
    const { circle, author } = await begin();
    await author.keep({ days: 31 });
    for (const { watched } of circle.sisters)
      if (watched) watched.mail.answer = () => ({ refused: 'for-now', why: 'Not now.' });
    await live(circle, 51);
    const subjects = () =>
      Promise.all(
        circle.sisters
          .flatMap(({ watched }) => watched ?? [])
          .map(async ({ deps }) => {
            const rows = await deps.db.selectFrom('messages').select('public_id').execute();
            const waiting = await findWaiting(deps.db, rows[0]?.public_id ?? '');
            if (!waiting) throw new Error('nothing waits');
            return letterWriter(deps)(waiting, 0).subject;
          }),
      );
    expect(new Set(await subjects())).toEqual(new Set(['A letter was left for you']));
    for (const sister of circle.sisters) await author.open(sister);
    expect(new Set(await subjects())).toEqual(new Set(['The letter that was left for you was opened']));
  });

  it('send a mail whose link shows what opens, under a token that the database does not have', async () => {
    const { circle, author } = await begin();
    await author.keep({ days: 31 });
    const [one] = circle.sisters as [Peer, Peer, Peer];
    const { watched } = one;
    if (!watched) throw new Error('it is no server');
    watched.mail.answer = () => ({ refused: 'for-now', why: 'Not now.' });
    await live(circle, 51);
    const [mail] = await mailsOf(one);
    const waiting = await findWaiting(watched.deps.db, mail?.public_id ?? '');
    if (!waiting) throw new Error('nothing waits');
    const { text, html, subject, to } = letterWriter(watched.deps)(waiting, 0);
    const token = author.tokens.get(ADA) ?? '';
    expect(to).toBe(ADA);
    expect(subject).toBe('A letter was left for you');
    expect(text).toContain(`${one.origin}/sisters/${author.id}#${token}`);
    expect(html).toContain(`${one.origin}/sisters/${author.id}`);
    expect(text).toContain('localhost:4100');
    const rows = JSON.stringify([
      await watched.deps.db.selectFrom('sister_tokens').selectAll().execute(),
      await watched.deps.db.selectFrom('messages').selectAll().execute(),
    ]);
    expect(rows).not.toContain(token);
  });

  it('open nothing while fewer than are needed have seen the silence', async () => {
    const { circle, author } = await begin();
    await author.keep({ days: 31 });
    const [, two, three] = circle.sisters as [Peer, Peer, Peer];
    for (let i = 0; i < 3; i += 1) {
      await live(circle, 15);
      // The first one is never reached by the author.
      for (const sister of [two, three]) expect((await author.live(sister)).status).toBe(200);
    }
    expect(await mailsOfAll(circle)).toEqual([]);
    expect((await author.challenge(circle.sisters[0] as Peer)).state).toBe('released');
  });

  it('begin to count anew with a sign that comes late, as long as nobody was written to', async () => {
    const { circle, author } = await begin();
    await author.keep({ days: 31 });
    const [one, two, three] = circle.sisters as [Peer, Peer, Peer];
    two.isUp = false;
    three.isUp = false;
    await live(circle, 41);
    expect((await author.challenge(one)).state).toBe('released');
    expect(await (await author.live(one)).json()).toEqual({ state: 'watching' });
    two.isUp = true;
    three.isUp = true;
    for (const sister of [two, three]) await sister.watched?.live(41 * DAY, { tick: STEP });
    // What it had shown before its author came back counts at nobody.
    expect((await author.challenge(one)).state).toBe('watching');
    expect(await (await author.open(one)).json()).toMatchObject({ opened: null });
  });

  it('write although all but as many as are needed are gone, in the turn of one that is there', async () => {
    const { circle, author } = await begin();
    await author.keep({ days: 31 });
    (circle.sisters[1] as Peer).isUp = false;
    await live(circle, 51);
    expect(await mailsOfAll(circle)).toHaveLength(2);
  });

  it('erase a letter when its author ends it, and keep it from coming back', async () => {
    const { circle, author } = await begin({ whole: 1 });
    await author.keep({ days: 31 });
    const [one] = circle.sisters as [Peer];
    expect(await (await author.live(one, 'end')).json()).toEqual({ state: 'ended' });
    expect(await author.challenge(one)).toEqual({
      state: 'ended',
      challenge: null,
      digest: null,
      endedBy: 'author',
    });
    await expect(author.keep({ edition: 2 })).rejects.toThrow('sister-refused');
    const row = await one.watched?.deps.db.selectFrom('sister_letters').selectAll().executeTakeFirst();
    expect(row).toMatchObject({ encrypted_content: null, share_of_letter: null, encrypted_addresses: null });
  });

  it('erase all that is kept for one instance when their operator says so, and tell its authors', async () => {
    const { circle, author } = await begin({ whole: 1 });
    await author.keep();
    const [one] = circle.sisters as [Peer];
    const deps = one.watched?.deps;
    if (!deps) throw new Error('it is no server');
    expect(await readKept(deps)).toEqual([
      { origin: circle.home.origin, watching: 1, released: 0, ended: 0 },
    ]);
    expect(await endAllOf(deps, 'https://other.example')).toBe(0);
    expect(await endAllOf(deps, circle.home.origin)).toBe(1);
    expect(await author.challenge(one)).toMatchObject({ state: 'ended', endedBy: 'sister' });
  });

  it('erase a letter a year after silence was over', async () => {
    const { circle, author } = await begin({ whole: 1 });
    await author.keep({ days: 31 });
    const [one] = circle.sisters as [Peer];
    const watched = one.watched;
    if (!watched) throw new Error('it is no server');
    await live(circle, 41);
    expect((await author.challenge(one)).state).toBe('released');
    await watched.live(340 * DAY, { tick: STEP });
    await expireSisterLetters(watched.deps);
    expect((await author.challenge(one)).state).toBe('released');
    await watched.live(30 * DAY, { tick: STEP });
    await expireSisterLetters(watched.deps);
    expect((await author.challenge(one)).state).toBe('ended');
  });

  it('take a newer edition, and compare what they keep by its hash', async () => {
    const { circle, author } = await begin({ whole: 1 });
    const [one] = circle.sisters as [Peer];
    const [first] = await author.keep();
    expect((await author.challenge(one)).digest).toBe(first);
    const [second] = await author.keep({ edition: 2, recipients: ['bob@mail.example'] });
    expect((await author.challenge(one)).digest).toBe(second);
    expect((await author.open(one, ADA)).status).toBe(404);
    expect((await author.open(one, 'bob@mail.example')).status).toBe(200);
  });
});

it('each sister has a day of its own for each letter, three days after the one before it', () => {
  for (const count of [2, 3, 5, 9])
    for (const id of ['a', 'b', 'c']) {
      const turns = Array.from({ length: count }, (_, place) => {
        const { next } = turnOf({ id, place, count }, 0);
        expect(turnOf({ id, place, count }, next).isNow).toBe(true);
        expect(turnOf({ id, place, count }, next + DAY - 1).isNow).toBe(true);
        expect(turnOf({ id, place, count }, next + DAY).isNow).toBe(false);
        return next % (count * 4 * DAY);
      }).sort((a, b) => a - b);
      for (const [i, turn] of turns.entries()) expect(turn).toBe(i * 4 * DAY);
    }
});
