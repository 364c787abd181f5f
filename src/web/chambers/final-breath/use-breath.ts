// The one final breath: sealing it, releasing it under a lease, burning it. Released words are handed to whoever asked
// and kept nowhere; the server is told to erase them by `acknowledge` alone.

import { useRef } from 'react';
import { OpenError } from '../../../crypto/errors.ts';
import { openWithFacts, seal } from '../../../crypto/seal.ts';
import { type Breath, finalBreath } from '../../../shared/nouns/final-breath.ts';
import { refusedAs } from '../../../vault/api/api-error.ts';
import { inBook, withoutEntry } from '../../../vault/book/in-book.ts';
import { factsNow } from '../../../vault/entries/facts.ts';
import { cameFromOutside, openingKey } from '../../../vault/keys/key-ring.ts';
import { breathList } from '../../../vault/replica/breath-list.ts';
import { changeRows } from '../../../vault/replica/row-list.ts';
import { useApi } from '../../api/services.tsx';
import { draftsOf, dropDraft, loadDraft } from '../../vault/entries/drafts.ts';
import { useRows } from '../../vault/session/use-rows.ts';
import { useVault } from '../../vault/session/vault-context.ts';
import { beginRedemption, endRedemption, findRedemption } from '../../vault/sharing/redemptions.ts';
import { BREATH_DRAFT, type BreathDraft, fateOf } from './draft.ts';

const contextOf = (sealId: string) => ({ kind: 'breath', field: 'encryptedContent', sealId });

/** A breath that is shown. */
export interface Released {
  text: string;
  /** It arrived from outside (vault/keys/key-ring.ts): somebody else may have written it. */
  outside: boolean;
  createdAt: string;
  /** When the server erases it by itself. */
  leaseUntil: string | null;
}

export function useBreath() {
  const { send } = useApi();
  const vault = useVault();
  const redemption = `breath:${vault.user.id}`;
  /** What is being written in this tab; its draft may not have been kept yet. */
  const writing = useRef<{ draft: BreathDraft; slot: string | null } | null>(null);
  const list = useRows(breathList, { refetchOnMount: 'always' });
  const query = { ...list, data: list.data && (list.data[0] ?? null) };
  const setBreath = (breath: Breath | null) => changeRows(vault, breathList, () => (breath ? [breath] : []));

  const burn = ({ sealId }: Breath) => inBook(vault, { removed: [sealId] }).send(finalBreath.remove, {});

  async function look(): Promise<Breath | null> {
    const breath = await send(finalBreath.get, {});
    setBreath(breath);
    return breath;
  }

  return {
    query,
    look,

    /** Told of what is being written, and in which slot it is kept; null once it is sealed or discarded. */
    note(draft: BreathDraft | null, slot: string | null = null): void {
      writing.current = draft && { draft, slot };
    },

    /**
     * @param before the draft as it was before this try
     * @throws ApiError with `breath-sealed` when another one stands sealed
     */
    async seal(content: string, sealId: string, before: BreathDraft): Promise<void> {
      const encryptedContent = await seal(
        content,
        vault.contentKey,
        contextOf(sealId),
        factsNow('breath', {}),
      );
      const body = { encryptedContent, sealId, keyFingerprint: vault.fingerprint };
      const create = () =>
        inBook(vault, { put: [{ kind: 'breath', sealId, sealed: body }] }).send(finalBreath.create, { body });
      try {
        setBreath(await create());
      } catch (error) {
        const ours = [before.sealId, ...before.earlier].filter((id) => id !== null);
        if (ours.length === 0 || !refusedAs(error, 'breath-sealed')) throw error;
        // An earlier try may have arrived and only its answer been lost: then this one takes its place.
        const standing = await send(finalBreath.get, {});
        if (!ours.includes(standing?.sealId ?? '') || standing?.releasedAt !== null) throw error;
        if (standing.sealId === sealId) {
          setBreath(standing);
          return;
        }
        await burn(standing);
        setBreath(await create());
      }
    },

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

    /** Whether a key here opens it: asked before it is released. @throws ApiError, TypeError */
    async canOpen({ sealId, keyFingerprint }: Breath): Promise<boolean> {
      if (sealId === null) return false;
      try {
        await openingKey(vault, keyFingerprint);
        return true;
      } catch (error) {
        if (error instanceof OpenError) return false;
        throw error;
      }
    },

    /** Whether this tab asked for a release, so that it may fetch the words again. */
    mayFetchAgain: () => findRedemption(redemption) !== null,

    /**
     * Releases, or fetches again what this tab has released. The book has it as removed from the release on, so that nobody
     * can say of a breath that stands that it was released. Nothing is acknowledged here.
     * @throws OpenError when what came cannot be opened
     */
    async release({ sealId, releasedAt }: Breath): Promise<Released> {
      const redemptionId = beginRedemption(redemption, null).id;
      const sender = releasedAt === null ? inBook(vault, { removed: [sealId] }) : withoutEntry(vault);
      const reply = await sender.send(finalBreath.read, { body: { redemptionId } });
      const { encryptedContent, leaseUntil, ...breath } = reply;
      try {
        const key = await openingKey(vault, breath.keyFingerprint);
        const { text, facts } = await openWithFacts(encryptedContent, key, contextOf(breath.sealId ?? ''));
        const outside = await cameFromOutside(breath, vault);
        return { text, outside, createdAt: facts.createdAt, leaseUntil };
      } finally {
        setBreath({ ...breath, encryptedContent: null });
      }
    },

    /** Tells the server that the words were shown here; it erases them. */
    async acknowledge(): Promise<void> {
      const begun = findRedemption(redemption);
      try {
        if (begun) await send(finalBreath.acknowledge, { body: { redemptionId: begun.id } });
      } catch (error) {
        // Erased already: an earlier word of it had arrived, or its time has run out.
        if (!refusedAs(error, 'not-found')) throw error;
      }
      // Another word of it was faster: by now the next breath may stand sealed.
      if (begun && findRedemption(redemption)?.id !== begun.id) return;
      endRedemption(redemption);
      setBreath(null);
    },

    /** There is nothing left to fetch. */
    forget: () => endRedemption(redemption),

    /** Burns it unread. */
    async burn(breath: Breath): Promise<void> {
      await burn(breath);
      setBreath(null);
    },
  };
}

export type BreathHook = ReturnType<typeof useBreath>;
