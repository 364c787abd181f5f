// The ceremony of a one-time link: ask whether it waits, break its seal when somebody presses, open the words here, and
// tell the server that they have arrived. Nothing is fetched that looking at the page would use up.
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { shareSecretFromText } from '../../../crypto/claim.ts';
import { OpenError } from '../../../crypto/errors.ts';
import { type ShareStretching, shares } from '../../../shared/nouns/sacred-key.ts';
import { formatDuration, SECOND } from '../../../shared/time.ts';
import { ApiError, answerIsLost, refusedAs, sentenceOf } from '../../api/api-error.ts';
import type { ApiClient } from '../../api/client.ts';
import { useApi } from '../../api/services.tsx';
import { beginRedemption, endRedemption, findRedemption } from '../../vault/sharing/redemptions.ts';
import type { SecretLink } from '../../vault/sharing/secret-link.ts';
import { deriveLink, openShared, type SharedEntry } from '../../vault/sharing/share.ts';
import { hideSecret } from '../../vault/sharing/use-secret-link.ts';

export type View =
  | { at: 'looking' }
  | { at: 'unreachable'; problem: string }
  | { at: 'not-whole' | 'unsealed' | 'used' | 'expired' | 'unknown' }
  /** @property begun this tab has broken the seal before, and the words did not arrive */
  | { at: 'waiting'; stretching: ShareStretching | null; begun: boolean }
  | { at: 'unreadable'; leaseUntil: string }
  | { at: 'opened'; entry: SharedEntry };

export interface Problem {
  sentence: string;
  /** The passphrase is at fault. */
  passphrase: boolean;
}

export function useShare({ name: keyId, secret }: SecretLink) {
  const api = useApi();
  const { send } = api;
  const [outcome, setOutcome] = useState<View | null>(null);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const lost = useRef(false);
  const state = useQuery({
    queryKey: [shares.state.path, keyId],
    queryFn: () => send(shares.state, { params: { keyId: keyId ?? '' } }),
    enabled: keyId !== null,
    // What a link is can change at any time, and is never worth keeping.
    gcTime: 0,
  });

  function atFirst(): View {
    if (keyId === null) return { at: 'not-whole' };
    if (state.isError) return failed(state.error) ?? { at: 'unreachable', problem: sentenceOf(state.error) };
    if (!state.data) return { at: 'looking' };
    if (state.data.state === 'expired') return { at: 'expired' };
    if (state.data.state === 'unsealed') return { at: 'unsealed' };
    const redemption = secret === null ? null : findRedemption(keyId);
    if (state.data.state === 'used') {
      return redemption ? { at: 'waiting', stretching: redemption.stretching, begun: true } : { at: 'used' };
    }
    if (secret === null) return { at: 'not-whole' };
    return { at: 'waiting', stretching: state.data.stretching, begun: false };
  }
  const view = outcome ?? atFirst();

  async function breakSeal(passphrase: string) {
    if (view.at !== 'waiting' || keyId === null || secret === null || busy) return;
    setBusy(true);
    setProblem(null);
    try {
      const share = await deriveLink(shareSecretFromText(secret), passphrase, view.stretching);
      const begun = view.begun ? findRedemption(keyId) : beginRedemption(keyId, view.stretching);
      if (!begun) return setOutcome({ at: 'used' });
      const redemptionId = begun.id;
      const { encryptedContent, leaseUntil } = await send(shares.redeem, {
        params: { keyId },
        body: { door: share.door, claim: share.claim, redemptionId },
      });
      try {
        const entry = await openShared(encryptedContent, share.contentKey, keyId);
        // Not before: until the words are here, a reload must find the whole link.
        hideSecret(`/share/${keyId}`, null);
        setOutcome({ at: 'opened', entry });
        void acknowledge(api, keyId, share.door, redemptionId);
      } catch (error) {
        if (!(error instanceof OpenError)) throw error;
        setOutcome({ at: 'unreadable', leaseUntil });
      }
    } catch (error) {
      const end = failed(error);
      if (answerIsLost(error)) lost.current = true;
      if (end?.at === 'used' && view.stretching && (view.begun || lost.current)) {
        // Whoever broke the seal and comes again with another passphrase is told what everybody is told.
        setOutcome({ ...view, begun: true });
        setProblem({
          sentence: 'This is not the passphrase that opened the link, or the ten minutes are over.',
          passphrase: true,
        });
      } else if (end) {
        endRedemption(keyId);
        setOutcome(end);
      } else setProblem(explain(error, view.stretching !== null));
    } finally {
      setBusy(false);
    }
  }

  return {
    view,
    busy,
    problem,
    breakSeal,
    /** Asks again whether the link waits. */
    lookAgain() {
      setOutcome(null);
      setProblem(null);
      void state.refetch();
    },
    looking: state.isFetching,
  };
}

/** Where an answer ends the ceremony; null where trying again can help. */
function failed(error: unknown): View | null {
  if (refusedAs(error, 'share-used')) return { at: 'used' };
  if (refusedAs(error, 'share-expired')) return { at: 'expired' };
  if (refusedAs(error, 'share-unsealed')) return { at: 'unsealed' };
  if (refusedAs(error, 'wrong-link')) return { at: 'not-whole' };
  return refusedAs(error, 'not-found') ? { at: 'unknown' } : null;
}

function explain(error: unknown, withPassphrase: boolean): Problem {
  if (error instanceof RangeError) {
    return {
      sentence:
        'The server asks for a weaker protection of the passphrase than this browser accepts. Nothing was sent and nothing was opened.',
      passphrase: false,
    };
  }
  if (error instanceof ApiError && error.code === 'too-many' && error.retryAfter) {
    return {
      sentence: `Too many attempts from your network. Nothing was lost. Try again in ${formatDuration(error.retryAfter * SECOND, 'second')}.`,
      passphrase: false,
    };
  }
  const wrong = error instanceof ApiError && error.code === 'wrong-claim' && withPassphrase;
  const lost = answerIsLost(error)
    ? ' If the link was opened meanwhile, this tab can still fetch the words for ten minutes.'
    : '';
  return { sentence: `${sentenceOf(error)}${lost}`, passphrase: wrong };
}

const PAUSES = [0, 2_000, 5_000, 15_000, 60_000, 120_000];

/** Tells the server that the words are here, so that it forgets them now and not at the end of the lease. */
async function acknowledge(
  { send }: ApiClient,
  keyId: string,
  door: string,
  redemptionId: string,
): Promise<void> {
  for (const pause of PAUSES) {
    if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
    try {
      await send(shares.acknowledge, { params: { keyId }, body: { door, redemptionId } });
      return endRedemption(keyId);
    } catch (error) {
      // Whatever the server will not hear now, the lease's end does.
      if (!answerIsLost(error) && !refusedAs(error, 'too-many')) return endRedemption(keyId);
    }
  }
}
