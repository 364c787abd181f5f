// One tab at a time changes what all tabs of this browser share of an account: two at once would overwrite each other's.

/**
 * Does the work once no other tab is at such work for this account. Works of one name must not stand within each other.
 * @param name which key this browser keeps, unless told
 */
export function oneTabAtATime<T>(
  uid: string,
  work: () => Promise<T>,
  name: 'establish-key' | 'keys-aside' = 'establish-key',
): Promise<T> {
  return navigator.locks ? navigator.locks.request(`latebra.${name}:${uid}`, work) : work();
}
