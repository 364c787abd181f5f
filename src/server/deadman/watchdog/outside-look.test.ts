// The look from outside in: what counts as an answer, when silence is believed, and what the switch does meanwhile.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../../shared/time.ts';
import { describeOnEachEngine } from '../../../testing/engines.ts';
import type { TestInstance } from '../../../testing/instance.ts';
import { aWatchedInstance, HOURLY, type Watched } from '../../../testing/switch.ts';
import { createOutsideLook } from './outside-look.ts';
import type { Ask } from './ping.ts';

const env = { PUBLIC_URL: 'https://vault.example.org' };

/** Asks a server as the world does: by its own app, until a test says otherwise. */
const through =
  ({ app }: TestInstance): Ask =>
  async (url, options) => {
    expect(options.redirect).toBe('error');
    return app.request(new Request(url, { headers: { host: url.host } }));
  };
/** A server with the same secret and another database. */
const saying =
  ({ deps }: TestInstance, database: { identity: string; epoch: number; tick: number }): Ask =>
  async ({ searchParams }) => {
    const { identity, epoch, tick } = database;
    const said = [searchParams.get('challenge'), false, identity, epoch, tick];
    const proof = deps.digests.keyed('healthz-challenge', JSON.stringify(said));
    return Response.json({ status: 'ok', look: { proof, isOwn: false, identity, epoch, tick } });
  };
const noRoute: Ask = async () => {
  throw Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } });
};

