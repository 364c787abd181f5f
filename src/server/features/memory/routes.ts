// The Memory Vault's calls. The server moves ciphertext and minds the locks; it can read neither title nor words.
import type { Hono } from 'hono';
import { memories } from '../../../shared/nouns/memory.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { idParam, listRoute, route } from '../../http/route.ts';
import { memoryStore } from './store.ts';

export function memoryRoutes(app: Hono, deps: Deps): void {
  listRoute(app, deps, memories.list, (asked, { caller }) => memoryStore.list(deps, caller.accountId, asked));

  route(app, deps, memories.get, async ({ params, caller }) => {
    const memory = await memoryStore.find(deps, caller.accountId, idParam(params.id));
    if (!memory) throw new AppError('not-found');
    return memory;
  });

  route(app, deps, memories.create, async ({ body, caller }) => {
    const memory = await memoryStore.create(deps, caller.accountId, body);
    if (typeof memory === 'string') throw new AppError(memory);
    return memory;
  });

  route(app, deps, memories.update, async ({ params, body, caller }) => {
    const memory = await memoryStore.update(deps, caller.accountId, idParam(params.id), body);
    if (typeof memory === 'string') throw new AppError(memory);
    return memory;
  });

  route(app, deps, memories.remove, async ({ params, caller }) => {
    if (!(await memoryStore.remove(deps, caller.accountId, idParam(params.id))))
      throw new AppError('not-found');
  });
}
