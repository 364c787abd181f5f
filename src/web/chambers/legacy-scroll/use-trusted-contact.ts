// Whom an author has named as their trusted contact.
import { useQueryClient } from '@tanstack/react-query';
import { normaliseAuthorName } from '../../../shared/author-name.ts';
import { normaliseAddress } from '../../../shared/nouns/scroll-recipients.ts';
import { trustedContact } from '../../../shared/nouns/trusted-contact.ts';
import { useApi } from '../../api/services.tsx';
import { useAnswer } from '../../api/use-answer.ts';
import { expectAsSent, notAsSent } from './as-sent.ts';

export interface ContactForm {
  name: string;
  address: string;
  authorName: string;
}

/** @param onActive called when the contact was named or removed: that is a sign of activity */
export function useTrustedContact(onActive: () => void) {
  const { send } = useApi();
  const queryClient = useQueryClient();
  const queryKey = [trustedContact.get.path];
  // The contact may have postponed meanwhile.
  const query = useAnswer(trustedContact.get, { refetchOnMount: 'always' });
  return {
    query,
    async name({ name, address, authorName }: ContactForm): Promise<void> {
      const body = {
        name: normaliseAuthorName(name),
        address: normaliseAddress('email', address),
        authorName: normaliseAuthorName(authorName) || null,
      };
      const reply = await send(trustedContact.put, { body });
      if (reply.contact) expectAsSent(body, reply.contact);
      else throw notAsSent();
      queryClient.setQueryData(queryKey, reply);
      onActive();
    },
    async remove(): Promise<void> {
      await send(trustedContact.remove, {});
      queryClient.setQueryData(queryKey, { contact: null });
      onActive();
    },
  };
}

export type TrustedContactHook = ReturnType<typeof useTrustedContact>;
