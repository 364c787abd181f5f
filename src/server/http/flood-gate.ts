// Holds back an address that sends far more requests than people at browsers could, in a minute or at once. In memory: it
// guards this process.

import type { HttpBindings } from '@hono/node-server';
import type { MiddlewareHandler } from 'hono';
import { MINUTE, SECOND } from '../../shared/time.ts';
import { isLoopback } from '../config/readers.ts';
import type { Deps } from '../deps.ts';
import { tooMany } from '../errors.ts';
import { addressBucket, clientAddress } from './client-address.ts';
import type { ProxyWatch } from './undeclared-proxy.ts';

/** Opening 10,000 entries takes 20 requests; this leaves room for a household behind one address. */
export const REQUESTS_PER_MINUTE = 6000;
/** A browser has six under way, or a hundred, depending on the protocol; this leaves room for an office. */
export const REQUESTS_AT_ONCE = 256;

export function floodGate(
  { config, now }: Pick<Deps, 'config' | 'now'>,
  proxies: Pick<ProxyWatch, 'notices'>,
): MiddlewareHandler {
  let windowBegan = 0;
  let counts = new Map<string, number>();
  const underWay = new Map<string, number>();
  return async (c, next) => {
    const throughProxy = proxies.notices(c);
    const address = clientAddress(config, c);
    // This machine floods nobody but itself, unless it passes on what others send.
    if (address === '' || (isLoopback(address) && !throughProxy)) return next();
    const time = now();
    if (time >= windowBegan + MINUTE || time < windowBegan) {
      windowBegan = time;
      counts = new Map();
    }
    const bucket = addressBucket(address);
    const count = (counts.get(bucket) ?? 0) + 1;
    counts.set(bucket, count);
    if (count > REQUESTS_PER_MINUTE) throw tooMany(windowBegan + MINUTE - time);

    const others = underWay.get(bucket) ?? 0;
    if (others >= REQUESTS_AT_ONCE) throw tooMany(SECOND);
    underWay.set(bucket, others + 1);
    const release = () => {
      const left = (underWay.get(bucket) ?? 1) - 1;
      if (left > 0) underWay.set(bucket, left);
      else underWay.delete(bucket);
    };
    const response = (c.env as Partial<HttpBindings> | undefined)?.outgoing;
    // A request is under way until its answer has left, not only until it is made.
    if (response) response.once('close', release);
    try {
      await next();
    } finally {
      if (!response) release();
    }
  };
}