describeOnEachEngine('a server whose own address', (engine) => {
  let w: Watched;
  let ask: Ask;
  let look: () => Promise<void>;
  beforeEach(async () => {
    w = await aWatchedInstance({ engine, env, alone: true });
    ask = through(w.instance);
    look = aLook();
  });
  afterEach(() => w.close());

  const aLook = () =>
    createOutsideLook(
      w.deps,
      () => w.server.time.elapsed,
      (url, options) => ask(url, options),
    ).look;
  const isOutOfReach = async () => (await w.clock()).out_of_reach_since !== null;
  /** Looks whenever it is due for so long, and ticks by the hour. */
  async function live(milliseconds: number) {
    for (let left = milliseconds; left > 0; left -= HOUR) {
      for (let minute = 0; minute < 60; minute += 10) {
        w.sleep(10 * MINUTE);
        await look();
      }
      await w.server.tick();
    }
  }

  /** The same for years: each day counts, as an absence of hours. */
  async function liveByTheDay(days: number) {
    for (let day = 0; day < days; day += 1) {
      w.sleep(DAY);
      await look();
      await w.server.tick();
    }
  }

  it('has never answered counts in full: nobody knows why', async () => {
    ask = noRoute;
    await live(3 * HOUR);
    expect(await isOutOfReach()).toBe(false);
    expect((await w.clock()).counted_time).toBe(3 * HOUR);
  });

  it('has answered, and does not any more, counts as absent, tells its administrator, and delivers nothing', async () => {
    await live(2 * HOUR);
    const author = await w.anAuthor();
    const scroll = await w.watchSilence(author, 3);
    ask = noRoute;
    await live(3 * HOUR);
    expect(await isOutOfReach()).toBe(true);
    const { counted_time: before } = await w.clock();
    expect(before).toBeLessThanOrEqual(5 * HOUR);
    expect(await w.server.countedTime()).toBe(null);
    const said = w.instance.log.filter(({ level }) => level === 50);
    expect(said).toMatchObject([{ code: 'ECONNREFUSED', msg: expect.stringContaining('PUBLIC_URL') }]);

    await live(10 * DAY);
    expect((await w.clock()).counted_time).toBe(before);
    expect(await w.stateOf(scroll)).toBe('watching');
    // Somebody who finds another way in meanwhile loses nothing by what is counted later.
    await w.stillHere(author);

    ask = through(w.instance);
    await live(HOUR);
    expect(await isOutOfReach()).toBe(false);
    const clock = await w.clock();
    expect(clock.counted_time).toBeLessThanOrEqual(before + 26 * HOUR);
    expect(clock.held_until).toBeGreaterThan(clock.counted_time + 2 * DAY);
    await live(2 * DAY + 20 * HOUR);
    expect(await w.stateOf(scroll)).toBe('watching');
  });

  it.each([
    ['was changed', { PUBLIC_URL: 'https://elsewhere.example.org' }],
    ['is not to be looked at', { OUTSIDE_LOOK: 'no' }],
    ['is this machine’s own', { PUBLIC_URL: 'http://localhost:3000' }],
  ])('%s is not judged by what another one answered', async (_, changed) => {
    await live(2 * HOUR);
    ask = noRoute;
    await live(4 * HOUR);
    expect(await isOutOfReach()).toBe(true);
    const { config } = w.instance.sibling({ ...env, ...changed }).deps;
    look = createOutsideLook({ ...w.deps, config }, () => w.server.time.elapsed, noRoute).look;
    const { counted_time } = await w.clock();
    await live(5 * HOUR);
    expect(await isOutOfReach()).toBe(false);
    expect((await w.clock()).counted_time).toBeGreaterThan(counted_time + 4 * HOUR);
  });

  it('does not answer while the switch is paused counts as absent as well, and soon after the pause', async () => {
    await live(2 * HOUR);
    await w.setClock({ paused_reason: 'restored', paused_at: 1 });
    await live(10 * HOUR);
    const { paused_for } = await w.clock();
    expect(paused_for).toBeGreaterThan(9 * HOUR);
    ask = noRoute;
    await live(6 * HOUR);
    expect(await isOutOfReach()).toBe(true);
    expect((await w.clock()).paused_for).toBeLessThanOrEqual(paused_for + 3 * HOUR);
    ask = through(w.instance);
    await live(2 * HOUR);
    expect(await isOutOfReach()).toBe(false);
    await w.confirm();
    ask = noRoute;
    await live(4 * HOUR);
    expect(await isOutOfReach()).toBe(true);
  });

  it('does not answer, and a backup of that time is put back, pauses: nobody knows what was written since', async () => {
    await live(2 * HOUR);
    ask = noRoute;
    await live(5 * HOUR);
    const { waits, counted_time } = await w.clock();
    await live(5 * HOUR);
    expect(await w.clock()).toMatchObject({ counted_time, paused_reason: null });
    await w.setClock({ waits });
    await w.restart(w.server.journal);
    await live(HOUR);
    expect((await w.clock()).paused_reason).toBe('restored');
  });

  it('leads to the same database, which has lived on, is a copy: it counts, warns, releases and sends nothing', async () => {
    await live(2 * HOUR);
    const author = await w.anAuthor();
    const scroll = await w.watchSilence(author, 3, { warning: 'mail' });
    const { identity, epoch, tick_number, counted_time } = await w.clock();
    // The original: everything that it says of itself but that it has begun this look.
    ask = saying(w.instance, { identity, epoch, tick: tick_number + 100 });
    await live(HOUR);
    await liveByTheDay(20);
    expect(await w.clock()).toMatchObject({ counted_time, elsewhere: 'ahead', paused_reason: null });
    expect(await w.stateOf(scroll)).toBe('watching');
    expect(await w.messages()).toEqual([]);
    expect(await w.server.countedTime()).toBe(null);
    const said = w.instance.log.filter(({ level }) => level === 50);
    expect(said).toMatchObject([{ database: 'ahead', msg: expect.stringContaining('another database') }]);
    // Neither silence, nor a restart, nor a hundred days end that: only the address does.
    ask = noRoute;
    await liveByTheDay(100);
    await w.restart(w.server.journal);
    look = aLook();
    await liveByTheDay(2);
    expect(await w.clock()).toMatchObject({ counted_time, elsewhere: 'ahead' });
    ask = through(w.instance);
    await live(2 * HOUR);
    const clock = await w.clock();
    expect(clock).toMatchObject({ elsewhere: null, out_of_reach_since: null });
    // An absence before the restart, and one after it.
    expect(clock.counted_time).toBeLessThanOrEqual(counted_time + 2 * 26 * HOUR + 4 * HOUR);
    expect(clock.held_until).toBeGreaterThan(clock.counted_time);
  });

  it.each([
    ['of another history', { identity: 'another', epoch: 0, tick: 0 }, 'another'],
    ['that was confirmed since', { epoch: 9, tick: 0 }, 'ahead'],
    ['that has lived less', { tick: 0 }, 'behind'],
  ])('leads to a database %s says so', async (_, answer, which) => {
    await live(2 * HOUR);
    const { identity, epoch } = await w.clock();
    ask = saying(w.instance, { identity, epoch, ...answer });
    await live(HOUR);
    expect((await w.clock()).elsewhere).toBe(which);
  });

  it('leads to a copy, while the switch is paused, never ends the pause, and tells nobody of it', async () => {
    await live(2 * HOUR);
    const author = await w.anAuthor();
    await w.watchSilence(author, 3, { warning: 'mail' });
    await w.setClock({ paused_reason: 'restored', paused_at: 1, told_at: 0 });
    const { identity, epoch, tick_number } = await w.clock();
    ask = saying(w.instance, { identity, epoch, tick: tick_number + 1 });
    await live(HOUR);
    await liveByTheDay(200);
    expect(await w.clock()).toMatchObject({ paused_reason: 'restored', elsewhere: 'ahead' });
    expect(await w.messages()).toEqual([]);
  });

  it('answers no more decides and sends nothing until it is known to be out of reach, and a machine that slept looks anew', async () => {
    await live(2 * HOUR);
    const clone = createOutsideLook(w.deps, () => w.server.time.elapsed, noRoute);
    for (let minute = 0; minute < 30; minute += 1) {
      await clone.look();
      w.sleep(MINUTE);
    }
    // What its database remembers was true of the original.
    expect(clone.hasLooked()).toBe(false);
    const awake = createOutsideLook(w.deps, () => w.server.time.elapsed, through(w.instance));
    await awake.look();
    expect(awake.hasLooked()).toBe(true);
    w.sleep(3 * HOUR);
    expect(awake.hasLooked()).toBe(false);
    await awake.look();
    expect(awake.hasLooked()).toBe(true);
  });

  it('is not known yet decides and sends nothing, for five looks at most', async () => {
    const outside = createOutsideLook(w.deps, () => w.server.time.elapsed, noRoute);
    for (let minute = 0; minute < 5; minute += 1) {
      expect(outside.hasLooked()).toBe(false);
      await outside.look();
      w.sleep(MINUTE);
    }
    expect(outside.hasLooked()).toBe(true);
    const reaching = createOutsideLook(w.deps, () => w.server.time.elapsed, through(w.instance));
    expect(reaching.hasLooked()).toBe(false);
    await reaching.look();
    expect(reaching.hasLooked()).toBe(true);
    const { config } = w.instance.sibling({ PUBLIC_URL: 'http://localhost:3000' }).deps;
    expect(createOutsideLook({ ...w.deps, config }, () => 0, noRoute).hasLooked()).toBe(true);
  });

  it('is silent for a moment has lost nothing', async () => {
    await live(2 * HOUR);
    ask = noRoute;
    await live(HOUR);
    ask = through(w.instance);
    await live(3 * HOUR);
    expect((await w.clock()).counted_time).toBe(6 * HOUR);
    expect((await w.clock()).held_until).toBe(0);
  });

  it('fails from one of two servers alone goes on', async () => {
    const { look: other } = createOutsideLook(w.deps, () => w.server.time.elapsed, noRoute);
    for (let hour = 0; hour < 5; hour += 1) {
      for (let minute = 0; minute < 60; minute += 1) {
        w.sleep(MINUTE);
        await look();
        await other();
      }
      await w.server.tick();
    }
    expect(await isOutOfReach()).toBe(false);
  });
});

