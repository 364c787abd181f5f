// Every configuration variable, on one page: its name, its default, what it means and how it is read.
// docs/configuration.md is generated from this table. Only main.ts hands the environment in.
import { BlockList, isIP } from 'node:net';
import { SESSION_DAYS_MAX } from '../shared/nouns/account.ts';
import { signUpModes } from '../shared/nouns/sign-up.ts';
import { SECOND } from '../shared/time.ts';
import {
  apiKey,
  byteCount,
  ConfigProblem,
  chainAddress,
  isPercentEncoded,
  list,
  modelName,
  type Sender,
  sender,
  serviceUrl,
  smtpUrl,
  stripeToken,
  webUrl,
  wholeNumber,
  yesOrNo,
} from './config-readers.ts';

interface Variable<T> {
  /** Shown in the documentation; what happens when the variable is not set. */
  fallback: string;
  says: string;
  /** Returns the value, or throws a ConfigProblem with a sentence. */
  read: (raw: string | undefined) => T;
}

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
    says: 'The address that people type. It fixes the origin, the cookies and the domain that passkeys belong to. Changing it later makes existing passphrases useless, and passkeys too if the host changes. Everything but localhost needs https.',
    read: (raw) => {
      if (raw === undefined) return null;
      const url = webUrl(raw, 'the full address of this server');
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
  HSTS_SUBDOMAINS: variable({
    fallback: 'no',
    says: 'Whether browsers are told to use https for every subdomain of this host as well, for two years: yes or no. Say yes only where all of them have https. Needs a PUBLIC_URL with https.',
    read: yesOrNo,
  }),
  SESSION_DAYS: variable({
    fallback: '30',
    says: `After how many days without a visit a session ends by itself, ${SESSION_DAYS_MAX} at most. It ends ${SESSION_DAYS_MAX} days after signing in even if it is used every day.`,
    read: wholeNumber(1, SESSION_DAYS_MAX, 30),
  }),
  SIGN_UP: variable({
    fallback: 'the administrator decides in Settings; open at first',
    says: 'Who may create an account: open (everybody), invitation (whoever has a one-time invitation from an administrator) or closed (nobody). While there is no administrator, the set-up token counts as an invitation in either case, and whom ADMIN_SUBJECTS names by a subject always may.',
    read: (raw) => {
      if (raw === undefined) return null;
      const mode = signUpModes.find((known) => known === raw);
      if (!mode) throw new ConfigProblem(`must be one of ${signUpModes.join(', ')}`);
      return mode;
    },
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
    says: 'The client id that the provider gave this server. Required with OIDC_ISSUER.',
    read: (raw) => raw ?? null,
  }),
  OIDC_CLIENT_SECRET: variable({
    fallback: 'none: a public client with PKCE',
    says: 'The client secret that the provider gave this server.',
    read: (raw) => raw ?? null,
  }),
  ADMIN_SUBJECTS: variable({
    fallback: 'none',
    says: 'Who administers this server besides the person who entered the set-up token: subjects of the OpenID provider, or account numbers as Settings shows them, separated by commas.',
    read: (raw) => new Set(list(raw)),
  }),
  SMTP_URL: variable({
    fallback: 'none: mail waits in the outbox, and an administrator passes it on',
    says: 'The mail server that Latebra sends through, such as smtps://user:password@mail.example.org or smtp://user:password@mail.example.org:587. Both are encrypted and checked, smtp:// by STARTTLS; only a server on this machine may do without. The port is 465 for smtps:// and 587 for smtp:// unless told. Needs MAIL_FROM and PUBLIC_URL.',
    read: (raw) => (raw === undefined ? null : smtpUrl(raw)),
  }),
  MAIL_FROM: variable({
    fallback: 'none',
    says: 'Whom mail comes from, such as Latebra <vault@example.org>. Required with SMTP_URL.',
    read: (raw) => (raw === undefined ? null : sender(raw)),
  }),
  TWILIO_ACCOUNT_SID: variable({
    fallback: 'none: text messages wait in the outbox, and an administrator passes them on',
    says: 'The account at Twilio that sends text messages: AC and 32 hex characters. Needs TWILIO_AUTH_TOKEN, TWILIO_FROM and PUBLIC_URL.',
    read: (raw) => {
      if (raw === undefined) return null;
      if (!/^AC[0-9a-f]{32}$/i.test(raw)) throw new ConfigProblem('must be AC and 32 hex characters');
      return raw;
    },
  }),
  TWILIO_AUTH_TOKEN: variable({
    fallback: 'none',
    says: 'The secret of the account at Twilio.',
    read: (raw) => raw ?? null,
  }),
  TWILIO_FROM: variable({
    fallback: 'none',
    says: 'Whom text messages come from: a number such as +447700900123, a messaging service (MG and 32 hex characters), a short code, or a name of up to eleven letters and digits where the country allows it.',
    read: (raw) => {
      if (raw === undefined) return null;
      const kinds = [/^\+[1-9]\d{6,14}$/, /^MG[0-9a-f]{32}$/i, /^\d{3,8}$/, /^(?=.*[a-z])[a-z0-9 ]{1,11}$/i];
      if (!kinds.some((kind) => kind.test(raw))) {
        throw new ConfigProblem(
          'must be a number such as +447700900123, a messaging service, a short code, or a name of up to eleven letters and digits',
        );
      }
      return raw;
    },
  }),
  TWILIO_URL: variable({
    fallback: 'https://api.twilio.com',
    says: 'Where Twilio is asked: another address for a proxy or a rehearsal.',
    read: (raw) => {
      const url = webUrl(raw ?? 'https://api.twilio.com', 'the address of Twilio or a proxy to it');
      if (url.protocol !== 'https:' && !isLoopback(url.hostname)) {
        throw new ConfigProblem('must use https, except for a proxy on this machine');
      }
      if (url.username || url.search || url.hash)
        throw new ConfigProblem('must hold no user, query or fragment');
      return url;
    },
  }),
  STT_BASE_URL: variable({
    fallback:
      'none: recordings are transcribed by pocketsphinx where this machine has it, and otherwise by nobody',
    says: 'A service that turns speech into text: the base of an interface like OpenAI’s, such as https://stt.example.org/v1. Recordings are sent to /audio/transcriptions below it. It needs https, except on this machine and in a private network. Needs ffmpeg on the PATH.',
    read: (raw) =>
      raw === undefined ? null : serviceUrl(raw, 'the address of a service that turns speech into text'),
  }),
  STT_MODEL: variable({
    fallback: 'whisper-1',
    says: 'The model that this service is asked for.',
    read: (raw) => modelName(raw) ?? 'whisper-1',
  }),
  STT_API_KEY: variable({
    fallback: 'none',
    says: 'The secret that this service asks for, which is sent as a bearer token.',
    read: apiKey,
  }),
  LLM_BASE_URL: variable({
    fallback: 'none: the Loom makes stories in the browser, and no model reads any words',
    says: 'A language model that writes stories: the base of an interface like OpenAI’s, such as http://127.0.0.1:11434/v1 for Ollama. The words that people send for a story go to /chat/completions below it. It needs https, except on this machine and in a private network. Needs LLM_MODEL.',
    read: (raw) => (raw === undefined ? null : serviceUrl(raw, 'the address of a language model’s service')),
  }),
  LLM_MODEL: variable({
    fallback: 'none',
    says: 'The model that this service is asked for, such as llama3.1:8b. People read its name, and the service’s host, before they send their words. Required with LLM_BASE_URL.',
    read: modelName,
  }),
  LLM_API_KEY: variable({
    fallback: 'none',
    says: 'The secret that this service asks for, which is sent as a bearer token.',
    read: apiKey,
  }),
  LLM_CONCURRENCY: variable({
    fallback: '2',
    says: 'How many stories the model writes at once for this process; a few more wait in line. A model on one graphics card or processor seldom gains from more than two.',
    read: wholeNumber(1, 100, 2),
  }),
  LLM_STORIES_A_DAY: variable({
    fallback: '30',
    says: 'How many stories one account may have written in 24 hours. Stories that failed do not count.',
    read: wholeNumber(1, 10_000, 30),
  }),
  TRANSCRIPTIONS_PER_DAY: variable({
    fallback: '500',
    says: 'How many recordings the whole server transcribes in 24 hours, at least 10. Half of them are for people who are signed in, and half for everybody else. One account, and one address that is not signed in, has a tenth.',
    read: wholeNumber(10, 10_000_000, 500),
  }),
  MESSAGES_PER_ADDRESS: variable({
    fallback: '20',
    says: 'How many messages one mailbox or telephone is sent in 24 hours, whoever wrote them. Warnings to an address that its owner has proved count apart, up to the same number. Whatever exceeds this limit, or one of the next four, waits in the outbox and leaves later.',
    read: wholeNumber(1, 100_000, 20),
  }),
  ADDRESS_PROOFS_PER_ADDRESS: variable({
    fallback: '3',
    says: 'How many of these may be mails that ask for the proof of an address.',
    read: wholeNumber(1, 100_000, 3),
  }),
  MESSAGES_PER_ACCOUNT: variable({
    fallback: '50',
    says: 'How many messages leave for one account in 24 hours.',
    read: wholeNumber(1, 100_000, 50),
  }),
  MAILS_PER_DAY: variable({
    fallback: '1000',
    says: 'How many mails the whole server sends in 24 hours. Keep it below what your mail server accepts.',
    read: wholeNumber(1, 10_000_000, 1000),
  }),
  TEXTS_PER_DAY: variable({
    fallback: '100',
    says: 'How many text messages the whole server sends in 24 hours.',
    read: wholeNumber(1, 10_000_000, 100),
  }),
  QUOTA_BYTES: variable({
    fallback: '1G',
    says: 'How many bytes an account may store: a whole number, perhaps with K, M, G or T behind it for units of 1,024. An account above it keeps what it has, and can read, export and delete it.',
    read: byteCount(2 ** 30),
  }),
  QUOTA_ROWS: variable({
    fallback: '100000',
    says: 'How many rows an account may store: entries, links, scrolls, keys and messages together.',
    read: wholeNumber(1, 2 ** 31, 100_000),
  }),
  TOKEN_MINT: variable({
    fallback: 'none: the gathering says "The Threshold Awaits"',
    says: 'The mint of the token whose holders gather, as its Solana address; of the Token or the Token-2022 program.',
    read: (raw) => (raw === undefined ? null : chainAddress(raw)),
  }),
  SOLANA_RPC_URL: variable({
    fallback: 'https://api.mainnet-beta.solana.com',
    says: 'The Solana JSON-RPC that the holders are read from. It may hold a key of yours, and is never logged. Nothing is asked of it without TOKEN_MINT.',
    read: (raw) => {
      const url = webUrl(raw ?? 'https://api.mainnet-beta.solana.com', 'the address of a Solana JSON-RPC');
      if (url.protocol !== 'https:' && !isLoopback(url.hostname)) {
        throw new ConfigProblem('must use https, except for a chain on this machine');
      }
      if (!isPercentEncoded(url.username) || !isPercentEncoded(url.password)) {
        throw new ConfigProblem('must have every % in its name and password written as %25');
      }
      return url;
    },
  }),
  TOKEN_EXCLUDE: variable({
    fallback: 'none',
    says: 'Owners who are no holders, as Solana addresses separated by commas: a treasury, an exchange. Pools and other owners that are programs are none anyway.',
    read: (raw) => new Set(list(raw).map(chainAddress)),
  }),
  HOLDER_REFRESH_SECONDS: variable({
    fallback: '60',
    says: 'How many seconds pass between two readings of the holders, at least 10. One server of a database reads for all.',
    read: wholeNumber(10, 86_400, 60),
  }),
  PUZZLE_FILE: variable({
    fallback: 'the puzzle that is shipped',
    says: 'A JSON file with the texts, hex strings and the phrase of the game, in place of those that are shipped and known to whoever reads the source. docs/game.md says what is in it. It is read at the start.',
    read: (raw) => raw ?? null,
  }),
  STRIPE_SECRET_KEY: variable({
    fallback: 'none: payments are off, there are no plans, and every feature is open to every account',
    says: 'The secret or restricted API key of an account at Stripe, which sells the Enhanced plan (docs/payments.md). Needs STRIPE_PUBLISHABLE_KEY, STRIPE_WEBHOOK_SECRET and STRIPE_PRICE. It is never logged.',
    read: stripeToken(/^(?:sk|rk)_(?:test|live)_\w+$/, 'a secret key of Stripe, such as sk_live_…'),
  }),
  STRIPE_PUBLISHABLE_KEY: variable({
    fallback: 'none',
    says: 'The publishable API key of the same account, with which browsers finish a payment.',
    read: stripeToken(/^pk_(?:test|live)_\w+$/, 'a publishable key of Stripe, such as pk_live_…'),
  }),
  STRIPE_WEBHOOK_SECRET: variable({
    fallback: 'none',
    says: 'The signing secret of the webhook endpoint PUBLIC_URL/api/stripe/webhook. Several secrets, separated by commas, are all believed, for the time in which one replaces another.',
    read: (raw) => {
      const secrets = list(raw);
      if (secrets.some((secret) => !/^whsec_[\w+/=]+$/.test(secret))) {
        throw new ConfigProblem('must be the signing secret of a webhook endpoint, such as whsec_…');
      }
      return secrets;
    },
  }),
  STRIPE_PRICE: variable({
    fallback: 'none',
    says: 'The monthly price that the plan is sold at: the id of a price (price_…) or its lookup key. What it costs is shown as Stripe has it.',
    read: stripeToken(/^[\w.:-]{1,200}$/, 'the id or the lookup key of a price'),
  }),
  CHECKOUT_ORIGIN: variable({
    fallback: 'on this machine alone http://127.0.0.1:PORT beside http://localhost:PORT; elsewhere none',
    says: 'A second origin of this server, on which the payment document stands with the script of Stripe, such as https://pay.example.org. Its host must be another one than that of PUBLIC_URL and no subdomain of it, because that script must never run where vaults are opened or their passkeys can be asked for. With none, checkout leads to a page of Stripe’s own.',
    read: (raw) => {
      if (raw === undefined) return null;
      if (raw === 'none') return 'none';
      const url = webUrl(raw, 'the origin of the payment document');
      if (url.pathname !== '/' || url.search || url.hash || url.username) {
        throw new ConfigProblem(
          'must be an origin alone: a scheme, a host and perhaps a port, without a path',
        );
      }
      if (url.protocol !== 'https:' && !isLoopback(url.hostname)) {
        throw new ConfigProblem('must use https, except on this machine');
      }
      return url;
    },
  }),
  STRIPE_API_BASE: variable({
    fallback: 'https://api.stripe.com',
    says: 'Where Stripe is asked, for a rehearsal with a stand-in on this machine; no other address is taken.',
    read: (raw) => {
      if (raw === undefined) return null;
      const url = webUrl(raw, 'the address of a stand-in on this machine');
      if (!isLoopback(url.hostname) || url.pathname !== '/' || url.username || url.search || url.hash) {
        throw new ConfigProblem('must be an origin on this machine, such as http://127.0.0.1:12111');
      }
      return url;
    },
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
  SWITCH_RESUME: variable({
    fallback:
      'after 90 days: a paused dead man’s switch goes on by itself when nobody has answered for so long',
    says: 'Where it is never, a dead man’s switch that was paused, because its database was restored or has another key, waits for its administrator for ever. Otherwise it goes on by itself when 90 days were counted since a mail that told an author of it was accepted: the administrator may be the one who died.',
    read: (raw) => {
      if (raw !== undefined && raw !== 'never') throw new ConfigProblem('must be never, or left out');
      return raw ?? 'after-long';
    },
  }),
  WATCHDOG_URL: variable({
    fallback: 'none',
    says: 'An address that is asked for by GET after each minute that the dead man’s switch has counted: that of a service which raises the alarm when this stops, such as the ping address of a check at Healthchecks. It is never logged. While the switch is paused or PUBLIC_URL does not answer, it is not asked for.',
    read: (raw) => {
      if (raw === undefined) return null;
      const url = webUrl(raw, 'the address of a service that watches this server');
      if (url.username || url.password) throw new ConfigProblem('must hold no user and no password');
      return url;
    },
  }),
  SOURCE_URL: variable({
    fallback: 'the sources that this server was built from, as a zip at /source',
    says: 'Where the source code of the version that runs here can be had, such as a tag in a repository. The links “Source code” lead there. The licence (AGPL) asks everybody who runs a changed version to offer its source to those who use it.',
    read: (raw) => (raw === undefined ? null : webUrl(raw, 'the address of the source code')),
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
  /** Whether HSTS binds the subdomains of this host, too. */
  hstsSubdomains: Read['HSTS_SUBDOMAINS'];
  sessionDays: Read['SESSION_DAYS'];
  /** Null: the administrator's switch in Settings decides. */
  signUp: Read['SIGN_UP'];
  oidc: { issuer: URL; clientId: string; clientSecret: string | null } | null;
  adminSubjects: Read['ADMIN_SUBJECTS'];
  /** Null: mail waits in the outbox. */
  mail: { url: URL; from: Sender } | null;
  /** Null: text messages wait in the outbox. */
  sms: { url: URL; accountSid: string; authToken: string; from: string } | null;
  /** Null: no service is asked to turn speech into text. */
  stt: { url: URL; model: string; apiKey: string | null } | null;
  /** Null: no language model writes stories. */
  llm: { url: URL; model: string; apiKey: string | null } | null;
  /** Stories that the model writes at once for this process. */
  llmConcurrency: Read['LLM_CONCURRENCY'];
  /** For each account, in 24 hours. */
  storiesADay: Read['LLM_STORIES_A_DAY'];
  /** Recordings that are transcribed in 24 hours, by all servers of a database together. */
  transcriptionsPerDay: Read['TRANSCRIPTIONS_PER_DAY'];
  /** Folders in which programs are looked for, separated as the system does. */
  searchPath: string;
  /** How many messages may leave in 24 hours of counted time. */
  messageLimits: {
    perAddress: Read['MESSAGES_PER_ADDRESS'];
    proofsPerAddress: Read['ADDRESS_PROOFS_PER_ADDRESS'];
    perAccount: Read['MESSAGES_PER_ACCOUNT'];
    mails: Read['MAILS_PER_DAY'];
    texts: Read['TEXTS_PER_DAY'];
  };
  quota: {
    /** For each account. */
    bytes: Read['QUOTA_BYTES'];
    rows: Read['QUOTA_ROWS'];
  };
  /** Null: there is no token, and nobody holds it. */
  token: {
    /** Its mint's address. */
    mint: string;
    rpcUrl: Read['SOLANA_RPC_URL'];
    /** Owners who are no holders. */
    exclude: Read['TOKEN_EXCLUDE'];
  } | null;
  /** How often the holders are read, in milliseconds. */
  holderRefresh: number;
  /** Null: the one that is shipped. */
  puzzleFile: Read['PUZZLE_FILE'];
  /** Null: payments are off, and every feature is open. */
  payments: {
    secretKey: string;
    publishableKey: string;
    /** Signatures by any of them count. */
    webhookSecrets: readonly string[];
    /** The id of a price, or its lookup key. */
    price: string;
    /** Null: the vendor's own. */
    apiBase: URL | null;
    /**
     * Where the payment document stands. `loopback`: at 127.0.0.1 and the port at which `localhost` was typed. Null:
     * nowhere, and the vendor's own page takes payments.
     */
    checkoutOrigin: URL | 'loopback' | null;
  } | null;
  metricsToken: Read['METRICS_TOKEN'];
  /** Null: the archive that the build made. */
  watchdogUrl: Read['WATCHDOG_URL'];
  /** Whether a paused switch goes on by itself when nobody has answered for long. */
  switchResume: 'never' | 'after-long';
  sourceUrl: Read['SOURCE_URL'];
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
  if (values.HSTS_SUBDOMAINS && values.PUBLIC_URL?.protocol !== 'https:') {
    problems.push('HSTS_SUBDOMAINS needs a PUBLIC_URL with https.');
  }
  if (values.STT_API_KEY && !env.STT_BASE_URL?.trim()) {
    problems.push('STT_BASE_URL is needed when STT_API_KEY is set.');
  }
  problems.push(...modelProblems(env), ...transportProblems(env, values), ...paymentProblems(env, values));
  if (problems.length > 0) throw new ConfigError(problems);
  return {
    port: values.PORT,
    host: values.HOST,
    publicUrl: values.PUBLIC_URL,
    dataDir: values.DATA_DIR,
    databaseUrl: values.DATABASE_URL,
    secretKey: values.SECRET_KEY,
    trustedProxies: values.TRUSTED_PROXIES,
    hstsSubdomains: values.HSTS_SUBDOMAINS,
    sessionDays: values.SESSION_DAYS,
    signUp: values.SIGN_UP,
    oidc: issuer && clientId ? { issuer, clientId, clientSecret: values.OIDC_CLIENT_SECRET } : null,
    adminSubjects: values.ADMIN_SUBJECTS,
    ...transportsOf(values),
    stt: values.STT_BASE_URL && {
      url: values.STT_BASE_URL,
      model: values.STT_MODEL,
      apiKey: values.STT_API_KEY,
    },
    llm:
      values.LLM_BASE_URL && values.LLM_MODEL !== null
        ? { url: values.LLM_BASE_URL, model: values.LLM_MODEL, apiKey: values.LLM_API_KEY }
        : null,
    llmConcurrency: values.LLM_CONCURRENCY,
    storiesADay: values.LLM_STORIES_A_DAY,
    transcriptionsPerDay: values.TRANSCRIPTIONS_PER_DAY,
    searchPath: env.PATH ?? '',
    messageLimits: {
      perAddress: values.MESSAGES_PER_ADDRESS,
      proofsPerAddress: values.ADDRESS_PROOFS_PER_ADDRESS,
      perAccount: values.MESSAGES_PER_ACCOUNT,
      mails: values.MAILS_PER_DAY,
      texts: values.TEXTS_PER_DAY,
    },
    quota: {
      bytes: values.QUOTA_BYTES,
      rows: values.QUOTA_ROWS,
    },
    token: values.TOKEN_MINT
      ? { mint: values.TOKEN_MINT, rpcUrl: values.SOLANA_RPC_URL, exclude: values.TOKEN_EXCLUDE }
      : null,
    holderRefresh: values.HOLDER_REFRESH_SECONDS * SECOND,
    puzzleFile: values.PUZZLE_FILE,
    payments: paymentsOf(values),
    metricsToken: values.METRICS_TOKEN,
    watchdogUrl: values.WATCHDOG_URL,
    switchResume: values.SWITCH_RESUME as Config['switchResume'],
    sourceUrl: values.SOURCE_URL,
    logLevel: values.LOG_LEVEL,
  };
}

/** What is missing beside what was set of the language model. */
function modelProblems(env: Record<string, string | undefined>): string[] {
  const isSet = (name: keyof Read) => Boolean(env[name]?.trim());
  if (isSet('LLM_BASE_URL')) {
    return isSet('LLM_MODEL') ? [] : ['LLM_MODEL is needed when LLM_BASE_URL is set.'];
  }
  return (['LLM_MODEL', 'LLM_API_KEY'] as const)
    .filter(isSet)
    .map((name) => `LLM_BASE_URL is needed when ${name} is set.`);
}

const TWILIO = ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_FROM'] as const;

/** What is missing beside what was set, whether or not that could be read. */
function transportProblems(env: Record<string, string | undefined>, values: Read): string[] {
  const isSet = (name: keyof Read) => Boolean(env[name]?.trim());
  const problems: string[] = [];
  if (isSet('SMTP_URL') && !isSet('MAIL_FROM')) {
    problems.push('MAIL_FROM is needed when SMTP_URL is set.');
  }
  const missing = TWILIO.filter((name) => !isSet(name));
  if (missing.length > 0 && missing.length < TWILIO.length) {
    problems.push(`${TWILIO.join(', ')} belong together, and ${missing.join(' and ')} is missing.`);
  }
  const sends = isSet('SMTP_URL') ? 'SMTP_URL' : missing.length === 0 ? TWILIO[0] : null;
  if (sends && values.PUBLIC_URL === null) {
    problems.push(`PUBLIC_URL is needed when ${sends} is set: messages carry links to this server.`);
  }
  return problems;
}

function transportsOf(values: Read): Pick<Config, 'mail' | 'sms'> {
  const { SMTP_URL, MAIL_FROM, TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN, TWILIO_FROM, TWILIO_URL } = values;
  return {
    mail: SMTP_URL && MAIL_FROM && { url: SMTP_URL, from: MAIL_FROM },
    sms:
      TWILIO_ACCOUNT_SID && TWILIO_AUTH_TOKEN && TWILIO_FROM
        ? { url: TWILIO_URL, accountSid: TWILIO_ACCOUNT_SID, authToken: TWILIO_AUTH_TOKEN, from: TWILIO_FROM }
        : null,
  };
}

const STRIPE = [
  'STRIPE_SECRET_KEY',
  'STRIPE_PUBLISHABLE_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'STRIPE_PRICE',
] as const;

/** What is missing or does not fit together of the payments. */
function paymentProblems(env: Record<string, string | undefined>, values: Read): string[] {
  const isSet = (name: keyof Read) => Boolean(env[name]?.trim());
  const missing = STRIPE.filter((name) => !isSet(name));
  if (missing.length === STRIPE.length) {
    const alone = (['CHECKOUT_ORIGIN', 'STRIPE_API_BASE'] as const).filter(isSet);
    return alone.map((name) => `${STRIPE.join(', ')} are needed when ${name} is set.`);
  }
  const problems: string[] = [];
  if (missing.length > 0) {
    problems.push(`${STRIPE.join(', ')} belong together, and ${missing.join(' and ')} is missing.`);
  }
  const modes = [values.STRIPE_SECRET_KEY, values.STRIPE_PUBLISHABLE_KEY].map((key) => key?.split('_')[1]);
  if (modes[0] && modes[1] && modes[0] !== modes[1]) {
    problems.push('STRIPE_SECRET_KEY and STRIPE_PUBLISHABLE_KEY must both be live keys, or both test keys.');
  }
  const [vault, checkout] = [values.PUBLIC_URL, values.CHECKOUT_ORIGIN];
  if (checkout instanceof URL) {
    // Cookies do not tell ports apart.
    const [vaultHost, checkoutHost] = [vault?.hostname ?? 'localhost', checkout.hostname].map(
      withoutFinalDot,
    );
    if (checkoutHost === vaultHost) {
      problems.push('CHECKOUT_ORIGIN must have another host than PUBLIC_URL: another port is not enough.');
    }
    // Browsers let a page below a host ask for that host's passkeys, and a passkey's secret unwraps the vault's key.
    if (checkoutHost?.endsWith(`.${vaultHost}`)) {
      problems.push(
        'CHECKOUT_ORIGIN must not be a subdomain of PUBLIC_URL, whose passkeys its pages could ask for: give it a name beside it.',
      );
    }
    if (!isLoopback(vault?.hostname ?? 'localhost') && isLoopback(checkout.hostname)) {
      problems.push('CHECKOUT_ORIGIN is on this machine alone, and PUBLIC_URL is not.');
    }
  }
  return problems;
}

/** A name in DNS is the same one with a dot at its end. */
const withoutFinalDot = (hostname: string) => hostname.replace(/\.$/, '');

function paymentsOf(values: Read): Config['payments'] {
  const { STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY, STRIPE_WEBHOOK_SECRET, STRIPE_PRICE } = values;
  if (!STRIPE_SECRET_KEY || !STRIPE_PUBLISHABLE_KEY || !STRIPE_PRICE) return null;
  const isLocal = values.PUBLIC_URL === null || values.PUBLIC_URL.hostname === 'localhost';
  const given = values.CHECKOUT_ORIGIN;
  return {
    secretKey: STRIPE_SECRET_KEY,
    publishableKey: STRIPE_PUBLISHABLE_KEY,
    webhookSecrets: STRIPE_WEBHOOK_SECRET,
    price: STRIPE_PRICE,
    apiBase: values.STRIPE_API_BASE,
    checkoutOrigin: given instanceof URL ? given : given === null && isLocal ? 'loopback' : null,
  };
}
