// The link in the address bar (address-bar.ts), for screens of the app that are reached by one.
import { useEffect, useState } from 'react';
import { readBar, repairBar, watchBar } from './address-bar.ts';
import type { SecretLink } from './secret-link.ts';

/**
 * @param read what an address says; the same function each time
 * @param pathOf the address of a name, without its secret
 * @param options.follows as for `watchBar`
 */
export function useSecretLink(
  read: (address: Pick<Location, 'pathname' | 'hash'>) => SecretLink,
  pathOf: (name: string) => string,
  { follows = false }: { follows?: boolean } = {},
): SecretLink {
  const [link] = useState(() => readBar(read));
  useEffect(() => {
    const leaving = new AbortController();
    watchBar(read, link, { signal: leaving.signal, follows });
    return () => leaving.abort();
  }, [read, follows, link]);
  useEffect(() => repairBar(link, pathOf), [link, pathOf]);
  return link;
}
