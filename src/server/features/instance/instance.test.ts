import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { subscriptionStatuses } from '../../../shared/nouns/billing.ts';
import { clientSecretOf, openSelling, subscribe } from '../../../testing/billing.ts';
import { describeOnEachEngine } from '../../../testing/engines.ts';
import { failure, openTestInstance, type TestInstance } from '../../../testing/instance.ts';
import { signUpByPassphrase } from '../../../testing/people.ts';
import { linkToken } from '../../deadman/delivery/link-token.ts';
import { beginLook } from '../../deadman/watchdog/reach-store.ts';
import { createDigests } from '../../digests.ts';

describeOnEachEngine('the server’s health', (engine) => {
  it('is asked without a session, and readiness asks the database', async () => {
    const instance = await openTestInstance({ engine });
    expect(await (await instance.request('GET', '/healthz')).json()).toEqual({ status: 'ok' });
    expect(await (await instance.request('GET', '/readyz')).json()).toEqual({
      status: 'ready',
      degraded: [],
    });
    await instance.close();
  });

  it('is still alive but not ready when the database is gone', async () => {
    const instance = await openTestInstance({ engine });
    expect((await instance.request('GET', '/readyz')).status).toBe(200);
    await instance.deps.db.destroy();
    expect((await instance.request('GET', '/healthz')).status).toBe(200);
    expect(await failure(await instance.request('GET', '/readyz'))).toEqual({
      status: 503,
      code: 'not-ready',
    });
  });

  it('is not ready when counted time stands still', async () => {
    const heartbeat = { see: () => {}, age: () => 0, standsStill: () => true, report: () => {} };
    const instance = await openTestInstance({ engine, deps: { heartbeat } });
    expect((await instance.request('GET', '/readyz')).status).toBe(503);
    expect((await instance.request('GET', '/healthz')).status).toBe(200);
    await instance.close();
  });

  it('says what its database is to a server with its secret, and to nobody else', async () => {
    const instance = await openTestInstance({ engine });
    const answerOf = async (challenge: string) =>
      (await (await instance.request('GET', `/healthz?challenge=${challenge}`)).json()) as { look?: object };
    const aChallenge = (digests = instance.deps.digests) =>
      linkToken(digests, randomBytes(16).toString('base64url'), 'outside-look');
    const challenge = aChallenge();
    const { look } = await answerOf(challenge);
    const proof = expect.stringMatching(/^[0-9a-f]{64}$/);
    expect(look).toEqual({ proof, isOwn: false, identity: expect.any(String), epoch: 0, tick: 0 });
    expect((await answerOf(aChallenge())).look).not.toEqual(look);
    await beginLook(instance.deps.db, challenge, instance.deps.calendar());
    expect((await answerOf(challenge)).look).toMatchObject({ isOwn: true });
    expect(await answerOf(aChallenge(createDigests(randomBytes(32))))).toEqual({ status: 'ok' });
    expect(await answerOf('A'.repeat(43))).toEqual({ status: 'ok' });
    expect((await instance.request('GET', '/healthz?challenge=short')).status).toBe(422);
    await instance.close();
  });

  it('is not ready when the database does not answer', async () => {
    const instance = await openTestInstance({ engine });
    const silence = { execute: () => new Promise(() => {}) };
    const steps = { select: () => steps, limit: () => silence };
    const db = { selectFrom: () => steps } as never;
    const { createApp } = await import('../../app.ts');
    const response = await createApp({ ...instance.deps, db }).request('/readyz');
    expect(response.status).toBe(503);
    await instance.close();
  });
});

describe('the server’s figures', () => {
  const token = 'a-token-of-sixteen';

  it('are nobody’s business without a token', async () => {
    const instance = await openTestInstance();
    expect(await failure(await instance.request('GET', '/metrics'))).toEqual({
      status: 404,
      code: 'not-found',
    });
    await instance.close();
  });

  it.each([undefined, 'Bearer wrong', `Basic ${token}`, `Bearer ${token}x`, 'Bearer ', token])(
    'are not told to whoever says %s',
    async (authorization) => {
      const instance = await openTestInstance({ env: { METRICS_TOKEN: token } });
      const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
      expect((await instance.request('GET', '/metrics', { headers })).status).toBe(404);
      await instance.close();
    },
  );

  it('count subscriptions by their status where they are sold, and say nothing of them elsewhere', async () => {
    const env = { METRICS_TOKEN: token };
    const headers = { authorization: `Bearer ${token}` };
    const selling = await openSelling({ env });
    const figures = async (of: TestInstance) =>
      (await (await of.request('GET', '/metrics', { headers })).text()).match(
        /^latebra_subscriptions\{.*$/gm,
      );
    await subscribe(selling, await signUpByPassphrase(selling));
    await clientSecretOf(await signUpByPassphrase(selling));
    const told = await figures(selling);
    expect(told).toContain('latebra_subscriptions{status="active"} 1');
    expect(told).toContain('latebra_subscriptions{status="past_due"} 0');
    expect(told).toHaveLength(subscriptionStatuses.length);
    await selling.close();
    const other = await openTestInstance({ env });
    expect(await figures(other)).toBeNull();
    await other.close();
  });

  it('name methods, path templates and statuses, and never an id or a name', async () => {
    const instance = await openTestInstance({ env: { METRICS_TOKEN: token } });
    const person = await signUpByPassphrase(instance);
    await person.request('GET', '/api/memory-entries/471100004711');
    await person.request('GET', '/secret-path');
    await instance.request('GET', '/assets/secret.js');
    await instance.request('POST', '/api/nothing/secret');
    const response = await instance.request('GET', '/metrics', {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toContain('text/plain');
    const text = await response.text();
    expect(text).toContain(
      'latebra_http_requests_total{method="GET",path="/api/memory-entries/{id}",status="404"} 1',
    );
    expect(text).toContain(
      'latebra_http_requests_total{method="POST",path="/api/gate/passphrase/begin",status="201"} 1',
    );
    expect(text).toContain('path="/assets/*"');
    expect(text).toContain('latebra_info{version="0.0.0-test"} 1');
    for (const figure of [
      'latebra_switch_paused 0',
      'latebra_switch_out_of_reach 0',
      'latebra_switch_last_beat_seconds 0',
      'latebra_counted_time_seconds 0',
      'latebra_legacy_scrolls{state="watching"} 0',
      'latebra_legacy_scrolls{state="released"} 0',
      'latebra_messages{state="waiting"} 0',
      'latebra_messages{state="failed"} 0',
    ]) {
      expect(text).toContain(`\n${figure}\n`);
    }
    expect(text).not.toMatch(/471100004711|secret/);
    expect(text).not.toContain(person.user.id);
    await instance.close();
  });
});
