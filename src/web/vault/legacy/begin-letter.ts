// Words that are to reach somebody on a day, handed to the form of a letter as its draft: sealed in this browser, as a
// history or an address would not be.
import { newSealId } from '../../../crypto/seal.ts';
import { askForDraft, keepAsDraft } from '../entries/draft-slots.ts';
import type { OpenVault } from '../session/vault-context.ts';

/** The name of the draft of a new letter. */
export const LETTER_DRAFT = 'legacy-scroll';

interface BegunLetter {
  title: string;
  content: string;
}

/** Letters that are begun already stay as they are. @param day as `YYYY-MM-DD` */
export async function beginLetter(vault: OpenVault, letter: BegunLetter, day: string): Promise<void> {
  const { title, content } = letter;
  const draft = { title, content, triggerType: 'date', triggerValue: day, sealId: newSealId() };
  const slot = await keepAsDraft(vault, LETTER_DRAFT, draft);
  if (slot !== null) askForDraft(vault.user.id, slot);
}
