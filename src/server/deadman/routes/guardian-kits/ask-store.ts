// Whoever has enough sheets of a kit asks for the vault: its author is told at once, and counted time decides. What opens
// the vault leaves the database once the switch has ended the wait, and nobody has stopped it since.
import type { ReplyOf } from '../../../../shared/http/call.ts';
import { ASKED_AGAIN_WITHIN, ASKS_MAX, type guardianKits } from '../../../../shared/nouns/guardian-kits.ts';
import { lockReference, lockRows } from '../../../db/locks.ts';
import type { Database } from '../../../db/open.ts';
import { transact } from '../../../db/transact.ts';
import { ofStandingVault } from '../../../db/vault-state.ts';
import type { Deps } from '../../../deps.ts';
import { proofHash } from '../../../digests.ts';
import { logActivity } from '../../../http/activity-store.ts';
import { countedNow, type InstanceClock, mayAct, readInstanceClock } from '../../clock/counted-time-store.ts';
import { tellOfKits } from '../../delivery/kit-messages-store.ts';
import { type AskedKit, isAsked, kitColumns, remainingOfKit } from '../../watch/kit-rules.ts';
import { lockLastActivity } from '../../watch/last-activity-store.ts';

type Store = Pick<Deps, 'db' | 'now' | 'rules' | 'log'>;
type Answer = ReplyOf<typeof guardianKits.ask>;

/** What is shown of a kit: neither half of it finds anything alone. */
interface Shown {
  address: string;
  claim: string;
}

const columns = [
  ...kitColumns,
  ...(['asks', 'asked_at', 'stopped_counted', 'ended_at', 'opened_at', 'wrap'] as const),
] as const;

/** Kits that open the key which their vault has now: one that was made for another key opens nothing. */
const findKit = (db: Database, { address, claim }: Shown) =>
  db
    .selectFrom('guardian_kits')
    .select(columns)
    .where('address', '=', address)
    .where('claim_hash', '=', proofHash(claim))
    .where(ofStandingVault('guardian_kits'))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('vault_keys')
          .select('vault_keys.fingerprint')
          .whereRef('vault_keys.account_id', '=', 'guardian_kits.account_id')
          .whereRef('vault_keys.fingerprint', '=', 'guardian_kits.key_fingerprint'),
      ),
    );

/**
 * Asks for a vault, or how far the wait is.
 * @param again whether it is asked for once more where its author has stopped it
 */
export function askForVault(
  deps: Store,
  { again, ...shown }: Shown & { again: boolean },
): Promise<Answer | 'not-found' | 'kit-spent'> {
  return transact(deps.db, async (tx) => {
    const found = await findKit(tx, shown).executeTakeFirst();
    if (!found) return 'not-found';
    await lockLastActivity(tx, found.account_id);
    const kit = await lockRows(tx, findKit(tx, shown)).executeTakeFirst();
    if (!kit) return 'not-found';
    const clock = await readInstanceClock(tx);
    if (isAsked(kit)) return isOpen(kit, clock) ? open(deps, tx, kit) : waiting(deps, kit, clock);
    if (kit.asks > 0 && !again) return { state: 'stopped', remaining: null, wrap: null };
    if (kit.asks >= ASKS_MAX) return 'kit-spent';
    return waiting(deps, await beginWait(deps, tx, kit, clock), clock);
  });
}

/** A paused switch, and one that may be a copy, hands out nothing. */
const isOpen = ({ ended_at }: { ended_at: number | null }, clock: InstanceClock): boolean =>
  ended_at !== null && mayAct(clock);

const waiting = ({ rules }: Store, kit: AskedKit, clock: InstanceClock): Answer => ({
  state: 'waiting',
  remaining: remainingOfKit(kit, clock, rules),
  wrap: null,
});

type Kit = NonNullable<Awaited<ReturnType<ReturnType<typeof findKit>['executeTakeFirst']>>>;

async function beginWait(deps: Store, tx: Database, kit: Kit, clock: InstanceClock): Promise<AskedKit> {
  const time = deps.now();
  const isSoon =
    kit.stopped_counted !== null && clock.counted_time - kit.stopped_counted < ASKED_AGAIN_WITHIN;
  const asked = await tx
    .updateTable('guardian_kits')
    .set((eb) => ({
      asks: eb('asks', '+', 1),
      asked_at: time,
      asked_counted: countedNow(deps.rules),
      asked_again: isSoon ? 1 : 0,
      ...{ warning_step: 0, warning_accepted: null, next_check_at: 0, ended_at: null },
    }))
    .where('id', '=', kit.id)
    .returning(kitColumns)
    .executeTakeFirstOrThrow();
  if (!isAsked(asked)) throw new Error('The database has no counted time.');
  await tellOfKits(tx, { kind: 'kit-asked', accountId: kit.account_id }, time);
  await note(deps, tx, kit, 'vault-asked-for');
  return asked;
}

async function open(deps: Store, tx: Database, kit: Kit): Promise<Answer> {
  const time = deps.now();
  // The first time after this wait, which an asking or a pause has begun: whoever comes back, because an answer was lost, is no news.
  const endedAt = kit.ended_at ?? 0;
  if (kit.opened_at === null || kit.opened_at < endedAt) {
    const openedAt = Math.max(time, endedAt);
    await tx.updateTable('guardian_kits').set({ opened_at: openedAt }).where('id', '=', kit.id).execute();
    await tellOfKits(tx, { kind: 'kit-opened', accountId: kit.account_id, deadline: kit.asked_at }, time);
    await note(deps, tx, kit, 'vault-opened-by-guardians');
  }
  return { state: 'open', remaining: null, wrap: kit.wrap };
}

async function note(
  deps: Store,
  tx: Database,
  { account_id }: Kit,
  kind: 'vault-asked-for' | 'vault-opened-by-guardians',
): Promise<void> {
  if (await lockReference(tx, account_id)) await logActivity(deps, tx, account_id, { kind });
}
