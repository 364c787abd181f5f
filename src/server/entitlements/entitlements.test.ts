// A call that requires an entitlement takes one word in the contract; what grants it takes one entry in the sources.
import { Hono } from 'hono';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Entitlement, entitlements, missingEntitlement } from '../../shared/entitlements.ts';
import { call } from '../../shared/http/call.ts';
import { failure, openTestInstance, type TestInstance } from '../../testing/instance.ts';
import { type Person, signUpByPassphrase } from '../../testing/people.ts';
import { accountIdOf } from '../../testing/planting.ts';
import type { EntitlementSource } from '../deps.ts';
import { answerFailure } from '../http/failure.ts';
import { route } from '../http/route.ts';
import { entitlementsOf } from './entitlements.ts';

describe('a call that requires an entitlement', () => {
  let instance: TestInstance;
  let person: Person;
  let accountId: number;
  beforeEach(async () => {
    instance = await openTestInstance();
    person = await signUpByPassphrase(instance);
    accountId = await accountIdOf(instance, person);
  });
  afterEach(() => instance.close());

  const grants =
    (...granted: Entitlement[]): EntitlementSource =>
    async (id) =>
      id === accountId ? granted : [];

  function ask(required: Entitlement, sources: EntitlementSource[], cookie = person.cookie) {
    const app = new Hono();
    const deps = { ...instance.deps, entitlementSources: sources };
    const row = call({
      method: 'POST',
      path: '/api/toy',
      access: 'signed-in',
      requires: required,
      status: 204,
    });
    route(app, deps, row, async () => {});
    app.onError(answerFailure(deps));
    return app.request('http://localhost:3000/api/toy', { method: 'POST', headers: { cookie } });
  }

  it.each(entitlements)('is refused to an account without %s, in words', async (entitlement) => {
    expect(await failure(await ask(entitlement, []))).toEqual({
      status: 403,
      code: missingEntitlement[entitlement],
    });
  });

  it.each(entitlements)('is answered to an account that some source grants %s', async (entitlement) => {
    expect((await ask(entitlement, [grants(), grants(entitlement)])).status).toBe(204);
  });

  it('is refused to an account that has another entitlement, and to another account', async () => {
    expect((await ask('rituals', [grants('holder', 'enhanced')])).status).toBe(403);
    const other = await signUpByPassphrase(instance);
    expect((await ask('holder', [grants('holder')], other.cookie)).status).toBe(403);
  });

  it('wants somebody who is signed in first', async () => {
    expect((await ask('holder', [grants('holder')], '')).status).toBe(401);
  });

  it('sees everything that the sources grant together', async () => {
    const deps = { ...instance.deps, entitlementSources: [grants('holder'), grants('rituals', 'holder')] };
    expect(await entitlementsOf(deps, accountId)).toEqual(new Set(['holder', 'rituals']));
  });
});
