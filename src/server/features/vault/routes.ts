// The vault as a whole.
import type { Hono } from 'hono';
import type { Deps } from '../../deps.ts';

export function vaultRoutes(_app: Hono, _deps: Deps): void {}
