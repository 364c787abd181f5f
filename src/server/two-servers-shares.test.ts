// Two servers on one PostgreSQL: a one-time link opens once between them, and guesses are counted together.
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { createPostgres, describeOnPostgres } from '../testing/engines.ts';
import { aName, anAuthKey } from '../testing/people.ts';
import { aDataDir, type ServerProcess, startServer } from '../testing/server-program.ts';
import {
  acknowledge,
  aLink,
  aProof,
  aRedemptionId,
  aShare,
  putSeal,
  redeem,
  reserve,
  type Sender,
  wordsOf,
} from '../testing/shares.ts';

const main = inject('serverProgram');

describeOnPostgres('one-time links on two servers', () => {
  let servers: ServerProcess[];
  let owner: Sender;
  let cookie: string | undefined;
  const cleanups: (() => unknown)[] = [];
  beforeAll(async () => {
    const { url, drop } = await createPostgres();
    const folders = [aDataDir(), aDataDir()];
    cleanups.push(drop, ...folders.map((folder) => folder.remove));
    const start = (dataDir: string) =>
      startServer(main, { DATA_DIR: dataDir, DATABASE_URL: url, SECRET_KEY: 'ab'.repeat(32) });
    servers = await Promise.all(folders.map(({ dataDir }) => start(dataDir)));
    cleanups.push(() => Promise.all(servers.map((server) => server.end('SIGKILL'))));
    const begun = await browser(0).request('POST', '/api/gate/passphrase/begin', {
      body: { name: aName(), authKey: anAuthKey() },
    });
    cookie = begun.headers.getSetCookie()[0]?.split(';')[0];
    owner = browser(0, cookie);
  });
  afterAll(async () => {
    for (const clean of cleanups.reverse()) await clean();
  });

  /** A browser that talks to one of the servers. */
  const browser = (i: number, cookie = ''): Sender => ({
    request: (method, path, { body } = {}) =>
      fetch(`${servers[i % servers.length]?.url}${path}`, {
        method,
        headers: { cookie, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
  });
  const count = (answers: Response[], status: number) =>
    answers.filter((answer) => answer.status === status).length;

  it('open for one of 200 browsers, which may come again to either until it has acknowledged', async () => {
    const share = await aShare(owner);
    const ids = Array.from({ length: 200 }, aRedemptionId);
    const press = (offset: number) =>
      Promise.all(ids.map((redemptionId, i) => redeem(browser(i + offset), share, { redemptionId })));
    const first = await press(0);
    expect([count(first, 200), count(first, 410)]).toEqual([1, 199]);
    const winner = first.findIndex(({ status }) => status === 200);
    expect(await wordsOf(first[winner] as Response)).toBe(share.words);
    // Each of them once more, at the other server.
    const second = await press(1);
    expect(second.findIndex(({ status }) => status === 200)).toBe(winner);
    expect([count(second, 200), count(second, 410)]).toEqual([1, 199]);
    expect(await wordsOf(second[winner] as Response)).toBe(share.words);
    expect((await acknowledge(browser(winner), share, ids[winner] as string)).status).toBe(204);
    expect(count(await press(1), 410)).toBe(200);
  });

  it('are sealed by one of many tries', async () => {
    const { id } = await reserve(owner);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => putSeal(browser(i, cookie), id, aLink().seal)),
    );
    expect([count(answers, 200), count(answers, 409)]).toEqual([1, 19]);
  });

  it('count wrong passphrases together', async () => {
    const share = await aShare(owner, { passphrase: true });
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) => redeem(browser(i), share, { claim: aProof() })),
    );
    // Four at once, and on a slow machine one more after one, two, four seconds.
    expect(count(answers, 401)).toBeGreaterThanOrEqual(4);
    expect(count(answers, 401)).toBeLessThan(12);
    expect(count(answers, 401) + count(answers, 429)).toBe(40);
  });
});
