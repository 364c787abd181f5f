// Writing to the recipients of another instance's letter: each of them once from here, and none who has shown that they have it.
import { sql } from 'kysely';
import { sealAtRest } from '../../adapters/sister-shares.ts';
import { lockRows } from '../../db/locks.ts';
import type { Database } from '../../db/open.ts';
import { transact } from '../../db/transact.ts';
import type { Deps } from '../../deps.ts';
import { proofHash } from '../../digests.ts';
import { countedTime } from '../clock/counted-time-store.ts';
import { type NewMessage, newMessageId, writeMessage } from '../delivery/message-store.ts';
import type { SisterAddresses } from './letter.ts';
import { atRest, type SisterLetter } from './letter-store.ts';

/** Whether a letter has a recipient who was not written to from here and has not shown that they have it. */
export async function isAnybodyToWriteTo(db: Database, id: string): Promise<boolean> {
  const one = await db
    .selectFrom('sister_tokens')
    .select('hash')
    .where('letter_id', '=', id)
    .where('mailed_at', 'is', null)
    .where('shown_at', 'is', null)
    .executeTakeFirst();
  return one !== undefined;
}

/** Another time that shares were asked for without having enough. */
export async function countTry(db: Database, id: string): Promise<void> {
  await db
    .updateTable('sister_letters')
    .set((eb) => ({ tries: eb('tries', '+', 1) }))
    .where('id', '=', id)
    .execute();
}

/** Writes to each recipient to whom it is still to be written, in one transaction: a sign of their author comes before, or after. */
export function writeMails(
  { db, now, digests }: Pick<Deps, 'db' | 'now' | 'digests'>,
  { id, digest }: Pick<SisterLetter, 'id' | 'digest'>,
  { authorName, recipients }: SisterAddresses,
): Promise<void> {
  return transact(db, async (tx) => {
    const query = tx
      .selectFrom('sister_letters')
      .select('id')
      .where('id', '=', id)
      .where('digest', '=', digest)
      .where('ended_by', 'is', null)
      .where('released_counted', 'is not', null);
    if (!(await lockRows(tx, query).executeTakeFirst())) return;
    const time = { time: now(), countedTime: await countedTime(tx) };
    for (const { address, token } of recipients) {
      const public_id = newMessageId();
      const taken = await tx
        .updateTable('sister_tokens')
        .set({
          mailed_at: time.time,
          message: public_id,
          token: sealAtRest(digests, atRest.token(id), token),
        })
        .where('letter_id', '=', id)
        .where('hash', '=', proofHash(token))
        .where('mailed_at', 'is', null)
        .where('shown_at', 'is', null)
        .returning('hash')
        .executeTakeFirst();
      if (!taken) continue;
      const message: NewMessage = {
        ...({ kind: 'sister-letter', channel: 'email' } as const),
        ...{ address, public_id, author_name: authorName },
        ...{ account_id: null, scroll_id: null, scroll_public_id: id },
        // Of its author nothing is known here but this letter.
        author_hash: digests.keyed('message-author', `sister ${id}`),
      };
      await writeMessage(tx, message, time);
    }
    await tx
      .updateTable('sister_letters')
      .set({ mailed_counted: sql<number>`coalesce(mailed_counted, ${sql.val(time.countedTime)})` })
      .where('id', '=', id)
      .execute();
  });
}
