// Account activity as its owner reads it, and the one thing that only a browser knows: that it made an export.
import type { Hono } from 'hono';
import { activity } from '../../../shared/nouns/activity.ts';
import type { Deps } from '../../deps.ts';
import { countActivity, listActivity } from '../../http/activity-store.ts';
import { route } from '../../http/route.ts';

export function activityRoutes(app: Hono, deps: Deps): void {
  route(app, deps, activity.list, ({ caller }) => listActivity(deps.db, caller.accountId));

  route(app, deps, activity.noteExport, ({ caller: { accountId, device } }) =>
    countActivity(deps, deps.db, accountId, { kind: 'export', device }),
  );
}
