import { describe, expect, it } from 'vitest';
import { ConfigError, isLoopback, readConfig, variables } from './config.ts';

function problemsOf(env: Record<string, string>): string[] {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

describe('the configuration', () => {
  it('needs nothing', () => {
    expect(readConfig({})).toEqual({
      port: 3000,
      host: '127.0.0.1',
      publicUrl: null,
      dataDir: './data',
      databaseUrl: null,
      secretKey: null,
      trustedProxies: null,
      sessionDays: 30,
      oidc: null,
      adminSubjects: new Set(),
      metricsToken: null,
      logLevel: 'info',
    });
  });

  it('takes an empty variable for none, and forgives spaces around one', () => {
    expect(readConfig({ PORT: '', PUBLIC_URL: ' ', OIDC_ISSUER: '' })).toMatchObject({
      port: 3000,
      oidc: null,
    });
    expect(readConfig({ PORT: ' 8080 ' }).port).toBe(8080);
  });

  it.each([
    ['PORT', '70000', 'PORT must be a whole number from 0 to 65535.'],
    ['PORT', '80.5', 'PORT must be a whole number from 0 to 65535.'],
    ['PORT', 'http', 'PORT must be a whole number from 0 to 65535.'],
    ['SESSION_DAYS', '0', 'SESSION_DAYS must be a whole number from 1 to 400.'],
    ['PUBLIC_URL', 'vault.example', /^PUBLIC_URL must be the full address of this house, such as/],
    ['PUBLIC_URL', 'ftp://vault.example', /^PUBLIC_URL must be .* with https or http\.$/],
    ['PUBLIC_URL', 'https://vault.example/vault', /^PUBLIC_URL must be an origin alone/],
    ['PUBLIC_URL', 'https://vault.example/?x', /^PUBLIC_URL must be an origin alone/],
    ['PUBLIC_URL', 'https://me@vault.example', /^PUBLIC_URL must be an origin alone/],
    ['DATABASE_URL', 'mysql://db', 'DATABASE_URL must begin with postgres:// or postgresql://.'],
    ['SECRET_KEY', 'abc', 'SECRET_KEY must be 64 hex characters (openssl rand -hex 32).'],
    ['SECRET_KEY', 'g'.repeat(64), 'SECRET_KEY must be 64 hex characters (openssl rand -hex 32).'],
    ['TRUSTED_PROXIES', '10.0.0.0/33', /holds "10\.0\.0\.0\/33", which is neither an address nor a network/],
    ['TRUSTED_PROXIES', '10.0.0.0/', /holds "10\.0\.0\.0\/"/],
    ['TRUSTED_PROXIES', '10.0.0.0/8/8', /holds/],
    ['TRUSTED_PROXIES', '10.0.0.1, caddy', /holds "caddy"/],
    ['TRUSTED_PROXIES', 'fd00::/129', /holds/],
    ['OIDC_ISSUER', 'accounts.example', /^OIDC_ISSUER must be the address of an OpenID provider/],
    ['OIDC_ISSUER', 'http://accounts.example', /^OIDC_ISSUER must use https/],
    ['METRICS_TOKEN', 'short', 'METRICS_TOKEN must have at least 16 characters.'],
    ['LOG_LEVEL', 'loud', 'LOG_LEVEL must be one of fatal, error, warn, info, debug, silent.'],
  ])('says in a sentence what is wrong with %s=%s', (name, value, sentence) => {
    const problems = problemsOf({ OIDC_CLIENT_ID: 'x', [name]: value });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(sentence);
  });

  it('says everything that is wrong at once', () => {
    const env = { PORT: 'x', SESSION_DAYS: '-1', OIDC_ISSUER: 'https://accounts.example' };
    const problems = problemsOf(env);
    expect(problems).toHaveLength(3);
    expect(problems[2]).toBe('OIDC_CLIENT_ID is needed when OIDC_ISSUER is set.');
    expect(new ConfigError(problems).message).toBe(
      `The configuration has mistakes:\n  ${problems.join('\n  ')}`,
    );
  });

  it('never repeats a secret that it could not read', () => {
    for (const name of ['SECRET_KEY', 'METRICS_TOKEN', 'DATABASE_URL', 'OIDC_ISSUER', 'PUBLIC_URL']) {
      expect(problemsOf({ OIDC_CLIENT_ID: 'x', [name]: 'hunter2' }).join()).not.toContain('hunter2');
    }
  });

  it('reads what is right', () => {
    const config = readConfig({
      PUBLIC_URL: 'https://vault.example:443/',
      TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8, fd00::/8',
      SECRET_KEY: 'AB'.repeat(32),
      ADMIN_SUBJECTS: 'ann, bob,',
      OIDC_ISSUER: 'http://localhost:4000/realm',
      OIDC_CLIENT_ID: 'latebra',
    });
    expect(config.publicUrl?.origin).toBe('https://vault.example');
    expect(config.trustedProxies?.check('10.200.0.1')).toBe(true);
    expect(config.trustedProxies?.check('11.0.0.1')).toBe(false);
    expect(config.trustedProxies?.check('fd12::1', 'ipv6')).toBe(true);
    expect(config.secretKey?.toString('hex')).toBe('ab'.repeat(32));
    expect(config.adminSubjects).toEqual(new Set(['ann', 'bob']));
    expect(config.oidc).toMatchObject({ clientId: 'latebra', clientSecret: null });
  });

  it('explains every variable', () => {
    for (const [name, { fallback, says }] of Object.entries(variables)) {
      expect(name).toMatch(/^[A-Z][A-Z_]+$/);
      expect(fallback).not.toBe('');
      expect(says).toMatch(/^[A-Z].*\.$/s);
    }
  });
});

describe('this machine', () => {
  it.each(['localhost', '127.0.0.1', '127.1.2.3', '::1', '[::1]'])('is %s', (host) => {
    expect(isLoopback(host)).toBe(true);
  });
  it.each(['localhost.example', '127.0.0.1.example', '128.0.0.1', '0.0.0.0', '::', 'vault', ''])(
    'is not %s',
    (host) => {
      expect(isLoopback(host)).toBe(false);
    },
  );
});
