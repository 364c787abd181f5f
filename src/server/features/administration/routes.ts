// What an administrator does for the server and its people. Nothing here opens a vault, and a test mail says nothing of one.
import { randomBytes } from 'node:crypto';
import type { Hono } from 'hono';
import { administration } from '../../../shared/nouns/administration.ts';
import { HOUR } from '../../../shared/time.ts';
import type { Letter } from '../../adapters/transport.ts';
import { transact } from '../../db/transact.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { logActivity } from '../../http/activity-store.ts';
import { type Allowance, countAttempt } from '../../http/rate-limit.ts';
import { listRoute, route } from '../../http/route.ts';
import { origin } from '../../http/site.ts';
import { readNotice, writeNotice } from './notice-store.ts';
import { findAccount, listAccounts } from './store.ts';

/** Enough to try settings, too few to be sent to anybody as a nuisance. */
const TEST_MAILS: Allowance = { attempts: 10, window: HOUR };

export interface AdministrationParts {
  /** Destroys an account's vault as its owner could. */
  erase(account: { accountId: number; uid: string }, scrolls: 'disarm' | 'release'): Promise<void>;
}

export function administrationRoutes(app: Hono, deps: Deps, { erase }: AdministrationParts): void {
  listRoute(app, deps, administration.accounts, (asked) => listAccounts(deps, asked));

  route(app, deps, administration.erase, async ({ params, body, caller: { accountId, device } }) => {
    const account = await findAccount(deps, params.accountId);
    if (!account) throw new AppError('not-found');
    if (account.isAdmin) throw new AppError('is-administrator');
    await erase(account, body.scrolls);
    await transact(deps.db, (tx) => logActivity(deps, tx, accountId, { kind: 'account-erased', device }));
  });

  route(app, deps, administration.notice, () => readNotice(deps));

  route(app, deps, administration.putNotice, ({ body }) => writeNotice(deps, body.says));

  route(app, deps, administration.testMail, async ({ body, c }) => {
    const { email } = deps.transports;
    if (!email) return { outcome: 'no-mail' as const, why: null };
    await countAttempt(deps, 'test-mail', TEST_MAILS);
    const delivery = await email.send(testLetter(body.to, origin(deps.config, c)));
    return delivery === 'accepted'
      ? { outcome: 'accepted' as const, why: null }
      : { outcome: 'refused' as const, why: delivery.why };
  });
}

function testLetter(to: string, from: string): Letter {
  const lines = [
    `An administrator of the Latebra at ${from} has sent this mail to see whether mail leaves that server.`,
    'It did. There is nothing to do, and nobody needs an answer.',
  ];
  return {
    id: randomBytes(16).toString('base64url'),
    to,
    subject: 'A test mail of your Latebra',
    text: `${lines.join('\n\n')}\n`,
    html: lines.map((line) => `<p>${line}</p>`).join(''),
    unsubscribe: null,
  };
}
