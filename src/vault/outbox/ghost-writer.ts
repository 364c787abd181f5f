// The ghost entries: a list that has no words, and the reading of one, which counts. Opened words are handed to the caller
// and kept nowhere.

import { OpenError } from '../../crypto/errors.ts';
import { type SealFacts, seal } from '../../crypto/seal.ts';
import { type Ghost, ghostState, ghosts } from '../../shared/nouns/ghost.ts';
import type { ChangedFact } from '../../shared/sealed-facts.ts';
import { HOUR } from '../../shared/time.ts';
import { ApiError } from '../api/api-error.ts';
import { inBook } from '../book/in-book.ts';
import { factsNow, momentOf } from '../entries/facts.ts';
import { openFields } from '../entries/fields.ts';
import { cameFromOutside, isUnderOlderKey, openingKey } from '../keys/key-ring.ts';
import { ghostKind } from '../kinds/ghost.ts';
import { sendResealed } from '../opening/resealing.ts';
import { changeRows, dropRow, type ListedVault, putRow, rowListOf } from '../replica/row-list.ts';

const contextOf = (sealId: string) => ({ kind: 'ghost', field: 'encryptedContent', sealId });
/** The vault's ghost entries, the newest first. */
export const ghostList = rowListOf('ghost', ghostKind, (row) => row);

/** One entry as the server has it now, or null. */
async function fetchOne({ api }: ListedVault, id: number): Promise<Ghost | null> {
  const [row] = await api.send(ghosts.list, { query: { limit: 1, before: id + 1 } });
  return row?.id === id ? row : null;
}

/** Shows what a thought is now, if it is still in the list. */
const replaceInList = (vault: ListedVault, ghost: Ghost): void =>
  changeRows(vault, ghostList, (all) => all.map((other) => (other.id === ghost.id ? ghost : other)));

/** Seals what a key of the ring opened under the present one. If it fails, the ring opens it next time too. */
async function reseal(
  ghost: Ghost,
  text: string,
  facts: SealFacts,
  vault: ListedVault,
  taken: 'taken in' | null,
): Promise<void> {
  const { id, sealId } = ghost;
  const encryptedContent = await seal(text, vault.contentKey, contextOf(sealId ?? ''), facts);
  const entry = { kind: 'ghost' as const, id, encryptedContent };
  await sendResealed([{ sealId, entry }], vault, taken);
  replaceInList(vault, { ...ghost, keyFingerprint: vault.fingerprint });
}

export interface GhostDraft {
  content: string;
  maxReads: number | null;
  hours: number;
  /** The same for every try of one thought, also after a reload: so that a lost answer does not keep it twice. */
  sealId: string;
}

export interface Reading {
  ghost: Ghost;
  /** Null when the words that came could not be opened, or are kept back. */
  text: string | null;
  /** What the server shows otherwise than it was sealed, and the words all the same; null for nothing. */
  changed: { facts: readonly ChangedFact[]; text: string } | null;
  /** They arrived from outside (vault/keys/key-ring.ts). */
  outside: boolean;
  /** Seals them under the present key, on their owner's word; null where none are left, or nothing has to be done. */
  adopt: (() => Promise<void>) | null;
}

/** What a screen does with ghost entries. Each shows in the list what it has done. */
export function ghostWriter(vault: ListedVault) {
  const { send } = vault.api;
  return {
    async create({ content, maxReads, hours, sealId }: GhostDraft): Promise<Ghost> {
      const expiresAt = momentOf(Date.now() + hours * HOUR);
      const facts = factsNow('ghost', { maxReads, expiresAt });
      const encryptedContent = await seal(content, vault.contentKey, contextOf(sealId), facts);
      const body = { encryptedContent, maxReads, expiresAt, sealId, keyFingerprint: vault.fingerprint };
      const sending = inBook(vault, { put: [{ kind: 'ghost', sealId, sealed: body }] });
      let ghost: Ghost;
      try {
        ghost = await sending.send(ghosts.create, { body });
      } catch (error) {
        if (!(error instanceof ApiError && error.code === 'seal-reused')) throw error;
        // An earlier try had arrived and only its answer was lost: this one takes its place.
        const earlier = (await vault.lists.load(ghostList)).find((row) => row.sealId === sealId);
        if (!earlier) throw error;
        await this.remove(earlier);
        ghost = await sending.send(ghosts.create, { body });
      }
      putRow(vault, ghostList, ghost);
      return ghost;
    },

    /**
     * Looks at an entry once more before it is read: other tabs count too, and no reading may be spent on words that
     * no key here can open.
     * @returns the entry as it is now, or null when it has no words any more
     * @throws OpenError when its words could not be opened here
     */
    async approach({ id }: Ghost): Promise<Ghost | null> {
      const ghost = await fetchOne(vault, id);
      if (!ghost || ghostState(ghost, Date.parse(ghost.expiresAt), Date.now()) !== 'waiting') return null;
      replaceInList(vault, ghost);
      if (ghost.sealId === null) throw new OpenError();
      await openingKey(vault, ghost.keyFingerprint);
      return ghost;
    },

    /** Reads, which counts. */
    async read({ id, sealId, maxReads, expiresAt, createdAt }: Ghost): Promise<Reading> {
      const { encryptedContent, ...row } = await send(ghosts.read, { params: { id: String(id) } });
      // How often it was read is new. What was chosen for it, and when it was written, cannot be.
      const listed = { ...row, encryptedContent: null, sealId, maxReads, expiresAt, createdAt };
      replaceInList(vault, listed);
      const shown = { ...row, encryptedContent: null };
      const unopened = { ghost: shown, text: null, changed: null, outside: false, adopt: null };
      // Another thought would open as well, also one that was deleted.
      if (row.sealId !== sealId) return unopened;
      try {
        const opened = await openFields('ghost', row, { encryptedContent: encryptedContent ?? '' }, vault);
        if (!opened) return unopened;
        const { texts, asSealed, facts, changed } = opened;
        const ghost = { ...shown, createdAt: facts.createdAt };
        const outside = await cameFromOutside(ghost, vault);
        if (changed) {
          return {
            ...unopened,
            ghost,
            outside,
            changed: { facts: changed, text: asSealed.encryptedContent },
          };
        }
        const text = texts?.encryptedContent ?? '';
        const hasWords = ghost.maxReads === null || ghost.currentReads < ghost.maxReads;
        const mayReseal = isUnderOlderKey(ghost, vault) && hasWords;
        if (mayReseal && !outside) void reseal(ghost, text, facts, vault, null).catch(() => {});
        const adopt = () => reseal(ghost, text, facts, vault, 'taken in');
        return { ghost, text, changed: null, outside, adopt: mayReseal && outside ? adopt : null };
      } catch {
        return unopened;
      }
    },

    async remove({ id, sealId }: Ghost): Promise<void> {
      await inBook(vault, { removed: [sealId] }).send(ghosts.remove, { params: { id: String(id) } });
      dropRow(vault, ghostList, id);
    },
  };
}

export type GhostWriter = ReturnType<typeof ghostWriter>;
