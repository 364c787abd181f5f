import { afterEach, beforeEach, expect, it } from 'vitest';
import { openInstanceInFolder } from '../../../testing/data-folder.ts';
import { describeOnEachEngine } from '../../../testing/engines.ts';
import { failure, type TestInstance } from '../../../testing/instance.ts';
import { type Person, signUpByPassphrase } from '../../../testing/people.ts';
import { offerSetupToken } from '../../setup-token.ts';

const wrongToken = { status: 403, code: 'wrong-token' };

describeOnEachEngine('the set-up token', (engine) => {
  let instance: TestInstance;
  beforeEach(async () => {
    instance = await openInstanceInFolder({ engine });
  });
  afterEach(() => instance.close());

  const claim = (person: Person, token: string) =>
    person.request('POST', '/api/admin/claim', { body: { token } });
  const offer = async () => {
    const token = await offerSetupToken(instance.deps);
    expect(token).toMatch(/^[\w-]{24}$/);
    return token ?? '';
  };

  it('makes whoever enters it the administrator, once, and its file is forgotten', async () => {
    const token = await offer();
    const [first, second] = [await signUpByPassphrase(instance), await signUpByPassphrase(instance)];
    expect(await (await claim(first, ` ${token}\n`)).json()).toMatchObject({ isAdmin: true });
    expect(instance.forgotten()).toBe(1);
    expect(await (await first.request('GET', '/api/auth/user')).json()).toMatchObject({ isAdmin: true });
    expect(await failure(await claim(second, token))).toEqual(wrongToken);
    expect(await failure(await claim(first, token))).toEqual(wrongToken);
    expect(await (await second.request('GET', '/api/auth/user')).json()).toMatchObject({ isAdmin: false });
  });

  it('has one winner among fifty who enter it at once', async () => {
    const token = await offer();
    const people = [];
    for (let i = 0; i < 50; i += 1) people.push(await signUpByPassphrase(instance));
    const answers = await Promise.all(people.map((person) => claim(person, token)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(49);
    const administrators = await instance.deps.db
      .selectFrom('accounts')
      .select('id')
      .where('is_admin', '=', 1)
      .execute();
    expect(administrators).toHaveLength(1);
  });

  it('is the same at every start, until somebody keeps the server, and then there is none', async () => {
    const token = await offer();
    expect(await offer()).toBe(token);
    await claim(await signUpByPassphrase(instance), token);
    expect(await offerSetupToken(instance.deps)).toBeNull();
  });

  it('stands in the database as a keyed hash', async () => {
    const token = await offer();
    const rows = await instance.deps.db.selectFrom('setup_tokens').selectAll().execute();
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  it('of a second server is worth nothing once somebody keeps the server', async () => {
    const token = await offer();
    const { digests, db, now } = instance.deps;
    await claim(await signUpByPassphrase(instance), token);
    await db
      .insertInto('setup_tokens')
      .values({ token_hash: digests.keyed('setup-token', 'of another server'), created_at: now() })
      .execute();
    expect(await failure(await claim(await signUpByPassphrase(instance), 'of another server'))).toEqual(
      wrongToken,
    );
  });

  it.each(['', ' ', 'guess', 'x'.repeat(201)])('is not %j', async (guess) => {
    await offer();
    expect([403, 422]).toContain((await claim(await signUpByPassphrase(instance), guess)).status);
  });

  it('is not needed by whom ADMIN_SUBJECTS names', async () => {
    const person = await signUpByPassphrase(instance);
    const named = instance.sibling({ ADMIN_SUBJECTS: `somebody, ${person.user.id}` });
    const response = await named.request('GET', '/api/auth/user', { cookie: person.cookie });
    expect(await response.json()).toMatchObject({ isAdmin: true });
  });
});
