// Through the gate by a name and a passphrase. The passphrase is stretched here; the server sees neither it nor
// the half that unwraps the vault.
import { type FormEvent, useState } from 'react';
import { account, gate, type User } from '../../../shared/account.ts';
import { ApiError, send } from '../../api/client.ts';
import { setUser } from '../../hooks/use-user.ts';
import { Button } from '../../ui/button.tsx';
import { Room } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { SecretField, TextField } from '../../ui/text-fields.tsx';
import {
  type NewPassphrase,
  NewPassphraseFields,
  type NewPassphraseProblems,
  newPassphraseProblems,
} from '../../vault/new-passphrase.tsx';
import { explainOpening } from '../../vault/open-envelope.ts';
import { derivePassphraseSecret } from '../../vault/passphrase-secret.ts';
import { afterEntering } from './vault-after-entering.ts';

interface DoorProps {
  /** Makes a new vault instead of entering one. */
  first?: boolean;
  onEntered: (user: User) => void;
  onBack: () => void;
}

export function PassphraseDoor({ first = false, onEntered, onBack }: DoorProps) {
  const [value, setValue] = useState<NewPassphrase>({ name: '', passphrase: '', again: '' });
  const [problems, setProblems] = useState<NewPassphraseProblems>({});
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  async function pass() {
    const { salt, ...params } = await send(gate.passphraseSalt, { body: { name: value.name } });
    const { authKey, wrapSecret } = await derivePassphraseSecret(value.passphrase, salt, params);
    const body = { name: value.name, authKey };
    const user = first
      ? await send(gate.passphraseBegin, { body: { ...body, salt } })
      : await send(gate.passphraseEnter, { body });
    setUser(user);
    await afterEntering(user, { method: 'passphrase', params: { salt, ...params }, secret: wrapSecret });
    onEntered(user.keyFingerprint ? user : await send(account.user, {}));
  }

  function change(next: NewPassphrase) {
    setValue(next);
    setProblems({});
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    const found = first ? newPassphraseProblems(value) : {};
    setProblems(found);
    setProblem(null);
    if (Object.keys(found).length > 0) return;
    setBusy(true);
    try {
      await pass();
    } catch (error) {
      if (error instanceof ApiError && error.code === 'name-taken') setProblems({ name: error.sentence });
      else setProblem(explainOpening(error));
    } finally {
      setBusy(false);
    }
  }

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
          <NewPassphraseFields value={value} onChange={change} problems={problems} />
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
      <Button tone="caps" onClick={onBack} disabled={busy}>
        Back
      </Button>
    </Room>
  );
}
