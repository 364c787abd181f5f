// Whether a server has a reason to withhold what is locked. Pure.
import { CLOCKS_DIFFER } from '../../crypto/book-comparison.ts';

/**
 * Whether a lock lies ahead by the server's clock as well, which may be behind ours.
 * @param until as the contract has it; null or absent for what is not locked
 * @param now milliseconds since 1970
 */
export const lockLiesAhead = (until: string | null | undefined, now: number): boolean =>
  typeof until === 'string' && Date.parse(until) > now - CLOCKS_DIFFER;
