// Other instances that letters of this one may be kept by, and that may have letters kept here.
import type { ReadPlace } from './place.ts';
import { ConfigProblem, isLoopback, list, originAlone, webUrl } from './readers.ts';
import { type Read, variable } from './variable.ts';

/** Another instance, as its operator has named it to this one's. */
export interface ListedSister {
  /** Such as `https://latebra.example`. */
  origin: string;
  /** 32 hexadecimal characters, made of its public keys as a vault's address is. */
  address: string;
}

const SISTERS_LISTED_MAX = 32;

export const sistersVariables = {
  SISTERS: variable({
    fallback: 'none: no letter is kept elsewhere, and none from elsewhere is kept here',
    says: 'Other instances of Latebra that keep letters of this one’s authors, and whose authors may have letters kept here (docs/sisters.md): their origins, each with # and the 32 characters of its address, separated by commas, such as https://vault.example.org#0123456789abcdef0123456789abcdef. Both instances must list each other. The address of this one is in the first lines of its log and on its administration page. Needs PUBLIC_URL.',
    read: (raw) => sistersOf(list(raw)),
  }),
};

export type ReadSisters = Read<typeof sistersVariables>;

export interface SistersConfig {
  sisters: readonly ListedSister[];
}

export const sistersConfigOf = (values: ReadSisters): SistersConfig => ({ sisters: values.SISTERS });

function sistersOf(items: readonly string[]): ListedSister[] {
  if (items.length > SISTERS_LISTED_MAX)
    throw new ConfigProblem(`must name at most ${SISTERS_LISTED_MAX} instances`);
  const sisters = items.map(sisterOf);
  if (new Set(sisters.map(({ origin }) => origin)).size !== sisters.length)
    throw new ConfigProblem('names one origin twice');
  if (new Set(sisters.map(({ address }) => address)).size !== sisters.length)
    throw new ConfigProblem('names one address twice: each instance has its own');
  return sisters;
}

function sisterOf(item: string): ListedSister {
  const [, place = '', address = ''] = /^([^#]+)#([0-9a-f]{32})$/i.exec(item) ?? [];
  if (!address)
    throw new ConfigProblem(
      'must be origins, each with # and the 32 characters of its address, such as https://vault.example.org#0123456789abcdef0123456789abcdef',
    );
  const url = originAlone(webUrl(place, 'the address of another instance'));
  if (url.protocol !== 'https:' && !isLoopback(url.hostname))
    throw new ConfigProblem('must use https, except for an instance on this machine');
  return { origin: url.origin, address: address.toLowerCase() };
}

/** What does not fit together of it. */
export function sistersProblems({ SISTERS }: ReadSisters, { PUBLIC_URL }: ReadPlace): string[] {
  if (!SISTERS || SISTERS.length === 0) return [];
  if (!PUBLIC_URL) return ['SISTERS needs PUBLIC_URL, by which other instances know this one.'];
  return SISTERS.some(({ origin }) => origin === PUBLIC_URL.origin)
    ? ['SISTERS names this server itself: it keeps nothing for itself.']
    : [];
}
