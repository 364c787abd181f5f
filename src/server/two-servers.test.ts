// Two servers on one PostgreSQL: what one of them has begun the other one knows, and neither wins what the other has.
import { afterEach, beforeEach, expect, inject, it } from 'vitest';
import { anEntry, withEntry } from '../testing/book.ts';
import { createPostgres, describeOnPostgres } from '../testing/engines.ts';
import { ORIGIN } from '../testing/instance.ts';
import { aName, anAuthKey } from '../testing/people.ts';
import { aDataDir, type ServerProcess, startServer } from '../testing/server-program.ts';
import { anEnvelope } from '../testing/vault-keys.ts';

const main = inject('serverProgram');

describeOnPostgres('two servers on one database', () => {
  let servers: [ServerProcess, ServerProcess];
  const cleanups: (() => unknown)[] = [];
  beforeEach(async () => {
    const { url, drop } = await createPostgres('empty');
    const folders = [aDataDir(), aDataDir()];
    cleanups.push(drop, ...folders.map(({ remove }) => remove));
    // Folders of their own, as on two machines: only the secret is shared.
    const [one, two] = await Promise.all(
      folders.map(({ dataDir }) =>
        startServer(main, { DATA_DIR: dataDir, DATABASE_URL: url, SECRET_KEY: 'ab'.repeat(32) }),
      ),
    );
    if (!one || !two) throw new Error('There are not two.');
    servers = [one, two];
    cleanups.push(() => Promise.all(servers.map((server) => server.end('SIGKILL'))));
  });
  afterEach(async () => {
    for (const clean of cleanups.splice(0).reverse()) await clean();
  });

  const call = (
    server: ServerProcess,
    method: string,
    path: string,
    { body, cookie = '', headers = {} }: Options = {},
  ) =>
    fetch(server.url + path, {
      method,
      headers: { cookie, ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      redirect: 'manual',
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  interface Options {
    body?: unknown;
    cookie?: string;
    headers?: Record<string, string>;
  }

  async function signUp(server: ServerProcess) {
    const [name, authKey] = [aName(), anAuthKey()];
    const response = await call(server, 'POST', '/api/gate/passphrase/begin', { body: { name, authKey } });
    expect(response.status).toBe(201);
    return { name, authKey, cookie: response.headers.getSetCookie()[0]?.split(';')[0] ?? '' };
  }
  const status = async (response: Promise<Response>) => (await response).status;
  /** The same request many times, half of them to each server. */
  const race = (times: number, ask: (server: ServerProcess, i: number) => Promise<Response>) =>
    Promise.all(Array.from({ length: times }, (_, i) => status(ask(servers[i % 2 ? 1 : 0], i))));

  const won = (statuses: number[]) => statuses.filter((code) => code < 300).length;

  it('share sessions: begun on one, good on the other, ended on both', async () => {
    const [one, two] = servers;
    const { cookie } = await signUp(one);
    expect(await status(call(two, 'GET', '/api/auth/user', { cookie }))).toBe(200);
    const written = await call(two, 'POST', '/api/memory-entries', {
      cookie,
      body: { title: 'dA==', encryptedContent: 'dA==' },
    });
    const { id } = (await written.json()) as { id: number };
    expect(await status(call(one, 'GET', `/api/memory-entries/${id}`, { cookie }))).toBe(200);
    await call(two, 'GET', '/api/logout', { cookie });
    expect(await status(call(one, 'GET', '/api/auth/user', { cookie }))).toBe(401);
  });

  it('share proofs, salts, nonces and the set-up token', async () => {
    const [one, two] = servers;
    const person = await signUp(one);
    const salt = async (server: ServerProcess, name: string) =>
      (await call(server, 'POST', '/api/gate/passphrase/salt', { body: { name } })).text();
    for (const name of [person.name, 'nobody']) expect(await salt(one, name)).toBe(await salt(two, name));
    expect(
      await status(
        call(two, 'POST', '/api/gate/passphrase/enter', {
          body: { name: person.name, authKey: person.authKey },
        }),
      ),
    ).toBe(200);

    const envelope = anEnvelope();
    const { cookie } = person;
    const body = { clientKey: envelope.clientKey };
    expect(await status(call(one, 'POST', '/api/encryption-key', { cookie, body }))).toBe(201);
    const { nonce } = (await (await call(one, 'POST', '/api/gate/words/nonce')).json()) as { nonce: string };
    const entered = await call(two, 'POST', '/api/gate/words/enter', {
      body: {
        verifyingKey: envelope.clientKey.verifyingKey,
        nonce,
        signature: envelope.signNonce(nonce, ORIGIN.replace('3000', new URL(two.url).port)),
      },
    });
    expect(entered.status).toBe(200);

    const token = /Set-up token, good once: (\S+)/.exec(one.output())?.[1];
    expect(await status(call(two, 'POST', '/api/admin/claim', { cookie, body: { token } }))).toBe(200);
    const other = /Set-up token, good once: (\S+)/.exec(two.output())?.[1];
    const second = await signUp(one);
    const late = { cookie: second.cookie, body: { token: other } };
    expect(await status(call(one, 'POST', '/api/admin/claim', late))).toBe(403);
  });

  it('count attempts together', async () => {
    const { name } = await signUp(servers[0]);
    const statuses = await race(40, (server) =>
      call(server, 'POST', '/api/gate/passphrase/enter', { body: { name, authKey: anAuthKey() } }),
    );
    // Four at once, and on a slow machine one more after one, two, four seconds.
    const heard = statuses.filter((code) => code === 401).length;
    expect(heard).toBeGreaterThanOrEqual(4);
    expect(heard).toBeLessThan(12);
    expect(statuses.filter((code) => code === 429)).toHaveLength(40 - heard);
  });

  it('have one winner in every race across both', async () => {
    const { cookie } = await signUp(servers[0]);

    const name = aName();
    const begin = await race(20, (server) =>
      call(server, 'POST', '/api/gate/passphrase/begin', { body: { name, authKey: anAuthKey() } }),
    );
    expect(won(begin)).toBe(1);

    const keys = Array.from({ length: 20 }, () => anEnvelope().clientKey);
    const put = await race(20, (server, i) =>
      call(server, 'POST', '/api/encryption-key', { cookie, body: { clientKey: keys[i] } }),
    );
    expect(won(put)).toBe(1);

    const answers = { question1: 'YQ==', question2: 'YQ==', question3: 'YQ==' };
    const onboarding = await race(20, (server) =>
      call(server, 'POST', '/api/onboarding', { cookie, body: answers }),
    );
    expect(won(onboarding)).toBe(1);

    const created = await call(servers[0], 'POST', '/api/memory-entries', {
      cookie,
      body: { title: 'dA==', encryptedContent: 'dA==' },
    });
    const { id } = (await created.json()) as { id: number };
    const patch = await race(50, (server, i) =>
      call(server, 'PATCH', `/api/memory-entries/${id}`, {
        cookie,
        body: { version: 1, title: `dA${i}`, encryptedContent: 'dA==' },
      }),
    );
    expect(won(patch)).toBe(1);
    expect(patch.filter((code) => code === 409)).toHaveLength(49);

    const removed = await race(20, (server) =>
      call(server, 'DELETE', `/api/memory-entries/${id}`, { cookie }),
    );
    expect(won(removed)).toBe(1);
  });

  it('take one entry of each number into a book between them, and its change alone', async () => {
    const { cookie } = await signUp(servers[0]);
    for (let n = 1; n <= 3; n += 1) {
      const writes = await race(50, (server) =>
        call(server, 'POST', '/api/memory-entries', {
          cookie,
          body: { title: 'dA==', encryptedContent: 'dA==' },
          headers: withEntry(anEntry(n)),
        }),
      );
      expect(won(writes)).toBe(1);
      expect(writes.filter((code) => code === 409)).toHaveLength(49);
    }
    for (const [i, server] of servers.entries()) {
      const book = (await (await call(server, 'GET', '/api/book', { cookie })).json()) as { n: number }[];
      expect(
        book.map(({ n }) => n),
        `server ${i}`,
      ).toEqual([1, 2, 3]);
      expect(await (await call(server, 'GET', '/api/memory-entries', { cookie })).json()).toHaveLength(3);
    }
  });

  it('give the readings of a ghost exactly once between them', async () => {
    const { cookie } = await signUp(servers[0]);
    const expiresAt = new Date(Date.now() + 60_000).toISOString();
    for (const [maxReads, readers] of [
      [1, 50],
      [3, 200],
    ] as const) {
      const body = { encryptedContent: 'dA==', maxReads, expiresAt };
      const created = await call(servers[0], 'POST', '/api/ghost-entries', { cookie, body });
      const { id } = (await created.json()) as { id: number };
      const read = await race(readers, (server) =>
        call(server, 'POST', `/api/ghost-entries/${id}/read`, { cookie }),
      );
      expect(won(read)).toBe(maxReads);
      expect(read.filter((code) => code === 404)).toHaveLength(readers - maxReads);
    }
  });

  it('keep one ghost of one seal, and one final breath', async () => {
    const { cookie } = await signUp(servers[0]);
    const expiresAt = new Date(Date.now() + 60_000).toISOString();
    const seal = { encryptedContent: 'dA==', sealId: 'A'.repeat(22) };
    const ghosts = await race(20, (server) =>
      call(server, 'POST', '/api/ghost-entries', { cookie, body: { ...seal, expiresAt } }),
    );
    expect(ghosts).toEqual(Array(20).fill(201));
    const list = await call(servers[1], 'GET', '/api/ghost-entries', { cookie });
    expect(await list.json()).toHaveLength(1);

    for (const writers of [2, 50]) {
      const breaths = await race(writers, (server, i) =>
        call(server, 'POST', '/api/final-breath', { cookie, body: { encryptedContent: `dA${i}` } }),
      );
      expect(won(breaths)).toBe(1);
      expect(breaths.filter((code) => code === 409)).toHaveLength(writers - 1);
      expect(await status(call(servers[0], 'DELETE', '/api/final-breath', { cookie }))).toBe(204);
    }
  });

  it('release a final breath to one reader between them, who may come again at either', async () => {
    const { cookie } = await signUp(servers[0]);
    const seal = () =>
      call(servers[0], 'POST', '/api/final-breath', { cookie, body: { encryptedContent: 'dA==' } });
    const read = (server: ServerProcess, body?: unknown) =>
      call(server, 'POST', '/api/final-breath/read', { cookie, ...(body === undefined ? {} : { body }) });

    await seal();
    const burned = await race(200, (server) => read(server));
    expect(burned.sort()).toEqual([200, ...Array(199).fill(404)]);

    await seal();
    const ids = Array.from({ length: 200 }, (_, i) => `${i}`.padStart(22, 'A'));
    const leased = await race(200, (server, i) => read(server, { redemptionId: ids[i] }));
    const winner = { redemptionId: ids[leased.indexOf(200)] };
    expect([...leased].sort()).toEqual([200, ...Array(199).fill(410)]);
    for (const server of servers) expect(await status(read(server, winner))).toBe(200);

    const acknowledged = await race(20, (server) =>
      call(server, 'POST', '/api/final-breath/acknowledge', { cookie, body: winner }),
    );
    expect(acknowledged.sort()).toEqual([204, ...Array(19).fill(404)]);
  });
});
