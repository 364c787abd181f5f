// A form whose words are kept in this browser may be left while they are being sealed. What arrives afterwards is told, and is
// no draft any more.

import { useSlow } from '../../hooks/use-slow.ts';
import { toast } from '../../ui/toaster.tsx';
import { dropDraft, loadDraft } from '../session/drafts.ts';
import { useVault } from '../session/vault-context.ts';
import type { Draft } from './use-draft.ts';

export function useLeavable<T>(draft: Draft<T>) {
  const vault = useVault();
  const slow = useSlow(draft.keep);

  return {
    /** Whether the server takes so long that the form may be left: what is written is kept in this browser. */
    isSlow: slow.isSlow,

    /**
     * Sends what is written.
     * @param sent the draft as it is sent
     * @returns what was answered; null where the form was left meanwhile, which has then been told
     * @throws what `work` throws
     */
    async send<R>(work: () => Promise<R>, sent: T = draft.value): Promise<{ answer: R } | null> {
      const { user, contentKey } = vault;
      const slot = draft.slot();
      const answer = await slow.watch(work);
      if (!slow.isLeft()) return { answer };
      // Whoever opened it again and has written since keeps that.
      const now = slot && (await loadDraft<T>(user.id, slot, contentKey));
      if (slot && JSON.stringify(now) === JSON.stringify(sent)) dropDraft(user.id, slot);
      toast({
        title: 'Sealed after all',
        description: 'What you left while it was being sealed has arrived.',
      });
      return null;
    },
  };
}
