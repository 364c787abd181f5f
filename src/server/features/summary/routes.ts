// What the dashboard tells.
import type { Hono } from 'hono';
import type { ReplyOf } from '../../../shared/http/call.ts';
import { summary } from '../../../shared/nouns/summary.ts';
import type { Deps } from '../../deps.ts';
import { route } from '../../http/route.ts';
import { type Count, countAll } from './store.ts';

type Summary = ReplyOf<typeof summary.get>;

/** Everything that is told, from whom it is known. What is left out does not compile. */
export interface SummarySources {
  counts: Record<Exclude<keyof Summary, 'nearRelease'>, Count>;
  nearRelease(deps: Deps, accountId: number): Promise<Summary['nearRelease']>;
}

export function summaryRoutes(app: Hono, deps: Deps, { counts, nearRelease }: SummarySources): void {
  const count = countAll(counts);
  route(app, deps, summary.get, async ({ caller: { accountId } }) => ({
    ...(await count(deps, accountId)),
    nearRelease: await nearRelease(deps, accountId),
  }));
}
