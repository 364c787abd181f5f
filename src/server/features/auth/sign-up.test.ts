import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { User } from '../../../shared/nouns/account.ts';
import type { Invitation } from '../../../shared/nouns/invitations.ts';
import type { SignUpMode } from '../../../shared/nouns/sign-up.ts';
import { DAY, HOUR } from '../../../shared/time.ts';
import { Passkey } from '../../../testing/authenticator.ts';
import { openInstanceInFolder } from '../../../testing/data-folder.ts';
import { describeOnEachEngine } from '../../../testing/engines.ts';
import { failure, type TestInstance } from '../../../testing/instance.ts';
import {
  aName,
  anAuthKey,
  ceremonyOptions,
  enterByPassphrase,
  type Person,
  signUpByPasskey,
  signUpByPassphrase,
} from '../../../testing/people.ts';
import { deleteExpired } from '../../expiry.ts';
import { offerSetupToken } from '../../setup-token.ts';

const closed = { status: 403, code: 'sign-up-closed' };
const needed = { status: 403, code: 'invitation-needed' };
const spent = { status: 403, code: 'invitation-spent' };

describeOnEachEngine('signing up', (engine) => {
  let instance: TestInstance;
  beforeEach(async () => {
    instance = await openInstanceInFolder({ engine });
  });
  afterEach(() => instance.close());

  /** The administrator, and how many accounts there are without them. */
  async function anAdmin(mode?: SignUpMode): Promise<Person> {
    const admin = await signUpByPassphrase(instance);
    await instance.deps.db.updateTable('accounts').set({ is_admin: 1 }).execute();
    if (mode) {
      const response = await admin.request('PUT', '/api/admin/sign-up', { body: { mode } });
      expect(await response.json()).toEqual({ mode, byConfiguration: false });
    }
    return admin;
  }

  async function invite(admin: Person, body?: object): Promise<Invitation & { secret: string }> {
    const response = await admin.request('POST', '/api/admin/invitations', body ? { body } : {});
    expect(response.status).toBe(201);
    return (await response.json()) as Invitation & { secret: string };
  }

  const begin = (invitation?: string, name = aName(), from?: string) =>
    instance.request('POST', '/api/gate/passphrase/begin', {
      body: { name, authKey: anAuthKey(), ...(invitation === undefined ? {} : { invitation }) },
      ...(from ? { from } : {}),
    });
  const askForPasskey = (invitation?: string) =>
    instance.request('POST', '/api/gate/passkey/begin/options', invitation ? { body: { invitation } } : {});
  const check = (invitation?: string) =>
    instance.request('POST', '/api/sign-up/check', { body: invitation ? { invitation } : {} });
  const listed = async (admin: Person) =>
    (await (await admin.request('GET', '/api/admin/invitations')).json()) as Invitation[];
  const count = async () => (await instance.deps.db.selectFrom('accounts').select('id').execute()).length;

  it('is open at first, and anybody may ask', async () => {
    expect(await (await instance.request('GET', '/api/sign-up')).json()).toEqual({
      mode: 'open',
      provider: false,
      hasAdmin: false,
    });
    expect((await check()).status).toBe(204);
    expect((await begin()).status).toBe(201);
  });

  it('is closed by the administrator: nobody new comes in by any way, and those who are there enter', async () => {
    const earlier = new Passkey();
    const options = await ceremonyOptions(await askForPasskey());
    const admin = await anAdmin('closed');
    expect(await (await instance.request('GET', '/api/sign-up')).json()).toMatchObject({
      mode: 'closed',
      hasAdmin: true,
    });
    const { secret } = await invite(admin);
    for (const invitation of [undefined, secret]) {
      expect(await failure(await begin(invitation))).toEqual(closed);
      expect(await failure(await askForPasskey(invitation))).toEqual(closed);
      expect(await failure(await check(invitation))).toEqual(closed);
    }
    // It was open when the ceremony began.
    const late = await instance.request('POST', '/api/gate/passkey/begin', {
      body: { response: earlier.create(options) },
    });
    expect(await failure(late)).toEqual(closed);
    expect(await count()).toBe(1);
    await enterByPassphrase(instance, admin);
    expect((await listed(admin))[0]?.state).toBe('unused');
  });

  it('by invitation wants one, by whatever way somebody comes', async () => {
    await anAdmin('invitation');
    for (const answer of [await begin(), await askForPasskey(), await check(), await begin(' ')]) {
      expect(await failure(answer)).toEqual(needed);
    }
    for (const answer of [await begin('a guess'), await askForPasskey('a guess'), await check('a guess')]) {
      expect(await failure(answer)).toEqual(spent);
    }
    expect(await count()).toBe(1);
  });

  describe('an invitation', () => {
    it('creates one account, and is shown as used', async () => {
      const admin = await anAdmin('invitation');
      const { secret, ...made } = await invite(admin);
      expect(secret).toMatch(/^[\w-]{43}$/);
      expect(made).toEqual({
        id: expect.any(Number),
        invited: '',
        state: 'unused',
        createdAt: new Date(instance.clock.now()).toISOString(),
        expiresAt: new Date(instance.clock.now() + 7 * DAY).toISOString(),
        endedAt: null,
      });
      expect(await listed(admin)).toEqual([made]);
      expect((await check(secret)).status).toBe(204);
      instance.clock.advance(HOUR);
      expect((await begin(` ${secret}\n`)).status).toBe(201);
      expect(await listed(admin)).toEqual([
        { ...made, state: 'used', endedAt: new Date(instance.clock.now()).toISOString() },
      ]);
      expect(await failure(await begin(secret))).toEqual(spent);
      expect(await failure(await check(secret))).toEqual(spent);
      expect(await count()).toBe(2);
    });

    it('is carried through the making of a passkey, and spent at its end', async () => {
      const admin = await anAdmin('invitation');
      const { secret } = await invite(admin);
      const options = await ceremonyOptions(await askForPasskey(secret));
      expect((await listed(admin))[0]?.state).toBe('unused');
      const response = await instance.request('POST', '/api/gate/passkey/begin', {
        body: { response: new Passkey().create(options) },
      });
      expect(response.status).toBe(201);
      expect((await listed(admin))[0]?.state).toBe('used');
    });

    it('has one winner among fifty who bring it at once, by both ways', async () => {
      const admin = await anAdmin('invitation');
      const { secret } = await invite(admin);
      const ceremonies = [];
      for (let i = 0; i < 10; i += 1) ceremonies.push(await ceremonyOptions(await askForPasskey(secret)));
      const answers = await Promise.all([
        ...Array.from({ length: 40 }, () => begin(secret)),
        ...ceremonies.map((options) =>
          instance.request('POST', '/api/gate/passkey/begin', {
            body: { response: new Passkey().create(options) },
          }),
        ),
      ]);
      const statuses = answers.map(({ status }) => status);
      expect(statuses.filter((status) => status === 201)).toHaveLength(1);
      expect(statuses.filter((status) => status === 403)).toHaveLength(49);
      expect(await count()).toBe(2);
    });

    it('is not spent by whoever asks for a name or a passkey that is taken', async () => {
      const passkey = new Passkey();
      await signUpByPasskey(instance, passkey);
      const admin = await anAdmin('invitation');
      const { secret } = await invite(admin);
      expect(await failure(await begin(secret, admin.name))).toEqual({ status: 409, code: 'name-taken' });
      const options = await ceremonyOptions(await askForPasskey(secret));
      const known = await instance.request('POST', '/api/gate/passkey/begin', {
        body: { response: passkey.create(options) },
      });
      expect(await failure(known)).toEqual({ status: 409, code: 'passkey-known' });
      expect((await listed(admin))[0]?.state).toBe('unused');
      expect((await begin(secret)).status).toBe(201);
    });

    it('ends by itself on its day', async () => {
      const admin = await anAdmin('invitation');
      const { secret } = await invite(admin, { days: 2 });
      instance.clock.advance(2 * DAY - 1);
      expect((await check(secret)).status).toBe(204);
      instance.clock.advance(1);
      expect(await failure(await begin(secret))).toEqual(spent);
      expect((await listed(admin))[0]?.state).toBe('expired');
    });

    it('is revoked by the administrator, once, and not when it was used', async () => {
      const admin = await anAdmin('invitation');
      const [one, two] = [await invite(admin), await invite(admin)];
      const revoke = (id: number) => admin.request('DELETE', `/api/admin/invitations/${id}`);
      expect((await revoke(one.id)).status).toBe(204);
      const endedAt = (await listed(admin))[1]?.endedAt;
      instance.clock.advance(1);
      expect((await revoke(one.id)).status).toBe(204);
      expect((await listed(admin))[1]).toMatchObject({ state: 'revoked', endedAt });
      expect(await failure(await begin(one.secret))).toEqual(spent);
      expect((await begin(two.secret)).status).toBe(201);
      expect(await failure(await revoke(two.id))).toEqual({ status: 409, code: 'invitation-used' });
      expect(await failure(await revoke(999))).toEqual({ status: 404, code: 'not-found' });
    });

    it('is one of a hundred open ones at most, however many are asked for at once', async () => {
      const admin = await anAdmin('invitation');
      const ask = () => admin.request('POST', '/api/admin/invitations');
      const full = { status: 409, code: 'invitations-full' };
      for (let i = 0; i < 98; i += 1) await invite(admin);
      const answers = await Promise.all(Array.from({ length: 10 }, ask));
      const refused = answers.filter(({ status }) => status !== 201);
      expect(refused).toHaveLength(8);
      for (const answer of refused) expect(await failure(answer)).toEqual(full);
      const [newest] = await listed(admin);
      expect((await admin.request('DELETE', `/api/admin/invitations/${newest?.id}`)).status).toBe(204);
      const { secret } = await invite(admin);
      expect(await failure(await ask())).toEqual(full);
      expect((await begin(secret)).status).toBe(201);
      await invite(admin);
      expect(await failure(await ask())).toEqual(full);
      instance.clock.advance(7 * DAY);
      await enterByPassphrase(instance, admin).then((again) => invite(again));
    });

    it('is listed while it is open, whatever became of how many later ones', async () => {
      const admin = await anAdmin('invitation');
      const first = await invite(admin);
      const { db, now } = instance.deps;
      await db
        .insertInto('invitations')
        .values(
          Array.from({ length: 250 }, (_, i) => ({
            secret_hash: `hash ${i}`,
            invited: '',
            created_at: now(),
            expires_at: now() + DAY,
            used_at: now(),
            revoked_at: null,
          })),
        )
        .execute();
      const list = await listed(admin);
      expect(list).toHaveLength(201);
      expect(list[0]).toMatchObject({ id: first.id, state: 'unused' });
      expect(list[1]?.id).toBe(first.id + 250);
    });

    it('is revoked with all the others that are open, and with no other', async () => {
      const admin = await anAdmin('invitation');
      const [used, old, ...open] = [
        await invite(admin),
        await invite(admin, { days: 1 }),
        await invite(admin),
        await invite(admin),
      ];
      expect((await begin(used.secret)).status).toBe(201);
      instance.clock.advance(DAY);
      const again = await enterByPassphrase(instance, admin);
      const all = async () => (await again.request('DELETE', '/api/admin/invitations')).json();
      expect(await all()).toEqual({ revoked: 2 });
      expect(await all()).toEqual({ revoked: 0 });
      const states = (await listed(again)).map(({ id, state }) => [id, state]);
      expect(states).toEqual([
        ...open.map(({ id }) => [id, 'revoked']).reverse(),
        [old.id, 'expired'],
        [used.id, 'used'],
      ]);
      for (const { secret } of open) expect(await failure(await begin(secret))).toEqual(spent);
      const happened = (await (await again.request('GET', '/api/activity')).json()) as { kind: string }[];
      expect(happened.filter(({ kind }) => kind === 'invitations-revoked')).toHaveLength(1);
    });

    it('is not spent where everybody may come', async () => {
      const admin = await anAdmin();
      const { secret } = await invite(admin);
      expect((await begin(secret)).status).toBe(201);
      expect((await listed(admin))[0]?.state).toBe('unused');
    });

    it('stands in the database as a hash, says nothing of who used it, and goes in time', async () => {
      const admin = await anAdmin('invitation');
      const { secret } = await invite(admin);
      await begin(secret);
      const rows = () => instance.deps.db.selectFrom('invitations').selectAll().execute();
      expect(JSON.stringify(await rows())).not.toContain(secret);
      expect(Object.keys((await rows())[0] ?? {}).sort()).toEqual([
        'created_at',
        'expires_at',
        'id',
        'invited',
        'revoked_at',
        'secret_hash',
        'used_at',
      ]);
      instance.clock.advance(97 * DAY - 1);
      await deleteExpired(instance.deps);
      expect(await rows()).toHaveLength(1);
      instance.clock.advance(1);
      await deleteExpired(instance.deps);
      expect(await rows()).toHaveLength(0);
    });
  });

  describe('with the set-up token of a fresh server', () => {
    const offer = async () => (await offerSetupToken(instance.deps)) ?? '';

    it.each(['closed', 'invitation'] as const)(
      'goes on although it is %s, and makes the administrator',
      async (mode) => {
        const token = await offer();
        instance.deps.config.signUp = mode;
        expect(await failure(await begin())).toEqual(mode === 'closed' ? closed : needed);
        expect((await check(token)).status).toBe(204);
        const response = await begin(token);
        expect(response.status).toBe(201);
        expect((await response.json()) as User).toMatchObject({ isAdmin: true });
        expect(instance.forgotten()).toBe(1);
        // It is spent, for accounts and for Settings.
        expect(await failure(await begin(token))).toEqual(mode === 'closed' ? closed : spent);
        expect(await offerSetupToken(instance.deps)).toBeNull();
      },
    );

    it('goes on by passkey', async () => {
      const token = await offer();
      instance.deps.config.signUp = 'closed';
      const options = await ceremonyOptions(await askForPasskey(token));
      const response = await instance.request('POST', '/api/gate/passkey/begin', {
        body: { response: new Passkey().create(options) },
      });
      expect((await response.json()) as User).toMatchObject({ isAdmin: true });
    });

    it('has one winner among fifty', async () => {
      const token = await offer();
      instance.deps.config.signUp = 'closed';
      const answers = await Promise.all(Array.from({ length: 50 }, () => begin(token)));
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
      expect(await count()).toBe(1);
    });

    it('keeps the token where everybody may come, and where the name is taken', async () => {
      const token = await offer();
      const person = await signUpByPassphrase(instance);
      expect(await (await begin(token)).json()).toMatchObject({ isAdmin: false });
      instance.deps.config.signUp = 'closed';
      expect(await failure(await begin(token, person.name))).toEqual({ status: 409, code: 'name-taken' });
      expect((await person.request('POST', '/api/admin/claim', { body: { token } })).status).toBe(200);
    });
  });

  it('is decided by the configuration where that says so, and the switch is off', async () => {
    const admin = await anAdmin();
    const named = instance.sibling({ SIGN_UP: 'closed' });
    const ask = (method: string, path: string, body?: object) =>
      named.request(method, path, { cookie: admin.cookie, ...(body ? { body } : {}) });
    expect(await (await ask('GET', '/api/admin/sign-up')).json()).toEqual({
      mode: 'closed',
      byConfiguration: true,
    });
    expect(await failure(await ask('PUT', '/api/admin/sign-up', { mode: 'open' }))).toEqual({
      status: 409,
      code: 'set-by-configuration',
    });
    const body = { name: aName(), authKey: anAuthKey() };
    expect(await failure(await named.request('POST', '/api/gate/passphrase/begin', { body }))).toEqual(
      closed,
    );
  });

  it('lets one address create thirty accounts an hour, and others go on', async () => {
    const from = '203.0.113.7';
    for (let i = 0; i < 30; i += 1) expect((await begin(undefined, aName(), from)).status).toBe(201);
    expect((await begin(undefined, aName(), from)).status).toBe(429);
    expect((await begin(undefined, aName(), '203.0.113.8')).status).toBe(201);
    instance.clock.advance(HOUR);
    expect((await begin(undefined, aName(), from)).status).toBe(201);
  });
});
