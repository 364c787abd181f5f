// What a server does by itself from time to time, when a test wants it.
import { deleteExpired } from '../server/expiry.ts';
import type { TestInstance } from './instance.ts';

/** Has a server delete what has expired, as its sweep does. */
export const sweep = ({ deps }: TestInstance): Promise<unknown> => deleteExpired(deps);
