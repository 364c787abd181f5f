// Every configuration variable, on one page: its name, its default, what it means and how it is read.
// docs/configuration.md is generated from this table. Only main.ts hands the environment in.
import { BlockList, isIP } from 'node:net';

interface Variable<T> {
  /** Shown in the documentation; what happens when the variable is not set. */
  fallback: string;
  says: string;
  /** Returns the value, or throws a ConfigProblem with a sentence. */
  read: (raw: string | undefined) => T;
}

class ConfigProblem extends Error {}

/** All mistakes of one environment, each as a sentence. */
export class ConfigError extends Error {
  readonly problems: string[];
  constructor(problems: string[]) {
    super(
      `The configuration has ${problems.length === 1 ? 'a mistake' : 'mistakes'}:\n  ${problems.join('\n  ')}`,
    );
    this.problems = problems;
  }
}

function variable<T>(definition: Variable<T>): Variable<T> {
  return definition;
}

function wholeNumber(min: number, max: number, fallback: number) {
  return (raw: string | undefined) => {
    if (raw === undefined) return fallback;
    const value = Number(raw);
    if (!Number.isInteger(value) || value < min || value > max) {
      throw new ConfigProblem(`must be a whole number from ${min} to ${max}`);
    }
    return value;
  };
}

function webUrl(raw: string, what: string): URL {
  let url: URL;
  try {
    url = new URL(raw);
  } catch {
    throw new ConfigProblem(`must be ${what}, such as https://vault.example.org`);
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new ConfigProblem(`must be ${what} with https or http`);
  return url;
}

const list = (raw: string | undefined) =>
  (raw ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

export const variables = {
  PORT: variable({
    fallback: '3000',
    says: 'The port to listen on.',
    read: wholeNumber(0, 65535, 3000),
  }),
  HOST: variable({
    fallback: '127.0.0.1',
    says: 'The address to listen on. The default is reached from this machine alone; a container wants 0.0.0.0.',
    read: (raw) => raw ?? '127.0.0.1',
  }),
  PUBLIC_URL: variable({
    fallback: 'http://localhost:PORT',
    says: 'The address that people type. It fixes the origin, the cookies and the domain that passkeys belong to; changing its host later makes existing passkeys useless. Everything but localhost needs https.',
    read: (raw) => {
      if (raw === undefined) return null;
      const url = webUrl(raw, 'the full address of this house');
      if (url.pathname !== '/' || url.search || url.hash || url.username) {
        throw new ConfigProblem(
          'must be an origin alone: a scheme, a host and perhaps a port, without a path',
        );
      }
      return url;
    },
  }),
  DATA_DIR: variable({
    fallback: './data',
    says: 'The folder of the secrets and of the embedded database. It is made with mode 0700.',
    read: (raw) => raw ?? './data',
  }),
  DATABASE_URL: variable({
    fallback: 'the embedded database in DATA_DIR',
    says: 'A PostgreSQL connection, such as postgres://user:password@host:5432/latebra. With it, many servers can share one database.',
    read: (raw) => {
      if (raw === undefined) return null;
      if (!/^postgres(ql)?:\/\//.test(raw))
        throw new ConfigProblem('must begin with postgres:// or postgresql://');
      return raw;
    },
  }),
  SECRET_KEY: variable({
    fallback: 'made at first start, kept in DATA_DIR/secret.key',
    says: 'The secret of this instance: 32 bytes as 64 hex characters. Several servers on one database must share it.',
    read: (raw) => {
      if (raw === undefined) return null;
      if (!/^[0-9a-f]{64}$/i.test(raw))
        throw new ConfigProblem('must be 64 hex characters (openssl rand -hex 32)');
      return Buffer.from(raw, 'hex');
    },
  }),
  TRUSTED_PROXIES: variable({
    fallback: 'none',
    says: 'Addresses or networks of reverse proxies whose X-Forwarded-For and X-Forwarded-Host are believed, separated by commas, such as 127.0.0.1,10.0.0.0/8. Without it, everybody behind a proxy counts as one when attempts are counted.',
    read: (raw) => {
      const items = list(raw);
      if (items.length === 0) return null;
      const trusted = new BlockList();
      for (const item of items) {
        const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(item) ?? [];
        const family = isIP(address);
        const width = family === 6 ? 128 : 32;
        const prefix = bits === undefined ? width : Number(bits);
        if (family === 0 || prefix > width) {
          throw new ConfigProblem(`holds "${item}", which is neither an address nor a network`);
        }
        trusted.addSubnet(address, prefix, family === 6 ? 'ipv6' : 'ipv4');
      }
      return trusted;
    },
  }),
  SESSION_DAYS: variable({
    fallback: '30',
    says: 'After how many days without a visit a session ends by itself.',
    read: wholeNumber(1, 400, 30),
  }),
  OIDC_ISSUER: variable({
    fallback: 'none: the embedded gate at /enter',
    says: 'An OpenID Connect provider that signs people in instead of the embedded gate.',
    read: (raw) => {
      if (raw === undefined) return null;
      const url = webUrl(raw, 'the address of an OpenID provider');
      if (url.protocol !== 'https:' && !isLoopback(url.hostname)) {
        throw new ConfigProblem('must use https, except for a provider on this machine');
      }
      return url;
    },
  }),
  OIDC_CLIENT_ID: variable({
    fallback: 'none',
    says: 'The client id that the provider gave this house. Required with OIDC_ISSUER.',
    read: (raw) => raw ?? null,
  }),
  OIDC_CLIENT_SECRET: variable({
    fallback: 'none: a public client with PKCE',
    says: 'The client secret that the provider gave this house.',
    read: (raw) => raw ?? null,
  }),
  ADMIN_SUBJECTS: variable({
    fallback: 'none',
    says: 'Who keeps this house besides whoever entered the set-up token: subjects of the OpenID provider, or account numbers as Settings shows them, separated by commas.',
    read: (raw) => new Set(list(raw)),
  }),
  METRICS_TOKEN: variable({
    fallback: 'none: /metrics answers 404',
    says: 'The bearer token with which Prometheus may read /metrics; at least 16 characters.',
    read: (raw) => {
      if (raw === undefined) return null;
      if (raw.length < 16) throw new ConfigProblem('must have at least 16 characters');
      return raw;
    },
  }),
  LOG_LEVEL: variable({
    fallback: 'info',
    says: 'How much is logged: fatal, error, warn, info, debug or silent. Contents and keys are logged at no level.',
    read: (raw) => {
      const levels = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'];
      if (raw !== undefined && !levels.includes(raw))
        throw new ConfigProblem(`must be one of ${levels.join(', ')}`);
      return raw ?? 'info';
    },
  }),
};

type Read = { [Name in keyof typeof variables]: ReturnType<(typeof variables)[Name]['read']> };

export interface Config {
  port: Read['PORT'];
  host: Read['HOST'];
  /** Null: only loopback addresses are served, at whatever port they were typed with. */
  publicUrl: Read['PUBLIC_URL'];
  dataDir: Read['DATA_DIR'];
  databaseUrl: Read['DATABASE_URL'];
  secretKey: Read['SECRET_KEY'];
  /** Null when there are none. */
  trustedProxies: Read['TRUSTED_PROXIES'];
  sessionDays: Read['SESSION_DAYS'];
  oidc: { issuer: URL; clientId: string; clientSecret: string | null } | null;
  adminSubjects: Read['ADMIN_SUBJECTS'];
  metricsToken: Read['METRICS_TOKEN'];
  logLevel: Read['LOG_LEVEL'];
}

/** Whether a host name means this machine, in the sense that browsers treat as secure without https. */
export function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname === '[::1]' ||
    hostname === '::1' ||
    /^127(\.\d{1,3}){3}$/.test(hostname)
  );
}

/**
 * Reads and checks an environment. An empty variable counts as absent.
 * @throws ConfigError with one sentence for each mistake
 */
export function readConfig(env: Record<string, string | undefined>): Config {
  const problems: string[] = [];
  const values = Object.fromEntries(
    Object.entries(variables).map(([name, { read }]) => {
      try {
        return [name, read(env[name]?.trim() || undefined)];
      } catch (error) {
        if (!(error instanceof ConfigProblem)) throw error;
        problems.push(`${name} ${error.message}.`);
        return [name, undefined];
      }
    }),
  ) as Read;
  const issuer = values.OIDC_ISSUER;
  const clientId = values.OIDC_CLIENT_ID;
  if (issuer && !clientId) problems.push('OIDC_CLIENT_ID is needed when OIDC_ISSUER is set.');
  if (problems.length > 0) throw new ConfigError(problems);
  return {
    port: values.PORT,
    host: values.HOST,
    publicUrl: values.PUBLIC_URL,
    dataDir: values.DATA_DIR,
    databaseUrl: values.DATABASE_URL,
    secretKey: values.SECRET_KEY,
    trustedProxies: values.TRUSTED_PROXIES,
    sessionDays: values.SESSION_DAYS,
    oidc: issuer && clientId ? { issuer, clientId, clientSecret: values.OIDC_CLIENT_SECRET } : null,
    adminSubjects: values.ADMIN_SUBJECTS,
    metricsToken: values.METRICS_TOKEN,
    logLevel: values.LOG_LEVEL,
  };
}
