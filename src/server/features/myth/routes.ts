// The list of myths. How stories are made is another feature (features/stories).
import type { Hono } from 'hono';
import { deletedMyths, myths } from '../../../shared/nouns/myth.ts';
import type { Deps } from '../../deps.ts';
import { entryRoutes } from '../../entries/entry-routes.ts';
import { mythStore } from './store.ts';

export function mythRoutes(app: Hono, deps: Deps): void {
  entryRoutes(app, deps, myths, deletedMyths, mythStore);
}
