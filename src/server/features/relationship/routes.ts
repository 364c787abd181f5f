// The Relationship Ledger's calls. The server knows what kind of moments there were, and neither with whom nor what.
import type { Hono } from 'hono';
import { deletedRelationships, relationships } from '../../../shared/nouns/relationship.ts';
import type { Deps } from '../../deps.ts';
import { entryRoutes } from '../../entries/entry-routes.ts';
import { relationshipStore } from './store.ts';

export function relationshipRoutes(app: Hono, deps: Deps): void {
  entryRoutes(app, deps, relationships, deletedRelationships, relationshipStore);
}
