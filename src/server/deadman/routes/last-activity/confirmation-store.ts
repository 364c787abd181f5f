// What is pressed in a mail. Each link counts once, and one statement decides it; looking changes nothing. A link of another
// server that has the same secret, such as a copy of this one, counts for the same account here.
import type { ReplyOf } from '../../../../shared/http/call.ts';
import type { ConfirmationKind, confirmations } from '../../../../shared/nouns/switch.ts';
import { findByUid } from '../../../accounts/account-store.ts';
import { lockAccount } from '../../../db/locks.ts';
import type { Database } from '../../../db/open.ts';
import { transact } from '../../../db/transact.ts';
import { ofStandingVault } from '../../../db/vault-state.ts';
import type { Deps } from '../../../deps.ts';
import type { PressLink } from '../../delivery/link-token.ts';
import { lockLastActivity, recordActivity } from '../../watch/last-activity-store.ts';

type Store = Pick<Deps, 'db' | 'now' | 'rules'>;

/** What asks for a press. */
interface Asking {
  kind: ConfirmationKind;
  account_id: number | null;
  confirmed_at: number | null;
  /** Another server has written it, and this one has no row of it. */
  isForeign: boolean;
}

async function findAsking(
  { db }: Pick<Store, 'db'>,
  { purpose, publicId, uid }: PressLink,
): Promise<Asking | null> {
  const row = await db
    .selectFrom('messages')
    .select(['kind', 'account_id', 'confirmed_at'])
    .where('public_id', '=', publicId)
    .where(ofStandingVault('messages'))
    .executeTakeFirst();
  if (row?.kind === 'release') return null;
  // What tells an author of a postponement takes their sign of life as a warning does, and so does what guardians have asked for.
  if (row?.kind === 'postponed') return { ...row, kind: 'warning', isForeign: false };
  if (row?.kind === 'kit-asked') return { ...row, kind: 'guardians', isForeign: false };
  if (row) return { ...row, kind: row.kind as ConfirmationKind, isForeign: false };
  // An address is proved where it was asked alone.
  const account = purpose === 'press-warning' ? await findByUid({ db }, uid) : undefined;
  if (!account) return null;
  const pressed = await db
    .selectFrom('foreign_presses')
    .select('pressed_at')
    .where('public_id', '=', publicId)
    .executeTakeFirst();
  return {
    ...{ kind: 'warning', account_id: account.id, isForeign: true },
    confirmed_at: pressed?.pressed_at ?? null,
  };
}

export async function lookAtConfirmation(
  { db, rules }: Store,
  link: PressLink,
): Promise<ReplyOf<typeof confirmations.look> | null> {
  const message = await findAsking({ db }, link);
  if (!message) return null;
  const { publicId } = link;
  const { kind, account_id, confirmed_at } = message;
  if (confirmed_at !== null) return { kind, state: 'pressed' };
  if (account_id === null) return { kind, state: 'over' };
  if (kind === 'prove-address') {
    return { kind, state: (await isAsked(db, account_id, publicId)) ? 'open' : 'over' };
  }
  const lastActivity = await db
    .selectFrom('last_activity')
    .select('confirmations')
    .where('account_id', '=', account_id)
    .executeTakeFirst();
  return { kind, state: (lastActivity?.confirmations ?? 0) < rules.confirmationsInARow ? 'open' : 'sign-in' };
}

async function isAsked(db: Database, accountId: number, publicId: string): Promise<boolean> {
  const asked = await db
    .selectFrom('warning_addresses')
    .select('account_id')
    .where('account_id', '=', accountId)
    .where('asked_message', '=', publicId)
    .executeTakeFirst();
  return asked !== undefined;
}

export type Pressed = ReplyOf<typeof confirmations.press> | 'not-found' | 'press-over' | 'sign-in-counts';

/** Counts a press, however old its mail is: somebody has it, and has pressed. */
export async function press(deps: Store, link: PressLink): Promise<Pressed> {
  const message = await findAsking(deps, link);
  if (!message) return 'not-found';
  const { kind, account_id, isForeign } = message;
  if (account_id === null) return 'press-over';
  const ours = kind === 'guardians' ? stopGuardians : countWarning;
  const counts = kind === 'prove-address' ? proveAddress : isForeign ? countForeign : ours;
  return transact(deps.db, (tx) => counts({ ...deps, db: tx }, account_id, link.publicId)).catch(
    (error: unknown) => {
      if (error instanceof Uncounted) return error.why;
      throw error;
    },
  );
}

/** Undoes what a press has begun. */
class Uncounted extends Error {
  readonly why: 'press-over' | 'sign-in-counts';
  constructor(why: Uncounted['why']) {
    super(why);
    this.why = why;
  }
}

async function markConfirmed({ db, now }: Store, accountId: number, publicId: string): Promise<void> {
  const marked = await db
    .updateTable('messages')
    .set({ confirmed_at: now() })
    .where('public_id', '=', publicId)
    .where('account_id', '=', accountId)
    .where('confirmed_at', 'is', null)
    .where(ofStandingVault('messages'))
    .returning('id')
    .executeTakeFirst();
  if (!marked) throw new Uncounted('press-over');
}

async function countWarning(deps: Store, accountId: number, publicId: string): Promise<Pressed> {
  await lockLastActivity(deps.db, accountId);
  await markConfirmed(deps, accountId, publicId);
  return countPress(deps, accountId);
}

async function stopGuardians(deps: Store, accountId: number, publicId: string): Promise<Pressed> {
  await lockLastActivity(deps.db, accountId);
  await markConfirmed(deps, accountId, publicId);
  return countPress(deps, accountId, 'guardians');
}

async function countForeign(deps: Store, accountId: number, publicId: string): Promise<Pressed> {
  await lockLastActivity(deps.db, accountId);
  const noted = await deps.db
    .insertInto('foreign_presses')
    .values({ public_id: publicId, account_id: accountId, pressed_at: deps.now() })
    .onConflict((conflict) => conflict.column('public_id').doNothing())
    .returning('public_id')
    .executeTakeFirst();
  if (!noted) throw new Uncounted('press-over');
  return countPress(deps, accountId);
}

async function countPress(
  deps: Store,
  accountId: number,
  kind: 'warning' | 'guardians' = 'warning',
): Promise<Pressed> {
  const inARow = await recordActivity(deps, deps.db, accountId, 'press');
  if (inARow === null) throw new Uncounted('sign-in-counts');
  return { kind, confirmationsLeft: deps.rules.confirmationsInARow - inARow };
}

/** A message whose link was pressed has arrived, whoever carried it: it waits for nobody any more. */
async function settleArrived({ db, now }: Store, publicId: string): Promise<void> {
  await db
    .updateTable('messages')
    .set({ state: 'sent', sent_at: now(), by_hand: 1, why: null })
    .where('public_id', '=', publicId)
    .where('state', 'in', ['waiting', 'failed'])
    .execute();
}

async function proveAddress(deps: Store, accountId: number, publicId: string): Promise<Pressed> {
  const { db, now } = deps;
  await lockAccount(db, accountId);
  await markConfirmed(deps, accountId, publicId);
  const proved = await db
    .updateTable('warning_addresses')
    .set((eb) => ({
      channel: eb.ref('asked_channel'),
      address: eb.ref('asked_address'),
      proved_at: now(),
      asked_address: null,
      asked_message: null,
    }))
    .where('account_id', '=', accountId)
    .where('asked_message', '=', publicId)
    .returning('account_id')
    .executeTakeFirst();
  if (!proved) throw new Uncounted('press-over');
  await settleArrived(deps, publicId);
  return { kind: 'prove-address', confirmationsLeft: null };
}
