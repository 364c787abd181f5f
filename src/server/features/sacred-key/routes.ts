// Sacred keys: the owner's calls and the recipient's. The server keeps words that it cannot read, for one opening.
import type { Hono } from 'hono';
import { shareableKeys, shares } from '../../../shared/nouns/sacred-key.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { claimBucket } from '../../http/guesses.ts';
import { idParam, listRoute, route } from '../../http/route.ts';
import { origin } from '../../http/site.ts';
import { sealKey } from './seal-store.ts';
import { acknowledgeShare, readShareState, redeemShare } from './share-store.ts';
import { createKey, deleteKey, listKeys } from './store.ts';

export function sacredKeyRoutes(app: Hono, deps: Deps): void {
  ownerRoutes(app, deps);
  recipientRoutes(app, deps);
}

function ownerRoutes(app: Hono, deps: Deps): void {
  listRoute(app, deps, shareableKeys.list, (asked, { caller }) => listKeys(deps, caller.accountId, asked));

  route(app, deps, shareableKeys.create, async ({ body, caller, c }) => {
    const key = await createKey(deps, caller.accountId, body);
    if (typeof key === 'string') throw new AppError(key);
    return { ...key, shareUrl: `${origin(deps.config, c)}/share/${key.keyId}` };
  });

  route(app, deps, shareableKeys.seal, async ({ params, body, caller, deps }) => {
    const key = await sealKey(deps, caller.accountId, idParam(params.id), body);
    if (typeof key === 'string') throw new AppError(key);
    return key;
  });

  route(app, deps, shareableKeys.remove, async ({ params, caller, deps }) => {
    if (!(await deleteKey(deps, caller.accountId, idParam(params.id)))) throw new AppError('not-found');
  });
}

function recipientRoutes(app: Hono, deps: Deps): void {
  route(app, deps, shares.state, async ({ params }) => {
    const state = await readShareState(deps, params.keyId);
    if (!state) throw new AppError('not-found');
    return state;
  });

  route(app, deps, shares.redeem, async ({ params, body, c }) => {
    const redemption = await redeemShare(deps, params.keyId, body, claimBucket(deps, c));
    if (typeof redemption === 'string') throw new AppError(redemption);
    return redemption;
  });

  route(app, deps, shares.acknowledge, async ({ params, body }) => {
    if (!(await acknowledgeShare(deps, params.keyId, body))) throw new AppError('not-found');
  });
}
