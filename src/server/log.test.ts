import { describe, expect, it } from 'vitest';
import { describeOnEachEngine } from '../testing/engines.ts';
import { openTestInstance } from '../testing/instance.ts';
import { aMember, signUpByPassphrase } from '../testing/people.ts';
import { createLog } from './log.ts';

function logged(write: (log: ReturnType<typeof createLog>) => void): string {
  const lines: string[] = [];
  write(createLog('debug', { write: (line) => lines.push(line) }));
  return lines.join('');
}

describe('the log', () => {
  it('keeps of an error its name, message, code and places', () => {
    const line = JSON.parse(
      logged((log) => log.error({ err: new TypeError('it broke') }, 'an answer failed')),
    );
    expect(line).toMatchObject({ msg: 'an answer failed', err: { name: 'TypeError', message: 'it broke' } });
    expect(line.err.stack).toContain('log.test.ts');
  });

  it('drops what an error carries beside, and what its causes carry', () => {
    const cause = Object.assign(new Error('inner'), {
      detail: 'Key (name)=(secret)',
      parameters: ['secret'],
    });
    const err = Object.assign(new Error('outer', { cause }), { where: 'secret', body: 'secret' });
    const text = logged((log) => log.error({ err }));
    expect(text).toContain('outer');
    expect(text).toContain('inner');
    expect(text).not.toContain('secret');
  });

  it('keeps of several errors in one what it keeps of each', () => {
    const several = new AggregateError([new TypeError('one'), new Error('two')], 'Two failed.');
    const { err } = JSON.parse(logged((log) => log.error({ err: several }, 'sweeping failed')));
    expect(err.errors).toMatchObject([{ name: 'TypeError', message: 'one' }, { message: 'two' }]);
  });

  it('drops the message of errors that quote what they failed on', () => {
    const text = logged((log) => {
      try {
        JSON.parse('{"secret');
      } catch (err) {
        log.error({ err });
      }
      const fromPostgres = new Error('invalid input syntax for type bigint: "secret"');
      log.error({ err: Object.assign(fromPostgres, { severity: 'ERROR', code: '22P02' }) });
    });
    expect(text).not.toContain('secret');
    expect(text).toContain('22P02');
  });

  it('censors fields that are named like secrets', () => {
    const text = logged((log) =>
      log.info({ sent: { token: 'secret', authKey: 'secret', cookie: 'secret' } }),
    );
    expect(text).not.toContain('secret');
  });

  it('does not fall over what is no error', () => {
    expect(logged((log) => log.error({ err: 'secret' }))).not.toContain('secret');
  });
});

describeOnEachEngine('the log of a server', (engine) => {
  it('holds nothing of what people send, at no level', async () => {
    const instance = await openTestInstance({ engine, env: { LOG_LEVEL: 'debug' } });
    const person = await aMember(instance);
    const canary = 'Y2FuYXJ5';
    const send = (method: string, path: string, body?: unknown) => person.request(method, path, { body });
    await send('POST', '/api/memory-entries', { title: canary, encryptedContent: canary });
    await send('POST', '/api/memory-entries', `{"title":"${canary}`);
    await send('GET', `/api/memory-entries/424242424242?q=${canary}`);
    await send('DELETE', `/api/sessions/${canary}`);
    await send('GET', `/${canary}?${canary}`);
    await send('GET', `/api/login/callback?code=${canary}&state=${canary}`);
    await send('POST', '/api/proof/passphrase', { authKey: canary });
    await instance.request('GET', '/api/auth/user', {
      from: '203.0.113.77',
      headers: { 'user-agent': canary },
    });
    const text = JSON.stringify(instance.log);
    expect(instance.log.length).toBeGreaterThan(10);
    for (const secret of [
      canary,
      '424242424242',
      '203.0.113.77',
      person.name,
      person.authKey,
      person.user.id,
    ]) {
      expect(text).not.toContain(secret);
    }
    expect(text).not.toContain(person.cookie.split('=')[1]);
    await instance.close();
  });

  it('tells that an answer failed, and where, but not on whose words', async () => {
    const instance = await openTestInstance({ engine, env: { LOG_LEVEL: 'info' } });
    const person = await signUpByPassphrase(instance);
    await instance.deps.db.schema.dropTable('memory_entries').execute();
    const response = await person.request('POST', '/api/memory-entries', {
      body: { title: 'Y2FuYXJ5', encryptedContent: 'Y2FuYXJ5' },
    });
    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({
      message: 'Something went wrong here. Nothing was lost; please try again.',
      code: 'internal',
    });
    const failures = instance.log.filter(({ msg }) => msg === 'an answer failed');
    expect(failures).toHaveLength(1);
    expect(instance.log).toContainEqual(expect.objectContaining({ msg: 'answered', status: 500 }));
    expect(JSON.stringify(failures)).toMatch(/memory\/store\.ts|sqlite|postgres/);
    expect(JSON.stringify(instance.log)).not.toContain('Y2FuYXJ5');
    await instance.close();
  });

  it('has no line for what is not configured here, which anybody may ask for: it is measured', async () => {
    const token = 'a-token-of-sixteen';
    const instance = await openTestInstance({ engine, env: { LOG_LEVEL: 'info', METRICS_TOKEN: token } });
    const asked = await instance.request('POST', '/api/holders/challenge', {
      body: { walletAddress: '11111111111111111111111111111111' },
    });
    expect(asked.status).toBe(503);
    expect(instance.log.filter(({ status }) => status === 503)).toEqual([]);
    const headers = { authorization: `Bearer ${token}` };
    const measured = await (await instance.request('GET', '/metrics', { headers })).text();
    expect(measured).toMatch(/\/api\/holders\/challenge".*status="503"/);
    await instance.close();
  });

  it('does not repeat the detail in which PostgreSQL quotes a row', async () => {
    const instance = await openTestInstance({ engine });
    const person = await signUpByPassphrase(instance, 'Somebody Nobody Should Read Of');
    const values = { uid: person.user.id, name: person.user.name, is_admin: 0 as const, created_at: 0 };
    const rest = { auth_hash: null, passphrase_salt: null, oidc_subject: null, email: null };
    const none = { first_name: null, last_name: null, onboarded_at: null, words_kept_at: null };
    const error = await instance.deps.db
      .insertInto('accounts')
      .values({ ...values, ...rest, ...none })
      .execute()
      .then(
        () => null,
        (err: unknown) => err,
      );
    expect(error).not.toBeNull();
    const text = logged((log) => log.error({ err: error }));
    expect(text).not.toContain(person.user.id);
    expect(text.toLowerCase()).not.toContain('nobody should read');
    await instance.close();
  });
});
