// The final breath as its screen has it: what is done with it, the drafts of it, and which tab has asked for a release.
import { useMemo, useRef } from 'react';
import type { Breath } from '../../../shared/nouns/final-breath.ts';
import { breathList, breathWriter, type Released } from '../../../vault/outbox/breath-writer.ts';
import { draftsOf, dropDraft, loadDraft } from '../../vault/session/drafts.ts';
import { useRows } from '../../vault/session/use-rows.ts';
import { useVault } from '../../vault/session/vault-context.ts';
import { beginRedemption, endRedemption, findRedemption } from '../../vault/sharing/redemptions.ts';
import { BREATH_DRAFT, type BreathDraft, fateOf } from './draft.ts';

export function useBreath() {
  const vault = useVault();
  const writer = useMemo(() => breathWriter(vault), [vault]);
  const redemption = `breath:${vault.user.id}`;
  /** What is being written in this tab; its draft may not have been kept yet. */
  const writing = useRef<{ draft: BreathDraft; slot: string | null } | null>(null);
  const list = useRows(breathList, { refetchOnMount: 'always' });
  const query = { ...list, data: list.data && (list.data[0] ?? null) };

  return {
    query,
    look: writer.look,
    canOpen: writer.canOpen,
    burn: writer.burn,

    /** Told of what is being written, and in which slot it is kept; null once it is sealed or discarded. */
    note(draft: BreathDraft | null, slot: string | null = null): void {
      writing.current = draft && { draft, slot };
    },

    /**
     * @param before the draft as it was before this try
     * @throws ApiError with `breath-sealed` when another one stands sealed
     */
    seal: (content: string, sealId: string, before: BreathDraft): Promise<void> =>
      writer.seal(
        content,
        sealId,
        [before.sealId, ...before.earlier].filter((id) => id !== null),
      ),

    /**
     * Drops every draft of what was sealed after all, its answer lost.
     * @returns whether there is a draft of something else, which stays
     */
    async settleDraft({ sealId }: Breath): Promise<boolean> {
      const uid = vault.user.id;
      const here = writing.current;
      const kept = draftsOf(uid, BREATH_DRAFT).filter((slot) => slot !== here?.slot);
      const drafts = kept.map(async (slot) => ({
        slot,
        draft: await loadDraft<BreathDraft>(uid, slot, vault.contentKey),
      }));
      let stays = false;
      for (const { slot, draft } of [...(here ? [here] : []), ...(await Promise.all(drafts))]) {
        const fate = fateOf(draft, sealId);
        if (fate === 'drop' && slot !== null) dropDraft(uid, slot);
        stays ||= fate === 'keep';
      }
      return stays;
    },

    /** Whether this tab asked for a release, so that it may fetch the words again. */
    mayFetchAgain: () => findRedemption(redemption) !== null,

    /** Releases, or fetches again what this tab has released. @throws OpenError when what came cannot be opened */
    release: (breath: Breath): Promise<Released> =>
      writer.release(breath, beginRedemption(redemption, null).id),

    /** Tells the server that the words were shown here; it erases them. */
    async acknowledge(): Promise<void> {
      const begun = findRedemption(redemption);
      if (begun) await writer.acknowledge(begun.id);
      // Another word of it was faster: by now the next breath may stand sealed.
      if (begun && findRedemption(redemption)?.id !== begun.id) return;
      endRedemption(redemption);
      writer.showNone();
    },

    /** There is nothing left to fetch. */
    forget: () => endRedemption(redemption),
  };
}

export type BreathHook = ReturnType<typeof useBreath>;
