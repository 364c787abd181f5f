// What this instance gives to a recipient who shows what their mail has brought, and what it notes when they do.

import { sql } from 'kysely';
import { openAtRest } from '../../adapters/sister-shares.ts';
import type { Database } from '../../db/open.ts';
import { transact } from '../../db/transact.ts';
import type { Deps } from '../../deps.ts';
import { proofHash } from '../../digests.ts';
import { cancelJobs } from '../../jobs/queue-store.ts';
import { DELIVER } from '../delivery/message-store.ts';
import { atRest, findLetter, type SisterLetter } from './letter-store.ts';

export type LetterState = 'watching' | 'released' | 'ended';

export const stateOf = ({
  ended_by,
  released_counted,
}: Pick<SisterLetter, 'ended_by' | 'released_counted'>): LetterState => {
  if (ended_by !== null) return 'ended';
  return released_counted === null ? 'watching' : 'released';
};

/**
 * Notes that a recipient has the letter, whatever it is worth here: nobody else can make the token. A mail to them that has
 * not left does not leave any more.
 * @returns undefined for another letter or token
 */
export async function openLetter(
  deps: Pick<Deps, 'db' | 'now' | 'digests'>,
  { id, token }: { id: string; token: string },
) {
  if (!(await noteShown(deps, id, proofHash(token)))) return undefined;
  const letter = await findLetter(deps.db, id);
  if (!letter) return undefined;
  return {
    state: stateOf(letter),
    needed: letter.needed,
    sisters: sistersOf(letter),
    opened: opened(deps, letter),
  };
}

export const sistersOf = ({
  sisters,
}: Pick<SisterLetter, 'sisters'>): { origin: string; address: string }[] => JSON.parse(sisters);

function opened({ digests }: Pick<Deps, 'digests'>, letter: SisterLetter) {
  const { id, encrypted_content: encryptedContent, seal_id: sealId, share_of_letter: sealed } = letter;
  if (stateOf(letter) !== 'released' || encryptedContent === null || sealed === null) return null;
  const share = openAtRest(digests, atRest.ownLetter(id), sealed);
  return share === null ? null : { encryptedContent, sealId, share };
}

const noteShown = ({ db, now }: Pick<Deps, 'db' | 'now'>, id: string, hash: string): Promise<boolean> =>
  transact(db, async (tx) => {
    const token = await tx
      .updateTable('sister_tokens')
      .set({ shown_at: sql<number>`coalesce(shown_at, ${sql.val(now())})` })
      .where('letter_id', '=', id)
      .where('hash', '=', hash)
      .returning('message')
      .executeTakeFirst();
    if (token?.message) await cancelMail(tx, token.message);
    return token !== undefined;
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
