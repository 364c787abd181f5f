// What others may try at an instance that keeps letters: signs that are old, for somebody else or not the author's; boxes of
// somebody else, for another one or too large; shares that are none; pages of other sites; servers that die in the middle.
import { randomBytes } from 'node:crypto';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { sealToSister } from '../../../server/adapters/sister-identity.ts';
import { RECIPIENTS_MAX } from '../../../shared/nouns/scroll-recipients.ts';
import { DAY, HOUR, MINUTE } from '../../../shared/time.ts';
import { describeOnEachEngine } from '../../../testing/engines.ts';
import { failure } from '../../../testing/instance.ts';
import { enterByPassphrase, signUpByPassphrase } from '../../../testing/people.ts';
import {
  type AuthorOptions,
  aCircle,
  aSisterAuthor,
  type Circle,
  KEPT,
  type Peer,
  passOn,
  post,
  refusal,
  type SisterAuthor,
  signCall,
} from '../../../testing/sisters.ts';
import { aServer, memoryJournal } from '../../../testing/switch.ts';
import { GATE, SENT_TO_SISTERS } from '../../http/rate-limit.ts';
import { confirmSwitch, pauseSwitch, readInstanceClock } from '../clock/counted-time-store.ts';
import { expireSisterLetters } from './expiry-store.ts';
import { readLetter } from './letter.ts';
import { ENDED_OF_ONE, keepLetter, LETTERS_OF_ONE, recordSign } from './letter-store.ts';

// Weeks of several instances, on PostgreSQL as well, take their time on a busy machine.
vi.setConfig({ testTimeout: 4 * MINUTE });

const circles: Circle[] = [];
afterEach(async () => {
  for (const circle of circles.splice(0)) await circle.close();
});

const insideOf = async (author: SisterAuthor, options: AuthorOptions = {}, place = 0): Promise<string> =>
  (await author.boxes(options))[place]?.inside ?? '';

const tokens = (count: number) => Array.from({ length: count }, () => randomBytes(32).toString('base64url'));

