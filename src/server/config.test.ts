import { describe, expect, it } from 'vitest';
import { isLoopback } from './config/readers.ts';
import { ConfigError, readConfig, variables } from './config.ts';

function problemsOf(env: Record<string, string>): string[] {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

const MODEL = { LLM_BASE_URL: 'http://127.0.0.1:11434/v1', LLM_MODEL: 'llama3' };
const TRANSPORTS = {
  PUBLIC_URL: 'https://vault.example',
  SMTP_URL: 'smtps://ann:p%40ss@mail.example',
  MAIL_FROM: 'Latebra <vault@vault.example>',
  TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
  TWILIO_AUTH_TOKEN: 'hunter2',
  TWILIO_FROM: '+447700900123',
};

describe('the configuration', () => {
  it('needs nothing', () => {
    expect(readConfig({})).toEqual({
      port: 3000,
      host: '127.0.0.1',
      publicUrl: null,
      searchPath: '',
      stt: null,
      llm: null,
      llmConcurrency: 2,
      storiesADay: 30,
      transcriptionsPerDay: 500,
      watchdogUrl: null,
      outsideLook: true,
      switchResume: 'after-long',
      dataDir: './data',
      databaseUrl: null,
      filesFolder: 'data/files',
      filesBucket: null,
      secretKey: null,
      trustedProxies: null,
      hstsSubdomains: false,
      securityContact: null,
      sessionDays: 30,
      signUp: null,
      oidc: null,
      adminSubjects: new Set(),
      mail: null,
      sms: null,
      sisters: [],
      messageLimits: { perAddress: 20, proofsPerAddress: 3, perAccount: 50, mails: 1000, texts: 100 },
      token: null,
      holderRefresh: 60_000,
      quota: { bytes: 2 ** 30, rows: 100_000 },
      puzzleFile: null,
      payments: null,
      metricsToken: null,
      sourceUrl: null,
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
    ['QUOTA_BYTES', '0', 'QUOTA_BYTES must be a number of bytes, such as 500M or 2G.'],
    ['QUOTA_BYTES', '1.5G', 'QUOTA_BYTES must be a number of bytes, such as 500M or 2G.'],
    ['QUOTA_BYTES', '9999999T', 'QUOTA_BYTES must be a number of bytes, such as 500M or 2G.'],
    ['QUOTA_ROWS', '0', 'QUOTA_ROWS must be a whole number from 1 to 2147483648.'],
    ['SESSION_DAYS', '0', 'SESSION_DAYS must be a whole number from 1 to 90.'],
    ['SESSION_DAYS', '91', 'SESSION_DAYS must be a whole number from 1 to 90.'],
    ['SIGN_UP', 'Open', 'SIGN_UP must be one of open, invitation, closed.'],
    ['HSTS_SUBDOMAINS', 'true', 'HSTS_SUBDOMAINS must be yes or no.'],
    ['PUBLIC_URL', 'vault.example', /^PUBLIC_URL must be the full address of this server, such as/],
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
    ['SMTP_URL', 'mail.example', /^SMTP_URL must be smtps:\/\/ or smtp:\/\//],
    ['SMTP_URL', 'https://mail.example', /^SMTP_URL must be/],
    ['SMTP_URL', 'smtp://', /^SMTP_URL must be/],
    ['SMTP_URL', 'smtp://mail.example:99999', /^SMTP_URL must be/],
    ['SMTP_URL', 'smtp://mail.example/?tls.rejectUnauthorized=false', /^SMTP_URL must be/],
    ['SMTP_URL', 'smtp://mail.example/in', /^SMTP_URL must be/],
    ['SMTP_URL', 'smtp://ann:25#x@mail.example', /write @ \/ \? # % as %40 %2F %3F %23 %25\.$/],
    ['SMTP_URL', 'smtp://ann:100%zz@mail.example', /^SMTP_URL must be/],
    ['MAIL_FROM', 'Latebra', /^MAIL_FROM must be an address, such as/],
    ['MAIL_FROM', 'Latebra <vault>', /^MAIL_FROM must be/],
    ['MAIL_FROM', 'A\r\nBcc: b@c.example <vault@vault.example>', /^MAIL_FROM must be/],
    ['TWILIO_ACCOUNT_SID', 'AC123', 'TWILIO_ACCOUNT_SID must be AC and 32 hex characters.'],
    ['TWILIO_FROM', '07700 900123', /^TWILIO_FROM must be a number such as/],
    ['TWILIO_URL', 'http://twilio.example', /^TWILIO_URL must use https/],
    ['TWILIO_URL', 'https://twilio.example/?x', /^TWILIO_URL must hold no user/],
    ['STT_BASE_URL', 'stt.example.org', /^STT_BASE_URL must be the address of a service/],
    ['STT_BASE_URL', 'http://stt.example.org/v1', /^STT_BASE_URL must use https/],
    ['STT_BASE_URL', 'http://11.0.0.1/v1', /^STT_BASE_URL must use https/],
    [
      'STT_BASE_URL',
      'https://user:secret@stt.example.org/v1',
      'STT_BASE_URL must hold no user, query or fragment.',
    ],
    ['TRANSCRIPTIONS_PER_DAY', '9', /^TRANSCRIPTIONS_PER_DAY must be a whole number/],
    ['STT_API_KEY', 'sk-1', 'STT_BASE_URL is needed when STT_API_KEY is set.'],
    ['LLM_BASE_URL', 'http://llm.example.org/v1', /^LLM_BASE_URL must use https/],
    ['LLM_BASE_URL', 'http://127.0.0.1:11434/v1?x=1', 'LLM_BASE_URL must hold no user, query or fragment.'],
    ['LLM_MODEL', 'x'.repeat(201), 'LLM_MODEL must be the name of a model.'],
    ['LLM_CONCURRENCY', '0', 'LLM_CONCURRENCY must be a whole number from 1 to 100.'],
    ['LLM_STORIES_A_DAY', 'many', 'LLM_STORIES_A_DAY must be a whole number from 1 to 10000.'],
    ['METRICS_TOKEN', 'short', 'METRICS_TOKEN must have at least 16 characters.'],
    ...['security@example.org', 'http://example.org/report', 'mailto:nobody', 'mailto:a@b?subject=c'].map(
      (contact): [string, string, string] => [
        'SECURITY_CONTACT',
        contact,
        'SECURITY_CONTACT must be an address such as mailto:security@example.org, or a page with https.',
      ],
    ),
    ['LOG_LEVEL', 'loud', 'LOG_LEVEL must be one of fatal, error, warn, info, debug, silent.'],
  ])('says in a sentence what is wrong with %s=%s', (name, value, sentence) => {
    const problems = problemsOf({ OIDC_CLIENT_ID: 'x', ...TRANSPORTS, ...MODEL, [name]: value });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(sentence);
  });

  it.each([
    'https://stt.example.org/v1',
    'http://localhost:8000/v1',
    'http://127.0.0.1:8000',
    'http://[::1]:8000/v1/',
    'http://10.1.2.3/v1',
    'http://172.16.0.9:9000/v1',
    'http://192.168.1.2/v1',
    'http://whisper:8000/v1',
  ])('takes %s for a service that turns speech into text', (url) => {
    expect(readConfig({ STT_BASE_URL: url, STT_API_KEY: 'sk-1' }).stt).toEqual({
      url: new URL(url),
      model: 'whisper-1',
      apiKey: 'sk-1',
    });
    expect(readConfig({ PATH: '/usr/bin' }).stt).toBeNull();
  });

  it('knows a language model by its address and its name, which belong together', () => {
    expect(readConfig({ ...MODEL, LLM_API_KEY: 'sk-1' })).toMatchObject({
      llm: { url: new URL('http://127.0.0.1:11434/v1'), model: 'llama3', apiKey: 'sk-1' },
      llmConcurrency: 2,
      storiesADay: 30,
    });
    expect(readConfig({})).toMatchObject({ llm: null, llmConcurrency: 2, storiesADay: 30 });
    const limits = { LLM_CONCURRENCY: '5', LLM_STORIES_A_DAY: '3' };
    expect(readConfig(limits)).toMatchObject({ llmConcurrency: 5, storiesADay: 3 });
    expect(problemsOf({ LLM_BASE_URL: MODEL.LLM_BASE_URL })).toEqual([
      'LLM_MODEL is needed when LLM_BASE_URL is set.',
    ]);
    expect(problemsOf({ LLM_MODEL: 'llama3', LLM_API_KEY: 'sk-1' })).toEqual([
      'LLM_BASE_URL is needed when LLM_MODEL is set.',
      'LLM_BASE_URL is needed when LLM_API_KEY is set.',
    ]);
    expect(problemsOf({ ...MODEL, LLM_API_KEY: 'two words' })).toEqual([
      'LLM_API_KEY must be letters, digits and signs without spaces.',
    ]);
  });

  it('takes no key that could break out of its header', () => {
    for (const key of ['two words', 'a\nb', 'é']) {
      const problems = problemsOf({ STT_BASE_URL: 'https://stt.example.org/v1', STT_API_KEY: key });
      expect(problems).toEqual(['STT_API_KEY must be letters, digits and signs without spaces.']);
    }
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
    const env = { SMTP_URL: 'smtp://ann:hunter2@mail.example/x', TWILIO_AUTH_TOKEN: 'hunter2' };
    expect(problemsOf(env)).toHaveLength(4);
    expect(problemsOf(env).join()).not.toContain('hunter2');
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

  it('reads what carries messages', () => {
    const { mail, sms } = readConfig(TRANSPORTS);
    expect(mail?.url.hostname).toBe('mail.example');
    expect(mail?.from).toEqual({ name: 'Latebra', address: 'vault@vault.example' });
    expect(sms).toEqual({
      url: new URL('https://api.twilio.com'),
      accountSid: TRANSPORTS.TWILIO_ACCOUNT_SID,
      authToken: 'hunter2',
      from: '+447700900123',
    });
  });

  it.each([
    ['vault@vault.example', '', 'vault@vault.example'],
    ['<vault@vault.example>', '', 'vault@vault.example'],
    ['"Latebra, a server" <vault@vault.example>', 'Latebra, a server', 'vault@vault.example'],
  ])('reads the sender %s', (raw, name, address) => {
    expect(readConfig({ ...TRANSPORTS, MAIL_FROM: raw }).mail?.from).toEqual({ name, address });
  });

  it.each([
    'smtp://localhost',
    'smtp://127.0.0.1:2525',
    'smtp://[::1]:25/',
    'SMTPS://a%2Fb:c:d@mail.example:465',
  ])('takes %s for a mail server', (url) => {
    expect(readConfig({ ...TRANSPORTS, SMTP_URL: url }).mail?.url.protocol).toMatch(/^smtps?:$/);
  });

  it.each(['+447700900123', `MG${'a'.repeat(32)}`, '12345', 'Latebra'])(
    'lets %s send text messages',
    (from) => {
      expect(readConfig({ ...TRANSPORTS, TWILIO_FROM: from }).sms?.from).toBe(from);
    },
  );

  it.each([undefined, 'http://localhost:3000'])('wants https for the subdomains of %s', (PUBLIC_URL) => {
    expect(problemsOf({ HSTS_SUBDOMAINS: 'yes', ...(PUBLIC_URL && { PUBLIC_URL }) })).toEqual([
      'HSTS_SUBDOMAINS needs a PUBLIC_URL with https.',
    ]);
    expect(readConfig({ HSTS_SUBDOMAINS: 'YES', PUBLIC_URL: 'https://vault.example' }).hstsSubdomains).toBe(
      true,
    );
    expect(readConfig({ HSTS_SUBDOMAINS: 'no' }).hstsSubdomains).toBe(false);
  });

  const BUCKET = {
    FILES_S3_URL: 'https://s3.example.org/files',
    FILES_S3_ACCESS_KEY: 'id',
    FILES_S3_SECRET_KEY: 'secret',
  };

  it('reads a bucket for files', () => {
    expect(readConfig({ ...BUCKET, FILES_S3_REGION: 'eu-central-1' }).filesBucket).toEqual({
      url: new URL('https://s3.example.org/files'),
      key: { id: 'id', secret: 'secret', region: 'eu-central-1' },
    });
    expect(readConfig(BUCKET).filesBucket?.key.region).toBe('us-east-1');
  });

  it.each([
    [{ FILES_S3_URL: '' }, 'FILES_S3_URL is needed when FILES_S3_ACCESS_KEY is set.'],
    [{ FILES_S3_SECRET_KEY: '' }, 'FILES_S3_SECRET_KEY is needed when FILES_S3_URL is set.'],
    [
      { FILES_FOLDER: '/files' },
      'FILES_FOLDER and FILES_S3_URL exclude each other: files stand in one place.',
    ],
    [{ FILES_S3_URL: 'http://s3.example.org/files' }, 'FILES_S3_URL must use https, except for'],
    [{ FILES_S3_REGION: 'a b' }, 'FILES_S3_REGION must be the name of a region'],
  ])('does not take a bucket with %j', (given, sentence) => {
    expect(problemsOf({ ...BUCKET, ...given })[0]).toContain(sentence);
  });

  it.each([
    [{ MAIL_FROM: '' }, 'MAIL_FROM is needed when SMTP_URL is set.'],
    [
      { TWILIO_FROM: '' },
      'TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN, TWILIO_FROM belong together, and TWILIO_FROM is missing.',
    ],
    [{ PUBLIC_URL: '' }, 'PUBLIC_URL is needed when SMTP_URL is set: messages carry links to this server.'],
    [
      { PUBLIC_URL: '', SMTP_URL: '' },
      'PUBLIC_URL is needed when TWILIO_ACCOUNT_SID is set: messages carry links to this server.',
    ],
  ])('misses what belongs to a transport: %j', (without, sentence) => {
    expect(problemsOf({ ...TRANSPORTS, ...without })).toEqual([sentence]);
  });

  it('says at the address that with localhost a copy cannot be told from a move, and a pause waits for somebody', () => {
    const { says } = variables.PUBLIC_URL;
    expect(says).toContain('tells a copy of this server from a server that was moved');
    expect(says).toContain('with localhost it cannot, and once paused it waits until somebody confirms.');
  });

  it('explains every variable', () => {
    for (const [name, { fallback, says }] of Object.entries(variables)) {
      expect(name).toMatch(/^[A-Z][A-Z0-9_]+$/);
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

describe('the token', () => {
  const MINT = 'So11111111111111111111111111111111111111112';
  const OTHER = '11111111111111111111111111111111';

  it('has a mint, a chain to ask, and owners who do not count', () => {
    const { token, holderRefresh } = readConfig({
      TOKEN_MINT: MINT,
      TOKEN_EXCLUDE: `${OTHER}, ${MINT}`,
      HOLDER_REFRESH_SECONDS: '10',
    });
    expect(token).toEqual({
      mint: MINT,
      rpcUrl: new URL('https://api.mainnet-beta.solana.com'),
      exclude: new Set([OTHER, MINT]),
    });
    expect(holderRefresh).toBe(10_000);
  });

  it.each([
    'https://rpc.example/?api-key=hunter2',
    'http://127.0.0.1:8899',
    'http://localhost:8899',
    'http://[::1]:8899/x',
  ])('is read at %s', (url) => {
    expect(readConfig({ TOKEN_MINT: MINT, SOLANA_RPC_URL: url }).token?.rpcUrl.href).toBe(new URL(url).href);
  });

  it.each([
    ['SOLANA_RPC_URL', 'http://rpc.example/hunter2', 'must use https, except for a chain on this machine.'],
    ['SOLANA_RPC_URL', 'wss://hunter2', 'must be the address of a Solana JSON-RPC with https or http.'],
    [
      'SOLANA_RPC_URL',
      'https://vault:hunter2%@rpc.example',
      'must have every % in its name and password written as %25.',
    ],
    [
      'SOLANA_RPC_URL',
      'https://hunter2%ff:x@rpc.example',
      'must have every % in its name and password written as %25.',
    ],
    ['SWITCH_RESUME', 'always', 'must be never, or left out.'],
    ['WATCHDOG_URL', 'https://vault:hunter2@alarm.example/check', 'must hold no user and no password.'],
    ['TOKEN_MINT', `${MINT}hunter2`, 'must be a Solana address: 32 bytes in base58.'],
    ['TOKEN_MINT', '1'.repeat(31), 'must be a Solana address: 32 bytes in base58.'],
    ['TOKEN_MINT', '1'.repeat(33), 'must be a Solana address: 32 bytes in base58.'],
    ['TOKEN_MINT', 'z'.repeat(44), 'must be a Solana address: 32 bytes in base58.'],
    ['TOKEN_MINT', '0OIl'.repeat(9), 'must be a Solana address: 32 bytes in base58.'],
    ['TOKEN_MINT', '1'.repeat(100_000), 'must be a Solana address: 32 bytes in base58.'],
    ['TOKEN_EXCLUDE', `${MINT},hunter2`, 'must be a Solana address: 32 bytes in base58.'],
    ['HOLDER_REFRESH_SECONDS', '9', 'must be a whole number from 10 to 86400.'],
  ])('refuses a wrong %s in a sentence that does not repeat it', (name, raw, problem) => {
    expect(problemsOf({ [name]: raw })).toEqual([`${name} ${problem}`]);
  });
});

describe('the configuration of payments', () => {
  const STRIPE = {
    STRIPE_SECRET_KEY: 'sk_test_1',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
    STRIPE_WEBHOOK_SECRET: 'whsec_1',
    STRIPE_PRICE: 'enhanced_monthly',
  };
  const PUBLIC_URL = 'https://vault.example';

  it('stands on this machine with a second origin of its own', () => {
    const payments = {
      secretKey: 'sk_test_1',
      publishableKey: 'pk_test_1',
      webhookSecrets: ['whsec_1'],
      price: 'enhanced_monthly',
      apiBase: null,
      checkoutOrigin: 'loopback',
    };
    expect(readConfig(STRIPE).payments).toEqual(payments);
    expect(readConfig({ ...STRIPE, PUBLIC_URL: 'http://localhost:3000' }).payments).toEqual(payments);
    expect(readConfig({ ...STRIPE, CHECKOUT_ORIGIN: 'none' }).payments?.checkoutOrigin).toBeNull();
    expect(
      readConfig({ ...STRIPE, PUBLIC_URL: 'http://127.0.0.1:3000' }).payments?.checkoutOrigin,
    ).toBeNull();
  });

  it('has a second origin elsewhere only where one is given', () => {
    expect(readConfig({ ...STRIPE, PUBLIC_URL }).payments?.checkoutOrigin).toBeNull();
    const env = { ...STRIPE, PUBLIC_URL, CHECKOUT_ORIGIN: 'https://pay.example' };
    expect(readConfig(env).payments?.checkoutOrigin).toEqual(new URL('https://pay.example'));
  });

  it.each(Object.keys(STRIPE))('needs %s beside the others', (name) => {
    const [problem, ...others] = problemsOf({ ...STRIPE, [name]: '' });
    expect(problem).toContain(`and ${name} is missing.`);
    expect(others).toEqual([]);
  });

  it.each([
    [{ CHECKOUT_ORIGIN: 'https://vault.example:8443' }, 'another host than PUBLIC_URL'],
    [{ CHECKOUT_ORIGIN: 'https://VAULT.example' }, 'another host than PUBLIC_URL'],
    [{ CHECKOUT_ORIGIN: 'https://vault.example.' }, 'another host than PUBLIC_URL'],
    [{ CHECKOUT_ORIGIN: 'https://pay.vault.example' }, 'must not be a subdomain of PUBLIC_URL'],
    [{ CHECKOUT_ORIGIN: 'https://a.PAY.vault.example.:8443' }, 'must not be a subdomain of PUBLIC_URL'],
    [{ CHECKOUT_ORIGIN: 'http://pay.example' }, 'must use https'],
    [{ CHECKOUT_ORIGIN: 'https://pay.example/pay' }, 'without a path'],
    [{ CHECKOUT_ORIGIN: 'http://127.0.0.1:3000' }, 'is on this machine alone'],
    [{ STRIPE_API_BASE: 'https://api.example' }, 'on this machine'],
    [{ STRIPE_PUBLISHABLE_KEY: 'pk_live_1' }, 'both be live keys'],
    [{ STRIPE_SECRET_KEY: 'pk_test_1' }, 'a secret key'],
    [{ STRIPE_PUBLISHABLE_KEY: 'sk_test_1' }, 'a publishable key'],
    [{ STRIPE_WEBHOOK_SECRET: 'canary' }, 'signing secret'],
    [{ STRIPE_PRICE: 'a price' }, 'lookup key'],
  ])('does not take %j', (given, sentence) => {
    const problems = problemsOf({ ...STRIPE, PUBLIC_URL, ...given });
    expect(problems).toEqual([expect.stringContaining(sentence)]);
    expect(problems.join()).not.toMatch(/sk_test|canary/);
  });

  it.each(['CHECKOUT_ORIGIN', 'STRIPE_API_BASE'])('does not take %s alone', (name) => {
    const problems = problemsOf({ PUBLIC_URL, [name]: 'http://127.0.0.2:1' });
    expect(problems).toEqual([expect.stringContaining(`are needed when ${name} is set`)]);
  });
});

describe('SISTERS', () => {
  const HERE = { PUBLIC_URL: 'https://vault.example' };
  const A = '0123456789abcdef0123456789abcdef';
  const B = 'f'.repeat(32);

  it('names origins with their addresses', () => {
    const SISTERS = `https://one.example#${A}, http://localhost:3001/#${B.toUpperCase()}`;
    expect(readConfig({ ...HERE, SISTERS }).sisters).toEqual([
      { origin: 'https://one.example', address: A },
      { origin: 'http://localhost:3001', address: B },
    ]);
  });

  it.each([
    ['no address', 'https://one.example', 'must be origins, each with #'],
    ['half an address', 'https://one.example#0123', 'must be origins, each with #'],
    ['http beyond this machine', `http://one.example#${A}`, 'must use https'],
    ['a path', `https://one.example/path#${A}`, 'must be an origin alone'],
    ['an origin twice', `https://one.example#${A},https://one.example#${B}`, 'names one origin twice'],
    ['an address twice', `https://one.example#${A},https://two.example#${A}`, 'names one address twice'],
    ['the server itself', `https://vault.example#${A}`, 'names this server itself'],
  ])('refuses %s in words', (_, SISTERS, words) => {
    expect(problemsOf({ ...HERE, SISTERS })).toEqual([expect.stringContaining(words)]);
  });

  it('needs the address by which others know this server', () => {
    expect(problemsOf({ SISTERS: `https://one.example#${A}` })).toEqual([
      'SISTERS needs PUBLIC_URL, by which other instances know this one.',
    ]);
  });
});
