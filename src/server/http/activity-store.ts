// Account activity in the database: written where something happens, in its transaction, and bounded as it is written.
// No row and no log line holds an address; a log line names no account either.

import {
  ACTIVITY_DAYS,
  type Activity,
  type ActivityKind,
  activityGroups,
} from '../../shared/nouns/activity.ts';
import { DAY, HOUR } from '../../shared/time.ts';
import { compiled } from '../db/compiled.ts';
import { type Database, isOrphan } from '../db/open.ts';
import type { SignInWay } from '../db/schema/columns.ts';
import type { Deps } from '../deps.ts';
import { takeAttempt } from './attempt-store.ts';

type Store = Pick<Deps, 'now' | 'log'>;

export interface Happening {
  kind: ActivityKind;
  way?: SignInWay | null;
  /** The browser's name for itself, as sessions show it; empty for what somebody else did. */
  device?: string;
}

const newRow = compiled<ReturnType<typeof rowOf>>()((tx, value) =>
  tx
    .insertInto('account_activity')
    .values({
      account_id: value('account_id'),
      kind: value('kind'),
      way: value('way'),
      device: value('device'),
      at: value('at'),
      count: value('count'),
      slot: value('slot'),
    })
    .onConflict((conflict) => conflict.columns(['account_id', 'slot']).doNothing())
    .returning('id'),
);

/** Writes down what happened once. @param tx the transaction of the change, if there is one */
export async function logActivity(
  deps: Store,
  tx: Database,
  accountId: number,
  happening: Happening,
): Promise<void> {
  await newRow(tx, rowOf(deps, accountId, happening, null));
  await trim(tx, accountId, happening.kind);
  tell(deps, happening);
}

/** As `logActivity`, for what may be told twice. @param name what tells it apart from others of its kind */
export async function recordOnce(
  deps: Store,
  tx: Database,
  accountId: number,
  happening: Happening,
  name: string,
): Promise<void> {
  const [written] = await newRow(tx, rowOf(deps, accountId, happening, `${happening.kind} ${name}`));
  if (!written) return;
  await trim(tx, accountId, happening.kind);
  tell(deps, happening);
}

/** A sign-in: a device whose name the kept history does not hold is a new one. */
export async function recordSignIn(
  deps: Store,
  tx: Database,
  accountId: number,
  { way, device }: { way: SignInWay; device: string },
): Promise<void> {
  const before = await tx
    .selectFrom('account_activity')
    .select('id')
    .where('account_id', '=', accountId)
    .where('kind', 'in', [...activityGroups.signIns.kinds])
    .where('device', '=', device)
    .limit(1)
    .executeTakeFirst();
  await logActivity(deps, tx, accountId, { kind: before ? 'sign-in' : 'new-device', way, device });
}

/**
 * Counts what may happen very often: one row for each kind and hour, so that nobody can push the history out by it.
 * One statement; the rows beyond the bound go with the next sweep.
 */
export async function countActivity(
  deps: Store,
  db: Database,
  accountId: number,
  happening: Happening,
): Promise<void> {
  const slot = `${happening.kind} ${happening.way ?? ''} ${Math.floor(deps.now() / HOUR)}`;
  try {
    await db
      .insertInto('account_activity')
      .values(rowOf(deps, accountId, happening, slot))
      .onConflict((conflict) =>
        conflict.columns(['account_id', 'slot']).doUpdateSet((eb) => ({
          count: eb('account_activity.count', '+', 1),
          at: eb.ref('excluded.at'),
          device: eb.ref('excluded.device'),
        })),
      )
      .execute();
  } catch (error) {
    // The vault was destroyed meanwhile.
    if (!isOrphan(error)) throw error;
  }
  tell(deps, happening);
}

/**
 * Counts a failed try against an account.
 * @param accountId null where nobody is meant; as much is written then, so that no answer comes sooner and tells
 * @param subject what was tried
 */
export async function countFailure(
  deps: Store & Pick<Deps, 'db' | 'digests'>,
  accountId: number | null,
  happening: Happening & { kind: 'failed-sign-in' | 'failed-proof' },
  subject: string,
): Promise<void> {
  if (accountId !== null) return countActivity(deps, deps.db, accountId, happening);
  await takeAttempt(deps, deps.digests.keyed('attempt', `nobody ${subject}`), { window: HOUR });
  tell(deps, happening);
}

function rowOf(deps: Store, accountId: number, { kind, way, device }: Happening, slot: string | null) {
  return {
    account_id: accountId,
    kind,
    way: way ?? null,
    device: device ?? '',
    at: deps.now(),
    count: 1,
    slot,
  };
}

/** The operator's log gets the same, without a name. */
function tell({ log }: Store, { kind, way }: Happening): void {
  log.info({ event: kind, ...(way ? { way } : {}) }, 'account activity');
}

const groupOf = (kind: ActivityKind) =>
  Object.values(activityGroups).find(({ kinds }) => (kinds as readonly ActivityKind[]).includes(kind)) ??
  activityGroups.changes;

/** By the group whose newest rows are kept. */
const trims = new Map(
  Object.values(activityGroups).map((group) => [
    group,
    compiled<{ accountId: number }>()((tx, value) =>
      tx.deleteFrom('account_activity').where('id', 'in', (eb) =>
        eb
          .selectFrom('account_activity as mine')
          .select('mine.id')
          .where('mine.account_id', '=', value('accountId'))
          .where('mine.kind', 'in', [...group.kinds])
          .orderBy('mine.at', 'desc')
          .orderBy('mine.id', 'desc')
          .limit(Number.MAX_SAFE_INTEGER)
          .offset(group.kept),
      ),
    ),
  ]),
);

/** Keeps the newest rows of one group. */
async function trim(tx: Database, accountId: number, kind: ActivityKind): Promise<void> {
  await trims.get(groupOf(kind))?.(tx, { accountId });
}

/** Deletes old rows, and what was counted beyond the bound of its group. */
export async function expireActivity({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<void> {
  await db
    .deleteFrom('account_activity')
    .where('at', '<=', now() - ACTIVITY_DAYS * DAY)
    .execute();
  const { kept } = activityGroups.failures;
  const crowded = await db
    .selectFrom('account_activity')
    .select('account_id')
    .where('slot', 'is not', null)
    .groupBy('account_id')
    .having((eb) => eb(eb.fn.countAll(), '>', kept))
    .execute();
  for (const { account_id } of crowded) {
    await trim(db, account_id, 'failed-sign-in');
    await trim(db, account_id, 'export');
    await trim(db, account_id, 'book-other-rows');
  }
}

/** Everything that is kept of one account, newest first. */
export async function listActivity(db: Database, accountId: number): Promise<Activity[]> {
  const rows = await db
    .selectFrom('account_activity')
    .select(['id', 'kind', 'way', 'device', 'at', 'count'])
    .where('account_id', '=', accountId)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return rows.map(({ at, ...row }) => ({ ...row, at: new Date(at).toISOString() }));
}
