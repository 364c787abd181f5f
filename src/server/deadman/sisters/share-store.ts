// Shares of a letter's addresses, as this instance has its own and those that other sisters have shown.
import { openAtRest, sealAtRest } from '../../adapters/sister-shares.ts';
import { lockRows } from '../../db/locks.ts';
import type { Database } from '../../db/open.ts';
import { transact } from '../../db/transact.ts';
import type { Deps } from '../../deps.ts';
import { enqueue } from '../../jobs/queue-store.ts';
import { countedTime } from '../clock/counted-time-store.ts';
import { atRest, SISTER_LETTER, type SisterLetter } from './letter-store.ts';
import { SHARE_LASTS } from './rules.ts';

export interface ReceivedShare {
  place: number;
  share: string;
  received_counted: number;
}

/** This instance's own share of the addresses; null where the instance secret is another one, or it has ended. */
export const ownShare = (
  { digests }: Pick<Deps, 'digests'>,
  { id, share_of_addresses: sealed }: Pick<SisterLetter, 'id' | 'share_of_addresses'>,
): string | null => (sealed === null ? null : openAtRest(digests, atRest.ownAddresses(id), sealed));

/** The shares of other sisters that still count. */
export async function sharesThatCount(
  { db, digests }: Pick<Deps, 'db' | 'digests'>,
  id: string,
  now: number,
): Promise<ReceivedShare[]> {
  const rows = await db
    .selectFrom('sister_shares')
    .select(['place', 'share', 'received_counted'])
    .where('letter_id', '=', id)
    .where('received_counted', '>', now - SHARE_LASTS)
    .orderBy('place')
    .execute();
  return rows.flatMap((row) => {
    const share = openAtRest(digests, atRest.received(id, row.place), row.share);
    return share === null ? [] : [{ ...row, share }];
  });
}

/**
 * Keeps a share that another sister has shown; whoever waits for enough of them goes on.
 * @param share one whose hash the letter's author has signed
 * @param digest of the edition that it was compared with
 * @returns the letter as it is; undefined where that edition is not here any more
 */
export function keepShare(
  { db, digests }: Pick<Deps, 'db' | 'digests'>,
  { id, digest }: Pick<SisterLetter, 'id' | 'digest'>,
  { place, share }: { place: number; share: string },
): Promise<SisterLetter | undefined> {
  const sealed = sealAtRest(digests, atRest.received(id, place), share);
  return transact(db, async (tx) => {
    const query = tx
      .selectFrom('sister_letters')
      .selectAll()
      .where('id', '=', id)
      .where('digest', '=', digest)
      .where('ended_by', 'is', null);
    const letter = await lockRows(tx, query).executeTakeFirst();
    if (!letter) return undefined;
    const now = await countedTime(tx);
    await tx
      .insertInto('sister_shares')
      .values({ letter_id: id, place, share: sealed, received_counted: now })
      .onConflict((conflict) =>
        conflict.columns(['letter_id', 'place']).doUpdateSet({ share: sealed, received_counted: now }),
      )
      .execute();
    if (letter.released_counted !== null && letter.mailed_counted === null)
      await enqueueIfEnough(tx, letter, now);
    return letter;
  });
}

async function enqueueIfEnough(tx: Database, { id, needed }: SisterLetter, now: number): Promise<void> {
  const { shares } = await tx
    .selectFrom('sister_shares')
    .select((q) => q.fn.countAll<number>().as('shares'))
    .where('letter_id', '=', id)
    .where('received_counted', '>', now - SHARE_LASTS)
    .executeTakeFirstOrThrow();
  if (Number(shares) + 1 >= needed) await enqueue(tx, SISTER_LETTER, id, now);
}
