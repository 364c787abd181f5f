// The administrator's calls about text messages: whose scrolls ask for them, and whose leave.
import type { Hono } from 'hono';
import { textPermissions } from '../../../../shared/nouns/outbox.ts';
import type { Deps } from '../../../deps.ts';
import { AppError } from '../../../errors.ts';
import { listRoute, route } from '../../../http/route.ts';
import { findTextAccount, listTextAccounts, permitTexts } from './text-permission-store.ts';

export function textPermissionRoutes(app: Hono, deps: Deps): void {
  listRoute(app, deps, textPermissions.list, (asked, { query }) =>
    listTextAccounts(deps, asked, query.waiting),
  );

  route(app, deps, textPermissions.find, async ({ params }) => {
    const account = await findTextAccount(deps, params.accountId);
    if (!account) throw new AppError('not-found');
    return account;
  });

  const decide = async (uid: string, permitted: boolean) => {
    const account = await permitTexts(deps, uid, permitted);
    if (!account) throw new AppError('not-found');
    return account;
  };
  route(app, deps, textPermissions.grant, ({ params }) => decide(params.accountId, true));
  route(app, deps, textPermissions.revoke, ({ params }) => decide(params.accountId, false));
}
