// Regenerating the key, step by step: what it means, what was found, a way back, and the sealing itself. Nothing is
// changed before the last step, and then everything at once.
import { useEffect, useRef, useState } from 'react';
import { OpenError } from '../../../crypto/errors.ts';
import { ApiError, sentenceOf } from '../../api/api-error.ts';
import { refreshUser } from '../../hooks/use-user.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Problem } from '../../ui/problem.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { toast } from '../../ui/toaster.tsx';
import { AnotherKey } from '../key/key-in-hand.ts';
import { isDeviceLocked } from '../key/key-slot.ts';
import { useVault } from '../session/vault-context.ts';
import { Found } from './found.tsx';
import { AnswerLost } from './next-key.ts';
import {
  abandonRegeneration,
  beginRegeneration,
  letBurn,
  makeNextKey,
  type NewWays,
  type NextKey,
  RingTooFull,
  RingUnreadable,
  resealEverything,
  type Survey,
  VaultTooBusy,
} from './regenerate.ts';
import type { Progress } from './stage.ts';
import { WayBackStep } from './way-back-step.tsx';

type Step = 'choose' | 'found' | 'burn' | 'way-back' | 'working';

const NO_WAYS: NewWays = { wraps: [], wordsKept: false };

/** What a person is told when the key could not be changed. */
function whyNot(error: unknown, deviceLocked: boolean): string {
  if (error instanceof VaultTooBusy)
    return 'The vault is being written into elsewhere, again and again. Nothing has changed. Please try again later.';
  if (error instanceof AnswerLost) {
    const what = error.notYet
      ? 'The last step was cut off. The new key is not in place so far, and may still come to be.'
      : 'The house fell silent at the last step.';
    return deviceLocked
      ? `${what} Whichever key the house has kept, this tab holds both until it is closed or reloaded. Leave it open, and try again when the house can be reached.`
      : `${what} Whichever key the house has kept, this browser holds both. Reload the page when the house can be reached.`;
  }
  if (error instanceof RingUnreadable || error instanceof OpenError)
    return 'The keys that came before yours do not open. Nothing has changed.';
  if (error instanceof RingTooFull)
    return 'There is more in the vault that is locked now than a change of the key can note. Nothing has changed. Try again when some of the locks have ended.';
  if (error instanceof AnotherKey)
    return 'Another key stands in this browser by now. Nothing has changed. Reload the page.';
  // What the house refuses it explains itself.
  if (error instanceof ApiError && error.code !== '') return error.sentence;
  return `${sentenceOf(error)} Nothing has changed.`;
}

