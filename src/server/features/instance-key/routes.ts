// The public half of the key that this instance signs with.
import type { Hono } from 'hono';
import { instanceKey } from '../../../shared/nouns/instance-key.ts';
import type { Deps } from '../../deps.ts';
import { route } from '../../http/route.ts';
import type { InstanceKey } from '../../signing/instance-key.ts';

export function instanceKeyRoutes(app: Hono, deps: Deps, key: InstanceKey): void {
  route(app, deps, instanceKey.get, () => key.publicKey());
}