describeOnEachEngine('an instance that keeps letters', (engine) => {
  /** One whole server, and others that are who they are by their keys alone. */
  async function begin() {
    const circle = await aCircle({ engine, whole: 1 });
    circles.push(circle);
    const [one, two, three] = circle.sisters as [Peer, Peer, Peer];
    const watched = one.watched;
    if (!watched?.deps.sisters) throw new Error('it is no server');
    return {
      circle,
      author: aSisterAuthor(circle),
      one,
      two,
      three,
      watched,
      deps: watched.deps,
      sisters: watched.deps.sisters,
    };
  }
  type Begun = Awaited<ReturnType<typeof begin>>;

  const rowOf = ({ deps, author }: Begun) =>
    deps.db.selectFrom('sister_letters').selectAll().where('id', '=', author.id).executeTakeFirst();

  it('takes each sign once, and none that answers an older question, of another sister or of another letter', async () => {
    const begun = await begin();
    const { author, one, two, watched } = begun;
    await author.keep();
    const sign = (challenge: string, signature: string, kind = 'alive') =>
      post(one, '/api/sisters/signs', { id: author.id, challenge, kind, signature });
    const { challenge } = await author.challenge(one);
    const asked = challenge ?? '';
    expect(await failure(await sign(asked, author.signFor(two, asked)))).toEqual({
      status: 400,
      code: 'wrong-signature',
    });
    expect(await failure(await sign(asked, author.signFor(one, asked, 'end')))).toMatchObject({
      code: 'wrong-signature',
    });
    const other = aSisterAuthor(begun.circle);
    expect(await failure(await sign(asked, other.signFor(one, asked)))).toMatchObject({
      code: 'wrong-signature',
    });
    const made = randomBytes(32).toString('base64url');
    expect(await failure(await sign(made, author.signFor(one, made)))).toEqual({
      status: 409,
      code: 'stale-challenge',
    });
    expect((await rowOf(begun))?.signs).toBe(1);
    const signature = author.signFor(one, asked);
    expect((await sign(asked, signature)).status).toBe(200);
    expect(await failure(await sign(asked, signature))).toEqual({ status: 409, code: 'stale-challenge' });
    // Hoarded: asked for now, shown after ten minutes.
    const { challenge: hoarded } = await author.challenge(one);
    watched.instance.clock.advance(10 * MINUTE + 1);
    expect(await failure(await sign(hoarded ?? '', author.signFor(one, hoarded ?? '')))).toMatchObject({
      code: 'stale-challenge',
    });
    // Nor by a calendar that was set back.
    const { challenge: ahead } = await author.challenge(one);
    watched.instance.clock.advance(-DAY);
    expect(await failure(await sign(ahead ?? '', author.signFor(one, ahead ?? '')))).toMatchObject({
      code: 'stale-challenge',
    });
    expect((await rowOf(begun))?.signs).toBe(2);
  });

  it('counts no silence of a letter that a home kept to itself until its author had ended it', async () => {
    const begun = await begin();
    const { circle, author, one, watched, deps } = begun;
    // The home drops the box. Its author ends the letter: a sister that has never heard of it can keep no word of that.
    const kept = await insideOf(author, { days: 31 });
    expect(await failure(await post(one, '/api/sisters/challenges', { id: author.id }))).toMatchObject({
      code: 'not-found',
    });
    expect((await passOn(circle, one, kept)).status).toBe(200);
    // No silence that a letter may have is as short as it is kept for without a sign; this one's is.
    await deps.db.updateTable('sister_letters').set({ days: 20 }).execute();
    await watched.live(29 * DAY, { tick: 12 * HOUR, deliver: true });
    expect((await author.challenge(one)).state).toBe('watching');
    expect(circle.asked.filter((asked) => asked.endsWith('/shares'))).toEqual([]);
    await expireSisterLetters(deps);
    expect(await rowOf(begun)).toMatchObject({ signed_counted: null });
    await watched.live(2 * DAY, { tick: 12 * HOUR });
    await expireSisterLetters(deps);
    expect(await rowOf(begun)).toBeUndefined();
    // Its author may send it again, and says by a sign that it is wanted.
    await author.keep({ days: 31 });
    await watched.live(36 * DAY, { tick: 12 * HOUR });
    await expireSisterLetters(deps);
    expect((await author.challenge(one)).state).toBe('released');
  });

  it('counts every silence anew once its operator confirms a database that has forgotten signs', async () => {
    const begun = await begin();
    const { author, one, watched, deps } = begun;
    await author.keep({ days: 31 });
    const forgetful = aSisterAuthor(begun.circle);
    await watched.live(21 * DAY, { tick: 12 * HOUR });
    await forgetful.keep({ days: 31 });
    await watched.live(13 * DAY, { tick: 12 * HOUR });
    expect((await author.challenge(one)).state).toBe('released');
    expect((await forgetful.challenge(one)).state).toBe('watching');
    await pauseSwitch(deps.db, 'restored', 5, deps.now());
    await confirmSwitch(deps.db, { instance: 'somebody', at: deps.now(), holdFor: 0 });
    // Its author may have given a sign that was forgotten: nobody was written to.
    expect((await author.challenge(one)).state).toBe('watching');
    const { counted_time: confirmed } = await readInstanceClock(deps.db);
    for (const one of await deps.db.selectFrom('sister_letters').selectAll().execute())
      expect(Number(one.signed_counted)).toBeGreaterThanOrEqual(Number(confirmed));
  });

  it('answers the same question to whoever asks, so that nobody keeps an author from answering', async () => {
    const { author, one } = await begin();
    await author.keep();
    const { challenge } = await author.challenge(one);
    for (let i = 0; i < 5; i += 1) await author.challenge(one);
    const signature = author.signFor(one, challenge ?? '');
    const body = { id: author.id, challenge, kind: 'alive', signature };
    expect((await post(one, '/api/sisters/signs', body)).status).toBe(200);
  });

  it('lets one of many signs win that answer the same question at the same time', async () => {
    const begun = await begin();
    const { author, deps } = begun;
    await author.keep();
    const row = await rowOf(begun);
    const racing = await Promise.all(
      Array.from({ length: 20 }, () => recordSign(deps, { id: author.id, signs: row?.signs ?? 0 })),
    );
    expect(racing.filter(Boolean)).toHaveLength(1);
  });

  it('keeps nothing of a stranger, for a stranger, or signed by nobody', async () => {
    const begun = await begin();
    const { circle, author, one, two } = begun;
    const inside = await insideOf(author);
    const stranger = (await aCircle({ count: 2, whole: 0 })).home;
    const refused = async (response: Response, code: string) =>
      expect(await failure(response)).toMatchObject({ code });
    await refused(
      await passOn(circle, one, inside, { from: { ...stranger, origin: 'https://stranger.example' } }),
      'not-a-sister',
    );
    // Whoever calls himself the home has other keys.
    await refused(
      await passOn(circle, one, inside, { from: { ...circle.home, identity: stranger.identity } }),
      'wrong-signature',
    );
    // A box for another sister, and one from whose letter another sister was meant.
    await refused(await passOn(circle, one, inside, { sealedTo: two }), 'sister-refused');
    const ofAnother = await insideOf(author, {}, 1);
    await refused(await passOn(circle, one, ofAnother), 'sister-refused');
    await refused(await passOn(circle, one, 'nothing of a letter'), 'sister-refused');
    // A home that does not answer cannot be known again.
    const begunAgain = await begin();
    begunAgain.circle.home.isUp = false;
    const own = await insideOf(begunAgain.author);
    await refused(await passOn(begunAgain.circle, begunAgain.one, own), 'sister-away');
    expect(await rowOf(begun)).toBeUndefined();
  });

  it('believes no keys but those of the address that was listed', async () => {
    const { circle, author, one } = await begin();
    const inside = await insideOf(author);
    const { identity } = (await aCircle({ count: 2, whole: 0 })).home;
    // The home's place was taken over, with all that its network can do.
    circle.home.identity = identity;
    expect(await failure(await passOn(circle, one, inside))).toMatchObject({ code: 'sister-away' });
  });

  it.each<[string, (place: number) => object]>([
    ['another needed number than more than half', () => ({ needed: 1 })],
    ['more needed than there are', () => ({ needed: 4 })],
    ['a sister that is not listed here', () => ({ sisters: [] })],
    ['days beyond what may be counted', () => ({ days: 731 })],
    ['fewer days than any letter at home has, with those that are added', () => ({ days: 30 })],
    [
      'a share that is not the one others expect',
      () => ({ shareOfAddresses: randomBytes(33).toString('base64url') }),
    ],
    ['no recipients', () => ({ tokens: [] })],
    ['more recipients than a letter has at home', () => ({ tokens: tokens(RECIPIENTS_MAX + 1) })],
    ['more hashes of shares than sisters', () => ({ sharesOfAddresses: tokens(10) })],
    ['a fraction of an edition', () => ({ edition: 1.5 })],
  ])('keeps no letter with %s', async (_, fields) => {
    const { circle, author, one } = await begin();
    const inside = await insideOf(author, { fields });
    expect(await failure(await passOn(circle, one, inside))).toEqual({ status: 409, code: 'sister-refused' });
  });

  it('makes no values of a text that holds millions', async () => {
    const { circle, one } = await begin();
    const letter = `{"sharesOfAddresses":[${'0,'.repeat(1_400_000)}0]}`;
    const answer = await passOn(circle, one, JSON.stringify({ v: 1, letter, signature: 'AAAA' }));
    expect(await failure(answer)).toEqual({ status: 409, code: 'sister-refused' });
  });

  it('keeps no letter whose other sisters it would have to ask without knowing them', async () => {
    const { circle, author, one } = await begin();
    const others = circle.sisters.map(({ origin, address }) => ({ origin, address }));
    for (const fields of [
      { sisters: [others[0], others[1], { origin: 'http://169.254.169.254', address: others[2]?.address }] },
      { sisters: [others[0], others[1], { origin: others[2]?.origin, address: 'f'.repeat(32) }] },
      { sisters: [others[0], others[1], others[1]] },
      { sisters: [{ origin: 'https://elsewhere.example', address: one.address }, others[1], others[2]] },
    ]) {
      const inside = await insideOf(author, { fields: () => fields });
      expect(await failure(await passOn(circle, one, inside))).toMatchObject({ code: 'sister-refused' });
    }
    expect(circle.asked.filter((asked) => !asked.startsWith(circle.home.origin))).toEqual([]);
  });

  it('gives a letter’s place to no other author, no other home and no older edition', async () => {
    const begun = await begin();
    const { circle, author, one, two, deps, sisters } = begun;
    const [digest] = await author.keep({ edition: 3 });
    const thief = aSisterAuthor(circle);
    const inside = await insideOf(thief, { edition: 4, fields: () => ({ id: author.id }) });
    expect(await failure(await passOn(circle, one, inside))).toMatchObject({ code: 'sister-refused' });
    const older = await insideOf(author, { edition: 2 });
    expect(await failure(await passOn(circle, one, older))).toMatchObject({ code: 'sister-refused' });
    const equal = await insideOf(author, { edition: 3 });
    expect(await failure(await passOn(circle, one, equal))).toMatchObject({ code: 'sister-refused' });
    const newer = await insideOf(author, { edition: 4 });
    const letter = await readLetter(sisters, newer);
    if (!letter) throw new Error('it is no letter');
    expect(await keepLetter(deps, two.origin, letter)).toBe(false);
    expect((await rowOf(begun))?.digest).toBe(digest);
    // The very same one, sent twice, is kept once.
    expect((await passOn(circle, one, newer)).status).toBe(200);
    expect((await passOn(circle, one, newer)).status).toBe(200);
  });

  it('takes letters and shares, and says who it is, where an address has made all other calls it may', async () => {
    const { circle, author, one, watched } = await begin();
    const made = await author.boxes();
    let other = 0;
    while ((await post(one, '/api/sisters/challenges', { id: author.id })).status === 404) other += 1;
    expect(other).toBe(GATE.attempts);
    expect((await watched.instance.request('GET', '/api/sisters/identity')).status).toBe(200);
    for (let i = 0; i < GATE.attempts - 1; i += 1)
      expect((await post(one, '/api/sisters/shares', {})).status).toBe(422);
    expect((await passOn(circle, one, made[0]?.inside ?? '')).status).toBe(200);
    const share = { id: author.id, from: circle.home.origin, box: 'AAAA', signature: 'AAAA' };
    expect(await failure(await post(one, '/api/sisters/shares', share))).toMatchObject({
      code: 'not-a-sister',
    });
    expect((await post(one, '/api/sisters/shares', share)).status).toBe(429);
  });

  const fill = async ({ circle, deps }: Begun, count: number, fields: object = {}) => {
    const row = (i: number) => ({
      ...{ id: `filler-${i}`, from_origin: circle.home.origin, edition: 1, life_key: '', needed: 2, days: 1 },
      ...{ sisters: '[]', place: 0, bytes: 1, kept_at: i, watching_since: 0 },
      ...{ next_check_at: Number.MAX_SAFE_INTEGER, ...fields },
    });
    const rows = Array.from({ length: count }, (_, i) => row(i));
    for (let i = 0; i < rows.length; i += 100)
      await deps.db
        .insertInto('sister_letters')
        .values(rows.slice(i, i + 100))
        .execute();
  };

  it('keeps letters of an instance of which any number has ended', async () => {
    const begun = await begin();
    await fill(begun, ENDED_OF_ONE, { ended_by: 'author', bytes: 0 });
    await begun.author.keep();
    const ids = await begun.deps.db.selectFrom('sister_letters').select('id').orderBy('kept_at').execute();
    expect(ids).toHaveLength(ENDED_OF_ONE);
    expect(ids[0]).toEqual({ id: 'filler-1' });
  });

  it('keeps so many letters of one instance, and of every size but the largest', async () => {
    const begun = await begin();
    const { circle, author, one, deps } = begun;
    await fill(begun, LETTERS_OF_ONE);
    await expect(author.keep()).rejects.toThrow('sister-refused');
    await deps.db.deleteFrom('sister_letters').where('id', '=', 'filler-0').execute();
    await author.keep();
    const box = 'A'.repeat(5 * 1024 * 1024);
    const tooLarge = await post(one, '/api/sisters/letters', {
      from: circle.home.origin,
      box,
      signature: 'AAAA',
    });
    expect([413, 422]).toContain(tooLarge.status);
  });

  it('keeps no more of one instance than that of letters that come at the same moment', async () => {
    const begun = await begin();
    const { circle, deps, sisters } = begun;
    await fill(begun, LETTERS_OF_ONE - 2);
    const letters = await Promise.all(
      Array.from({ length: 8 }, async () => readLetter(sisters, await insideOf(aSisterAuthor(circle)))),
    );
    const kept = await Promise.all(
      letters.map((letter) => letter && keepLetter(deps, circle.home.origin, letter)),
    );
    expect(kept.filter((isKept) => isKept)).toHaveLength(2);
    expect(await deps.db.selectFrom('sister_letters').select('id').execute()).toHaveLength(LETTERS_OF_ONE);
  });

  it('takes no share but the one that its author has signed, from the sister that has it, for this letter and lately', async () => {
    const begun = await begin();
    const { circle, author, one, two, three, watched } = begun;
    const shares: string[] = [];
    await author.keep({ days: 31, fields: (place) => ({ place }) });
    const made = await author.boxes({ days: 31, edition: 2 });
    for (const { inside } of made) shares.push(JSON.parse(JSON.parse(inside).letter).shareOfAddresses);
    expect((await passOn(circle, one, made[0]?.inside ?? '')).status).toBe(200);
    const show = async (from: Peer, fields: object = {}, signedBy = from) => {
      const text = {
        v: 1,
        id: author.id,
        share: shares[circle.sisters.indexOf(from)],
        at: watched.deps.now(),
        ...fields,
      };
      const box = await sealToSister(one.identity.recipient, JSON.stringify(text));
      const signature = signCall({ ...from, identity: signedBy.identity }, one, 'share', box);
      return post(one, '/api/sisters/shares', { id: author.id, from: from.origin, box, signature });
    };
    expect(await failure(await show(two, { share: shares[2] }))).toMatchObject({ code: 'sister-refused' });
    expect(await failure(await show(two, { share: randomBytes(33).toString('base64url') }))).toMatchObject({
      code: 'sister-refused',
    });
    expect(await failure(await show(two, { id: 'x'.repeat(22) }))).toMatchObject({ code: 'sister-refused' });
    expect(await failure(await show(two, { at: watched.deps.now() - 8 * DAY }))).toMatchObject({
      code: 'sister-refused',
    });
    expect(await failure(await show(two, {}, three))).toMatchObject({ code: 'wrong-signature' });
    expect(await failure(await show(circle.home))).toMatchObject({ code: 'not-a-sister' });
    expect(await watched.deps.db.selectFrom('sister_shares').selectAll().execute()).toEqual([]);
    // Before silence is over here, nothing is answered, whatever others say.
    expect(await (await show(two)).json()).toEqual({ box: null });
    await watched.live(36 * DAY, { tick: 12 * HOUR });
    const { box } = (await (await show(two)).json()) as { box: string };
    expect(JSON.parse((await two.identity.open(box)) ?? '')).toMatchObject({
      share: shares[0],
      id: author.id,
    });
    // What may be a copy of a server says nothing: a sign that it has forgotten may have begun the silence anew.
    await pauseSwitch(watched.deps.db, 'restored', 5, watched.deps.now());
    expect(await (await show(two)).json()).toEqual({ box: null });
  });

  it('writes nothing for a letter whose home is listed no more', async () => {
    const { author, one, watched, circle, deps } = await begin();
    await author.keep({ days: 31 });
    const { sisters } = deps;
    if (!sisters) throw new Error('it is joined with none');
    const listed = [...sisters.listed];
    (sisters as { listed: unknown }).listed = listed.filter(({ origin }) => origin !== circle.home.origin);
    await watched.live(60 * DAY, { tick: 12 * HOUR, deliver: true });
    expect((await author.challenge(one)).state).toBe('watching');
    expect(await watched.messages()).toEqual([]);
  });

  it('lets pages of listed instances make three calls, and no page anything else', async () => {
    const { circle, author, one, watched } = await begin();
    await author.keep();
    const { request } = watched.instance;
    const from = (origin: string) => ({ origin, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' });
    const ask = (path: string, origin: string, body: object) =>
      request('POST', path, { body, headers: from(origin) });
    const id = { id: author.id };
    const heard = await ask('/api/sisters/challenges', circle.home.origin, id);
    expect(heard.status).toBe(200);
    expect(heard.headers.get('access-control-allow-origin')).toBe(circle.home.origin);
    expect(heard.headers.get('access-control-allow-credentials')).toBeNull();
    // A refusal is readable as well.
    const unknown = await ask('/api/sisters/challenges', circle.home.origin, { id: 'A'.repeat(22) });
    expect([unknown.status, unknown.headers.get('access-control-allow-origin')]).toEqual([
      404,
      circle.home.origin,
    ]);
    const evil = await ask('/api/sisters/challenges', 'https://evil.example', id);
    expect(await failure(evil)).toMatchObject({ code: 'cross-site' });
    expect(evil.headers.get('access-control-allow-origin')).toBeNull();
    for (const path of [
      '/api/sisters/letters',
      '/api/sisters/shares',
      '/api/sisters/send',
      '/api/sisters/kept/end',
      '/api/auth/logout',
    ])
      expect(await failure(await ask(path, circle.home.origin, {}))).toMatchObject({ code: 'cross-site' });
    const preflight = await request('OPTIONS', '/api/sisters/signs', { headers: from(circle.home.origin) });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-methods')).toBe('POST');
    expect(preflight.headers.get('access-control-allow-headers')).toBe('content-type');
    const others = await request('OPTIONS', '/api/sisters/letters', { headers: from(circle.home.origin) });
    expect(others.headers.get('access-control-allow-origin')).toBeNull();
    expect(one.origin).not.toBe(circle.home.origin);
  });

  it('writes to each recipient once, whichever of its servers dies where', async () => {
    const { author, watched, two, deps, sisters } = await begin();
    await author.keep({ days: 31, recipients: ['a@mail.example', 'b@mail.example', 'c@mail.example'] });
    two.answers = () => ({ status: 500 });
    await watched.live(36 * DAY, { tick: 12 * HOUR });
    const made = await author.boxes({ days: 31, edition: 9 });
    const letter = await readLetter(sisters, made[0]?.inside ?? '');
    // A newer edition comes too late once silence is over.
    expect(letter && (await keepLetter(deps, 'http://localhost:4100', letter))).toBe(false);
    const { writeMails } = await import('./mail-store.ts');
    const row = await deps.db.selectFrom('sister_letters').selectAll().executeTakeFirstOrThrow();
    const addresses = {
      ...{ v: 1 as const, authorName: null },
      recipients: [...author.tokens].map(([address, token]) => ({ address, token })),
    };
    // The first server dies with its second mail; nothing of its transaction is left.
    let calls = 0;
    const dying = {
      ...deps,
      now: () => deps.now(),
      digests: {
        ...deps.digests,
        keyed: (purpose: string, value: string) => {
          calls += 1;
          if (calls === 4) throw new Error('killed');
          return deps.digests.keyed(purpose, value);
        },
      },
    };
    await expect(writeMails(dying, row, addresses)).rejects.toThrow('killed');
    expect(await watched.messages({ kind: 'sister-letter' })).toEqual([]);
    // Two servers of one database go on at the same time.
    await Promise.all([
      writeMails(deps, row, addresses),
      writeMails(deps, row, addresses),
      writeMails(deps, row, addresses),
    ]);
    expect(await watched.messages({ kind: 'sister-letter' })).toHaveLength(3);
  });

  it('decides once with two servers on one database', async () => {
    const { author, watched, one } = await begin();
    await author.keep({ days: 31 });
    // A server without a journal would take itself for a copy whenever the other one ticks first.
    const second = aServer(watched.instance, memoryJournal(watched.server.journal.entry), false);
    await second.tick();
    for (let i = 0; i < 36 * 4; i += 1) {
      watched.sleep(6 * HOUR);
      second.time.elapsed += 6 * HOUR;
      await Promise.all([watched.server.tick(), second.tick()]);
    }
    expect((await author.challenge(one)).state).toBe('released');
    const jobs = await watched.deps.db
      .selectFrom('jobs')
      .selectAll()
      .where('kind', '=', 'sister-letter')
      .execute();
    expect(jobs).toHaveLength(1);
  });
});

describe('an account of the home', () => {
  async function anAccount() {
    const circle = await aCircle({ count: 2, whole: 0, wholeHome: true });
    circles.push(circle);
    const { watched } = circle.home;
    if (!watched) throw new Error('it is no server');
    const [one, two] = circle.sisters as [Peer, Peer];
    let arrived = 0;
    for (const sister of [one, two])
      sister.answers = () => {
        arrived += 1;
        return KEPT;
      };
    let person = await signUpByPassphrase(watched.instance);
    const later = async (time: number) => {
      watched.instance.clock.advance(time);
      person = await enterByPassphrase(watched.instance, person);
    };
    const send = (to: string, box = 'AAAA') =>
      person.request('POST', '/api/sisters/send', { body: { to, box } });
    return { one, two, send, later, arrived: () => arrived };
  }

  it('passes on so many boxes in a day, so that others have room', async () => {
    const { send } = await anAccount();
    for (let i = 0; i < SENT_TO_SISTERS.attempts; i += 1)
      expect(await failure(await send('https://nobody.example'))).toMatchObject({ code: 'no-such-sister' });
    const refused = await send('https://nobody.example');
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({
      code: 'too-many',
      message: 'You have passed on as many letters as one day has. Please try again in 24 hours.',
    });
  });

  it('leaves an eighth of its home’s room with one sister, by weight and by number, and as much with another', async () => {
    const { one, two, send, arrived } = await anAccount();
    // Of the largest there are; three megabytes of a letter have four in a box.
    const large = 'A'.repeat(4 * 1024 * 1024);
    for (let i = 0; i < 16; i += 1) expect((await send(one.origin, large)).status).toBe(204);
    expect(arrived()).toBe(16);
    const refused = await send(one.origin);
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({
      message: 'You have left as much with this sister as a month has. Please try again in 30 days.',
    });
    expect(arrived()).toBe(16);
    for (let i = 0; i < 128; i += 1) expect((await send(two.origin)).status).toBe(204);
    expect((await send(two.origin)).status).toBe(429);
    expect(arrived()).toBe(16 + 128);
  });

  it('is told that a sister was not reached where somebody else answers, and that it refuses where itself does', async () => {
    const { one, send } = await anAccount();
    const codeFor = async (answer: { status: number; body?: unknown }) => {
      one.answers = () => answer;
      const { status, ...refused } = await failure(await send(one.origin));
      return refused.code;
    };
    for (const status of [204, 302, 403, 404, 407, 409, 413, 429, 500])
      expect(await codeFor({ status }), String(status)).toBe('sister-away');
    for (const body of [{ ok: true }, { kept: 'yes' }, { code: 'conflict' }, { error: 'not-found' }, []])
      expect(await codeFor({ status: 200, body }), JSON.stringify(body)).toBe('sister-away');
    // Another status than this program gives with that code.
    expect(await codeFor({ status: 404, body: refusal('sister-refused').body })).toBe('sister-away');
    for (const code of ['too-many', 'sister-away', 'storage-full'] as const)
      expect(await codeFor(refusal(code)), code).toBe('sister-away');
    for (const code of ['sister-refused', 'not-a-sister', 'not-found', 'wrong-signature'] as const)
      expect(await codeFor(refusal(code)), code).toBe('sister-refused');
    one.answers = () => KEPT;
    expect((await send(one.origin)).status).toBe(204);
  });

  it('has room for what did not arrive', async () => {
    const { one, send, later } = await anAccount();
    one.answers = () => ({ status: 500 });
    for (let i = 0; i < SENT_TO_SISTERS.attempts; i += 1) expect((await send(one.origin)).status).toBe(502);
    one.answers = () => KEPT;
    await later(DAY);
    for (let i = 0; i < 128; i += 1) expect((await send(one.origin)).status).toBe(204);
    expect((await send(one.origin)).status).toBe(429);
    await later(30 * DAY);
    expect((await send(one.origin)).status).toBe(204);
  });
});

it('an instance that is joined with none answers as if there were no such thing', async () => {
  const { openTestInstance } = await import('../../../testing/instance.ts');
  const instance = await openTestInstance();
  expect((await instance.request('GET', '/api/sisters/identity')).status).toBe(404);
  const body = { id: 'A'.repeat(22) };
  expect((await instance.request('POST', '/api/sisters/challenges', { body })).status).toBe(404);
  await instance.close();
});
