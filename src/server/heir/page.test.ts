// What stands on the page for the heirs, and what never does, whatever a server is configured with.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { readConfig, variables } from '../config.ts';
import { asHtml } from './as-html.ts';
import { asText } from './as-text.ts';
import { commandsFor, quote } from './commands.ts';
import { type Facts, factsOf, settingsIn } from './facts.ts';
import { heirPage } from './page.ts';
import { findWay, type Way } from './way.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const read = (file: string) => readFileSync(join(root, file), 'utf8');

const SERVICE: Way = { kind: 'service', name: 'latebra', user: 'latebra', settings: '/etc/latebra.env' };
const WAYS: Way[] = [{ kind: 'npm' }, { kind: 'container' }, SERVICE];
const dependents = (clock: Partial<{ paused_reason: 'restored' | null; ticked_at: number }> = {}) => ({
  vaults: 3,
  waiting: 2,
  unopened: 1,
  unsent: 0,
  clock: { paused_reason: null, ticked_at: 1_800_000_000_000, ...clock },
});

function facts(env: Record<string, string> = {}, found: Partial<Facts> = {}): Facts {
  return factsOf(readConfig(env), {
    at: 1_800_000_060_000,
    version: '1.2.3',
    programDir: '/opt/latebra',
    way: { kind: 'npm' },
    settings: settingsIn(env),
    dependents: dependents(),
    note: null,
    ...found,
  });
}

const textOf = (env?: Record<string, string>, found?: Partial<Facts>) => asText(heirPage(facts(env, found)));
const flat = (text: string) => text.replace(/\s+/g, ' ');

/** Each variable that may hold a secret, with a marker in it. */
const SECRETS: Record<string, string> = {
  DATABASE_URL: 'postgres://marker_user:marker_password@db.example.org:5432/latebra?sslpassword=marker_more',
  SECRET_KEY: 'feed'.repeat(16),
  OIDC_CLIENT_ID: 'marker_client',
  OIDC_CLIENT_SECRET: 'marker_client_secret',
  ADMIN_SUBJECTS: 'marker_subject',
  SMTP_URL: 'smtps://marker_user:marker_password@mail.example.org',
  TWILIO_ACCOUNT_SID: `AC${'feed'.repeat(8)}`,
  TWILIO_AUTH_TOKEN: 'marker_token',
  STT_API_KEY: 'marker_stt',
  LLM_API_KEY: 'marker_llm',
  SOLANA_RPC_URL: 'https://marker_user:marker_password@marker-host.example.org/marker_path?key=marker_key',
  STRIPE_SECRET_KEY: 'sk_live_marker',
  STRIPE_PUBLISHABLE_KEY: 'pk_live_marker',
  STRIPE_WEBHOOK_SECRET: 'whsec_marker',
  METRICS_TOKEN: 'marker_metrics_token',
  FILES_S3_URL: 'https://marker-host.example.org/marker_bucket',
  FILES_S3_ACCESS_KEY: 'marker_access_key',
  FILES_S3_SECRET_KEY: 'marker_s3_secret',
  WATCHDOG_URL: 'https://marker-host.example.org/marker_path?key=marker_key',
  PUZZLE_FILE: '/marker/puzzle.json',
};
const PLAIN: Record<string, string> = {
  PUBLIC_URL: 'https://vault.example.org',
  DATA_DIR: '/var/lib/latebra',
  TRUSTED_PROXIES: '127.0.0.1',
};
const WHOLE: Record<string, string> = {
  ...SECRETS,
  ...PLAIN,
  OIDC_ISSUER: 'https://id.example.org',
  MAIL_FROM: 'Latebra <latebra@post.example.net>',
  TWILIO_FROM: '+447700900123',
  STT_BASE_URL: 'https://stt.example.org/v1',
  LLM_BASE_URL: 'https://llm.example.org/v1',
  LLM_MODEL: 'llama3.1:8b',
  TOKEN_MINT: 'DbZSY64TnSxM9ZYAP6ajF6KG3G4jbV2WYAXbtpoyJoB5',
  STRIPE_PRICE: 'enhanced_monthly',
  CHECKOUT_ORIGIN: 'https://pay.example.com',
  SECURITY_CONTACT: 'mailto:security@example.org',
};

