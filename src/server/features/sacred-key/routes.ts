// Sacred keys: the owner's calls and the recipient's.
import type { Hono } from 'hono';
import type { Deps } from '../../deps.ts';

export function sacredKeyRoutes(_app: Hono, _deps: Deps): void {}
