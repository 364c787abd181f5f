// Who a request asks the database for: the network that it came from. So one that sends hundreds at once keeps nobody else
// waiting for a connection (docs/decisions/0143).
import type { MiddlewareHandler } from 'hono';
import { doFor } from '../db/lending-turns.ts';
import type { Deps } from '../deps.ts';
import { clientAddress, networkOf } from './client-address.ts';

/** Whose address nobody knows: all of them are one asker, and not the server itself. */
const UNKNOWN = 'unknown';

/** Before anything else asks the database. The embedded one lends nothing. */
export function lendByNetwork({ config, engine }: Pick<Deps, 'config' | 'engine'>): MiddlewareHandler {
  return (c, next) =>
    engine === 'postgres' ? doFor(networkOf(clientAddress(config, c)) || UNKNOWN, next) : next();
}
