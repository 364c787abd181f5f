import { EventEmitter } from 'node:events';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ServerNotices } from '../../shared/nouns/server-notices.ts';
import { MINUTE } from '../../shared/time.ts';
import { failure, openTestInstance, type TestInstance } from '../../testing/instance.ts';
import { signUpByPassphrase } from '../../testing/people.ts';
import { REQUESTS_AT_ONCE, REQUESTS_PER_MINUTE } from './flood-gate.ts';

describe('the flood gate', () => {
  let instance: TestInstance;
  beforeAll(async () => {
    instance = await openTestInstance({ env: { LOG_LEVEL: 'info' } });
  });
  afterAll(() => instance.close());
  beforeEach(() => instance.clock.advance(MINUTE));

  const ask = (from?: string) => instance.request('GET', '/api/nothing', from === undefined ? {} : { from });
  async function flood(from?: string): Promise<void> {
    for (let i = 0; i < REQUESTS_PER_MINUTE; i += 1) await ask(from);
  }

  it('turns an address away after six thousand requests in a minute, and no other address', async () => {
    await flood('198.51.100.1');
    instance.clock.advance(18_500);
    const refused = await ask('198.51.100.1');
    expect(refused.headers.get('retry-after')).toBe('42');
    expect(await failure(refused)).toEqual({ status: 429, code: 'too-many' });
    expect((await ask('198.51.100.2')).status).toBe(404);
    instance.clock.advance(MINUTE);
    expect((await ask('198.51.100.1')).status).toBe(404);
  });

  it('counts neither this machine nor what comes through no socket', async () => {
    for (const from of ['::1', '::ffff:127.0.0.1', undefined]) {
      await flood(from);
      expect((await ask(from)).status).toBe(404);
    }
  });

  it.each([
    ['x-forwarded-for', '203.0.113.1'],
    ['x-forwarded-host', 'vault.example'],
    ['x-forwarded-proto', 'https'],
    ['x-real-ip', '203.0.113.1'],
    ['forwarded', 'for=203.0.113.1'],
    ['via', '1.1 Caddy'],
  ])('counts this machine where %s shows a proxy on it that nobody declared', async (name, value) => {
    const through = () =>
      instance.request('GET', '/api/nothing', { from: '127.0.0.1', headers: { [name]: value } });
    for (let i = 0; i < REQUESTS_PER_MINUTE; i += 1) await through();
    expect(await failure(await through())).toEqual({ status: 429, code: 'too-many' });
    expect((await ask('127.0.0.1')).status).toBe(404);
  });

  it('counts the people behind a declared proxy one by one, and not the proxy', async () => {
    const declared = await openTestInstance({ env: { TRUSTED_PROXIES: '127.0.0.1' } });
    const through = (client: string) =>
      declared.request('GET', '/api/nothing', {
        from: '127.0.0.1',
        headers: { 'x-forwarded-for': client, 'x-forwarded-host': 'localhost:3000' },
      });
    for (let i = 0; i < REQUESTS_PER_MINUTE; i += 1) await through('203.0.113.1');
    expect((await through('203.0.113.1')).status).toBe(429);
    expect((await through('203.0.113.2')).status).toBe(404);
    await declared.close();
  });

  it('turns an address away that has too many requests under way at once', async () => {
    const bodies: ReadableStreamDefaultController<Uint8Array>[] = [];
    /** A request whose body has not come yet. */
    const begin = (from: string, headers: Record<string, string> = {}) => {
      const body = new ReadableStream<Uint8Array>({ start: (controller) => void bodies.push(controller) });
      const request = new Request('http://localhost:3000/api/confirmations/look', {
        method: 'POST',
        headers: { host: 'localhost:3000', 'content-type': 'application/json', ...headers },
        body,
        duplex: 'half',
      } as RequestInit);
      return instance.app.request(request, undefined, { incoming: { socket: { remoteAddress: from } } });
    };
    for (const [from, headers] of [
      ['198.51.100.9', {}],
      ['::1', { via: '1.1 Caddy' }],
    ] as const) {
      const waiting = Array.from({ length: REQUESTS_AT_ONCE }, () => begin(from, headers));
      const refused = await begin(from, headers);
      expect(refused.headers.get('retry-after')).toBe('1');
      expect(await failure(refused)).toEqual({ status: 429, code: 'too-many' });
      expect((await ask('198.51.100.10')).status).toBe(404);
      for (const body of bodies.splice(0)) body.close();
      for (const answer of await Promise.all(waiting)) expect(answer.status).toBe(400);
      const later = begin(from, headers);
      bodies.pop()?.close();
      expect((await later).status).toBe(400);
    }
  });

  it('counts a request until its answer has left, not only until it is made', async () => {
    const incoming = { socket: { remoteAddress: '198.51.100.20' } };
    const answers = Array.from({ length: REQUESTS_AT_ONCE }, () => new EventEmitter());
    const begin = (outgoing: EventEmitter) =>
      instance.app.request('/api/nothing', { headers: { host: 'localhost:3000' } }, { incoming, outgoing });
    for (const outgoing of answers) expect((await begin(outgoing)).status).toBe(404);
    expect((await begin(new EventEmitter())).status).toBe(429);
    answers[0]?.emit('close');
    expect((await begin(new EventEmitter())).status).toBe(404);
  });

  it('says once in the log, and to the administrator, that a proxy was not declared', async () => {
    const other = await openTestInstance({ env: { LOG_LEVEL: 'info' } });
    const admin = await signUpByPassphrase(other);
    await other.deps.db.updateTable('accounts').set({ is_admin: 1 }).execute();
    const notices = async () => (await admin.request('GET', '/api/server-notices')).json();
    expect(await notices()).toEqual({ undeclaredProxies: [] });
    const began = other.clock.now();
    const since = (minutes: number) => new Date(began + minutes * MINUTE).toISOString();
    for (const from of ['::ffff:127.0.0.1', '10.0.0.1', 'fe80::1%eth0', '127.0.0.1', '10.0.0.1']) {
      const headers = { 'x-forwarded-for': '203.0.113.1' };
      await other.request('GET', '/api/nothing', { from, headers });
      other.clock.advance(MINUTE);
    }
    const first = [
      { address: '127.0.0.1', since: since(0) },
      { address: '10.0.0.1', since: since(1) },
      { address: 'fe80::1', since: since(2) },
    ];
    expect(await notices()).toEqual({ undeclaredProxies: first });
    for (let i = 2; i < 20; i += 1) {
      await other.request('GET', '/api/nothing', { from: `10.0.0.${i}`, headers: { via: '1.1 Caddy' } });
    }
    const { undeclaredProxies } = (await notices()) as ServerNotices;
    expect(undeclaredProxies).toHaveLength(8);
    expect(undeclaredProxies.slice(0, 3)).toEqual(first);
    const warnings = other.log.map(({ msg }) => msg).filter((msg) => String(msg).includes('TRUSTED_PROXIES'));
    expect(warnings).toHaveLength(1);
    expect(JSON.stringify(other.log)).not.toMatch(/203\.0\.113|10\.0\.0/);
    await other.close();
  });

  it.each(['203.0.113.7', '8.8.8.8', '172.32.0.1', '100.64.0.1', '2001:db8::1', '::ffff:198.51.100.2'])(
    'takes nobody at %s, who may send any header, for a proxy',
    async (from) => {
      const other = await openTestInstance({ env: { LOG_LEVEL: 'info' } });
      const admin = await signUpByPassphrase(other);
      await other.deps.db.updateTable('accounts').set({ is_admin: 1 }).execute();
      for (const name of ['x-forwarded-for', 'x-forwarded-proto', 'forwarded', 'via']) {
        await other.request('GET', '/api/nothing', { from, headers: { [name]: '127.0.0.1' } });
      }
      const notices = await admin.request('GET', '/api/server-notices');
      expect(await notices.json()).toEqual({ undeclaredProxies: [] });
      expect(JSON.stringify(other.log)).not.toContain('TRUSTED_PROXIES');
      await other.close();
    },
  );

  it('forgets its window when the clock is set back', async () => {
    await flood('198.51.100.3');
    instance.clock.advance(-60 * MINUTE);
    expect((await ask('198.51.100.3')).status).toBe(404);
  });
});
