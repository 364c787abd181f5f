// The link in the address bar, for pages that are reached by one: bent ones are put right, and the whole one pasted over
// a broken one is noticed.
import { useEffect, useState } from 'react';
import type { SecretLink } from './secret-link.ts';

const EXPOSED = 'exposed';

/**
 * @param read what an address says; the same function each time
 * @param pathOf the address of a name, without its secret
 * @param options.follows begins anew also where the secret leaves the address, as it does by going back; not for pages
 *   that show what can be read only once
 */
export function useSecretLink(
  read: (address: Pick<Location, 'pathname' | 'hash'>) => SecretLink,
  pathOf: (name: string) => string,
  { follows = false }: { follows?: boolean } = {},
): SecretLink {
  // That it was exposed outlives its repair, and a reload.
  const [link] = useState(() => {
    const found = read(window.location);
    return { ...found, exposed: found.exposed || history.state === EXPOSED };
  });
  useEffect(() => {
    // The right link pasted over a broken one loads no page by itself.
    const another = () => {
      const { secret } = read(window.location);
      if (secret !== null || (follows && link.secret !== null)) window.location.reload();
    };
    window.addEventListener('hashchange', another);
    return () => window.removeEventListener('hashchange', another);
  }, [read, follows, link.secret]);
  useEffect(() => {
    if (!link.exposed || link.name === null || history.state === EXPOSED) return;
    const hash = link.secret === null ? '' : `#${link.secret}`;
    history.replaceState(EXPOSED, '', `${pathOf(link.name)}${hash}`);
  }, [link, pathOf]);
  return link;
}
