// The Relationship Ledger's calls.
import type { Hono } from 'hono';
import type { Deps } from '../../deps.ts';

export function relationshipRoutes(_app: Hono, _deps: Deps): void {}
