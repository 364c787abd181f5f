// What a page for the heirs may know: of the configuration nothing that is secret. Of an address that may hold a password
// or a key only its host is taken, and of one whose host may hold one not even that.
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { isLoopback } from '../config/readers.ts';
import { type Config, variables } from '../config.ts';
import type { Dependents } from '../deadman/heir-store.ts';
import { lookedAtAddress } from '../deadman/watchdog/outside-look.ts';
import type { Note } from './note.ts';
import type { Way } from './way.ts';

export interface Facts {
  /** The calendar's time. */
  at: number;
  version: string;
  /** What people type. */
  origin: string;
  /** Null: it is reached on its own machine, or by a number, and nobody pays for a name. */
  domain: string | null;
  /** Whether it is reached on its own machine alone. */
  isHereAlone: boolean;
  hasHttps: boolean;
  /** Absolute, as the folder below. */
  programDir: string;
  dataDir: string;
  way: Way;
  /** Whether the data folder is where the program looks for it when nothing is set. */
  isUsualDataDir: boolean;
  /** Null: embedded, in the data folder. */
  postgres: { place: DatabasePlace | null } | null;
  /** Whether the secret of this instance is among the settings, and not in the data folder. */
  hasSecretInSettings: boolean;
  /** Names of the variables that are set. */
  settings: string[];
  mail: { host: string; from: string; domain: string } | null;
  sendsTexts: boolean;
  payments: { secondHost: string | null } | null;
  /** Whether something in front of it is believed. */
  hasProxy: boolean;
  signInHost: string | null;
  modelHost: string | null;
  speechHost: string | null;
  readsChain: boolean;
  isWatched: boolean;
  reportsTo: string | null;
  /** Whether a pause ends by itself after long. */
  pauseEnds: boolean;
  dependents: Dependents | { problem: string };
  note: Note;
}

export interface DatabasePlace {
  host: string;
  name: string;
}

/** What is found elsewhere than in the configuration. */
export type Found = Pick<Facts, 'at' | 'version' | 'programDir' | 'way' | 'settings' | 'dependents' | 'note'>;

export function factsOf(config: Config, found: Found): Facts {
  const { publicUrl, port, dataDir, databaseUrl, mail, payments } = config;
  const host = publicUrl?.hostname ?? 'localhost';
  return {
    ...found,
    origin: publicUrl?.origin ?? `http://localhost:${port}`,
    isHereAlone: isLoopback(host),
    domain: isLoopback(host) || isAddress(host) ? null : host,
    hasHttps: publicUrl?.protocol === 'https:',
    dataDir: resolve(dataDir),
    isUsualDataDir: resolve(dataDir) === resolve(found.programDir, 'data'),
    postgres: databaseUrl === null ? null : { place: placeOf(databaseUrl) },
    hasSecretInSettings: config.secretKey !== null,
    mail: mail && {
      host: mail.url.hostname,
      from: mail.from.address,
      domain: mail.from.address.slice(mail.from.address.lastIndexOf('@') + 1),
    },
    sendsTexts: config.sms !== null,
    payments: payments && {
      secondHost: payments.checkoutOrigin instanceof URL ? payments.checkoutOrigin.hostname : null,
    },
    hasProxy: config.trustedProxies !== null,
    signInHost: config.oidc?.issuer.hostname ?? null,
    modelHost: config.llm?.url.hostname ?? null,
    speechHost: config.stt?.url.hostname ?? null,
    readsChain: config.token !== null,
    isWatched: config.watchdogUrl !== null,
    reportsTo: config.securityContact?.replace(/^mailto:/, '') ?? null,
    pauseEnds: config.switchResume !== 'never' && lookedAtAddress(config) !== null,
  };
}

const isAddress = (host: string) => isIP(host.replace(/^\[|\]$/g, '')) !== 0;

/**
 * The host and the name of a database. Null where it cannot be told for certain what is a password: one with an unwritten
 * / ? or # ends where a host, a path or a query seems to begin.
 */
function placeOf(databaseUrl: string): DatabasePlace | null {
  const url = URL.canParse(databaseUrl) ? new URL(databaseUrl) : null;
  if (!url || /@/.test(url.pathname + url.search + url.hash)) return null;
  const [, name] = /^\/([\w-]{1,63})$/.exec(url.pathname) ?? [];
  if (!name || !/^(?:[\w.-]+|\[[\da-f:.]+\])$/i.test(url.hostname)) return null;
  return { host: url.hostname, name };
}

/** Where somebody can see whether the address answers. */
export const whereOpened = ({ isHereAlone }: Facts): string =>
  isHereAlone ? 'in a browser on this machine' : 'in a browser on another computer, or on a telephone';

/** The names of the variables that an environment sets. */
export const settingsIn = (env: Readonly<Record<string, string | undefined>>): string[] =>
  Object.keys(variables).filter((name) => env[name]?.trim());
