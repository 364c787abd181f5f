// Ghost Mode's calls. No list carries words: only a reading does, and it counts.
import type { Hono } from 'hono';
import { ghosts } from '../../../shared/nouns/ghost.ts';
import type { Deps } from '../../deps.ts';
import { expectEntrySize } from '../../entitlements/plans.ts';
import { AppError } from '../../errors.ts';
import { idParam, listRoute, route } from '../../http/route.ts';
import { createGhost, deleteGhost, listGhosts, readGhost } from './store.ts';

const wrongHours = {
  'over-already': 'The moment at which it vanishes has already passed.',
  'too-long': 'A ghost entry can wait for 366 days at most.',
};

export function ghostRoutes(app: Hono, deps: Deps): void {
  listRoute(app, deps, ghosts.list, (asked, { caller }) => listGhosts(deps, caller.accountId, asked));

  route(
    app,
    deps,
    ghosts.create,
    async ({ body, caller, deps }) => {
      const ghost = await createGhost(deps, caller.accountId, body);
      if (ghost === 'over-already' || ghost === 'too-long') {
        throw new AppError('invalid-input', wrongHours[ghost]);
      }
      if (typeof ghost === 'string') throw new AppError(ghost);
      return ghost;
    },
    { before: ({ body, caller }) => expectEntrySize(deps, caller.accountId, body.encryptedContent) },
  );

  route(app, deps, ghosts.read, async ({ params, caller }) => {
    const ghost = await readGhost(deps, caller.accountId, idParam(params.id));
    if (!ghost) throw new AppError('not-found');
    return ghost;
  });

  route(app, deps, ghosts.remove, async ({ params, caller, deps }) => {
    if (!(await deleteGhost(deps, caller.accountId, idParam(params.id)))) throw new AppError('not-found');
  });
}
