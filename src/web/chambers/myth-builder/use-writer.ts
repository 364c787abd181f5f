// Which language model this server has, and whether its reader was agreed to.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type StoryWriter, stories } from '../../../shared/nouns/myth.ts';
import { useVault } from '../../vault/session/vault-context.ts';
import { agree, hasAgreed, revoke } from './consent.ts';

export function useWriter() {
  const { api, user, queryClient } = useVault();
  const queryKey = [stories.writer.path];
  const query = useQuery({
    queryKey,
    queryFn: () => api.send(stories.writer, {}),
    refetchOnMount: 'always',
  });
  const [, setTurn] = useState(0);
  const model = query.data?.engine === 'model' ? query.data : null;
  const change = (work: (uid: string, writerId: string) => void) => {
    if (model) work(user.id, model.writerId);
    setTurn((turn) => turn + 1);
  };

  return {
    /** Null where the server has none, and while that is not known. */
    model,
    isPending: query.isPending,
    /** Whether the server could not say. */
    isUnknown: query.isError,
    agreed: model !== null && hasAgreed(user.id, model.writerId),
    agree: () => change(agree),
    revoke: () => change(revoke),

    /**
     * Asks once more right before words are sent: a server that was configured anew since has another reader, who was not
     * agreed to.
     * @throws ApiError or TypeError when the server does not say
     */
    async isStill(writerId: string): Promise<boolean> {
      const now = await api.send(stories.writer, {});
      queryClient.setQueryData<StoryWriter>(queryKey, now);
      return now.engine === 'model' && now.writerId === writerId;
    },
  };
}

export type Writer = ReturnType<typeof useWriter>;
