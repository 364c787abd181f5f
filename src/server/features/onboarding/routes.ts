// The Sacred Questions: three sealed answers, after which the chambers are open.
import type { Hono } from 'hono';
import { account } from '../../../shared/nouns/account.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { route } from '../../http/route.ts';
import { findAnswers, keepAnswers } from './store.ts';

export function onboardingRoutes(app: Hono, deps: Deps): void {
  route(app, deps, account.onboarding, async ({ body, caller, deps }) => {
    const outcome = await keepAnswers(deps, caller.accountId, body);
    if (outcome !== 'kept') throw new AppError(outcome);
    return { onboardingComplete: true as const };
  });

  route(app, deps, account.answers, ({ caller }) => findAnswers(deps, caller.accountId));
}
