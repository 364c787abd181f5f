// Whispers that were released to this vault: the list, which is told by dates alone, opening one, and deleting one. What
// was opened lives in memory and leaves with the key.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { OpenError } from '../../../../crypto/errors.ts';
import { summary } from '../../../../shared/nouns/summary.ts';
import { type Whisper, whispers } from '../../../../shared/nouns/whispers.ts';
import { sentenceOf } from '../../../../vault/api/api-error.ts';
import { AnotherKey } from '../../../../vault/keys/key-in-hand.ts';
import type { Letter } from '../../../../vault/legacy/letter.ts';
import { listWhispers } from '../../../../vault/legacy/list-whispers.ts';
import { readWhisper } from '../../../../vault/legacy/whispers.ts';
import { useApi } from '../../../api/services.tsx';
import { useAnswer } from '../../../api/use-answer.ts';
import { toast } from '../../../ui/toaster.tsx';
import { useVault } from '../../session/vault-context.ts';

export interface ReadWhisper {
  whisper: Whisper;
  /** Null when it does not open with any key of this vault, or is not what its sender signed. */
  read: { letter: Letter; senderAddress: string } | null;
  /** Null also while it is on its way. */
  openedBefore: string | null;
  opening: boolean;
}

/** When a whisper that there is room for now has come, in milliseconds. */
const COMES_AFTER = 7000;

export function useWhispers() {
  const { send } = useApi();
  const queryClient = useQueryClient();
  const vault = useVault();
  const [reading, setReading] = useState<ReadWhisper | null>(null);
  const queryKey = [whispers.list.path, vault.user.id];
  const list = useQuery({
    queryKey,
    queryFn: () => listWhispers(vault.api),
    refetchOnMount: 'always',
  });
  const counts = useAnswer(summary.get, { refetchOnMount: 'always' });
  const heldBack = counts.data?.whispersHeldBack ?? 0;

  /** What was read or deleted may have made room for others. */
  function lookAgain(): void {
    const ask = () => {
      void queryClient.invalidateQueries({ queryKey });
      void queryClient.invalidateQueries({ queryKey: [summary.get.path] });
    };
    ask();
    if (heldBack > 0) setTimeout(ask, COMES_AFTER);
  }

  /** Takes a whisper that is gone on the server out of the list. */
  function drop({ publicId }: Whisper): void {
    queryClient.setQueryData<Whisper[]>(queryKey, (all) => all?.filter((one) => one.publicId !== publicId));
    lookAgain();
  }

  async function open(whisper: Whisper) {
    setReading({ whisper, read: null, openedBefore: whisper.openedAt, opening: true });
    try {
      const served = await send(whispers.open, { params: { publicId: whisper.publicId } });
      const read = await readWhisper(served, vault).catch((error) => {
        if (error instanceof OpenError) return null;
        throw error;
      });
      setReading((now) =>
        now?.whisper.publicId === whisper.publicId
          ? { whisper, read, openedBefore: served.openedBefore, opening: false }
          : now,
      );
      lookAgain();
    } catch (error) {
      setReading(null);
      const description =
        error instanceof AnotherKey
          ? 'This browser holds another key than the one your vault was opened with. Reload, and open it again.'
          : sentenceOf(error);
      toast({ title: 'Failed to Open', description, tone: 'destructive' });
    }
  }

  async function remove(whisper: Whisper): Promise<void> {
    await send(whispers.remove, { params: { publicId: whisper.publicId } });
    drop(whisper);
  }

  return { list, heldBack, reading, open, close: () => setReading(null), remove, drop };
}
