// The link in the address bar, for pages that are reached by one: bent ones are put right, the whole one pasted over a
// broken one is noticed, and once what it leads to was opened its secret leaves the bar.
import type { SecretLink } from './secret-link.ts';

/** What stands beside an address in the history of its tab, where nobody reads it, copies it or makes a bookmark of it. */
interface Beside {
  exposed?: boolean;
  /** Of a link that left the bar, so that a reload finds it. */
  secret?: string;
}

/** What an address says. */
type Read = (address: Pick<Location, 'pathname' | 'hash'>) => SecretLink;

const BESIDE = 'secretLink';
const beside = (): Beside => (history.state as Record<typeof BESIDE, Beside> | null)?.[BESIDE] ?? {};
const putBeside = (kept: Beside, path: string) => history.replaceState({ [BESIDE]: kept }, '', path);

/** The link as it stands in the bar, or beside it. That it was exposed outlives its repair, and a reload. */
export function readBar(read: Read): SecretLink {
  const link = read(window.location);
  const { exposed = false, secret = null } = beside();
  return { ...link, secret: link.secret ?? secret, exposed: link.exposed || exposed };
}

/** Puts a bent link right, and notes that it was exposed. */
export function repairBar(link: SecretLink, pathOf: (name: string) => string): void {
  if (!link.exposed || link.name === null || beside().exposed) return;
  const hash = link.secret === null ? '' : `#${link.secret}`;
  putBeside({ exposed: true }, `${pathOf(link.name)}${hash}`);
}

/**
 * Begins the page anew when the right link is pasted over a broken one, which loads no page by itself.
 * @param options.follows also where the secret leaves the address, as it does by going back; not for pages that show what
 *   can be read only once
 */
export function watchBar(
  read: Read,
  link: SecretLink,
  { signal, follows = false }: { signal: AbortSignal; follows?: boolean },
): void {
  const another = () => {
    const { secret } = read(window.location);
    if (secret !== null || (follows && link.secret !== null)) window.location.reload();
  };
  window.addEventListener('hashchange', another, { signal });
}

/**
 * Takes the secret out of the address, once what it opens is here.
 * @param path the address without it
 * @param secret what a reload of this tab goes on with; null where it finds nothing more to open
 */
export function hideSecret(path: string, secret: string | null): void {
  putBeside({ ...(beside().exposed && { exposed: true }), ...(secret !== null && { secret }) }, path);
}
