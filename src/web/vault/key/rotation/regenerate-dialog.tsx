// Regenerating the key, step by step: what it means, what was found, a recovery method, and the sealing itself. Nothing is
// changed before the last step, and then everything at once.
import { useEffect, useReducer, useRef, useState } from 'react';
import { refusedAs } from '../../../../vault/api/api-error.ts';
import { refreshUser } from '../../../hooks/use-user.ts';
import { toast } from '../../../ui/toaster.tsx';
import { isDeviceLocked } from '../../device/key-slot.ts';
import { useVault } from '../../session/vault-context.ts';
import { RecoveryStep } from './recovery-step.tsx';
import {
  abandonRegeneration,
  beginRegeneration,
  letBurn,
  makeNextKey,
  resealEverything,
} from './regenerate.ts';
import { whyNotRegenerated } from './regeneration-problem.ts';
import { atFirst, type RegenerationState, regenerationReducer } from './regeneration-state.ts';
import { BurnStep, ChooseStep, FoundStep, WorkingStep } from './regeneration-steps.tsx';

/** The steps, and what is done in each. */
function useRegeneration(onClose: () => void) {
  const vault = useVault();
  const [state, dispatch] = useReducer(regenerationReducer, atFirst);
  const [busy, setBusy] = useState(false);
  const stop = useRef(new AbortController());

  // Each step is a dialog of its own: what had the focus before the first one gets it back after the last.
  const [opener] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      // Whoever leaves the page in the middle has changed nothing.
      stop.current.abort();
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true });
    },
    [opener],
  );

  function close() {
    stop.current.abort();
    if ('survey' in state && state.survey) abandonRegeneration(vault);
    onClose();
  }

  function fail(error: unknown) {
    const problem = whyNotRegenerated(error, isDeviceLocked(vault.user.id));
    toast({ title: 'Failed to Regenerate Key', description: problem, tone: 'destructive' });
    dispatch({ type: 'failed', problem });
    // Another browser was faster: this one follows.
    if (refusedAs(error, 'key-changed')) void refreshUser(vault);
  }

  /** Makes the new key, unless it was made before, and does what comes next. */
  async function prepare(work: () => Promise<void> | void) {
    setBusy(true);
    try {
      if (!state.next) dispatch({ type: 'made', next: await makeNextKey(vault) });
      await work();
    } catch (error) {
      fail(error);
    } finally {
      setBusy(false);
    }
  }

  const survey = () =>
    prepare(async () => dispatch({ type: 'surveyed', survey: await beginRegeneration(vault) }));

  async function begin({ next, ways, survey }: Extract<RegenerationState, { step: 'way-back' }>) {
    stop.current = new AbortController();
    const { signal } = stop.current;
    dispatch({ type: 'began' });
    try {
      const left = survey
        ? await resealEverything(
            vault,
            next,
            ways,
            survey,
            (progress) => dispatch({ type: 'progressed', progress }),
            signal,
          )
        : await letBurn(vault, next, ways);
      toast({
        title: 'Encryption Key Regenerated',
        description: afterwards(left ?? null),
        tone: 'destructive',
      });
      onClose();
    } catch (error) {
      if (!signal.aborted) fail(error);
    }
  }

  return {
    ...{ state, busy, close, survey, begin, dispatch },
    burn: () => prepare(() => dispatch({ type: 'go-on' })),
  };
}

export default function RegenerateDialog({ onClose }: { onClose: () => void }) {
  const { state, busy, close, survey, begin, burn, dispatch } = useRegeneration(onClose);
  const { user } = useVault();
  switch (state.step) {
    case 'choose':
      return (
        <ChooseStep
          busy={busy}
          problem={busy ? null : state.problem}
          onReseal={() => void survey()}
          onBurn={() => dispatch({ type: 'ask-to-burn' })}
          onClose={close}
        />
      );
    case 'burn':
      return <BurnStep busy={busy} onBurn={() => void burn()} onBack={() => dispatch({ type: 'back' })} />;
    case 'found':
      return <FoundStep survey={state.survey} onGoOn={() => dispatch({ type: 'go-on' })} onClose={close} />;
    case 'way-back':
      return (
        <RecoveryStep
          user={user}
          next={state.next}
          ways={state.ways}
          onWays={(ways) => dispatch({ type: 'proved', ways })}
          onClose={close}
          onBegin={() => void begin(state)}
          beginLabel={state.survey ? 'Change the key' : 'Make unreadable and begin again'}
          destructive={state.survey === null}
        />
      );
    case 'working':
      return <WorkingStep progress={state.progress} onStop={close} />;
  }
}

/** @param left how many entries do not open; null when everything was let burn */
function afterwards(left: number | null): string {
  if (left === null)
    return 'Your vault has a new key. What was sealed under the old one cannot be read. One-time links that still wait open until they expire or are revoked.';
  if (left === 0) return 'Your vault has a new key, and its words are sealed under it.';
  return `Your vault has a new key. ${left === 1 ? 'One entry does' : `${left} entries do`} not open and stayed as they were.`;
}
