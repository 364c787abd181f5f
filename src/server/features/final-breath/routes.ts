// The Final Breath's calls. Looking never carries the words; a release does, once.
import type { Hono } from 'hono';
import { finalBreath } from '../../../shared/nouns/final-breath.ts';
import type { Deps } from '../../deps.ts';
import { expectEntrySize } from '../../entitlements/plans.ts';
import { AppError } from '../../errors.ts';
import { route } from '../../http/route.ts';
import {
  acknowledgeBreath,
  burnBreath,
  createBreath,
  deleteBreath,
  findBreath,
  leaseBreath,
} from './store.ts';

export function finalBreathRoutes(app: Hono, deps: Deps): void {
  route(app, deps, finalBreath.get, ({ caller }) => findBreath(deps, caller.accountId));

  route(
    app,
    deps,
    finalBreath.create,
    async ({ body, caller, deps }) => {
      const breath = await createBreath(deps, caller.accountId, body);
      if (typeof breath === 'string') throw new AppError(breath);
      return breath;
    },
    { before: ({ body, caller }) => expectEntrySize(deps, caller.accountId, body.encryptedContent) },
  );

  route(app, deps, finalBreath.read, async ({ body, caller: { accountId }, deps }) => {
    const { redemptionId } = body;
    const release = redemptionId
      ? await leaseBreath(deps, accountId, redemptionId)
      : await burnBreath(deps, accountId);
    if (typeof release === 'string') throw new AppError(release);
    return release;
  });

  route(app, deps, finalBreath.acknowledge, async ({ body, caller }) => {
    const forgotten = await acknowledgeBreath(deps, caller.accountId, body.redemptionId);
    if (!forgotten) throw new AppError('not-found');
  });

  route(app, deps, finalBreath.remove, async ({ caller, deps }) => {
    const outcome = await deleteBreath(deps, caller.accountId);
    if (outcome !== 'burned') throw new AppError(outcome);
  });
}
