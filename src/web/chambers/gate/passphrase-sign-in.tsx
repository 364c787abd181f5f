// Through the gate by a name and a passphrase. The passphrase is stretched here; the server sees neither it nor
// the half that unwraps the vault.
import { type FormEvent, useRef, useState } from 'react';
import { account, gate, normaliseName, type User } from '../../../shared/nouns/account.ts';
import { answerIsLost, answerRefused, refusedAs, sentenceOf } from '../../../vault/api/api-error.ts';
import { useServices } from '../../api/services.tsx';
import { useAttempt } from '../../hooks/use-attempt.ts';
import { setUser } from '../../hooks/use-user.ts';
import { Button } from '../../ui/button.tsx';
import { Room } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { SecretField, TextField } from '../../ui/text-fields.tsx';
import type { WrappingWay } from '../../vault/key/establish-key.ts';
import { explainOpening } from '../../vault/key/open-envelope.ts';
import { derivePassphraseSecret } from '../../vault/key/passphrase-secret.ts';
import {
  type NewPassphrase,
  NewPassphraseFields,
  type NewPassphraseProblems,
  newPassphraseProblems,
} from '../../vault/key/recovery/new-passphrase.tsx';
import { asBody } from './invitation.ts';
import type { FirstKey } from './use-first-key.ts';
import { afterEntering } from './vault-after-entering.ts';

interface SignInProps {
  /** Given where a new vault is made instead of entering one. */
  firstKey?: FirstKey;
  /** What a new account may be created by; empty for nothing. */
  invitation?: string;
  onEntered: (user: User) => void;
  onBack: () => void;
}

/** What is typed, and the way in by it. */
function usePassphraseSignIn({ firstKey, invitation = '', onEntered }: SignInProps) {
  const services = useServices();
  const { send } = services.api;
  const first = firstKey !== undefined;
  const begun = firstKey?.begun ?? null;
  const [value, setValue] = useState<NewPassphrase>({ name: '', passphrase: '', again: '' });
  const [problems, setProblems] = useState<NewPassphraseProblems>({});
  const { busy, problem, run } = useAttempt(explainOpening);
  /** With what an account may have been made although no answer came. */
  const unanswered = useRef<string | null>(null);

  /** Enters the account of that name, and no other. */
  async function enter(body: { name: string; authKey: string }): Promise<User> {
    const user = await send(gate.passphraseEnter, { body });
    if (user.name !== normaliseName(body.name))
      throw answerRefused('The server answered with another account than was asked for. It is not entered.');
    return user;
  }

  /** Makes the account. One whose answer was lost is there already, and its own passphrase enters it. */
  async function begin(body: { name: string; authKey: string }, salt: string): Promise<User> {
    try {
      return await send(gate.passphraseBegin, { body: { ...body, salt, ...asBody(invitation) } });
    } catch (error) {
      // Its invitation, too, is spent by itself.
      if (refusedAs(error, 'name-taken', 'invitation-spent') && unanswered.current === body.authKey)
        return enter(body);
      if (answerIsLost(error)) unanswered.current = body.authKey;
      throw error;
    }
  }

  async function pass() {
    // The account exists already, and its name is taken by itself.
    if (firstKey && begun) return firstKey.finish(begun);
    const stretching = await send(gate.passphraseSalt, { body: { name: value.name } });
    const { authKey, wrapSecret } = await derivePassphraseSecret(value.passphrase, value.name, stretching, {
      isNew: firstKey !== undefined,
    });
    const body = { name: value.name, authKey };
    const way: WrappingWay = { method: 'passphrase', params: stretching, secret: wrapSecret };
    if (firstKey) {
      const user = await begin(body, stretching.salt);
      setUser(services, user);
      return firstKey.finish({ user, way });
    }
    const user = await enter(body);
    setUser(services, user);
    await afterEntering(services.api, user, way);
    onEntered(user.keyFingerprint ? user : await send(account.user, {}));
  }

  function change(next: NewPassphrase) {
    setValue(next);
    setProblems({});
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    await run(
      async () => {
        const found = first && !begun ? await newPassphraseProblems(value) : {};
        setProblems(found);
        if (Object.keys(found).length === 0) await pass();
      },
      (error) => {
        const isTaken = refusedAs(error, 'name-taken');
        if (isTaken) setProblems({ name: sentenceOf(error) });
        return isTaken;
      },
    );
  }

  return { value, setValue, problems, change, problem, busy, submit };
}

export function PassphraseSignIn(props: SignInProps) {
  const { firstKey, onBack } = props;
  const first = firstKey !== undefined;
  const begun = firstKey?.begun ?? null;
  const { value, setValue, problems, change, problem, busy, submit } = usePassphraseSignIn(props);

  return (
    <Room
      sigil="key"
      title={first ? 'A name and a passphrase' : 'Enter'}
      lead={
        first
          ? 'Both are yours to remember. The passphrase signs you in and opens the vault; nobody can reset it.'
          : 'With the name and the passphrase that you chose.'
      }
    >
      <form className="grid w-full gap-6" noValidate onSubmit={(event) => void submit(event)}>
        {first ? (
          <fieldset className="grid gap-6" disabled={begun !== null}>
            <NewPassphraseFields value={value} onChange={change} problems={problems} />
          </fieldset>
        ) : (
          <>
            <TextField
              label="Name"
              autoComplete="username"
              autoCapitalize="none"
              spellCheck={false}
              value={value.name}
              onChange={(event) => setValue({ ...value, name: event.target.value })}
            />
            <SecretField
              label="Passphrase"
              autoComplete="current-password"
              value={value.passphrase}
              onChange={(event) => setValue({ ...value, passphrase: event.target.value })}
            />
          </>
        )}
        <Problem>{problem}</Problem>
        <Button
          type="submit"
          tone="primary"
          wide
          busy={busy}
          busyLabel={first ? 'Making the vault' : 'Entering'}
          disabled={!first && (value.name.trim() === '' || value.passphrase === '')}
        >
          {first ? 'Make the vault' : 'Enter'}
        </Button>
      </form>
      {begun === null && (
        <Button tone="caps" onClick={onBack} disabled={busy}>
          Back
        </Button>
      )}
    </Room>
  );
}
