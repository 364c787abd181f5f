// One tab at a time changes which key this browser keeps: two at once would overwrite each other's in the slots they share.

/** Does the work once no other tab is at such work for this account. */
export function oneTabAtATime<T>(uid: string, work: () => Promise<T>): Promise<T> {
  return navigator.locks ? navigator.locks.request(`latebra.establish-key:${uid}`, work) : work();
}
