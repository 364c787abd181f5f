// The Final Breath: which of its states is shown, and the moment of its release.
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { OpenError } from '../../../crypto/errors.ts';
import type { Breath } from '../../../shared/nouns/final-breath.ts';
import { refusedAs, sentenceOf } from '../../../vault/api/api-error.ts';
import type { Released } from '../../../vault/outbox/breath-writer.ts';
import { useHeadingFocus } from '../../hooks/use-heading-focus.ts';
import { SiteNav } from '../../shell/site-nav.tsx';
import { Shell } from '../../ui/page.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { toast } from '../../ui/toaster.tsx';
import { useDraftTurn } from '../../vault/entries/use-draft.ts';
import { BREATH_DRAFT } from './draft.ts';
import { AwaitingBreath, BreathElsewhere, ReleasedBreath, SilencedBreath } from './released.tsx';
import { Sealed } from './sealed.tsx';
import { Unsealed } from './unsealed.tsx';
import { type BreathHook, useBreath } from './use-breath.ts';

/** The moment of the release: the words stand in this page alone, until their reader asks for silence. */
function useReleasing(breath: BreathHook) {
  const [released, setReleased] = useState<Released | null>(null);
  const [erased, setErased] = useState<boolean | null>(false);
  const [receiving, setReceiving] = useState(false);
  const [unopened, setUnopened] = useState(false);
  /** The seal of the breath that was silenced here without the server having heard of it. */
  const [silenced, setSilenced] = useState<string | null>(null);
  const { data, refetch } = breath.query;

  async function release(standing: Breath) {
    if (receiving) return;
    setReceiving(true);
    setUnopened(false);
    try {
      const words = await breath.release(standing);
      // The server may erase them once they stand on the screen, not before.
      flushSync(() => {
        setErased(false);
        setReleased(words);
      });
      toast({ title: 'Final Breath Released', description: 'You can read it this one time.' });
      void acknowledge();
    } catch (problem) {
      fail(problem);
    } finally {
      setReceiving(false);
    }
  }

  async function acknowledge(): Promise<boolean> {
    try {
      await breath.acknowledge();
      setErased(true);
      return true;
    } catch {
      // It is tried once more with silence; after its lease the server erases it unasked.
      setErased(null);
      return false;
    }
  }

  function fail(problem: unknown) {
    if (problem instanceof OpenError) {
      setUnopened(true);
      return toast({
        title: 'Failed to Decrypt',
        description: 'Unable to decrypt this breath. Your encryption key may have changed.',
        tone: 'destructive',
      });
    }
    if (refusedAs(problem, 'not-found', 'breath-released')) breath.forget();
    toast({ title: 'Failed to Release', description: sentenceOf(problem), tone: 'destructive' });
    // Whether it was released is the server's to say.
    void refetch();
  }

  async function silence() {
    // Whoever asks for silence has read it: it is not offered again, also if the server cannot be told.
    if (erased !== true && !(await acknowledge())) {
      breath.forget();
      setSilenced(data?.sealId ?? null);
    }
    setReleased(null);
    setErased(false);
    void refetch();
  }

  return { released, erased, receiving, unopened, silenced, release, silence };
}

export default function FinalBreathPage() {
  const breath = useBreath();
  const turn = useDraftTurn(BREATH_DRAFT);
  const { released, erased, receiving, unopened, silenced, release, silence } = useReleasing(breath);
  const { data, isPending, isError, error, isFetching, refetch } = breath.query;
  const room = useHeadingFocus(released ? 'released' : roomOf(breath.query));

  if (released) {
    return (
      <Shell>
        <title>Final Breath · Latebra</title>
        <div ref={room} className="flex flex-1 flex-col">
          <ReleasedBreath released={released} erased={erased} onSilence={() => void silence()} />
        </div>
      </Shell>
    );
  }
  return (
    <Shell nav={<SiteNav />}>
      <title>Final Breath · Latebra</title>
      <div ref={room} className="flex flex-1 flex-col">
        {isPending && <Spinner screen label="Looking for your final breath" />}
        {isError && data === undefined && (
          <ErrorState onRetry={() => void refetch()} retrying={isFetching}>
            {sentenceOf(error)}
          </ErrorState>
        )}
        {data === null && <Unsealed key={turn} breath={breath} />}
        {data && data.releasedAt === null && (
          <Sealed sealed={data} breath={breath} onRelease={() => release(data)} />
        )}
        {data &&
          data.releasedAt !== null &&
          (breath.mayFetchAgain() ? (
            <AwaitingBreath
              breath={data}
              unopened={unopened}
              busy={receiving}
              onReceive={() => void release(data)}
            />
          ) : silenced !== null && silenced === data.sealId ? (
            <SilencedBreath breath={data} onLook={refetch} />
          ) : (
            <BreathElsewhere breath={data} onLook={refetch} />
          ))}
      </div>
    </Shell>
  );
}

/** What the page shows while no words stand on it; null before the server has answered. */
function roomOf({ data, isError }: BreathHook['query']): string | null {
  if (data === undefined) return isError ? 'error' : null;
  if (data === null) return 'unsealed';
  return data.releasedAt === null ? 'sealed' : 'over';
}
