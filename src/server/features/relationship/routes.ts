// The Relationship Ledger's calls. The server knows what kind of moments there were, and neither with whom nor what.
import type { Hono } from 'hono';
import { relationships } from '../../../shared/nouns/relationship.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { idParam, listRoute, route } from '../../http/route.ts';
import { relationshipStore } from './store.ts';

export function relationshipRoutes(app: Hono, deps: Deps): void {
  listRoute(app, deps, relationships.list, (asked, { caller }) =>
    relationshipStore.list(deps, caller.accountId, asked),
  );

  route(app, deps, relationships.get, async ({ params, caller }) => {
    const entry = await relationshipStore.find(deps, caller.accountId, idParam(params.id));
    if (!entry) throw new AppError('not-found');
    return entry;
  });

  route(app, deps, relationships.create, async ({ body, caller }) => {
    const entry = await relationshipStore.create(deps, caller.accountId, body);
    if (typeof entry === 'string') throw new AppError(entry);
    return entry;
  });

  route(app, deps, relationships.update, async ({ params, body, caller }) => {
    const entry = await relationshipStore.update(deps, caller.accountId, idParam(params.id), body);
    if (typeof entry === 'string') throw new AppError(entry);
    return entry;
  });

  route(app, deps, relationships.remove, async ({ params, caller }) => {
    if (!(await relationshipStore.remove(deps, caller.accountId, idParam(params.id)))) {
      throw new AppError('not-found');
    }
  });
}
