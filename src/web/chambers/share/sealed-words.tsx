// Words that wait: what will happen is said before the press, and nothing happens without it.
import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Room } from '../../ui/page.tsx';
import { Problem as ProblemLine } from '../../ui/problem.tsx';
import { SecretField } from '../../ui/text-fields.tsx';
import type { Problem, View } from './use-share.ts';

type SealedWordsProps = Omit<Extract<View, { at: 'waiting' }>, 'at'> & {
  busy: boolean;
  problem: Problem | null;
  onBreak: (passphrase: string) => void;
  children?: ReactNode;
};

export function SealedWords({ stretching, begun, busy, problem, onBreak, children }: SealedWordsProps) {
  const [passphrase, setPassphrase] = useState('');
  const [missing, setMissing] = useState(false);
  const field = useRef<HTMLInputElement>(null);

  function press(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    if (stretching && passphrase.trim() === '') {
      setMissing(true);
      field.current?.focus();
    } else onBreak(passphrase);
  }

  const wrong = problem?.passphrase ? problem.sentence : undefined;
  return (
    <Room
      sigil="key"
      width="prose"
      title={begun ? 'The words did not arrive' : 'Somebody left you words'}
      lead={
        begun
          ? 'They were opened in this tab, but the words did not arrive, or were not reported as read. For ten minutes after they were opened, this tab can fetch them, and nobody else can.'
          : 'They can be read once. When you open them, they are shown in this browser and erased from the server: nobody can open this link again, and neither can you. Make sure that you have time to read.'
      }
    >
      {children}
      <form noValidate onSubmit={press} className="grid w-full max-w-gate justify-items-center gap-6">
        {stretching && (
          <div className="w-full">
            <SecretField
              ref={field}
              label="Passphrase"
              hint="The sender has told it to you by another way. A wrong one does not use up the link."
              autoComplete="off"
              value={passphrase}
              onChange={(event) => {
                setPassphrase(event.target.value);
                setMissing(false);
              }}
              error={missing ? 'These words ask for a passphrase.' : wrong}
            />
          </div>
        )}
        <Button type="submit" tone="primary" busy={busy} busyLabel="Opening">
          {begun ? 'Fetch the words' : 'Open and read'}
        </Button>
        <ProblemLine>{wrong ? null : problem?.sentence}</ProblemLine>
      </form>
      <p className="caps text-dust">
        {begun ? 'Nobody else can fetch them' : 'Nothing is opened before you press the button'}
      </p>
    </Room>
  );
}
