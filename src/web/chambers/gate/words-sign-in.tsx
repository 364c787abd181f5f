// Through the gate by the twenty-four words: they are the key, so they sign in and open the vault in one.
import { type FormEvent, useState } from 'react';
import { gate, type User } from '../../../shared/nouns/account.ts';
import { useServices } from '../../api/services.tsx';
import { useAttempt } from '../../hooks/use-attempt.ts';
import { setUser } from '../../hooks/use-user.ts';
import { Button } from '../../ui/button.tsx';
import { Room } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { explainOpening } from '../../vault/key/open-envelope.ts';
import { readWords, WordsField } from '../../vault/key/words-field.tsx';
import { signNonce } from '../../vault/session/words-sign-in.ts';
import { afterWords } from './vault-after-entering.ts';

interface SignInProps {
  onEntered: (user: User) => void;
  onBack: () => void;
}

export function WordsSignIn({ onEntered, onBack }: SignInProps) {
  const services = useServices();
  const { api } = services;
  const [text, setText] = useState('');
  const [wrong, setWrong] = useState<string | undefined>();
  const { busy, problem, run, forget } = useAttempt(explainOpening);

  async function submit(event: FormEvent) {
    event.preventDefault();
    setWrong(undefined);
    forget();
    const read = await readWords(text);
    if ('problem' in read) return setWrong(read.problem);
    await run(async () => {
      const user = await api.send(gate.wordsEnter, { body: await signNonce(api, read.key, gate.wordsNonce) });
      setUser(services, user);
      await afterWords(api, user, read.key);
      onEntered(user);
    });
  }

  return (
    <Room
      sigil="scroll"
      title={
        <>
          The <span className="whitespace-nowrap">twenty-four</span> words
        </>
      }
      lead="In order, with spaces between. They never leave this browser."
    >
      <form className="grid w-full gap-6" noValidate onSubmit={(event) => void submit(event)}>
        <WordsField value={text} onChange={setText} error={wrong} />
        <Problem>{problem}</Problem>
        <Button
          type="submit"
          tone="primary"
          wide
          busy={busy}
          busyLabel="Entering"
          disabled={text.trim() === ''}
        >
          Enter
        </Button>
      </form>
      <Button tone="caps" onClick={onBack} disabled={busy}>
        Back
      </Button>
    </Room>
  );
}