export default function RegenerateDialog({ onClose }: { onClose: () => void }) {
  const vault = useVault();
  const [step, setStep] = useState<Step>('choose');
  const [next, setNext] = useState<NextKey | null>(null);
  const [ways, setWays] = useState(NO_WAYS);
  const [survey, setSurvey] = useState<Survey | null>(null);
  const [progress, setProgress] = useState<Progress>({ done: 0, all: 0, finishing: false });
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const stop = useRef(new AbortController());
  const cancel = useRef<HTMLButtonElement>(null);

  // Whoever leaves the page in the middle has changed nothing.
  useEffect(() => () => stop.current.abort(), []);

  function close() {
    stop.current.abort();
    if (survey) abandonRegeneration(vault);
    onClose();
  }

  function fail(error: unknown) {
    const description = whyNot(error, isDeviceLocked(vault.user.id));
    toast({ title: 'Failed to Regenerate Key', description, tone: 'destructive' });
    setProblem(description);
    setSurvey(null);
    setStep('choose');
    // Another browser was faster: this one follows.
    if (error instanceof ApiError && error.code === 'key-changed') void refreshUser(vault);
  }

  /** Makes the new key, once: its words may stand on paper already when something is tried again. */
  async function prepare(work: () => Promise<void>) {
    setBusy(true);
    setProblem(null);
    try {
      if (!next) setNext(await makeNextKey(vault));
      await work();
    } catch (error) {
      fail(error);
    } finally {
      setBusy(false);
    }
  }

  const look = () =>
    prepare(async () => {
      setSurvey(await beginRegeneration(vault));
      setStep('found');
    });

  const burn = () =>
    prepare(async () => {
      setSurvey(null);
      setStep('way-back');
    });

  async function work(key: NextKey) {
    stop.current = new AbortController();
    const { signal } = stop.current;
    setProgress({ done: 0, all: survey?.opened.length ?? 0, finishing: survey === null });
    setStep('working');
    try {
      const left = survey
        ? await resealEverything(vault, key, ways, survey, setProgress, signal)
        : await letBurn(vault, key, ways);
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

  if (step === 'burn') {
    return (
      <ConfirmDialog
        open
        onClose={() => setStep('choose')}
        onConfirm={() => void burn()}
        title="Let the old words burn"
        description="Everything sealed until now stays listed, and stays unreadable: this house keeps the old key in no form, and neither will this browser. If its words turn up one day in a drawer, they open nothing here any more. One-time links that you have made carry a copy of their own: they still open until they expire or you revoke them. Legacy scrolls that you have written have keys of their own: their recipients can still open them, but you cannot read or change them any more. Whispers that others left for you stay shut."
        confirmLabel="Go on"
        cancelLabel="Back"
        word="UNREADABLE"
        busy={busy}
      />
    );
  }

  if (step === 'way-back' && next) {
    return (
      <WayBackStep
        user={vault.user}
        next={next}
        ways={ways}
        onWays={setWays}
        onClose={close}
        onBegin={() => void work(next)}
        beginLabel={survey ? 'Change the key' : 'Burn, and begin anew'}
        destructive={survey === null}
      />
    );
  }

  if (step === 'found' && survey) {
    return (
      <FormDialog
        open
        onClose={close}
        title="What was found"
        description="Nothing has been changed yet."
        onSubmit={() => setStep('way-back')}
        submitLabel="Go on"
        onCancel={close}
      >
        <Found survey={survey} />
      </FormDialog>
    );
  }

  if (step === 'working') {
    const { done, all, finishing } = progress;
    return (
      <Dialog
        open
        onClose={close}
        title={finishing ? 'Putting the new key in place' : 'Sealing everything anew'}
        description={
          finishing
            ? 'A moment. It happens all at once.'
            : 'Each entry is opened here, sealed under the new key and laid ready. If you stop now, nothing has changed.'
        }
        busy
        footer={
          <Button onClick={close} disabled={finishing}>
            Stop
          </Button>
        }
      >
        <ProgressBar
          label={finishing ? 'All at once' : 'Sealed anew'}
          value={finishing ? undefined : done}
          max={all}
          valueText={finishing ? undefined : `${done} of ${all}`}
        />
      </Dialog>
    );
  }

  return (
    <Dialog
      open
      onClose={close}
      title="Regenerate the key"
      description="A new key takes the place of the old one. What brought the old key back does not bring the new one: before the change you prove a way back to it. Your other sessions end."
      focusFirst={() => cancel.current}
      busy={busy}
      onSubmit={() => void look()}
      footer={
        <>
          <Button ref={cancel} onClick={close} disabled={busy}>
            Cancel
          </Button>
          <Button type="submit" tone="primary" busy={busy} busyLabel="Opening everything">
            Re-seal everything
          </Button>
        </>
      }
    >
      <p>
        Everything that this browser can open is sealed under the new key and stays readable. First you see
        what was found. If anything fails, nothing changes.
      </p>
      <p>
        Your vault’s address, by which others whisper to you, changes with the key. Give the new one to them.
      </p>
      <div className="grid justify-items-start gap-1">
        <p className="text-note text-dust">
          Or end it: a new key, and what was sealed under the old one is unreadable for ever. Only one-time
          links that still wait open their own copy, until they expire or are revoked, and legacy scrolls open
          for their recipients.
        </p>
        <Button tone="caps" disabled={busy} onClick={() => setStep('burn')}>
          Let the old words burn
        </Button>
      </div>
      <Problem>{problem}</Problem>
    </Dialog>
  );
}

/** @param left how many entries do not open; null when everything was let burn */
function afterwards(left: number | null): string {
  if (left === null)
    return 'Your vault has a new key. What was sealed under the old one cannot be read. One-time links that still wait open until they expire or are revoked.';
  if (left === 0) return 'Your vault has a new key, and its words are sealed under it.';
  return `Your vault has a new key. ${left === 1 ? 'One entry does' : `${left} entries do`} not open and stayed as they were.`;
}
