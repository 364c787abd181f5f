// How single variables are read: each function returns a value, or throws a sentence that repeats nothing it was given.
import { addressProblem } from '../../shared/nouns/scroll-recipients.ts';

/** What is wrong with one variable: what follows its name in a sentence. */
export class ConfigProblem extends Error {}

export function wholeNumber(min: number, max: number, fallback: number) {
  return (raw: string | undefined) => {
    if (raw === undefined) return fallback;
    const value = Number(raw);
    if (!Number.isInteger(value) || value < min || value > max) {
      throw new ConfigProblem(`must be a whole number from ${min} to ${max}`);
    }
    return value;
  };
}

const UNITS = ['', 'K', 'M', 'G', 'T'];

/** Bytes: a whole number, perhaps with a unit of 1,024 behind it. */
export function byteCount(fallback: number) {
  return (raw: string | undefined) => {
    if (raw === undefined) return fallback;
    const [, digits, unit = ''] = /^(\d{1,15})([KMGT]?)$/i.exec(raw) ?? [];
    const value = Number(digits) * 1024 ** UNITS.indexOf(unit.toUpperCase());
    if (!digits || value < 1 || !Number.isSafeInteger(value)) {
      throw new ConfigProblem('must be a number of bytes, such as 500M or 2G');
    }
    return value;
  };
}

export function yesOrNo(raw: string | undefined): boolean {
  if (raw !== undefined && !/^(?:yes|no)$/i.test(raw)) throw new ConfigProblem('must be yes or no');
  return raw?.toLowerCase() === 'yes';
}

export function webUrl(raw: string, what: string): URL {
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

/** Whether a host name means this machine, in the sense that browsers treat as secure without https. */
export function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname === '[::1]' ||
    hostname === '::1' ||
    /^127(\.\d{1,3}){3}$/.test(hostname)
  );
}

/** An address without anything behind its host and port. */
export function originAlone(url: URL): URL {
  if (url.pathname !== '/' || url.search || url.hash || url.username) {
    throw new ConfigProblem('must be an origin alone: a scheme, a host and perhaps a port, without a path');
  }
  return url;
}

/** Whether a part of an address can be decoded: `new URL` leaves a % that encodes nothing as it is. */
export function isPercentEncoded(part: string): boolean {
  try {
    decodeURIComponent(part);
    return true;
  } catch {
    return false;
  }
}

/** Whether a host is one that no other network answers for: this machine, a private address, or a name without a dot. */
export const isNearby = (hostname: string): boolean =>
  /^(?:127|10|192\.168|172\.(?:1[6-9]|2\d|3[01]))(?:\.\d{1,3}){2,3}$/.test(hostname) ||
  /^(?:\[::1\]|[a-z0-9-]+)$/i.test(hostname);

/** The address of a service that is asked by http: what is sent there is not for others to read. */
export function serviceUrl(raw: string, what: string): URL {
  const url = webUrl(raw, what);
  if (url.protocol !== 'https:' && !isNearby(url.hostname)) {
    throw new ConfigProblem('must use https, except for a service on this machine or in a private network');
  }
  if (url.username || url.search || url.hash) throw new ConfigProblem('must hold no user, query or fragment');
  return url;
}

/** The name of a model, as a service is asked for it. */
export function modelName(raw: string | undefined): string | null {
  if (raw !== undefined && (raw.length > 200 || /\p{Cc}/u.test(raw))) {
    throw new ConfigProblem('must be the name of a model');
  }
  return raw ?? null;
}

/** A secret that goes into a header. */
export function apiKey(raw: string | undefined): string | null {
  if (raw !== undefined && !/^[\x21-\x7e]{1,1000}$/.test(raw)) {
    throw new ConfigProblem('must be letters, digits and signs without spaces');
  }
  return raw ?? null;
}

/** Who mail comes from. */
export interface Sender {
  /** Empty for an address alone. */
  name: string;
  address: string;
}

export function smtpUrl(raw: string): URL {
  const parts = /^smtps?:\/\/(?:[^\s/?#@]+@)?(?:\[[0-9a-f:.]+\]|[^\s/?#@:[\]]+)(?::\d{1,5})?\/?$/i;
  try {
    if (!parts.test(raw)) throw new TypeError();
    const url = new URL(raw);
    decodeURIComponent(url.username + url.password);
    return url;
  } catch {
    throw new ConfigProblem(
      'must be smtps:// or smtp://, perhaps user:password@, a host and perhaps a port; in a password, write @ / ? # % as %40 %2F %3F %23 %25',
    );
  }
}

export function sender(raw: string): Sender {
  const [, name = '', inside = ''] = /^(?:"?([^<>"]*?)"?\s*<([^<>]*)>)$/.exec(raw) ?? [undefined, '', raw];
  const address = inside.trim();
  if (/\p{Cc}/u.test(raw) || addressProblem('email', address) !== null) {
    throw new ConfigProblem('must be an address, such as vault@example.org or Latebra <vault@example.org>');
  }
  return { name: name.trim(), address };
}

export const list = (raw: string | undefined) =>
  (raw ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** An address on Solana: 32 bytes in base58. */
export function chainAddress(raw: string): string {
  const [, zeros = '', rest = ''] = /^(1*)([1-9A-HJ-NP-Za-km-z]*)$/.exec(raw.slice(0, 45)) ?? [];
  const value = [...rest].reduce((sum, sign) => sum * 58n + BigInt(BASE58.indexOf(sign)), 0n);
  const bytes = zeros.length + (value === 0n ? 0 : Math.ceil(value.toString(16).length / 2));
  if (raw.length > 44 || zeros.length + rest.length !== raw.length || bytes !== 32) {
    throw new ConfigProblem('must be a Solana address: 32 bytes in base58');
  }
  return raw;
}

/** A key or an identifier of the payment provider's. What is wrong is said without repeating it: it may be a secret. */
export const stripeToken = (shape: RegExp, what: string) => (raw: string | undefined) => {
  if (raw !== undefined && !shape.test(raw)) throw new ConfigProblem(`must be ${what}`);
  return raw ?? null;
};
