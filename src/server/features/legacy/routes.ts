// Legacy scrolls' calls: the author's, the recipient's, and finding a vault to whisper to.
import type { Hono } from 'hono';
import type { Deps } from '../../deps.ts';

export function legacyRoutes(_app: Hono, _deps: Deps): void {}
