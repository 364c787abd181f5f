// The one final breath: sealed, released under a lease, burned. Released words are handed to whoever asked and kept nowhere;
// the server is told to erase them by `acknowledge` alone.
import { OpenError } from '../../crypto/errors.ts';
import { openWithFacts, seal } from '../../crypto/seal.ts';
import { type Breath, finalBreath } from '../../shared/nouns/final-breath.ts';
import { refusedAs } from '../api/api-error.ts';
import { inBook, noteRow, withoutEntry } from '../book/in-book.ts';
import { factsNow } from '../entries/facts.ts';
import { cameFromOutside, openingKey } from '../keys/key-ring.ts';
import { breathKind } from '../kinds/breath.ts';
import { changeRows, type ListedVault, rowListOf } from '../replica/row-list.ts';

/** The final breath as a list: there is one, or none. */
export const breathList = rowListOf('breath', breathKind, (row) => row);

/** A breath that is shown. */
export interface Released {
  text: string;
  /** It arrived from outside (vault/keys/key-ring.ts): somebody else may have written it. */
  outside: boolean;
  createdAt: string;
  /** When the server erases it by itself. */
  leaseUntil: string | null;
}

const contextOf = (sealId: string) => ({ kind: 'breath', field: 'encryptedContent', sealId });

/** What a screen does with the breath. Each shows in the list what it has done. */
export function breathWriter(vault: ListedVault) {
  const { send } = vault.api;
  const show = (breath: Breath | null) => changeRows(vault, breathList, () => (breath ? [breath] : []));
  const burn = ({ sealId }: Breath) => inBook(vault, { removed: [sealId] }).send(finalBreath.remove, {});

  return {
    /** The breath as it is now. */
    async look(): Promise<Breath | null> {
      const breath = await send(finalBreath.get, {});
      show(breath);
      return breath;
    },

    /**
     * @param ours the seal numbers of this try and of those before it
     * @throws ApiError with `breath-sealed` when another one stands sealed
     */
    async seal(content: string, sealId: string, ours: readonly string[]): Promise<void> {
      const facts = factsNow('breath', {});
      const encryptedContent = await seal(content, vault.contentKey, contextOf(sealId), facts);
      const body = { encryptedContent, sealId, keyFingerprint: vault.fingerprint };
      const row = { kind: 'breath' as const, sealId, sealed: body };
      const create = () => inBook(vault, { put: [row] }).send(finalBreath.create, { body });
      try {
        show(await create());
      } catch (error) {
        if (ours.length === 0 || !refusedAs(error, 'breath-sealed')) throw error;
        // An earlier try may have arrived and only its answer been lost: then this one takes its place.
        const standing = await send(finalBreath.get, {});
        if (!ours.includes(standing?.sealId ?? '') || standing?.releasedAt !== null) throw error;
        if (standing.sealId === sealId) {
          // Noted before it is shown, since its draft is dropped then: no entry of the book would miss it.
          await noteRow(vault, row);
          return show(standing);
        }
        await burn(standing);
        show(await create());
      }
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

    /**
     * Releases, or fetches again what was released under this number. The book has it as removed from the release on, so
     * that nobody can say of a breath that stands that it was released. Nothing is acknowledged here.
     * @throws OpenError when what came cannot be opened
     */
    async release({ sealId, releasedAt }: Breath, redemptionId: string): Promise<Released> {
      const sender = releasedAt === null ? inBook(vault, { removed: [sealId] }) : withoutEntry(vault);
      const reply = await sender.send(finalBreath.read, { body: { redemptionId } });
      const { encryptedContent, leaseUntil, ...breath } = reply;
      try {
        // One that was burned before would open as well: it is not the one that its owner has released.
        if (breath.sealId !== sealId) throw new OpenError();
        const key = await openingKey(vault, breath.keyFingerprint);
        const { text, facts } = await openWithFacts(encryptedContent, key, contextOf(sealId ?? ''));
        const outside = await cameFromOutside(breath, vault);
        return { text, outside, createdAt: facts.createdAt, leaseUntil };
      } finally {
        show({ ...breath, sealId, encryptedContent: null });
      }
    },

    /** Tells the server that the words were shown here; it erases them. */
    async acknowledge(redemptionId: string): Promise<void> {
      try {
        await send(finalBreath.acknowledge, { body: { redemptionId } });
      } catch (error) {
        // Erased already: an earlier word of it had arrived, or its time has run out.
        if (!refusedAs(error, 'not-found')) throw error;
      }
    },

    /** There is none any more. */
    showNone: (): void => show(null),

    /** Burns it unread. */
    async burn(breath: Breath): Promise<void> {
      await burn(breath);
      show(null);
    },
  };
}
