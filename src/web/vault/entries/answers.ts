// The three answers of the ritual, opened in this browser.
import { account } from '../../../shared/nouns/account.ts';
import { holdAgainstBook } from '../../../vault/book/hold-against.ts';
import { openFields, sealFields } from '../../../vault/entries/fields.ts';
import { sendResealed } from '../../../vault/entries/resealing.ts';
import { cameFromOutside } from '../../../vault/keys/key-ring.ts';
import type { OpenVault } from '../session/vault-context.ts';

/**
 * The answers in the order of the questions, when they were sealed, and whether they arrived from outside. Null before they
 * were given; no texts where they do not open, or were sealed at different moments, which `changed` then says.
 * @throws ApiError or TypeError when they cannot be fetched
 */
export async function openAnswers(vault: OpenVault) {
  const row = await vault.api.send(account.answers, {});
  holdAgainstBook(vault, 'onboarding', row ? [row] : []);
  if (!row) return null;
  const { question1, question2, question3 } = row;
  const opened = await openFields('onboarding', row, { question1, question2, question3 }, vault);
  const { texts = null, changed = null } = opened ?? {};
  const createdAt = opened?.facts.createdAt ?? row.createdAt;
  const outside = texts !== null && (await cameFromOutside(row, vault));
  /** Their owner says that answers which arrived from outside are theirs: they are sealed under the present key. */
  async function adopt(): Promise<void> {
    if (!row || !opened || !texts) return;
    const anew = await sealFields('onboarding', row.sealId, texts, opened.facts, vault);
    const entry = { kind: 'onboarding' as const, ...anew };
    await sendResealed([{ sealId: row.sealId, entry }], vault, 'taken in');
  }
  return { createdAt, texts, changed, asSealed: opened?.asSealed ?? null, outside, adopt };
}
