// A release is never lost: the real program is killed before and after its mail was taken, and two of them race. A crash
// may repeat a message, under the same Message-ID.

import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, inject, it } from 'vitest';
import type { Scroll } from '../shared/nouns/legacy.ts';
import { MINUTE } from '../shared/time.ts';
import { createPostgres, describeOnPostgres } from '../testing/engines.ts';
import { freePort } from '../testing/free-port.ts';
import { aName, anAuthKey } from '../testing/people.ts';
import { openPostOffice, type PostOffice } from '../testing/post-office.ts';
import { plainScroll } from '../testing/scrolls.ts';
import { aDataDir, type ServerProcess, startServer } from '../testing/server-program.ts';
import { SqliteConnection } from './db/sqlite-driver.ts';

const main = inject('serverProgram');

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

async function aPostOffice(): Promise<PostOffice> {
  const office = await openPostOffice();
  cleanups.push(() => office.close());
  return office;
}

interface Author {
  call(server: ServerProcess, method: string, path: string, body?: unknown): Promise<Response>;
}

async function anAuthor(server: ServerProcess): Promise<Author> {
  let cookie = '';
  const call: Author['call'] = (at, method, path, body) =>
    fetch(at.url + path, {
      method,
      headers: { cookie, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const begun = await call(server, 'POST', '/api/gate/passphrase/begin', {
    name: aName(),
    authKey: anAuthKey(),
  });
  expect(begun.status).toBe(201);
  cookie = begun.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  return { call };
}

/** A scroll that watches, and waits for its author's hand. */
async function aWatch({ call }: Author, server: ServerProcess, fields = {}): Promise<Scroll> {
  const body = { ...plainScroll(), triggerType: 'manual', triggerValue: 'manual', ...fields };
  const written = await call(server, 'POST', '/api/legacy-scrolls', body);
  expect(written.status, await written.clone().text()).toBe(201);
  const scroll = (await written.json()) as Scroll;
  const active = await call(server, 'POST', `/api/legacy-scrolls/${scroll.id}/activate`, {
    handedOver: true,
  });
  expect(active.status, await active.clone().text()).toBe(200);
  return scroll;
}

async function listed({ call }: Author, server: ServerProcess): Promise<Scroll[]> {
  return (await (await call(server, 'GET', '/api/legacy-scrolls')).json()) as Scroll[];
}

/** Waits until the author sees that every scroll was delivered. */
async function untilSent(author: Author, server: ServerProcess): Promise<Scroll[]> {
  for (;;) {
    const scrolls = await listed(author, server);
    if (scrolls.every(({ recipients }) => recipients.every(({ delivery }) => delivery?.state === 'sent')))
      return scrolls;
  }
}

const mailEnv = async (office: PostOffice) => {
  const port = await freePort();
  return {
    PORT: String(port),
    PUBLIC_URL: `http://localhost:${port}`,
    SMTP_URL: office.url,
    MAIL_FROM: 'Latebra <vault@example.org>',
  };
};

describe('a server that is killed while it delivers', () => {
  async function anInstance() {
    const office = await aPostOffice();
    const { dataDir, remove } = aDataDir();
    cleanups.push(remove);
    const start = async () => {
      const server = await startServer(main, { DATA_DIR: dataDir, ...(await mailEnv(office)) });
      cleanups.push(() => server.end('SIGKILL'));
      return server;
    };
    return { office, dataDir, start };
  }

  it('before the mail server has its message, delivers it after the next start', {
    timeout: 2 * MINUTE,
  }, async () => {
    const { office, start } = await anInstance();
    office.behave('hangs after the message');
    const first = await start();
    const author = await anAuthor(first);
    const { id } = await aWatch(author, first);
    expect((await author.call(first, 'POST', `/api/legacy-scrolls/${id}/release`)).status).toBe(200);
    await office.hanging();
    await first.end('SIGKILL');
    office.behave('accepts');
    const second = await start();
    await office.arrival();
    const [scroll] = await untilSent(author, second);
    expect(scroll).toMatchObject({ id, hasTriggered: true });
    await second.end();
    expect(office.received).toHaveLength(1);
    expect(office.received[0]?.recipient).toBe('ada@mail.example');
  });

  it('before it was written down that the mail server has it, repeats it under the same Message-ID', {
    timeout: 2 * MINUTE,
  }, async () => {
    const { office, start } = await anInstance();
    office.behave('accepts and never says so');
    const first = await start();
    const author = await anAuthor(first);
    const { id } = await aWatch(author, first);
    expect((await author.call(first, 'POST', `/api/legacy-scrolls/${id}/release`)).status).toBe(200);
    await office.hanging();
    await first.end('SIGKILL');
    office.behave('accepts');
    const second = await start();
    await untilSent(author, second);
    await second.end();
    const third = await start();
    await untilSent(author, third);
    await third.end();
    expect(office.received).toHaveLength(2);
    const ids = office.received.map(({ mail }) => mail.messageId);
    expect(ids[0]).toMatch(/^<.+@.+>$/);
    expect(ids[1]).toBe(ids[0]);
  });

  it('as soon as a release was acknowledged, loses none, and repeats none that was not on its way', {
    timeout: 3 * MINUTE,
  }, async () => {
    const { office, start } = await anInstance();
    let server = await start();
    const author = await anAuthor(server);
    const ROUNDS = 5;
    for (let round = 0; round < ROUNDS; round += 1) {
      const { id } = await aWatch(author, server, { recipientAddress: `round${round}@mail.example` });
      expect((await author.call(server, 'POST', `/api/legacy-scrolls/${id}/release`)).status).toBe(200);
      await server.end('SIGKILL');
      server = await start();
      // One that is killed more than once on its way comes an hour later.
      await untilSent(author, server);
    }
    await server.end();
    const recipients = office.received.map(({ recipient }) => recipient);
    expect([...new Set(recipients)].sort()).toEqual(
      Array.from({ length: ROUNDS }, (_, round) => `round${round}@mail.example`),
    );
    const numbers = new Set(office.received.map(({ mail }) => mail.messageId));
    expect(numbers.size).toBe(ROUNDS);
  });

  it('leaves no word of a scroll in its mail, its log, its journal or its messages', {
    timeout: 2 * MINUTE,
  }, async () => {
    const { office, dataDir, start } = await anInstance();
    const server = await start();
    const author = await anAuthor(server);
    const [title, words] = [randomBytes(30).toString('base64'), randomBytes(60).toString('base64')];
    const { id } = await aWatch(author, server, { title, encryptedContent: words });
    await author.call(server, 'POST', `/api/legacy-scrolls/${id}/release`);
    await untilSent(author, server);
    await server.end();
    const database = new SqliteConnection(join(dataDir, 'latebra.db'), { readonly: true });
    const rows = ['messages', 'jobs', 'instance_clock'].map((table) =>
      database.rows(`select * from ${table}`),
    );
    database.close();
    const journal = readFileSync(join(dataDir, 'switch.journal'), 'utf8');
    for (const place of [JSON.stringify(rows), journal, server.output(), office.received[0]?.raw ?? '']) {
      expect(place).not.toBe('');
      for (const planted of [title, words]) expect(place).not.toContain(planted);
    }
    expect(readdirSync(dataDir).filter((name) => name.startsWith('switch'))).toEqual(['switch.journal']);
  });
});

describeOnPostgres('two servers on one database', () => {
  it('release a scroll once and send one message, however many ask', { timeout: 2 * MINUTE }, async () => {
    const office = await aPostOffice();
    const { url, drop } = await createPostgres('empty');
    cleanups.push(drop);
    const start = async () => {
      const { dataDir, remove } = aDataDir();
      cleanups.push(remove);
      const server = await startServer(main, {
        DATA_DIR: dataDir,
        DATABASE_URL: url,
        SECRET_KEY: 'cd'.repeat(32),
        ...(await mailEnv(office)),
      });
      cleanups.push(() => server.end('SIGKILL'));
      return server;
    };
    const servers = await Promise.all([start(), start()]);
    const [one, two] = servers;
    const author = await anAuthor(one);
    const scrolls = [await aWatch(author, one), await aWatch(author, two)];
    for (const { id } of scrolls) {
      const asked = await Promise.all(
        Array.from({ length: 12 }, (_, i) =>
          author.call(i % 2 ? one : two, 'POST', `/api/legacy-scrolls/${id}/release`),
        ),
      );
      expect(asked.filter(({ status }) => status >= 500)).toEqual([]);
      expect(asked.some(({ status }) => status === 200)).toBe(true);
    }
    await untilSent(author, two);
    expect(office.received).toHaveLength(scrolls.length);
    expect(new Set(office.received.map(({ mail }) => mail.messageId)).size).toBe(scrolls.length);
  });
});
