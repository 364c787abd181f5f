// The three answers of the ritual, opened in this browser.
import { account } from '../../../shared/nouns/account.ts';
import { cameFromOutside } from '../key/key-ring.ts';
import type { OpenVault } from '../session/vault-context.ts';
import { openFields, sealFields } from './fields.ts';
import { sendResealed } from './resealing.ts';

/**
 * The answers in the order of the questions, and whether they arrived from outside. Null before they were given; no
 * texts where they do not open.
 * @throws ApiError or TypeError when they cannot be fetched
 */
export async function openAnswers(vault: OpenVault) {
  const row = await vault.api.send(account.answers, {});
  if (!row) return null;
  const { question1, question2, question3, createdAt } = row;
  const texts = await openFields('onboarding', row, { question1, question2, question3 }, vault);
  const outside = texts !== null && (await cameFromOutside(row, vault));
  /** Their owner says that answers which arrived from outside are theirs: they are sealed under the present key. */
  async function adopt(): Promise<void> {
    if (!row || !texts) return;
    await sendResealed(
      [{ kind: 'onboarding', ...(await sealFields('onboarding', row.sealId, texts, vault)) }],
      vault,
    );
  }
  return { createdAt, texts, outside, adopt };
}
