// Vaults that this page has left for good, as they were destroyed: what was on its way then must not be kept behind them.
const leftForGood = new Set<string>();

/** Whether this page has left the vault of an account for good. */
export const isLeftForGood = (uid: string): boolean => leftForGood.has(uid);

/** Notes that this page leaves the vault of an account for good. */
export const noteLeftForGood = (uid: string): void => void leftForGood.add(uid);
