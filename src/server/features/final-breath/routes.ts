// The Final Breath's calls.
import type { Hono } from 'hono';
import type { Deps } from '../../deps.ts';

export function finalBreathRoutes(_app: Hono, _deps: Deps): void {}
