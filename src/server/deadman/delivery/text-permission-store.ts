// The administrator's permission for text messages. Without it a message waits; a permission that is given wakes it.

import { DAY } from '../../../shared/time.ts';
import { lockAccount } from '../../db/locks.ts';
import type { Database } from '../../db/open.ts';
import { transact } from '../../db/transact.ts';
import type { Deps } from '../../deps.ts';
import { isAdministrator } from '../../http/session.ts';
import { rescheduleJob } from '../../jobs/queue-store.ts';
import type { LeasedJob } from '../../jobs/registry.ts';
import type { Message } from './delivery-store.ts';
import { NEVER_PERMITTED, withheldSentences } from './send-limits.ts';
import { giveSlotsBack } from './slot-store.ts';

type Administrators = { config: Pick<Deps['config'], 'adminSubjects'> };
export type PermissionDeps = Pick<Deps, 'db' | 'metrics'> & Administrators;

/** Whether text messages of an account leave: by permission, or because it keeps this server. */
export async function mayText({ config }: Administrators, db: Database, accountId: number): Promise<boolean> {
  const account = await db
    .selectFrom('accounts')
    .select(['uid', 'is_admin', 'oidc_subject', 'texts_permitted'])
    .where('id', '=', accountId)
    .executeTakeFirst();
  return account !== undefined && (account.texts_permitted === 1 || isAdministrator(config, account));
}

/**
 * Puts a text message that lacks the permission aside. The account is held, so that a permission which is given just now
 * finds it there.
 * @returns false when it may leave
 */
export async function awaitPermission(
  deps: PermissionDeps,
  message: Message,
  job: LeasedJob,
  time: number,
): Promise<boolean> {
  if (message.channel !== 'sms') return false;
  const { account_id: accountId } = message;
  const waits = await transact(deps.db, async (tx) => {
    if (accountId !== null) await lockAccount(tx, accountId);
    const may = accountId === null ? message.texts_permitted === 1 : await mayText(deps, tx, accountId);
    if (may) return false;
    await tx
      .updateTable('messages')
      .set({
        withheld: 'permission',
        waits_for: null,
        why: accountId === null ? NEVER_PERMITTED : withheldSentences.permission,
      })
      .where('id', '=', message.id)
      .where('state', '=', 'waiting')
      .execute();
    await giveSlotsBack(tx, message.public_id);
    await rescheduleJob(tx, job, time + DAY);
    return true;
  });
  if (waits && message.withheld !== 'permission') {
    deps.metrics.countWithheld(message.kind, message.channel, 'permission');
  }
  return waits;
}
