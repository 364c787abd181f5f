// An address that a server names and this page goes to.

/** The address, if it is one of a page: one of another scheme could run a script here. @throws TypeError */
export function pageAddress(url: string): string {
  if (!/^https?:$/.test(new URL(url).protocol)) throw new TypeError('not the address of a page');
  return url;
}
