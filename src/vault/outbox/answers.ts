// The three answers of the ritual: sealed and sent once, and opened again.
import { newSealId } from '../../crypto/seal.ts';
import { account } from '../../shared/nouns/account.ts';
import type { RowOf } from '../../shared/nouns/sealed-rows.ts';
import { refusedAs } from '../api/api-error.ts';
import { inBook } from '../book/in-book.ts';
import { leafOfRow } from '../book/leaf-of-row.ts';
import { factsNow } from '../entries/facts.ts';
import { openFields, sealFields } from '../entries/fields.ts';
import { cameFromOutside } from '../keys/key-ring.ts';
import { onboardingKind } from '../kinds/onboarding.ts';
import { sendResealed } from '../opening/resealing.ts';
import { type ListedVault, rowListOf } from '../replica/row-list.ts';
import type { Vault } from '../vault.ts';
import { noteHere } from './here-already.ts';
import { notShown } from './own-refusals.ts';

/**
 * The answers in the order of the questions, when they were sealed, and whether they arrived from outside. No texts where
 * they do not open, or were sealed at different moments, which `changed` then says.
 */
async function openAnswers(row: RowOf['onboarding'], vault: Vault) {
  const { question1, question2, question3 } = row;
  const opened = await openFields('onboarding', row, { question1, question2, question3 }, vault);
  const { texts = null, changed = null } = opened ?? {};
  const createdAt = opened?.facts.createdAt ?? row.createdAt;
  const outside = texts !== null && (await cameFromOutside(row, vault));
  /** Their owner says that answers which arrived from outside are theirs: they are sealed under the present key. */
  async function adopt(): Promise<void> {
    if (!opened || !texts) return;
    const anew = await sealFields('onboarding', row.sealId, texts, opened.facts, vault);
    const entry = { kind: 'onboarding' as const, ...anew };
    await sendResealed([{ sealId: row.sealId, entry }], vault, 'taken in');
  }
  const { sealId } = row;
  const leaf = leafOfRow('onboarding', row);
  return { sealId, leaf, createdAt, texts, changed, asSealed: opened?.asSealed ?? null, outside, adopt };
}

/** The answers, once they were given. */
export const answersList = rowListOf('onboarding', onboardingKind, openAnswers);

/**
 * Seals and sends the answers, in the order of the questions. Where there are some already, from another tab or an attempt
 * whose answer was lost, those stay: they have to open here.
 * @throws ApiError, TypeError, SealError
 */
export async function sendAnswers(vault: ListedVault, answers: readonly string[]): Promise<void> {
  const [question1 = '', question2 = '', question3 = ''] = answers;
  const texts = { question1, question2, question3 };
  const sealId = newSealId();
  const sealed = await sealFields('onboarding', sealId, texts, factsNow('onboarding', {}), vault);
  const put = [{ kind: 'onboarding' as const, sealId, sealed }];
  const body = { ...sealed, sealId, keyFingerprint: vault.fingerprint };
  try {
    await inBook(vault, { put }).send(account.onboarding, { body });
  } catch (error) {
    if (!refusedAs(error, 'already-onboarded')) throw error;
    const [earlier] = await vault.lists.load(answersList);
    if (!earlier?.asSealed) throw notShown();
    // Before their draft is dropped: no entry of the book would miss them.
    await noteHere(vault, 'onboarding', [earlier]);
  }
}
