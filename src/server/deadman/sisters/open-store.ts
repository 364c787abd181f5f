// What this instance gives to a recipient who shows what their mail has brought, and what it notes when they do.

import { sql } from 'kysely';
import { openAtRest } from '../../adapters/sister-shares.ts';
import { lockRows } from '../../db/locks.ts';
import type { Database } from '../../db/open.ts';
import { transact } from '../../db/transact.ts';
import type { Deps } from '../../deps.ts';
import { proofHash } from '../../digests.ts';
import { cancelJobs } from '../../jobs/queue-store.ts';
import { DELIVER } from '../delivery/message-store.ts';
import { atRest, type SisterLetter } from './letter-store.ts';

export type LetterState = 'watching' | 'released' | 'ended';

export const stateOf = ({
  ended_by,
  released_counted,
}: Pick<SisterLetter, 'ended_by' | 'released_counted'>): LetterState => {
  if (ended_by !== null) return 'ended';
  return released_counted === null ? 'watching' : 'released';
};

/**
 * Answers whoever shows a recipient's token, and notes that this recipient has the letter where nobody but them can know it:
 * then a mail that has not left does not leave any more.
 * @returns undefined for another letter or token
 */
export async function openLetter(
  deps: Pick<Deps, 'db' | 'now' | 'digests'>,
  { id, token }: { id: string; token: string },
) {
  const letter = await noteShown(deps, id, proofHash(token));
  if (!letter) return undefined;
  return {
    ...{ state: stateOf(letter), needed: letter.needed },
    ...{ sisters: sistersOf(letter), opened: opened(deps, letter) },
  };
}

/**
 * Whether a token proves that its recipient has the letter. It stands in the sealed addresses as well: once silence was over
 * here, another sister may have opened these with this one's share, and whoever is written to by none would be lost. The first
 * of those that are honest knows that, and writes. Where all sisters are needed, none of them may lie.
 */
const provesReading = (letter: SisterLetter): boolean =>
  letter.was_released === 0 || letter.needed === sistersOf(letter).length;

export const sistersOf = ({
  sisters,
}: Pick<SisterLetter, 'sisters'>): { origin: string; address: string }[] => JSON.parse(sisters);

function opened({ digests }: Pick<Deps, 'digests'>, letter: SisterLetter) {
  const { id, encrypted_content: encryptedContent, seal_id: sealId, share_of_letter: sealed } = letter;
  if (stateOf(letter) !== 'released' || encryptedContent === null || sealed === null) return null;
  const share = openAtRest(digests, atRest.ownLetter(id), sealed);
  return share === null ? null : { encryptedContent, sealId, share };
}

const noteShown = (
  { db, now }: Pick<Deps, 'db' | 'now'>,
  id: string,
  hash: string,
): Promise<SisterLetter | undefined> =>
  transact(db, async (tx) => {
    const letter = await lockRows(
      tx,
      tx.selectFrom('sister_letters').selectAll().where('id', '=', id),
    ).executeTakeFirst();
    const mine = tx
      .selectFrom('sister_tokens')
      .select('message')
      .where('letter_id', '=', id)
      .where('hash', '=', hash);
    const token = await mine.executeTakeFirst();
    if (!letter || !token) return undefined;
    const isProof = provesReading(letter);
    const column = isProof ? 'shown_at' : 'shown_later_at';
    await tx
      .updateTable('sister_tokens')
      .set({ [column]: sql<number>`coalesce(${sql.ref(column)}, ${sql.val(now())})` })
      .where('letter_id', '=', id)
      .where('hash', '=', hash)
      .execute();
    if (isProof && token.message) await cancelMail(tx, token.message);
    return letter;
  });

async function cancelMail(tx: Database, publicId: string): Promise<void> {
  await tx
    .updateTable('messages')
    .set({ state: 'cancelled' })
    .where('public_id', '=', publicId)
    .where('state', '=', 'waiting')
    .execute();
  await cancelJobs(tx, DELIVER, sql`(${publicId})`);
}
