// Notices a reverse proxy that TRUSTED_PROXIES does not name: its header gives it away. Kept in the memory of this
// process, for the log and for the administrator. It holds no address of the internet, and the log none at all.
import type { Context } from 'hono';
import { UNDECLARED_PROXIES_MAX } from '../../shared/nouns/server-notices.ts';
import type { Deps } from '../deps.ts';
import { comesThroughTrustedProxy, isPrivate, peerAddress } from './client-address.ts';

/** What proxies add, by one or another of these names. A browser sends none of them by itself. */
const HEADERS = ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'forwarded', 'via'];

interface Noticed {
  address: string;
  /** When the first such request came from there, epoch milliseconds. */
  since: number;
}

export interface ProxyWatch {
  /**
   * Whether this request has passed a proxy that nobody declared. Such a one stands on this machine or in a private
   * network: from anywhere else, anybody may send its headers.
   */
  notices(c: Context): boolean;
  /** From where such requests came since the start, the first few addresses. */
  noticed(): readonly Noticed[];
}

export function watchForProxies({ config, now, log }: Pick<Deps, 'config' | 'now' | 'log'>): ProxyWatch {
  const noticed: Noticed[] = [];
  return {
    notices(c) {
      if (!HEADERS.some((name) => c.req.header(name) !== undefined)) return false;
      const address = peerAddress(c).replace(/%.*/, '');
      if (!isPrivate(address) || comesThroughTrustedProxy(config, c)) return false;
      if (noticed.length === 0) {
        log.warn(
          'a request from this machine or a private network has a header that proxies add, and TRUSTED_PROXIES does not name where it comes from. If a proxy of yours stands there, everybody behind it counts as one visitor, and limits meant for one stop them all: add its address, which Settings shows to the administrator, to TRUSTED_PROXIES, and start the server anew',
        );
      }
      const known = noticed.some((one) => one.address === address);
      if (!known && noticed.length < UNDECLARED_PROXIES_MAX) noticed.push({ address, since: now() });
      return true;
    },
    noticed: () => noticed,
  };
}
