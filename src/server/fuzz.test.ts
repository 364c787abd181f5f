// Some five thousand odd requests to the real program, over every row of the contract, each database with requests of
// its own: none of them may end it, be answered by a fault of its own, stop it from answering others, or cost more than
// its bytes. FUZZ_SEED=… repeats a run, or begins another one.

import { afterAll, beforeAll, beforeEach, expect, inject, it } from 'vitest';
import { MINUTE } from '../shared/time.ts';
import { createRandom } from '../simulation/random.ts';
import { createPostgres, describeOnEachEngine } from '../testing/engines.ts';
import { type Actor, anActor, requesterTo } from '../testing/fuzz/people.ts';
import {
  CHECKOUT,
  drawRequest,
  type FuzzRequest,
  fullBodies,
  fuzzedRows,
  inOneByteChunks,
  type Material,
  PER_ROW,
  type Row,
} from '../testing/fuzz/requests.ts';
import { type Answer, aim, METRICS_TOKEN, type Target } from '../testing/fuzz/target.ts';
import type { Requester } from '../testing/instance.ts';
import { enterByPassphrase } from '../testing/people.ts';
import { aDataDir, type ServerProcess, startServer } from '../testing/server-program.ts';
import { openStoryService } from '../testing/story-service.ts';
import { openStripe, stripeEnv } from '../testing/stripe/service.ts';
import { MINT } from '../testing/wallets.ts';

const SEED = Number(process.env.FUZZ_SEED ?? 20_260_801);
/** How many requests are measured together: the processor's time is asked for between them. */
const BATCH = 8;
/** Rows that one account lives through before the next one takes over. */
const ROWS_PER_ACTOR = 5;
/** What says that a request came no further than the door. */
const AT_THE_DOOR = new Set([
  'too-many',
  'not-signed-in',
  'not-admin',
  'proof-needed',
  'cross-site',
  'embedded-auth-off',
  'other-account',
  'wrong-host',
]);

/** There is no chain for it to read, perhaps no program that hears, and it says so. */
const NOT_HERE = new Set(['no-holders', 'transcription-off']);

/*
 * What a request may cost. Clocks on the wall say nothing on a busy machine, so the program is asked for the time that it
 * had a processor for (`latebra_process_cpu_seconds_total`), which other processes change little. It is compared with
 * plain requests of the same size, measured in the same run, by a generous factor; and what seems dear is sent again by
 * itself before anybody believes it. The attack that this stands against took 4.6 s for 65 bytes.
 */
const FACTOR = 10;
/** Seconds. A signature costs some 10 ms, and collecting garbage falls on whoever comes along. */
const ALLOWANCE = 0.1;
/** Seconds for one batch. Nothing but a request can cost so much, so nobody asks twice. */
const BEYOND_DOUBT = 2;

interface Price {
  once: number;
  perByte: number;
}

const bytesOf = ({ body, path, headers }: FuzzRequest) =>
  (body?.length ?? 0) + path.length + JSON.stringify(headers).length;

/** What plain requests cost: small ones, and ones of 60 KB, all refused for the same missing field. */
async function measurePrice(target: Target): Promise<Price> {
  const plain = (size: number): FuzzRequest => ({
    method: 'POST',
    path: '/api/confirmations/look',
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify({ text: 'A'.repeat(size) })),
    chunked: false,
  });
  const cost = async (request: FuzzRequest, times: number) => {
    const before = await target.cpu();
    for (let i = 0; i < times; i += 1) await target.send(request, null);
    return ((await target.cpu()) - before) / times;
  };
  await cost(plain(10), 100);
  const [small, large] = [await cost(plain(10), 100), await cost(plain(60_000), 50)];
  return { once: small, perByte: Math.max(0, large - small) / 60_000 };
}