describe('an answer counts', () => {
  let w: Watched;
  beforeEach(async () => {
    w = await aWatchedInstance({ env, alone: true, rules: HOURLY });
  });
  afterEach(() => w.close());

  const reached = async (ask: Ask) => {
    await createOutsideLook(w.deps, () => 0, ask).look();
    return (await w.clock()).reached_counted !== null;
  };
  const answering =
    (body: string, status = 200): Ask =>
    async () =>
      new Response(body, { status });

  it.each<[string, Ask]>([
    ['nothing at all', noRoute],
    ['a parked page', answering('<h1>For sale</h1>')],
    ['another server', answering('{"status":"ok"}')],
    ['a server with another secret', answering(JSON.stringify({ status: 'ok', proof: 'a'.repeat(64) }))],
    ['a number', answering('7')],
    ['null', answering('null')],
    ['a failure', answering('{"code":"not-ready"}', 503)],
  ])('not from %s', async (_, ask) => {
    expect(await reached(ask)).toBe(false);
  });

  it('not from a cache, which knows an older challenge', async () => {
    let kept: Promise<Response> | undefined;
    const cache: Ask = async (url, options) => {
      kept ??= through(w.instance)(url, options);
      return (await kept).clone();
    };
    expect(await reached(cache)).toBe(true);
    await w.setClock({ reached_counted: null });
    expect(await reached(cache)).toBe(false);
  });

  it('not where it has no end: what stands at the address now may send for as long as it likes', async () => {
    let sent = 0;
    let isCancelled = false;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1;
        // Even the right answer would come too late.
        if (sent > 1000) controller.close();
        else controller.enqueue(new Uint8Array(64 * 1024).fill(0x20));
      },
      cancel() {
        isCancelled = true;
      },
    });
    expect(await reached(async () => new Response(endless))).toBe(false);
    expect(sent).toBeLessThan(5);
    expect(isCancelled).toBe(true);
  });

  it('from this server, and from others with its secret', async () => {
    expect(await reached(through(w.instance.sibling({})))).toBe(true);
  });

  it('is not asked for where the address is this machine’s own', async () => {
    const local = { ...w.deps, config: { publicUrl: new URL('http://localhost:3000'), outsideLook: true } };
    await createOutsideLook(local, () => 0, through(w.instance)).look();
    expect((await w.clock()).reached_counted).toBe(null);
  });
});
