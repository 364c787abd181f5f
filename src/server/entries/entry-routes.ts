// The calls of every list of sealed entries and of what was deleted from it, over its store. What a list answers besides,
// its feature adds.
import type { Hono } from 'hono';
import type { CallShape } from '../../shared/http/call.ts';
import type { deletedMemories, memories } from '../../shared/nouns/memory.ts';
import type { Deps } from '../deps.ts';
import { expectEntrySize } from '../entitlements/plans.ts';
import { AppError } from '../errors.ts';
import { idParam, listRoute, route } from '../http/route.ts';
import type { CreateRefusal, entryStore, UpdateRefusal } from './entry-store.ts';

/** Why a store keeps nothing. */
type Refusal = CreateRefusal | UpdateRefusal;
type Calls = Record<keyof typeof memories, CallShape>;
type DeletedCalls = Record<keyof typeof deletedMemories, CallShape>;
// biome-ignore lint/suspicious/noExplicitAny: a store of whatever list; which one, its caller has checked
type Store = ReturnType<typeof entryStore<any, any, any, any>>;

/**
 * Adds the routes of one list.
 * @param calls its rows of the contract, of which `store` keeps the entries
 * @param deleted the rows for what was deleted from it
 */
export function entryRoutes(app: Hono, deps: Deps, calls: Calls, deleted: DeletedCalls, store: Store): void {
  // As far as these routes go, every list's calls are alike: bodies go to the store as they were checked.
  const { list, get, create, update, remove } = calls as typeof memories;

  listRoute(app, deps, list, (asked, { caller }) => store.list(deps, caller.accountId, asked));

  route(app, deps, get, async ({ params, caller }) => {
    const entry = await store.find(deps, caller.accountId, idParam(params.id));
    if (!entry) throw new AppError('not-found');
    return entry;
  });

  route(
    app,
    deps,
    create,
    async ({ body, caller, deps }) => {
      const entry = await store.create(deps, caller.accountId, body);
      if (typeof entry === 'string') throw new AppError(entry as Refusal);
      return entry;
    },
    { before: ({ body, caller }) => expectEntrySize(deps, caller.accountId, body.encryptedContent) },
  );

  route(
    app,
    deps,
    update,
    async ({ params, body, caller, deps }) => {
      const entry = await store.update(deps, caller.accountId, idParam(params.id), body);
      if (typeof entry === 'string') throw new AppError(entry as Refusal);
      return entry;
    },
    {
      before: ({ params, body, caller }) =>
        expectEntrySize(
          deps,
          caller.accountId,
          body.encryptedContent,
          async () => (await store.find(deps, caller.accountId, idParam(params.id)))?.encryptedContent,
        ),
    },
  );

  route(app, deps, remove, async ({ params, caller, deps }) => {
    const gone = await store.remove(deps, caller.accountId, idParam(params.id));
    if (!gone) throw new AppError('not-found');
  });

  const { list: listDeleted, restore, erase } = deleted as typeof deletedMemories;

  listRoute(app, deps, listDeleted, (asked, { caller }) => store.listDeleted(deps, caller.accountId, asked));

  route(app, deps, restore, async ({ params, caller, deps }) => {
    const entry = await store.restore(deps, caller.accountId, idParam(params.id));
    if (!entry) throw new AppError('not-found');
    return entry;
  });

  route(app, deps, erase, async ({ params, caller, deps }) => {
    const erased = await store.erase(deps, caller.accountId, idParam(params.id));
    if (!erased) throw new AppError('not-found');
  });
}