describeOnEachEngine('the program under odd requests', (engine) => {
  const seedHere = engine === 'sqlite' ? SEED : SEED + 1;
  let server: ServerProcess;
  let target: Target;
  let ask: Requester;
  let price: Price;
  let admin: Actor;
  /** What the program had used when it was last asked, while nobody has asked it for anything since. */
  let used: number | null = null;
  const cleanups: (() => unknown)[] = [];

  beforeAll(async () => {
    const { dataDir, remove } = aDataDir();
    cleanups.push(remove);
    const model = await openStoryService();
    cleanups.push(model.close);
    const database = engine === 'postgres' ? await createPostgres() : null;
    if (database) cleanups.push(() => database.drop());
    const stripe = await openStripe();
    cleanups.push(() => stripe.close());
    server = await startServer(inject('serverProgram'), {
      DATA_DIR: dataDir,
      METRICS_TOKEN,
      TRUSTED_PROXIES: '127.0.0.1',
      // Otherwise the administrator of the fuzz may shut the gate, and nobody comes in any more.
      SIGN_UP: 'open',
      TOKEN_MINT: MINT,
      SOLANA_RPC_URL: 'http://127.0.0.1:9',
      ...stripeEnv(stripe),
      // The program itself is asked at 127.0.0.1.
      CHECKOUT_ORIGIN: CHECKOUT,
      LLM_BASE_URL: model.url,
      LLM_MODEL: 'stand-in',
      ...(database ? { DATABASE_URL: database.url } : {}),
    });
    cleanups.push(() => server.end('SIGKILL'));
    target = aim(server);
    cleanups.push(() => target.close());
    const asks = requesterTo(server.url);
    ask = (...request) => {
      used = null;
      return asks(...request);
    };
    admin = await anActor(server.url, ask);
    const [, token = ''] = /Set-up token, good once: (\S+)/.exec(server.output()) ?? [];
    const claimed = await admin.person.request('POST', '/api/admin/claim', { body: { token } });
    expect(claimed.status).toBe(200);
    price = await measurePrice(target);
  }, 10 * MINUTE);
  afterAll(async () => {
    for (const clean of cleanups.reverse()) await clean();
  });

  beforeEach(() => {
    used = null;
  });

  const allowed = (requests: FuzzRequest[]) =>
    requests.reduce((sum, one) => sum + FACTOR * (price.once + price.perByte * bytesOf(one)), ALLOWANCE);

  /** What can be said of a request when it has done harm. */
  const told = (name: string, { method, path, headers, body }: FuzzRequest) =>
    `seed ${seedHere}, ${name}: ${JSON.stringify({
      method,
      path: path.slice(0, 300),
      headers: JSON.stringify(headers).slice(0, 300),
      body: body?.toString('utf8').slice(0, 600),
      bytes: body?.length,
    })}\n${server.output().slice(-1500)}`;

  /** Sends one, and asks after the server's health while it is being answered. */
  async function sendOne(name: string, request: FuzzRequest, cookie: string | null): Promise<Answer> {
    try {
      const [answer] = await Promise.all([target.send(request, cookie), target.isWell()]);
      if (!NOT_HERE.has(answer.code)) expect(answer.status).toBeLessThan(500);
      return answer;
    } catch (error) {
      throw new Error(told(name, request), { cause: error });
    }
  }

  // Its answer costs as much as some requests do.
  async function costOf(send: () => Promise<unknown>): Promise<number> {
    const before = used ?? (await target.cpu());
    used = null;
    await send();
    used = await target.cpu();
    return used - before;
  }

  /** Sends a batch, and looks for the one that is too dear if it is. */
  async function sendBatch(
    name: string,
    batch: FuzzRequest[],
    send: (request: FuzzRequest) => Promise<unknown>,
  ): Promise<void> {
    const cost = await costOf(async () => {
      for (const request of batch) await send(request);
    });
    if (cost <= allowed(batch)) return;
    const all = batch.map((request) => told(name, request)).join('\n');
    expect(cost, `these cost ${cost} s together:\n${all}`).toBeLessThan(BEYOND_DOUBT);
    for (const request of batch) {
      const again = Math.min(await costOf(() => send(request)), await costOf(() => send(request)));
      expect(again, `it cost ${again} s: ${told(name, request)}`).toBeLessThan(allowed([request]));
    }
  }

  it('answers every one of them, and none costs more than its bytes', { timeout: 30 * MINUTE }, async () => {
    const random = createRandom(seedHere);
    const codes = new Map<string, number>();
    const reached = new Map<string, Set<number>>();
    let somebody: Actor | null = null;
    let left = 0;

    /** Somebody with a session and a row of each kind, for a few rows of the contract or until they are signed out. */
    async function actorFor(row: Row): Promise<Actor> {
      if (row.access === 'admin') {
        // A proof lasts ten minutes, and on a busy machine so may the rows before.
        admin = { ...admin, person: await enterByPassphrase({ request: ask }, admin.person) };
        return admin;
      }
      if (!somebody || left <= 0) {
        somebody = await anActor(server.url, ask);
        left = ROWS_PER_ACTOR;
      }
      return somebody;
    }

    for (const { name, row } of fuzzedRows()) {
      left -= 1;
      const statuses = new Set<number>();
      reached.set(name, statuses);
      let actor: Actor | null = null;
      let material: Material = { known: {}, ids: [] };
      for (let sent = 0; sent < PER_ROW; sent += BATCH) {
        const next = await actorFor(row);
        if (next !== actor) material = await next.materialFor(name, row);
        actor = next;
        const { cookie: session } = actor.person;
        const batch: FuzzRequest[] = [];
        for (let i = 0; i < BATCH; i += 1) batch.push(await drawRequest(row, random, material));
        await sendBatch(name, batch, async (request) => {
          const cookie = row.access === 'anyone' || random.chance(0.1) ? null : session;
          const { status, code } = await sendOne(name, request, cookie);
          codes.set(code || String(status), (codes.get(code || String(status)) ?? 0) + 1);
          if (!AT_THE_DOOR.has(code)) statuses.add(status);
          if (cookie !== null && code === 'not-signed-in') left = 0;
        });
      }
    }

    const seed = `seed ${seedHere}: ${JSON.stringify([...codes])}`;
    const total = [...codes.values()].reduce((sum, count) => sum + count, 0);
    expect(total, seed).toBeGreaterThan(2000);
    // The limits of the gate did not keep them out, so the rest says something.
    expect(codes.get('too-many') ?? 0, seed).toBeLessThan(total / 50);
    const atTheDoor = [...codes].filter(([code]) => AT_THE_DOOR.has(code));
    expect(
      atTheDoor.reduce((sum, [, count]) => sum + count, 0),
      seed,
    ).toBeLessThan(total / 4);
    const unreached = [...reached].filter(([, statuses]) => statuses.size === 0).map(([name]) => name);
    expect(unreached, seed).toEqual([]);
    const succeeded = [...reached].filter(([, statuses]) => [...statuses].some((status) => status < 400));
    expect(succeeded.length, seed).toBeGreaterThan(reached.size / 2);
  });

  it('refuses sixty-five bytes that claim to be a thousand million', async () => {
    for (const length of [1e8, 1e9]) {
      const body = Buffer.from(JSON.stringify({ response: { response: { clientDataJSON: { length } } } }));
      const headers = { 'content-type': 'application/json' };
      const request = { method: 'POST', path: '/api/gate/passkey/enter', headers, body, chunked: false };
      await sendBatch('the reported one', [request], async () => {
        expect(await sendOne('the reported one', request, null)).toMatchObject({ code: 'invalid-input' });
      });
    }
  });

  it('answers bodies as large as a row takes, whatever they are full of', {
    timeout: 5 * MINUTE,
  }, async () => {
    const { person } = await anActor(server.url, ask);
    for (const { name, row } of fuzzedRows()) {
      for (const body of fullBodies(row)) {
        const path = row.path.replace(/\{\w+\}/g, '1');
        const headers = { 'content-type': 'application/json' };
        const request = { method: row.method, path, headers, body, chunked: false };
        await sendBatch(name, [request], (one) => sendOne(name, one, person.cookie));
      }
    }
  });

  it('answers chunks of one byte to every call with a body, for no more than ten times their bytes', async () => {
    const { person } = await anActor(server.url, ask);
    let sent = 0;
    for (const { name, row } of fuzzedRows()) {
      const text = inOneByteChunks(row, person.cookie);
      if (text === null) continue;
      const body = Buffer.from(text);
      const request = { method: row.method, path: row.path, headers: {}, body, chunked: true };
      await sendBatch(name, [request], async () => {
        const [answer] = await Promise.all([target.raw(body), target.isWell()]);
        expect(answer, name).not.toMatch(/^HTTP\/1\.1 (?:2|5)/);
      });
      sent += 1;
    }
    expect(sent).toBeGreaterThan(40);
  });

  it.each([
    ['no HTTP at all', 'hello\r\n\r\n'],
    ['no Host', 'GET /api/auth/user HTTP/1.1\r\n\r\n'],
    ['an old version', 'GET /healthz HTTP/1.0\r\n\r\n'],
    ['two hosts', 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n'],
    ['a host with a path', 'GET /healthz HTTP/1.1\r\nHost: localhost/x\r\n\r\n'],
    ['an address in place of a path', 'GET http://evil.example/healthz HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['a star', 'OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['a tunnel', 'CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n'],
    ['a path that leads out', 'GET /assets/../../../../etc/passwd HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['an encoded NUL', 'GET /assets/%00 HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['half an escape', 'GET /%E0%A4%A HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['a backslash', 'GET \\..\\x HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['a line that ends early', 'GET /healthz HTTP/1.1\nHost: localhost\n\n'],
    ['a folded header', 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nA: b\r\n c\r\n\r\n'],
    ['a header too long', `GET /healthz HTTP/1.1\r\nHost: localhost\r\nA: ${'b'.repeat(100_000)}\r\n\r\n`],
    ['too many headers', `GET /healthz HTTP/1.1\r\nHost: localhost\r\n${'A: b\r\n'.repeat(10_000)}\r\n`],
    [
      'two lengths',
      'POST /api/confirmations HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}x',
    ],
    [
      'a length and chunks',
      'POST /api/confirmations HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    [
      'a length that is a lie',
      'POST /api/confirmations HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{}',
    ],
    [
      'an enormous chunk',
      'POST /api/confirmations HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n{}',
    ],
    [
      'an unknown expectation',
      'POST /api/confirmations HTTP/1.1\r\nHost: localhost\r\nExpect: miracles\r\nContent-Length: 0\r\nConnection: close\r\n\r\n',
    ],
  ])('answers or ends a connection that brings %s', async (_, bytes) => {
    const answer = await target.raw(bytes);
    expect(answer).not.toMatch(/^HTTP\/1\.1 5/);
    await target.isWell();
  });

  it('is still there, and has logged no fault', async () => {
    expect(server.child.exitCode).toBeNull();
    await target.isWell();
    expect(server.output()).not.toMatch(/"level":(?:50|60)|an answer failed/);
  });
});
