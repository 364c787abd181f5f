// Whispers that were released to this vault: the list, which is told by dates alone, and opening one. What was opened
// lives in memory and leaves with the key.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { OpenError } from '../../../crypto/errors.ts';
import { type Whisper, whispers } from '../../../shared/legacy.ts';
import { summary } from '../../../shared/summary.ts';
import { sentenceOf } from '../../api/api-error.ts';
import { useApi } from '../../api/services.tsx';
import { toast } from '../../ui/toaster.tsx';
import { AnotherKey } from '../key-in-hand.ts';
import { type Letter, readWhisper } from '../scrolls.ts';
import { useVault } from '../vault-context.ts';
import { listWhispers } from './list-whispers.ts';

export interface ReadWhisper {
  whisper: Whisper;
  /** Null when it does not open with any key of this vault, or is not what its sender signed. */
  read: { letter: Letter; senderAddress: string } | null;
  /** Null also while it is on its way. */
  openedBefore: string | null;
  opening: boolean;
}

export function useWhispers() {
  const { send } = useApi();
  const queryClient = useQueryClient();
  const vault = useVault();
  const [reading, setReading] = useState<ReadWhisper | null>(null);
  const list = useQuery({
    queryKey: [whispers.list.path, vault.user.id],
    queryFn: () => listWhispers(vault.api),
    refetchOnMount: 'always',
  });

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
      void list.refetch();
      void queryClient.invalidateQueries({ queryKey: [summary.get.path] });
    } catch (error) {
      setReading(null);
      const description =
        error instanceof AnotherKey
          ? 'This browser holds another key than the one your vault was opened with. Reload, and open it again.'
          : sentenceOf(error);
      toast({ title: 'Failed to Open', description, tone: 'destructive' });
    }
  }

  return { list, reading, open, close: () => setReading(null) };
}
