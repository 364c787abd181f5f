// The three sealed answers. They are given once, and reread by their giver alone.
import type { Answers } from '../../../shared/nouns/account.ts';
import { markOnboarded } from '../../accounts/account-store.ts';
import type { ChangedRows } from '../../changes/changed-rows.ts';
import { isAnotherKey } from '../../db/key-guard.ts';
import { lockAccount } from '../../db/locks.ts';
import { iso } from '../../db/times.ts';
import { transact } from '../../db/transact.ts';
import type { Deps } from '../../deps.ts';

export interface GivenAnswers {
  question1: string;
  question2: string;
  question3: string;
  sealId?: string | null | undefined;
  keyFingerprint?: string | null | undefined;
}

/** Keeps the answers, which completes onboarding. They are given once, under the vault's present key. */
export async function keepAnswers(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  accountId: number,
  answers: GivenAnswers,
): Promise<'kept' | 'already-onboarded' | 'key-changed'> {
  const time = now();
  return transact(db, async (tx) => {
    await lockAccount(tx, accountId);
    if (await isAnotherKey(tx, accountId, answers.keyFingerprint)) return 'key-changed';
    const kept = await tx
      .insertInto('onboarding_answers')
      .values({
        account_id: accountId,
        question1: answers.question1,
        question2: answers.question2,
        question3: answers.question3,
        seal_id: answers.sealId ?? null,
        key_fingerprint: answers.keyFingerprint ?? null,
        created_at: time,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('account_id')
      .executeTakeFirst();
    if (!kept) return 'already-onboarded';
    await markOnboarded(tx, accountId, time);
    return 'kept';
  });
}

export async function findAnswers({ db }: Pick<Deps, 'db'>, accountId: number): Promise<Answers | null> {
  const row = await db
    .selectFrom('onboarding_answers')
    .select(['question1', 'question2', 'question3', 'seal_id', 'key_fingerprint', 'created_at'])
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  if (!row) return null;
  const { question1, question2, question3 } = row;
  return {
    question1,
    question2,
    question3,
    createdAt: iso(row.created_at),
    sealId: row.seal_id,
    keyFingerprint: row.key_fingerprint,
  };
}

export const changedAnswers: ChangedRows<Answers> = {
  rows: async (deps, { accountId }) => [{ id: 0, row: await findAnswers(deps, accountId) }],
};
