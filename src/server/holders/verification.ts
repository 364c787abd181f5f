// What is told of one address, in the contract's words.
import type { Verification } from '../../shared/nouns/holders.ts';
import type { Holders } from './current-holders.ts';

/** @param address the 32 bytes of an owner */
export function verify(holders: Holders, address: Uint8Array): Verification {
  const holding = holders.find(address);
  const known = { readAt: new Date(holders.readAt).toISOString(), isStale: holders.isStale };
  return holding
    ? { isHolder: true, ...holding, ...known }
    : { isHolder: false, amount: 0, hasRituals: false, ...known };
}