describe('nothing secret of a configuration is on the page', () => {
  const looksSecret = /KEY|SECRET|TOKEN$|PASSWORD|_URL$/;
  /** Addresses that are shown whole, and of services that take no user and no password. */
  const isShown = ['PUBLIC_URL', 'STT_BASE_URL', 'LLM_BASE_URL', 'TWILIO_URL', 'SOURCE_URL'];

  it('in whatever way the server is started', () => {
    for (const way of WAYS) {
      const page = heirPage(facts(WHOLE, { way }));
      for (const printed of [asText(page), asHtml(page)]) {
        expect(printed).not.toMatch(/marker|feed/i);
        for (const host of ['mail.example.org', 'db.example.org', 'pay.example.com', 'post.example.net']) {
          expect(printed).toContain(host);
        }
      }
    }
  });

  it('of any variable that there is', () => {
    const secret = Object.keys(variables).filter((name) => looksSecret.test(name) && !isShown.includes(name));
    expect(secret.filter((name) => !(name in SECRETS))).toEqual([]);
  });

  it.each([
    'postgres://latebra:pass/word@db.example.org/latebra',
    'postgres://latebra:1234/word@db.example.org/latebra',
    'postgres://latebra:1234#word@db.example.org/latebra',
    'postgres://latebra:1234?word@db.example.org/latebra',
    'postgres://latebra@/latebra?host=/run/word&password=word',
  ])('of %s, whose password may be read as something else', (url) => {
    const said = flat(textOf({ DATABASE_URL: url }));
    expect(said).toContain('PostgreSQL, a program of its own: the setting DATABASE_URL says where');
    expect(said).not.toContain('word@');
    expect(said).not.toContain('/word');
  });
});

describe('what the page names is there', () => {
  const pages = WAYS.flatMap((way) =>
    [{}, PLAIN, WHOLE].map((env) => flat(textOf(env, { way, dependents: dependents() }))),
  );

  it('commands of npm', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const named = pages.flatMap((page) => [
      ...[...page.matchAll(/npm run (?:--silent )?([\w:-]+)/g)].map(([, name = '']) => name),
      ...(page.includes('npm start') ? ['start'] : []),
    ]);
    expect(new Set(named)).toEqual(new Set(['start', 'backup', 'confirm-switch', 'heir']));
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });

  it('programs that Node runs, also in the image', () => {
    const named = new Set(pages.flatMap((page) => page.match(/(?:dist|scripts)\/[\w/-]+\.m?js/g) ?? []));
    expect(named).toEqual(
      new Set(['scripts/backup.mjs', 'dist/server/confirm-switch.js', 'dist/server/heir.js']),
    );
    for (const file of named) {
      const source = file.replace(/^dist\/(.*)\.js$/, 'src/$1.ts');
      expect(existsSync(join(root, source)), file).toBe(true);
    }
    expect(read('scripts/build/server.mjs')).toContain("heir: 'src/server/heir.ts'");
    expect(read('Dockerfile')).toContain('COPY --from=build /app/scripts/backup.mjs');
  });

  it('variables', () => {
    const named = new Set(pages.flatMap((page) => page.match(/\b[A-Z]{2,}(?:_[A-Z]+)+\b(?!_)/g) ?? []));
    expect(named.size).toBeGreaterThan(20);
    expect([...named].filter((name) => !(name in variables))).toEqual([]);
  });

  it('headings of the documents', () => {
    const operations = read('docs/operations.md');
    for (const heading of ['Install on a server', 'Docker', 'Restore']) {
      expect(pages.some((page) => page.includes(`"${heading}"`))).toBe(true);
      expect(operations).toContain(`\n## ${heading}\n`);
    }
  });

  it('sections of its own', () => {
    for (const page of [textOf(PLAIN), textOf({})]) {
      const headings = [...page.matchAll(/^(\d+)\. (.+)\n-+$/gm)].map(([, number, title]) => [number, title]);
      expect(headings.map(([number]) => Number(number))).toEqual(headings.map((_, i) => i + 1));
      const numberOf = (words: string) => headings.find(([, title]) => title?.includes(words))?.[0];
      const pointed = {
        'Where it is': 5,
        'How to start': 6,
        'Backups, moving': 7,
        'has to be paid': 8,
        'must never do': 9,
        'look after it': 10,
      };
      for (const [words, number] of Object.entries(pointed)) expect(numberOf(words)).toBe(String(number));
      const named = [...flat(page).matchAll(/section (\d+)/gi)].map(([, number]) => Number(number));
      expect(Math.max(...named)).toBeLessThanOrEqual(10);
    }
  });

  it('services that are set up, and no other', () => {
    const services = [
      'Twilio',
      'Stripe',
      'id.example.org',
      'llm.example.org',
      'stt.example.org',
      'WATCHDOG_URL',
    ];
    const [bare, whole] = [flat(textOf({})), flat(textOf(WHOLE))];
    for (const service of services) {
      expect(bare).not.toContain(service);
      expect(whole).toContain(service);
    }
    expect(bare).toContain('This server has no name on the internet');
    expect(bare).toContain('This server has no mail service');
    expect(whole).toContain('Registry Expiration');
    expect(whole).toContain('Also needed, and rented in the same way: pay.example.com, post.example.net.');
  });
});

