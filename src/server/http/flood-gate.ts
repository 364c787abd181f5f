// Slows down whoever sends far more requests than a person at a browser could. In memory: it guards this process.
import type { MiddlewareHandler } from 'hono';
import { isLoopback } from '../config.ts';
import type { Deps } from '../deps.ts';
import { tooMany } from '../errors.ts';
import { addressBucket, clientAddress, comesThroughTrustedProxy } from './client-address.ts';

/** Opening 10,000 entries takes 20 requests; this leaves room for a household behind one address. */
export const REQUESTS_PER_MINUTE = 6000;
const MINUTE = 60_000;

export function floodGate({ config, now, log }: Pick<Deps, 'config' | 'now' | 'log'>): MiddlewareHandler {
  let warned = false;
  let windowBegan = 0;
  let counts = new Map<string, number>();
  return async (c, next) => {
    if (!warned && c.req.header('x-forwarded-for') !== undefined && !comesThroughTrustedProxy(config, c)) {
      warned = true;
      log.warn('a proxy that TRUSTED_PROXIES does not name forwards requests: all who use it count as one');
    }
    const address = clientAddress(config, c);
    // This machine floods nobody but itself; and a proxy on it that was not declared must not make everyone one.
    if (address !== '' && !isLoopback(address)) {
      const time = now();
      if (time >= windowBegan + MINUTE || time < windowBegan) {
        windowBegan = time;
        counts = new Map();
      }
      const bucket = addressBucket(address);
      const count = (counts.get(bucket) ?? 0) + 1;
      counts.set(bucket, count);
      if (count > REQUESTS_PER_MINUTE) throw tooMany(windowBegan + MINUTE - time);
    }
    await next();
  };
}
