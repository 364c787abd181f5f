// Words that are to reach somebody on a day, handed to the form of a letter as its draft: sealed in this browser, as a
// history or an address would not be.
import { newSealId } from '../../../crypto/seal.ts';
import { olderKeys } from '../../../vault/keys/key-ring.ts';
import { draftNames, keepDraft, loadDraft } from '../entries/drafts.ts';
import type { OpenVault } from '../session/vault-context.ts';

/** The name of the draft of a new letter. */
export const LETTER_DRAFT = 'legacy-scroll';

interface BegunLetter {
  title: string;
  content: string;
}

/**
 * @param day as `YYYY-MM-DD`
 * @returns false where another letter is begun already: it stays as it is
 */
export async function beginLetter(vault: OpenVault, letter: BegunLetter, day: string): Promise<boolean> {
  const { user, contentKey } = vault;
  if (draftNames(user.id).includes(LETTER_DRAFT)) {
    const begun = await loadDraft<BegunLetter>(user.id, LETTER_DRAFT, contentKey, () => olderKeys(vault));
    const isBlank = begun?.title.trim() === '' && begun.content.trim() === '';
    if (!isBlank) return false;
  }
  const { title, content } = letter;
  const draft = { title, content, triggerType: 'date', triggerValue: day, sealId: newSealId() };
  await keepDraft(user.id, LETTER_DRAFT, contentKey, draft);
  return true;
}
