// Notices a reverse proxy that TRUSTED_PROXIES does not name: its header gives it away. Kept in the memory of this
// process, for the log and for the administrator. It holds no address.
import type { Context } from 'hono';
import type { Deps } from '../deps.ts';
import { comesThroughTrustedProxy } from './client-address.ts';

/** What proxies add, by one or another of these names. A browser sends none of them by itself. */
const HEADERS = ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'forwarded', 'via'];

export interface ProxyWatch {
  /** Whether this request has passed a proxy that nobody declared. */
  notices(c: Context): boolean;
  /** When the first such request came, epoch milliseconds; null for none since the start. */
  since(): number | null;
}

export function watchForProxies({ config, now, log }: Pick<Deps, 'config' | 'now' | 'log'>): ProxyWatch {
  let first: number | null = null;
  return {
    notices(c) {
      if (!HEADERS.some((name) => c.req.header(name) !== undefined)) return false;
      if (comesThroughTrustedProxy(config, c)) return false;
      if (first === null) {
        first = now();
        log.warn(
          'a request came through a proxy that TRUSTED_PROXIES does not name: everybody behind it counts as one visitor, and limits meant for one stop them all. Set TRUSTED_PROXIES to the address of the proxy',
        );
      }
      return true;
    },
    since: () => first,
  };
}
