// The instances that this one is joined with (`SISTERS`): who they are, and how they are asked. Only origins that the operator
// has listed are ever asked, and their keys are believed only where they make the listed address.
import * as z from 'zod/mini';
import type { SignatureContext } from '../../shared/byte-formats.ts';
import { type ErrorCode, errorCodes } from '../../shared/http/error-codes.ts';
import { MINUTE, SECOND } from '../../shared/time.ts';
import type { ListedSister } from '../config/sisters.ts';
import type { Config } from '../config.ts';
import type { Digests } from '../digests.ts';
import { verifySignature } from './signatures.ts';
import type { SisterIdentity, SisterKeys } from './sister-identity.ts';

const ASKS_FOR = 20 * SECOND;
/** The longest answer is a box with one share. */
const ANSWER_MAX = 64 * 1024;
/** How long keys are believed without asking again. Other keys make another address, so that none can take their place. */
const KEYS_KEPT = 10 * MINUTE;
/** One that has not answered is not asked again for so long: whoever names it here must not have it asked each time. */
const REFUSAL_KEPT = 30 * SECOND;

/** What has answered at another instance's address; null where nothing did. A proxy on the way may have. */
export type SisterAnswer = { status: number; body: unknown } | null;

/** Why the other instance itself has refused, by the code that it gives; null for what is no refusal of its own. */
export function refusalOf(answer: SisterAnswer): ErrorCode | null {
  const code = (answer?.body as { code?: unknown } | null | undefined)?.code;
  if (typeof code !== 'string' || !Object.hasOwn(errorCodes, code)) return null;
  return errorCodes[code as ErrorCode][0] === answer?.status ? (code as ErrorCode) : null;
}

/** What asks for an address; `fetch`, unless a test says otherwise. */
export type AskSister = (url: URL, options: RequestInit) => Promise<Response>;

export interface Heard {
  /** How long ago it answered its keys, in milliseconds; null for never since this server was started. */
  ago: number | null;
  /** What answered the last question; null for nobody. `other`: joined with nobody, or with the keys of another address. */
  last: 'itself' | 'other' | null;
}

export interface Sisters {
  /** This instance's own. */
  origin: string;
  listed: readonly ListedSister[];
  identity(): Promise<SisterIdentity>;
  /** The keys of a listed instance; null where it does not answer, or answers keys of another address. */
  keysOf(sister: ListedSister): Promise<SisterKeys | null>;
  /** What came of the last question for a listed instance's keys. */
  heardOf(sister: ListedSister): Heard;
  /** Posts to a listed instance. It never throws. @param ended ends the wait for its answer */
  ask(sister: ListedSister, path: string, body: object, ended?: AbortSignal): Promise<SisterAnswer>;
  /** A binary age file in base64. */
  seal(recipient: string, text: string): Promise<string>;
  /** @param key, signature base64 */
  verify(key: string, context: SignatureContext, message: Uint8Array, signature: string): boolean;
}

const keysReply = z.object({ recipient: z.string(), verifyingKey: z.string() });

export interface SistersOptions {
  config: Pick<Config, 'publicUrl' | 'sisters'>;
  digests: Pick<Digests, 'keyed'>;
  /** Milliseconds that only ever advance. */
  elapsed: () => number;
  ask?: AskSister;
}

/** @returns null where this instance is joined with none */
export function createSisters({ config, digests, elapsed, ask = fetch }: SistersOptions): Sisters | null {
  const { publicUrl, sisters } = config;
  if (sisters.length === 0 || publicUrl === null) return null;
  let own: Promise<SisterIdentity> | undefined;
  const known = new Map<string, { keys: SisterKeys | null; last: Heard['last']; at: number }>();
  /** When each has answered its keys last. */
  const answered = new Map<string, number>();
  const asking = new Map<string, Promise<SisterKeys | null>>();

  /** Whoever asks while one is asked waits for the same answer. */
  function keysOf(sister: ListedSister): Promise<SisterKeys | null> {
    const { origin } = sister;
    const before = known.get(origin);
    const lasts = before?.keys ? KEYS_KEPT : REFUSAL_KEPT;
    if (before && elapsed() - before.at < lasts) return Promise.resolve(before.keys);
    const underWay =
      asking.get(origin) ??
      askKeys(sister)
        .then(({ keys, last }) => {
          const at = elapsed();
          known.set(origin, { keys, last, at });
          if (keys) answered.set(origin, at);
          return keys;
        })
        .finally(() => asking.delete(origin));
    asking.set(origin, underWay);
    return underWay;
  }

  async function askKeys(sister: ListedSister): Promise<{ keys: SisterKeys | null; last: Heard['last'] }> {
    const answer = await request(ask, new URL('/api/sisters/identity', sister.origin), { method: 'GET' });
    if (refusalOf(answer) === 'not-found') return { keys: null, last: 'other' };
    const keys = keysReply.safeParse(answer?.body);
    if (answer?.status !== 200 || !keys.success) return { keys: null, last: null };
    const { addressOfKeys } = await import('./sister-identity.ts');
    if (addressOfKeys(keys.data) !== sister.address) return { keys: null, last: 'other' };
    const { recipient, verifyingKey } = keys.data;
    return { keys: { address: sister.address, recipient, verifyingKey }, last: 'itself' };
  }

  return {
    origin: publicUrl.origin,
    listed: sisters,
    identity() {
      own ??= import('./sister-identity.ts').then(({ deriveSisterIdentity }) =>
        deriveSisterIdentity(digests),
      );
      return own;
    },
    keysOf,
    heardOf({ origin }) {
      const at = answered.get(origin);
      return { ago: at === undefined ? null : elapsed() - at, last: known.get(origin)?.last ?? null };
    },
    ask: ({ origin }, path, body, ended) =>
      request(ask, new URL(path, origin), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        ...(ended && { signal: ended }),
      }),
    seal: async (recipient, text) => (await import('./sister-identity.ts')).sealToSister(recipient, text),
    verify: verifySignature,
  };
}

async function request(ask: AskSister, url: URL, options: RequestInit): Promise<SisterAnswer> {
  try {
    const tooLong = AbortSignal.timeout(ASKS_FOR);
    // What was listed is asked, and no place that it may send to.
    const response = await ask(url, {
      ...options,
      redirect: 'error',
      signal: options.signal ? AbortSignal.any([options.signal, tooLong]) : tooLong,
    });
    const text = await whole(response);
    return { status: response.status, body: text === '' ? null : JSON.parse(text) };
  } catch {
    return null;
  }
}

async function whole(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of response.body ?? []) {
    parts.push(part);
    length += part.length;
    if (length > ANSWER_MAX) throw new Error('An instance answered too much.');
  }
  return Buffer.concat(parts).toString('utf8');
}
