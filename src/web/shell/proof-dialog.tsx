// Opens "Is it still you?" when a call wants a fresh proof; the call goes on by itself afterwards.
import { useEffect, useRef, useState } from 'react';
import type { User } from '../../shared/nouns/user.ts';
import { useApi } from '../api/services.tsx';
import { later } from '../ui/later.tsx';
import type { Asked } from './proof-reasons.ts';

const AskProof = later(() => import('./ask-proof.tsx'));

/** Installs itself as what asks for proofs, for as long as somebody is signed in. */
export function ProofDialog({ user }: { user: User }) {
  const { installProver } = useApi();
  const answer = useRef<((proved: boolean) => void) | null>(null);
  const [call, setCall] = useState<Asked | null>(null);

  useEffect(() => {
    const remove = installProver(
      (wanted) =>
        new Promise((resolve) => {
          answer.current?.(false);
          answer.current = resolve;
          setCall(wanted);
        }),
    );
    return () => {
      remove();
      answer.current?.(false);
    };
  }, [installProver]);

  function settle(proved: boolean) {
    answer.current?.(proved);
    answer.current = null;
    setCall(null);
  }

  if (call === null) return null;
  return <AskProof user={user} call={call} onSettled={settle} />;
}
