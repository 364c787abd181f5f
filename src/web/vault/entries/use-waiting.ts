// A form whose entry can wait on this device where its server is out of reach, instead of being sealed once more by hand.
import { useEffect, useRef } from 'react';
import { newSealId } from '../../../crypto/seal.ts';
import {
  chosenOf,
  type EntryDraft,
  type EntryKind,
  type EntryType,
  type OpenedEntry,
} from '../../../vault/kinds/entry-kind.ts';
import type { Changeable } from '../../../vault/outbox/entry-writer.ts';
import type { WaitingEntry } from '../../../vault/outbox/waiting.ts';
import { toast } from '../../ui/toaster.tsx';
import { useVault } from '../session/vault-context.ts';
import type { Draft } from './use-draft.ts';

const sendingPart = () => import('./send-waiting.ts');
const listPart = () => import('./waiting-list.tsx');

/** What could not be sent, as it would wait: with what its form kept then. */
export type Unsent<N extends EntryType, Kept> = Pick<WaitingEntry, 'over' | 'at'> & {
  draft: EntryDraft<N>;
  value: Kept;
};

/** Without a connection it waits, and nothing has failed. `cause` is what is to wait. */
export class Waits extends Error {}

/** An entry as a change to it needs it, and no more: what else it says stays out of what waits. */
function changeable<N extends EntryType>(kind: EntryKind<N>, entry: N['entry']): Changeable {
  const { id, version, sealId, createdAt, leaf } = entry;
  return { id, version, sealId, createdAt, leaf, ...chosenOf(kind, entry) };
}

interface WaitingOptions<N extends EntryType, Kept> {
  kind: EntryKind<N>;
  /** The name of the form (use-draft.ts). */
  form: string;
  draft: Draft<Kept>;
  /** What follows once it waits; left out where it cannot. */
  onWaits: (() => void) | undefined;
}

export function useWaiting<N extends EntryType, Kept extends { sealId: string; base: number | null }>(
  options: WaitingOptions<N, Kept>,
) {
  const { kind, form, draft, onWaits } = options;
  const vault = useVault();
  const canWait = onWaits !== undefined;
  const lastTry = useRef({ of: '', at: 0 });
  const isLeft = useRef(false);
  useEffect(() => {
    isLeft.current = false;
    // Without a connection it could not be fetched any more.
    if (canWait) for (const part of [sendingPart, listPart]) part().catch(() => {});
    return () => {
      isLeft.current = true;
    };
  }, [canWait]);

  return {
    canWait,

    /**
     * As it would wait: since it was first tried with these words, so that what has arrived of it is known.
     * @param changed the entry that it changes; null for a new one
     */
    unsentOf(written: EntryDraft<N>, changed: OpenedEntry | null, value: Kept): Unsent<N, Kept> {
      const of = JSON.stringify([written.texts, written.choice]);
      if (lastTry.current.of !== of) lastTry.current = { of, at: Date.now() };
      return { draft: written, over: changed && changeable(kind, changed), at: lastTry.current.at, value };
    },

    /** Keeps it on this device until its server can be reached. */
    async wait({ value, ...what }: Unsent<N, Kept>): Promise<void> {
      try {
        const { waitHere } = await sendingPart();
        const { sealId } = value;
        await waitHere(vault, {
          ...what,
          noun: kind.noun,
          sealId,
          form: { name: form, value },
          refused: null,
        });
      } catch {
        toast({
          title: 'Not kept to be sent',
          description: 'This browser could not keep it. Leave this form open, and try again.',
          tone: 'destructive',
        });
        return;
      }
      let isSame = true;
      // Whoever has written since goes on writing, and seals that as well.
      draft.update((now) => {
        isSame = JSON.stringify(now) === JSON.stringify(value);
        return isSame || value.base !== null ? now : { ...now, sealId: newSealId() };
      });
      if (isSame) draft.drop();
      toast({
        title: 'It waits on this device',
        description: 'It was sealed here, and is sent by itself once the server can be reached.',
      });
      // Whoever has left the form meanwhile is somewhere else by now.
      if (isSame && !isLeft.current) onWaits?.();
    },
  };
}
