// The steps of a regeneration, but for the recovery method: each shows one state and says what was chosen.
import { useRef } from 'react';
import { everythingInAVault } from '../../../../vault/kinds/vault-kinds.ts';
import type { Progress } from '../../../../vault/rotation/stage.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { ProgressBar } from '../../../ui/progress-bar.tsx';
import { Found } from './found.tsx';
import type { Survey } from './regenerate.ts';

interface ChooseProps {
  busy: boolean;
  /** Why it did not work before. */
  problem: string | null;
  onReseal: () => void;
  onBurn: () => void;
  onClose: () => void;
}

/** What regenerating means, and its two ways. */
export function ChooseStep({ busy, problem, onReseal, onBurn, onClose }: ChooseProps) {
  const cancel = useRef<HTMLButtonElement>(null);
  return (
    <Dialog
      open
      onClose={onClose}
      title="Regenerate the key"
      description="A new key takes the place of the old one. What brought the old key back does not bring the new one: before the change you set up recovery for it. Your other sessions end."
      focusFirst={() => cancel.current}
      busy={busy}
      onSubmit={onReseal}
      footer={
        <>
          <Button ref={cancel} onClick={onClose} disabled={busy}>
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
          Or begin again: you get a new key, and what was sealed under the old one can never be read again.
          Only one-time links that still wait open their own copy, until they expire or are revoked, and
          legacy scrolls open for their recipients.
        </p>
        <Button tone="caps" disabled={busy} onClick={onBurn}>
          Make the old entries unreadable
        </Button>
      </div>
      <Problem>{problem}</Problem>
    </Dialog>
  );
}

interface BurnProps {
  busy: boolean;
  onBurn: () => void;
  onBack: () => void;
}

/** Asks before everything that was sealed until now becomes unreadable. */
export function BurnStep({ busy, onBurn, onBack }: BurnProps) {
  return (
    <ConfirmDialog
      open
      onClose={onBack}
      onConfirm={onBurn}
      title="Make the old entries unreadable"
      description={`Everything sealed until now stays listed, and stays unreadable (${everythingInAVault}): this server keeps the old key in no form, and neither will this browser. If you find its words later, they open nothing here any more. One-time links that you have made carry a copy of their own: they still open until they expire or you revoke them. Legacy scrolls that you have written have keys of their own: their recipients can still open them, but you cannot read or change them any more. Whispers that others left for you stay shut.`}
      confirmLabel="Go on"
      cancelLabel="Back"
      word="UNREADABLE"
      busy={busy}
    />
  );
}

interface FoundProps {
  survey: Survey;
  onGoOn: () => void;
  onClose: () => void;
}

export function FoundStep({ survey, onGoOn, onClose }: FoundProps) {
  return (
    <FormDialog
      open
      onClose={onClose}
      title="What was found"
      description="Nothing has been changed yet."
      onSubmit={onGoOn}
      submitLabel="Go on"
    >
      <Found survey={survey} />
    </FormDialog>
  );
}

interface WorkingProps {
  progress: Progress;
  onStop: () => void;
}

export function WorkingStep({ progress: { done, all, finishing }, onStop }: WorkingProps) {
  return (
    <Dialog
      open
      onClose={onStop}
      title={finishing ? 'Putting the new key in place' : 'Sealing everything anew'}
      description={
        finishing
          ? 'A moment. It happens all at once.'
          : 'Each entry is opened here, sealed under the new key and laid ready. If you stop now, nothing has changed.'
      }
      busy
      footer={
        <Button onClick={onStop} disabled={finishing}>
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
