// The forms by which a vault is opened: its passphrase, or its twenty-four words.

import { useState } from 'react';
import { OpenError } from '../../../crypto/errors.ts';
import type { User } from '../../../shared/nouns/account.ts';
import type { VaultKeyRecord } from '../../../shared/nouns/vault-key.ts';
import { Button } from '../../ui/button.tsx';
import { SecretField } from '../../ui/text-fields.tsx';
import { noteOpened } from '../device/methods-set-here.ts';
import { SignInName } from '../session/sign-in-name.tsx';
import { findWrap, isKeyOf, keepOpenedKey, openByWrap } from './open-envelope.ts';
import { derivePassphraseSecret } from './passphrase-secret.ts';
import { readWords, WordsField } from './words-field.tsx';

interface FormProps {
  user: User;
  kept: VaultKeyRecord;
  busy: boolean;
  attempt: (open: () => Promise<void>, wrongSecret: string) => Promise<void>;
}

export function ByPassphrase({ user, kept, busy, attempt }: FormProps) {
  const [passphrase, setPassphrase] = useState('');
  const unlock = () =>
    attempt(async () => {
      const wrap = findWrap(kept.clientKey, 'passphrase');
      if (wrap?.method !== 'passphrase' || user.name === null) throw new OpenError();
      const { wrapSecret } = await derivePassphraseSecret(passphrase, user.name, wrap.params);
      await openByWrap(user.id, kept, wrap, wrapSecret);
    }, WRONG_PASSPHRASE);
  return (
    <form
      className="grid w-full gap-6"
      onSubmit={(event) => {
        event.preventDefault();
        void unlock();
      }}
    >
      {user.name && <SignInName name={user.name} />}
      <SecretField
        label="Passphrase"
        autoComplete="current-password"
        value={passphrase}
        onChange={(event) => setPassphrase(event.target.value)}
      />
      <Button
        type="submit"
        tone="primary"
        wide
        busy={busy}
        busyLabel="Unlocking"
        disabled={passphrase === ''}
      >
        Unlock
      </Button>
    </form>
  );
}

export function ByWords({
  user,
  kept,
  busy,
  attempt,
  setProblem,
}: FormProps & { setProblem: (problem: string) => void }) {
  const [text, setText] = useState('');
  async function unlock() {
    const read = await readWords(text);
    if ('problem' in read) return setProblem(read.problem);
    await attempt(async () => {
      if (!(await isKeyOf(kept.clientKey, read.key))) throw new OpenError();
      await keepOpenedKey(user.id, kept, read.key);
      // Where the server does not list them, that they are missing is no news to this browser.
      if (user.wordsKeptAt !== null) noteOpened(user.id, kept.clientKey.fingerprint, { words: true });
    }, 'These are the words of another key, not of this vault.');
  }
  return (
    <form
      className="grid w-full gap-6"
      onSubmit={(event) => {
        event.preventDefault();
        void unlock();
      }}
    >
      <WordsField value={text} onChange={setText} />
      <Button
        type="submit"
        tone="primary"
        wide
        busy={busy}
        busyLabel="Unlocking"
        disabled={text.trim() === ''}
      >
        Unlock
      </Button>
    </form>
  );
}

/**
 * True of a wrong passphrase, and of a wrap whose bytes the server has exchanged. A browser that told them apart would let
 * a server that guesses a passphrase see, by what is done next, whether it has guessed right.
 */
export const WRONG_PASSPHRASE =
  'That passphrase does not open what this server sent of your key. If you are sure of it, what was sent is damaged or exchanged: use another way.';
