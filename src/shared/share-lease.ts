// For how long words that were opened once can still be fetched.
import { MINUTE } from './time.ts';

/** How long the browser that broke a seal may fetch the words again, in milliseconds. */
export const LEASE = 10 * MINUTE;
