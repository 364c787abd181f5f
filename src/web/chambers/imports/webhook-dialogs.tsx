// The questions about a webhook: what to call a new one, what becomes of the old secret, and whether to revoke it.
import { useState } from 'react';
import { SealError } from '../../../crypto/errors.ts';
import { sentenceOf } from '../../../vault/api/api-error.ts';
import type { OpenedWebhook } from '../../../vault/outbox/webhook-writer.ts';
import { useAttempt } from '../../hooks/use-attempt.ts';
import { SelectField } from '../../ui/choice-fields.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Problem } from '../../ui/problem.tsx';
import { asQuestion } from '../../ui/question.ts';
import { TextField } from '../../ui/text-fields.tsx';

const NAME_MAX = 100;

const named = (name: string | null) => (name === null ? 'this webhook' : `“${name}”`);

const sentence = (error: unknown) =>
  error instanceof SealError ? 'The name could not be sealed. Nothing was sent.' : sentenceOf(error);

interface NewProps {
  onCreate: (name: string) => Promise<void>;
  onClose: () => void;
}

export function NewWebhookDialog({ onCreate, onClose }: NewProps) {
  const [name, setName] = useState('');
  const { busy, problem, run } = useAttempt(sentence);
  return (
    <FormDialog
      open
      onClose={onClose}
      title="New webhook"
      description="An address for one program. Each program should have its own, so that you can revoke one alone."
      busy={busy}
      onSubmit={() => void run(() => onCreate(name.trim()))}
      submitLabel="Make the webhook"
      busyLabel="Making it"
      ready={name.trim() !== ''}
    >
      <TextField
        label="Name"
        value={name}
        maxLength={NAME_MAX}
        hint="For you alone. It is sealed in this browser."
        autoComplete="off"
        onChange={(event) => setName(event.target.value)}
      />
      <Problem>{problem}</Problem>
    </FormDialog>
  );
}

const OLD = [
  { value: 'stays', label: 'Accept it for another 24 hours' },
  { value: 'ends', label: 'Do not accept it any more' },
];

interface RotateProps {
  webhook: OpenedWebhook;
  onRotate: (oldStays: boolean) => Promise<void>;
  onClose: () => void;
}

export function RotateDialog({ webhook: { name, oldSecretUntil }, onRotate, onClose }: RotateProps) {
  const [old, setOld] = useState('stays');
  const { busy, problem, run } = useAttempt(sentence);
  return (
    <FormDialog
      open
      onClose={onClose}
      title={asQuestion(`A new secret for ${named(name)}`)}
      description={`The program that sends needs the new secret. The address stays as it is.${
        oldSecretUntil === null ? '' : ' The secret before the present one ends in any case.'
      }`}
      busy={busy}
      onSubmit={() => void run(() => onRotate(old === 'stays'))}
      submitLabel="Make a new secret"
      busyLabel="Making it"
    >
      <SelectField
        label="The old secret"
        choices={OLD}
        value={old}
        onChange={(event) => setOld(event.target.value)}
        hint={
          old === 'stays'
            ? 'Time to change it where the program runs. Nothing is lost meanwhile.'
            : 'Choose this if somebody else may have it. Deliveries fail until the program has the new one.'
        }
      />
      <Problem>{problem}</Problem>
    </FormDialog>
  );
}

interface RevokeProps {
  webhook: OpenedWebhook;
  onRevoke: () => Promise<void>;
  onClose: () => void;
}

export function RevokeDialog({ webhook: { name }, onRevoke, onClose }: RevokeProps) {
  const { busy, problem, run } = useAttempt(sentence);
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      onConfirm={() => void run(onRevoke)}
      title={asQuestion(`Revoke ${named(name)}`)}
      description="Its address stops existing, for good. What has arrived through it stays in your vault."
      confirmLabel="Revoke it"
      busy={busy}
      busyLabel="Revoking it"
      error={problem}
    />
  );
}
