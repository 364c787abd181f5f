// What a database calls the instance that it belongs to: it tells the instance secret from another and tells nothing of it.
import type { Digests } from '../../digests.ts';

export const instanceName = (digests: Digests): string => digests.keyed('instance', 'v1');
