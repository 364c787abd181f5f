// The link in the address bar, for pages that are reached by one: bent ones are put right, the whole one pasted over a
// broken one is noticed, and once what it leads to was opened its secret leaves the bar.
import { useEffect, useState } from 'react';
import type { SecretLink } from './secret-link.ts';

/** What stands beside an address in the history of its tab, where nobody reads it, copies it or makes a bookmark of it. */
interface Beside {
  exposed?: boolean;
  /** Of a link that left the bar, so that a reload finds it. */
  secret?: string;
}

const BESIDE = 'secretLink';
const beside = (): Beside => (history.state as Record<typeof BESIDE, Beside> | null)?.[BESIDE] ?? {};
const putBeside = (kept: Beside, path: string) => history.replaceState({ [BESIDE]: kept }, '', path);

/**
 * Takes the secret out of the address, once what it opens is here.
 * @param path the address without it
 * @param secret what a reload of this tab goes on with; null where it finds nothing more to open
 */
export function hideSecret(path: string, secret: string | null): void {
  putBeside({ ...(beside().exposed && { exposed: true }), ...(secret !== null && { secret }) }, path);
}

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
    const { exposed = false, secret = null } = beside();
    return { ...found, secret: found.secret ?? secret, exposed: found.exposed || exposed };
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
    if (!link.exposed || link.name === null || beside().exposed) return;
    const hash = link.secret === null ? '' : `#${link.secret}`;
    putBeside({ exposed: true }, `${pathOf(link.name)}${hash}`);
  }, [link, pathOf]);
  return link;
}
