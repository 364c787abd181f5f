// Slows down whoever sends far more requests than a person at a browser could. In memory: it guards this process.
import type { MiddlewareHandler } from 'hono';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { Deps } from '../deps.ts';
import { AppError } from '../errors.ts';
import { addressBucket, clientAddress } from './site.ts';

/** Opening 10,000 entries takes 20 requests; this leaves room for a household behind one address. */
const REQUESTS_PER_MINUTE = 6000;

export function floodGate({ config }: Pick<Deps, 'config'>): MiddlewareHandler {
  const limiter = new RateLimiterMemory({ points: REQUESTS_PER_MINUTE, duration: 60 });
  return async (c, next) => {
    const address = clientAddress(config, c);
    // Requests that a test or this machine makes without a socket have no address to count by.
    if (address !== '') {
      await limiter.consume(addressBucket(address)).catch(() => {
        throw new AppError('too-many');
      });
    }
    await next();
  };
}
