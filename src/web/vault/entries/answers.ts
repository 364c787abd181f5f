// The three answers of the ritual, opened in this browser.
import type { RowOf } from '../../../shared/sealed-facts.ts';
import { openFields, sealFields } from '../../../vault/entries/fields.ts';
import { sendResealed } from '../../../vault/entries/resealing.ts';
import { cameFromOutside } from '../../../vault/keys/key-ring.ts';
import { onboardingKind } from '../../../vault/kinds/onboarding.ts';
import { rowListOf } from '../../../vault/replica/row-list.ts';
import type { Vault } from '../../../vault/vault.ts';

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
  return { createdAt, texts, changed, asSealed: opened?.asSealed ?? null, outside, adopt };
}

/** The answers, once they were given. */
export const answersList = rowListOf('onboarding', onboardingKind, openAnswers);
