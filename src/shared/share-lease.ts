// For how long what was opened once can still be fetched.
import { HOUR, MINUTE } from './time.ts';

/** How long the browser that broke a seal may fetch the words again, in milliseconds. */
export const LEASE = 10 * MINUTE;

/** How long, from the same moment, it may fetch the files that the link carries. Large ones take their time. */
export const FILES_LEASE = 24 * HOUR;

/** In which header such a browser says who it is: the number that it drew when it broke the seal. */
export const REDEMPTION_HEADER = 'x-latebra-redemption';

/** Until when files can be fetched, in epoch milliseconds. @param leaseUntil the end of the words' lease, as the server says it */
export const filesUntil = (leaseUntil: string): number => Date.parse(leaseUntil) - LEASE + FILES_LEASE;
