// Regenerating the vault key: staging what is sealed anew, and putting it in place at once.
import type { Hono } from 'hono';
import type { Deps } from '../../deps.ts';

export function regenerationRoutes(_app: Hono, _deps: Deps): void {}
