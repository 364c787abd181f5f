// Ghost Mode's calls.
import type { Hono } from 'hono';
import type { Deps } from '../../deps.ts';

export function ghostRoutes(_app: Hono, _deps: Deps): void {}
