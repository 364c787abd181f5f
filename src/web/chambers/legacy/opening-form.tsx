// The press that opens a letter or a rehearsal of one, with the passphrase where it takes one.
import { type FormEvent, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Problem as ProblemLine } from '../../ui/problem.tsx';
import { SecretField } from '../../ui/text-fields.tsx';
import type { Problem } from './use-legacy.ts';

interface OpeningFormProps {
  byPassphrase: boolean;
  busy: boolean;
  problem: Problem | null;
  onOpen: (passphrase: string) => void;
  /** What stands on the button. */
  label: string;
  /** Beneath the passphrase. */
  hint: string;
  /** Said where the passphrase is left blank. */
  missing: string;
}

export function OpeningForm({ byPassphrase, busy, problem, onOpen, label, hint, missing }: OpeningFormProps) {
  const [passphrase, setPassphrase] = useState('');
  const [isMissing, setMissing] = useState(false);
  const field = useRef<HTMLInputElement>(null);

  function press(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    if (byPassphrase && passphrase.trim() === '') {
      setMissing(true);
      field.current?.focus();
    } else onOpen(passphrase);
  }

  const wrong = problem?.passphrase ? problem.sentence : undefined;
  return (
    <form noValidate onSubmit={press} className="grid w-full max-w-gate justify-items-center gap-6">
      {byPassphrase && (
        <div className="w-full">
          <SecretField
            ref={field}
            label="Passphrase"
            hint={hint}
            autoComplete="off"
            value={passphrase}
            onChange={(event) => {
              setPassphrase(event.target.value);
              setMissing(false);
            }}
            error={isMissing ? missing : wrong}
          />
        </div>
      )}
      <Button type="submit" tone="primary" busy={busy} busyLabel="Opening">
        {label}
      </Button>
      <ProblemLine>{wrong ? null : problem?.sentence}</ProblemLine>
    </form>
  );
}
