// The three answers of the ritual, opened in this browser.
import { account } from '../../shared/account.ts';
import { send } from '../api/client.ts';
import { openFields } from './fields.ts';
import type { OpenVault } from './vault-context.ts';

/**
 * The answers in the order of the questions. Null before they were given; no texts where they do not open.
 * @throws ApiError or TypeError when they cannot be fetched
 */
export async function openAnswers(vault: OpenVault) {
  const row = await send(account.answers, {});
  if (!row) return null;
  const { question1, question2, question3, createdAt } = row;
  const texts = await openFields('onboarding', row, { question1, question2, question3 }, vault);
  return { createdAt, texts };
}
