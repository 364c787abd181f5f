// The link in the address bar, for pages that are reached by one: bent ones are put right, and the whole one pasted over
// a broken one is noticed.
import { useEffect, useState } from 'react';
import type { SecretLink } from './secret-link.ts';

const EXPOSED = 'exposed';

/**
 * @param read what an address says; the same function each time
 * @param pathOf the address of a name, without its secret
 */
export function useSecretLink(
  read: (address: Pick<Location, 'pathname' | 'hash'>) => SecretLink,
  pathOf: (name: string) => string,
): SecretLink {
  // That it was exposed outlives its repair, and a reload.
  const [link] = useState(() => {
    const found = read(window.location);
    return { ...found, exposed: found.exposed || history.state === EXPOSED };
  });
  useEffect(() => {
    // The right link pasted over a broken one loads no page by itself.
    const another = () => read(window.location).secret !== null && window.location.reload();
    window.addEventListener('hashchange', another);
    return () => window.removeEventListener('hashchange', another);
  }, [read]);
  useEffect(() => {
    if (!link.exposed || link.name === null || history.state === EXPOSED) return;
    const hash = link.secret === null ? '' : `#${link.secret}`;
    history.replaceState(EXPOSED, '', `${pathOf(link.name)}${hash}`);
  }, [link, pathOf]);
  return link;
}
