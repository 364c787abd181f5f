// What an author agrees to who chooses a message that this server does not send: somebody passes it on by hand, or nobody.
import { useState } from 'react';
import type { RecipientType } from '../../../shared/nouns/scroll-recipients.ts';
import type { RecipientForm, ScrollForm } from './form.ts';
import { unsentWords } from './scroll-words.ts';
import type { Scrolls } from './use-scrolls.ts';

/** @param isKept of a recipient who is reached as before: what was agreed to once is not asked again */
export function useAgreement(
  { recipients }: ScrollForm,
  transports: Scrolls['transports'],
  isKept: (one: RecipientForm) => boolean = () => false,
) {
  const [agreed, setAgreed] = useState<Record<string, RecipientType>>({});
  const mustAgree = (one: RecipientForm) =>
    !isKept(one) && unsentWords(one.recipientType, transports) !== null;
  const disagreed = recipients.some((one) => mustAgree(one) && agreed[one.key] !== one.recipientType);
  return { agreed, setAgreed, mustAgree, disagreed };
}
