import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Activity, activityGroups, activityKinds } from '../../../shared/nouns/activity.ts';
import { DAY, HOUR, MINUTE } from '../../../shared/time.ts';
import { describeOnEachEngine } from '../../../testing/engines.ts';
import { openTestInstance, type TestInstance } from '../../../testing/instance.ts';
import {
  addPasskey,
  aMember,
  aName,
  anAuthKey,
  enterByPassphrase,
  type Person,
  signUpByPasskey,
  signUpByPassphrase,
} from '../../../testing/people.ts';
import { accountIdOf } from '../../../testing/planting.ts';
import { anOpeningScroll, openByClaim, take } from '../../../testing/scrolls.ts';
import { aRedemptionId, aShare, redeem } from '../../../testing/shares.ts';
import { anEnvelope, aPassphraseWrap } from '../../../testing/vault-keys.ts';
import { deleteExpired } from '../../expiry.ts';
import { countFailure, logActivity } from '../../http/activity-store.ts';

const FIREFOX = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };

it('every kind belongs to one group', () => {
  expect(new Set(activityKinds).size).toBe(activityKinds.length);
});

describeOnEachEngine('account activity', (engine) => {
  let instance: TestInstance;
  beforeEach(async () => {
    instance = await openTestInstance({ engine });
  });
  afterEach(() => instance.close());

  const list = async (person: Person): Promise<Activity[]> => {
    const response = await person.request('GET', '/api/activity');
    expect(response.status).toBe(200);
    return (await response.json()) as Activity[];
  };
  const kinds = async (person: Person) => (await list(person)).map(({ kind }) => kind);
  const guess = (name: string, headers = {}) =>
    instance.request('POST', '/api/gate/passphrase/enter', { body: { name, authKey: anAuthKey() }, headers });
  const rows = () => instance.deps.db.selectFrom('account_activity').selectAll().execute();

  it('tells how an account began, who signed in since, and on which device for the first time', async () => {
    const person = await signUpByPassphrase(instance);
    instance.clock.advance(MINUTE);
    await enterByPassphrase(instance, person);
    instance.clock.advance(MINUTE);
    await enterByPassphrase(instance, person, { headers: FIREFOX });
    instance.clock.advance(MINUTE);
    await enterByPassphrase(instance, person, { headers: FIREFOX });
    const told = await list(person);
    expect(told.map(({ kind, way, device, count }) => [kind, way, device, count])).toEqual([
      ['sign-in', 'passphrase', 'Firefox on Linux', 1],
      ['new-device', 'passphrase', 'Firefox on Linux', 1],
      ['sign-in', 'passphrase', 'A program', 1],
      ['sign-in', 'passphrase', 'A program', 1],
      ['account-created', 'passphrase', 'A program', 1],
    ]);
    expect(told[0]?.at).toBe(new Date(instance.clock.now()).toISOString());
  });

  it('tells of keys, of ways in and back, and of sessions, in the order of what was done', async () => {
    const person = await aMember(instance);
    const { fingerprint } = person.envelope.clientKey;
    await addPasskey(person);
    await person.request('POST', '/api/encryption-key/words', { body: { fingerprint } });
    await person.request('PUT', '/api/passphrase', {
      body: { name: person.name, authKey: person.authKey, fingerprint, wrap: aPassphraseWrap() },
    });
    await person.request('POST', '/api/encryption-key/wraps', {
      body: { fingerprint, wrap: aPassphraseWrap() },
    });
    await enterByPassphrase(instance, person);
    const sessions = (await (await person.request('GET', '/api/sessions')).json()) as {
      id: string;
      current: boolean;
    }[];
    await person.request('DELETE', `/api/sessions/${sessions.find(({ current }) => !current)?.id}`);
    await person.request('DELETE', '/api/sessions');
    await person.request('DELETE', '/api/passphrase');
    await person.request('POST', '/api/encryption-key', {
      body: { clientKey: anEnvelope().clientKey, previousFingerprint: fingerprint },
    });
    await person.request('POST', '/api/activity/exports');
    expect(await kinds(person)).toEqual([
      'export',
      'key-replaced',
      'passphrase-removed',
      'other-sessions-ended',
      'session-ended',
      'sign-in',
      'way-back-added',
      'passphrase-set',
      'words-kept',
      'passkey-added',
      'key-made',
      'sign-in',
      'account-created',
    ]);
    const other = await signUpByPasskey(instance);
    await addPasskey(other);
    const [newest] = (await (await other.request('GET', '/api/passkeys')).json()) as { id: string }[];
    expect((await other.request('DELETE', `/api/passkeys/${newest?.id}`)).status).toBe(204);
    expect((await kinds(other))[0]).toBe('passkey-removed');
  });

  it('tells nothing of what was refused', async () => {
    const person = await aMember(instance);
    const stranger = await signUpByPassphrase(instance);
    const before = await kinds(person);
    const { fingerprint } = person.envelope.clientKey;
    const set = (name: string, print: string) =>
      person.request('PUT', '/api/passphrase', {
        body: { name, authKey: anAuthKey(), fingerprint: print, wrap: aPassphraseWrap() },
      });
    expect((await set(stranger.name, fingerprint)).status).toBe(409);
    expect((await set(aName(), '0'.repeat(16))).status).toBe(409);
    expect((await person.request('DELETE', '/api/passphrase')).status).toBe(409);
    expect((await person.request('DELETE', '/api/sessions/none')).status).toBe(404);
    expect(await kinds(person)).toEqual(before);
  });

  it('tells the administrator what they have changed, and an account what was permitted to it', async () => {
    const admin = await signUpByPassphrase(instance);
    await instance.deps.db.updateTable('accounts').set({ is_admin: 1 }).execute();
    const person = await signUpByPassphrase(instance);
    await admin.request('PUT', '/api/admin/sign-up', { body: { mode: 'invitation' } });
    const made = (await (await admin.request('POST', '/api/admin/invitations')).json()) as { id: number };
    await admin.request('DELETE', `/api/admin/invitations/${made.id}`);
    await admin.request('DELETE', `/api/admin/invitations/${made.id}`);
    for (const verb of ['grant', 'revoke']) {
      const response = await admin.request('POST', `/api/text-permissions/${person.user.id}/${verb}`);
      expect(response.status).toBe(200);
    }
    expect((await kinds(person)).slice(0, 2)).toEqual(['texts-refused', 'texts-permitted']);
    expect((await kinds(admin)).slice(0, 3)).toEqual([
      'invitation-revoked',
      'invitation-made',
      'sign-up-changed',
    ]);
  });

  it('tells once that a link was opened, however often its reader comes back', async () => {
    const owner = await aMember(instance);
    const share = await aShare(owner);
    const redemptionId = aRedemptionId();
    for (let i = 0; i < 3; i += 1) expect((await redeem(instance, share, { redemptionId })).status).toBe(200);
    expect((await kinds(owner)).filter((kind) => kind === 'link-opened')).toHaveLength(1);
    expect((await list(owner))[0]).toMatchObject({ kind: 'link-opened', device: '', count: 1 });
  });

  it('tells once that a released scroll was opened', async () => {
    const author = await aMember(instance);
    const { scroll, claim } = await anOpeningScroll(author, 'card', {
      triggerType: 'manual',
      triggerValue: 'manual',
    });
    await take(author, scroll, 'activate', { handedOver: true });
    await take(author, scroll, 'release');
    for (let i = 0; i < 2; i += 1) expect((await openByClaim(instance, scroll, claim)).status).toBe(200);
    expect((await kinds(author)).filter((kind) => kind === 'scroll-opened')).toHaveLength(1);
  });

  describe('failed tries', () => {
    it('are counted by the hour, also when fifty come at once', async () => {
      const person = await signUpByPassphrase(instance);
      const accountId = await accountIdOf(instance, person);
      await Promise.all(
        Array.from({ length: 50 }, () =>
          countFailure(
            instance.deps,
            accountId,
            { kind: 'failed-sign-in', way: 'passphrase', device: 'A program' },
            person.name,
          ),
        ),
      );
      expect((await list(person))[0]).toMatchObject({ kind: 'failed-sign-in', way: 'passphrase', count: 50 });
      instance.clock.advance(HOUR);
      expect((await guess(person.name, FIREFOX)).status).toBe(401);
      const told = (await list(person)).filter(({ kind }) => kind === 'failed-sign-in');
      expect(told.map(({ count, device }) => [count, device])).toEqual([
        [1, 'Firefox on Linux'],
        [50, 'A program'],
      ]);
    });

    it('within a session are told apart from those at the gate', async () => {
      const person = await signUpByPassphrase(instance);
      const body = { authKey: anAuthKey() };
      expect((await person.request('POST', '/api/proof/passphrase', { body })).status).toBe(401);
      expect((await kinds(person))[0]).toBe('failed-proof');
    });

    it('push nothing else out of the history, however long they go on', async () => {
      const person = await signUpByPassphrase(instance);
      for (let hour = 0; hour < 300; hour += 1) {
        expect((await guess(person.name)).status).toBe(401);
        instance.clock.advance(HOUR);
      }
      await deleteExpired(instance.deps);
      const again = await enterByPassphrase(instance, person);
      const told = await kinds(again);
      expect(told.filter((kind) => kind === 'failed-sign-in')).toHaveLength(activityGroups.failures.kept);
      expect(told).toContain('account-created');
    });

    it('at a name that is not here write as much, and into nobody’s history', async () => {
      const count = async () =>
        (await rows()).length +
        (await instance.deps.db.selectFrom('attempts').select('bucket').execute()).length;
      const person = await signUpByPassphrase(instance);
      const [before, name] = [await count(), aName()];
      await guess(name);
      const unknown = (await count()) - before;
      await guess(person.name);
      expect((await count()) - before - unknown).toBe(unknown);
      expect((await rows()).filter(({ kind }) => kind === 'failed-sign-in')).toHaveLength(1);
    });
  });

  it('is bounded by group: many sign-ins push out sign-ins alone', async () => {
    const person = await signUpByPassphrase(instance);
    const accountId = await accountIdOf(instance, person);
    await logActivity(instance.deps, instance.deps.db, accountId, { kind: 'passkey-added' });
    for (let i = 0; i < 120; i += 1) {
      instance.clock.advance(1);
      await logActivity(instance.deps, instance.deps.db, accountId, { kind: 'sign-in', way: 'passkey' });
    }
    const told = await kinds(person);
    expect(told).toHaveLength(activityGroups.signIns.kept + 1);
    expect(told.at(-1)).toBe('passkey-added');
  });

  it('goes after four hundred days, and with the vault', async () => {
    const person = await signUpByPassphrase(instance);
    instance.clock.advance(400 * DAY - 1);
    await deleteExpired(instance.deps);
    expect(await rows()).toHaveLength(2);
    instance.clock.advance(1);
    await deleteExpired(instance.deps);
    expect(await rows()).toHaveLength(0);
    const back = await enterByPassphrase(instance, person);
    expect(await rows()).toHaveLength(1);
    const response = await back.request('POST', '/api/vault/destroy', { body: { confirm: 'DESTROY' } });
    expect(response.status).toBe(204);
    expect(await rows()).toHaveLength(0);
  });

  it('holds no address, and the log tells the same events without names', async () => {
    const person = await signUpByPassphrase(instance);
    instance.log.length = 0;
    await instance.request('POST', '/api/gate/passphrase/enter', {
      body: { name: person.name, authKey: person.authKey },
      from: '203.0.113.77',
    });
    await instance.request('POST', '/api/gate/passphrase/enter', {
      body: { name: person.name, authKey: anAuthKey() },
      from: '203.0.113.77',
    });
    const accountId = await accountIdOf(instance, person);
    const events = instance.log.filter(({ event }) => event !== undefined);
    expect(events.map(({ event, way, msg }) => [event, way, msg])).toEqual([
      ['sign-in', 'passphrase', 'account activity'],
      ['failed-sign-in', 'passphrase', 'account activity'],
    ]);
    for (const event of events) {
      expect(Object.keys(event).sort()).toEqual(['event', 'level', 'msg', 'time', 'way']);
      expect(Object.values(event)).not.toContain(accountId);
    }
    const kept = JSON.stringify([await rows(), instance.log]);
    for (const secret of ['203.0.113', person.name, person.user.id]) expect(kept).not.toContain(secret);
  });
});
