// What the payment provider has told: each event once, for as long as it might be told again.
import { DAY } from '../../../shared/time.ts';
import type { PaymentEvent } from '../../adapters/payments.ts';
import type { Database } from '../../db/open.ts';
import { retried, transact } from '../../db/transact.ts';
import type { Deps } from '../../deps.ts';
import { enqueue } from '../../jobs/queue-store.ts';
import { type Store, SYNC } from './store.ts';

/** How long an event is known as one that came: longer than the provider sends it again, and by hand (30 days). */
const EVENT_KEPT = 35 * DAY;

/**
 * Writes down an event and asks for the work that it makes, in one transaction: what was answered with 204 is done, whatever
 * becomes of this server.
 */
export async function keepEvent({ db, now, calendar }: Store, event: PaymentEvent): Promise<void> {
  await transact(db, async (tx) => {
    const isNew = await tx
      .insertInto('payment_events')
      .values({
        id: event.id,
        customer_id: event.customerId,
        charge_id: event.chargeId,
        received_at: now(),
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst();
    if (isNew) await enqueue(tx, SYNC, event.id, calendar());
  });
}

export const findEvent = (db: Database, id: string) =>
  db
    .selectFrom('payment_events')
    .select(['customer_id', 'charge_id'])
    .where('id', '=', id)
    .executeTakeFirst();

/** Deletes events that nobody sends any more. */
export async function expirePaymentEvents({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<void> {
  await retried(db, () =>
    db
      .deleteFrom('payment_events')
      .where('received_at', '<=', now() - EVENT_KEPT)
      .execute(),
  );
}