describe('the page', () => {
  it('says how long a delay is', () => {
    const said = flat(textOf(PLAIN));
    for (const time of ['26 hours', '72 hours', '30 days', '90 days']) expect(said).toContain(time);
    expect(flat(textOf({ ...PLAIN, SWITCH_RESUME: 'never' }))).toContain('it waits until somebody confirms');
  });

  it('says whether the program runs', () => {
    expect(flat(textOf())).toContain('The program was running when this page was printed.');
    const stopped = { dependents: dependents({ ticked_at: 1_799_000_000_000 }) };
    expect(flat(textOf({}, stopped))).toContain(
      'has counted no time since 3 January 2027 at 18:13 (UTC): it does not run',
    );
    expect(flat(textOf({}, { dependents: dependents({ ticked_at: 0 }) }))).toContain(
      'has not run with these data',
    );
  });

  it('is plain, without a script or anything that is fetched', () => {
    const html = asHtml(heirPage(facts(PLAIN)));
    expect(html).toContain("content=\"default-src 'none'; style-src 'unsafe-inline'\"");
    expect(html).not.toMatch(/<script|<link|src=|href=|url\(/);
  });

  it.each(WAYS)('fits on its paper where the server is started by $kind', (way) => {
    for (const env of [{}, WHOLE]) {
      expect(
        textOf(env, { way })
          .split('\n')
          .filter((line) => line.length > 76),
      ).toEqual([]);
    }
  });
});

describe('a command', () => {
  const placed = {
    programDir: '/opt/our latebra',
    dataDir: "/srv/the vault's",
    isUsualDataDir: false,
    postgres: null,
    hasSecretInSettings: false,
  };

  it('is one that a shell takes', () => {
    expect(commandsFor({ ...placed, way: { kind: 'npm' } }).start).toEqual([
      "cd '/opt/our latebra'",
      "DATA_DIR='/srv/the vault'\\''s' npm start",
    ]);
    expect(quote('/srv/data-1')).toBe('/srv/data-1');
    expect(quote('$(date)')).toBe("'$(date)'");
  });

  it('backs up PostgreSQL, and the secret where that is a file', () => {
    const postgres = { ...placed, postgres: { place: null }, way: SERVICE };
    expect(commandsFor(postgres).backup).toHaveLength(2);
    expect(commandsFor({ ...postgres, hasSecretInSettings: true }).backup).toEqual([
      'pg_dump --no-owner --no-privileges --file=latebra.sql "$DATABASE_URL"',
    ]);
  });
});

describe('how a server is started', () => {
  const place = mkdtempSync(join(tmpdir(), 'latebra-way-'));
  afterAll(() => rmSync(place, { recursive: true }));
  const units = join(place, 'units');
  mkdirSync(units);
  const places = { unitFolders: [join(place, 'none'), units], containerMarks: [units], imageDir: '/app' };
  const unit = /```ini\n([\s\S]*?)```/.exec(read('docs/operations.md'))?.[1] ?? '';

  it('is found in the unit of the documents', () => {
    writeFileSync(join(units, 'another.service'), '[Service]\nExecStart=/usr/bin/another\n');
    expect(findWay('/opt/latebra', places)).toEqual({ kind: 'npm' });
    writeFileSync(join(units, 'latebra.service'), unit);
    expect(findWay('/opt/latebra', places)).toEqual(SERVICE);
    expect(findWay('/opt/another', places)).toEqual({ kind: 'npm' });
  });

  it('is found in a unit that says little', () => {
    writeFileSync(
      join(units, 'vault.service'),
      '[Service]\nEnvironmentFile=-/etc/vault\nExecStart=/usr/bin/node /srv/vault/dist/server/main.js\n',
    );
    expect(findWay('/srv/vault', places)).toEqual({
      kind: 'service',
      name: 'vault',
      user: null,
      settings: '/etc/vault',
    });
  });

  it('is found in the container of the image', () => {
    expect(findWay('/app', places)).toEqual({ kind: 'container' });
    expect(findWay('/app', { ...places, containerMarks: [join(place, 'none')] })).toEqual({ kind: 'npm' });
  });
});
