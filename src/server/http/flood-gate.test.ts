import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MINUTE } from '../testing/clock.ts';
import { failure, openTestHouse, type TestHouse } from '../testing/house.ts';
import { REQUESTS_PER_MINUTE } from './flood-gate.ts';

describe('the flood gate', () => {
  let house: TestHouse;
  beforeAll(async () => {
    house = await openTestHouse({ env: { LOG_LEVEL: 'info' } });
  });
  afterAll(() => house.close());
  beforeEach(() => house.clock.advance(MINUTE));

  const ask = (from?: string) => house.request('GET', '/api/nothing', from === undefined ? {} : { from });
  async function flood(from?: string): Promise<void> {
    for (let i = 0; i < REQUESTS_PER_MINUTE; i += 1) await ask(from);
  }

  it('turns an address away after six thousand requests in a minute, and no other address', async () => {
    await flood('198.51.100.1');
    house.clock.advance(18_500);
    const refused = await ask('198.51.100.1');
    expect(refused.headers.get('retry-after')).toBe('42');
    expect(await failure(refused)).toEqual({ status: 429, code: 'too-many' });
    expect((await ask('198.51.100.2')).status).toBe(404);
    house.clock.advance(MINUTE);
    expect((await ask('198.51.100.1')).status).toBe(404);
  });

  it('counts neither this machine nor what comes through no socket', async () => {
    for (const from of ['::1', '::ffff:127.0.0.1', undefined]) {
      await flood(from);
      expect((await ask(from)).status).toBe(404);
    }
  });

  it('tells the keeper once about a proxy that nobody declared', async () => {
    house.log.length = 0;
    const headers = { 'x-forwarded-for': '203.0.113.1' };
    for (let i = 0; i < 3; i += 1) await house.request('GET', '/api/nothing', { from: '10.0.0.1', headers });
    const warnings = house.log.map(({ msg }) => msg).filter((msg) => String(msg).includes('TRUSTED_PROXIES'));
    expect(warnings).toHaveLength(1);
    expect(JSON.stringify(house.log)).not.toMatch(/203\.0\.113|10\.0\.0/);
  });

  it('forgets its window when the clock is set back', async () => {
    await flood('198.51.100.3');
    house.clock.advance(-60 * MINUTE);
    expect((await ask('198.51.100.3')).status).toBe(404);
  });
});
