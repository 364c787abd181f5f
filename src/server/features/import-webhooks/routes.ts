// Live imports: the owner's calls, and the address that other programs post to.
import type { Hono } from 'hono';
import { importWebhooks } from '../../../shared/nouns/import-webhooks.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { importBucket } from '../../http/rate-limit.ts';
import { idParam, route } from '../../http/route.ts';
import { origin } from '../../http/site.ts';
import { receive, type Vaults } from './receive.ts';
import { newSalt, newToken, secretText, tokenHash } from './secrets.ts';
import { insertWebhook, listWebhooks, replaceSecret, revokeWebhook } from './store.ts';

export function importWebhookRoutes(app: Hono, deps: Deps, vaults: Vaults): void {
  route(app, deps, importWebhooks.list, ({ caller }) => listWebhooks(deps, caller.accountId));

  route(app, deps, importWebhooks.create, async ({ body, caller, deps, c }) => {
    const token = newToken();
    const secretSalt = newSalt();
    const made = await insertWebhook(deps, caller, body, { tokenHash: tokenHash(token), secretSalt });
    if (typeof made === 'string') throw new AppError(made);
    const url = `${origin(deps.config, c)}${importWebhooks.receive.path.replace('{token}', token)}`;
    return { ...made, url, secret: secretText(deps.digests, secretSalt) };
  });

  route(app, deps, importWebhooks.rotate, async ({ params, body, caller }) => {
    const secretSalt = newSalt();
    const oldStays = body.oldSecret === 'stays-a-day';
    const rotated = await replaceSecret(deps, caller, idParam(params.id), { secretSalt, oldStays });
    if (!rotated) throw new AppError('not-found');
    return { ...rotated, secret: secretText(deps.digests, secretSalt) };
  });

  route(app, deps, importWebhooks.remove, async ({ params, caller, deps }) => {
    if (!(await revokeWebhook(deps, caller, idParam(params.id)))) throw new AppError('not-found');
  });

  route(app, deps, importWebhooks.receive, ({ params, body, c }) =>
    receive(deps, vaults, {
      token: params.token,
      headers: {
        id: c.req.header('webhook-id'),
        timestamp: c.req.header('webhook-timestamp'),
        signature: c.req.header('webhook-signature'),
      },
      body,
      sender: importBucket(deps, c),
    }),
  );
}
