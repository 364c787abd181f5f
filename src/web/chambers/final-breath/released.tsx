// A released breath: the words, on this screen alone; or what can be said when they are not here.
import { useEffect, useState } from 'react';
import type { Breath } from '../../../shared/nouns/final-breath.ts';
import { LEASE } from '../../../shared/share-lease.ts';
import type { Released } from '../../../vault/outbox/breath-writer.ts';
import { Button } from '../../ui/button.tsx';
import { formatDay, formatMoment, formatTime } from '../../ui/moments.ts';
import { Room } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { WrittenText } from '../../ui/written-text.tsx';
import { OutsideNote } from '../../vault/entries/outside.tsx';

interface ReleasedProps {
  released: Released;
  /** Whether the server has erased it; null when it could not be told to. */
  erased: boolean | null;
  onSilence: () => void;
}

/** The words. The one way out is silence. */
export function ReleasedBreath({ released, erased, onSilence }: ReleasedProps) {
  useEffect(() => {
    // Nothing brings these words back: a slip of the hand must not end them unasked.
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, []);
  const { text, outside, createdAt, leaseUntil } = released;
  return (
    <div className="candle-above grid flex-1 place-items-center px-5 py-16 sm:px-8 sm:py-24">
      <article className="w-full max-w-prose animate-appear">
        <p className="caps mb-4 text-dust">Released</p>
        <h1 className="font-display text-[clamp(2.25rem,1.8rem+2vw,3rem)]/[1.1]">Your final breath</h1>
        <p className="mt-3 flex flex-wrap gap-x-6 gap-y-1 text-body text-shade">
          <span>Sealed {formatDay(createdAt)}</span>
          <span role="status">
            {erased === true && 'Erased from this server'}
            {erased === false && 'Being erased from this server'}
            {erased === null &&
              (leaseUntil
                ? `This server erases it by itself at ${formatTime(leaseUntil)}`
                : 'Erased from this server')}
          </span>
        </p>
        {outside && (
          <div className="mt-8">
            <OutsideNote />
          </div>
        )}
        <div className="mt-10">
          <WrittenText>{text}</WrittenText>
        </div>
        <footer className="mt-12 flex flex-wrap items-center justify-between gap-x-8 gap-y-4 border-t border-line pt-6">
          <p className="max-w-gate text-note text-dust">
            When you press Silence, or leave this page, these words are gone.
          </p>
          <Button tone="primary" onClick={onSilence} className="max-sm:w-full">
            Silence
          </Button>
        </footer>
      </article>
    </div>
  );
}

const leaseEnd = ({ releasedAt }: Breath) => formatTime(Date.parse(releasedAt ?? '') + LEASE);

interface AwaitingProps {
  breath: Breath;
  /** They came, and no key here opened them. */
  unopened: boolean;
  busy: boolean;
  onReceive: () => void;
}

/** Released by this tab, and not shown yet: the connection broke, or the page was reloaded. */
export function AwaitingBreath({ breath, unopened, busy, onReceive }: AwaitingProps) {
  return (
    <Room
      sigil="breath"
      eyebrow="Final Breath"
      title="Released, and not yet read"
      lead={`It was released, and its words have not been shown here. They wait for this tab until ${leaseEnd(breath)}. Then they are destroyed.`}
    >
      <Button tone="primary" onClick={onReceive} busy={busy} busyLabel="Fetching">
        Show its words
      </Button>
      <Problem>
        {unopened &&
          `The words have come and could not be opened: your encryption key may have changed. This server was not told that they were read, and keeps them until ${leaseEnd(breath)}.`}
      </Problem>
    </Room>
  );
}

interface GoneProps {
  breath: Breath;
  onLook: () => Promise<unknown>;
}

/** Read and silenced here, and the server could not be told. */
export function SilencedBreath({ breath, onLook }: GoneProps) {
  return (
    <Room
      sigil="breath"
      eyebrow="Final Breath"
      title="It is silenced"
      lead={`Its words were shown here, once, and are not shown again. This server could not be told, and erases them by itself at ${leaseEnd(breath)}. Then a new one can be written.`}
    >
      <LookAgain onLook={onLook} />
    </Room>
  );
}

/** Released by another tab or browser, or here before a reload. */
export function BreathElsewhere({ breath, onLook }: GoneProps) {
  return (
    <Room
      sigil="breath"
      eyebrow="Final Breath"
      title="It was released before"
      lead={`It was released on ${formatMoment(breath.releasedAt ?? '')}, in another tab or browser, or here before this page was left. By ${leaseEnd(breath)} nothing of it is left, and a new one can be written.`}
    >
      <LookAgain onLook={onLook} />
    </Room>
  );
}

function LookAgain({ onLook }: Pick<GoneProps, 'onLook'>) {
  const [busy, setBusy] = useState(false);
  async function look() {
    setBusy(true);
    await onLook();
    setBusy(false);
  }
  return (
    <Button onClick={() => void look()} busy={busy} busyLabel="Looking">
      Look again
    </Button>
  );
}
