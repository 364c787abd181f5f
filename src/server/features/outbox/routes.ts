// The keeper's calls: what leaves this house, and the word that a paused switch waits for.
import type { Hono } from 'hono';
import type { Deps } from '../../deps.ts';

export function outboxRoutes(_app: Hono, _deps: Deps): void {}
