// Proof of life, the warning address, and what is pressed in a mail.
import type { Hono } from 'hono';
import type { Deps } from '../../deps.ts';

export function lifeRoutes(_app: Hono, _deps: Deps): void {}
