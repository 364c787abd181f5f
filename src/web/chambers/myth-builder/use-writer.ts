// Which language model this server has, and whether its reader was agreed to.
import { useState } from 'react';
import { type StoryWriter, stories } from '../../../shared/nouns/myth.ts';
import { sentenceOf } from '../../../vault/api/api-error.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { useVault } from '../../vault/session/vault-context.ts';
import { agree, hasAgreed, revoke } from './consent.ts';

/** Why no words are sent to a model: nobody has agreed that it reads them, or it is not known to be the one that was agreed to. */
export type NotAsked = { why: 'not-agreed' } | { why: 'changed' | 'unknown'; says: string };

export function useWriter() {
  const { api, user, queryClient } = useVault();
  const queryKey = [stories.writer.path];
  const query = useAnswer(stories.writer, { refetchOnMount: 'always' });
  const [, setTurn] = useState(0);
  const [agreeing, setAgreeing] = useState(false);
  const [checking, setChecking] = useState(false);
  const model = query.data?.engine === 'model' ? query.data : null;
  const change = (work: (uid: string, writerId: string) => void) => {
    if (model) work(user.id, model.writerId);
    setTurn((turn) => turn + 1);
  };

  const agreed = model !== null && hasAgreed(user.id, model.writerId);

  /** @throws ApiError or TypeError when the server does not say */
  async function isStill(writerId: string): Promise<boolean> {
    const now = await api.send(stories.writer, {});
    queryClient.setQueryData<StoryWriter>(queryKey, now);
    return now.engine === 'model' && now.writerId === writerId;
  }

  return {
    /** Null where the server has none, and while that is not known. */
    model,
    isPending: query.isPending,
    /** Whether the server could not say. */
    isUnknown: query.isError,
    agreed,
    revoke: () => change(revoke),
    /** Whether the box is ticked that counts once words are sent. */
    agreeing,
    setAgreeing,
    checking,

    /**
     * Asks once more right before words are sent: a server that was configured anew since has another reader, who was not
     * agreed to.
     * @returns null where they may be sent
     */
    async whyNotAsked(writerId: string): Promise<NotAsked | null> {
      if (!agreed && !agreeing) return { why: 'not-agreed' };
      if (!agreed) change(agree);
      setAgreeing(false);
      setChecking(true);
      try {
        if (await isStill(writerId)) return null;
        const says = 'This server’s language model was changed since you agreed. Nothing was sent.';
        return { why: 'changed', says };
      } catch (error) {
        return { why: 'unknown', says: sentenceOf(error) };
      } finally {
        setChecking(false);
      }
    },
  };
}

export type Writer = ReturnType<typeof useWriter>;
