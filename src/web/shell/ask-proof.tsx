// "Is it still you?": the dialog in which somebody proves who they are, by whichever way they have.
import { useState } from 'react';
import { gate, proof, type User } from '../../shared/nouns/account.ts';
import { sentenceOf } from '../../vault/api/api-error.ts';
import { useApi } from '../api/services.tsx';
import { Button } from '../ui/button.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { Problem } from '../ui/problem.tsx';
import { SecretField } from '../ui/text-fields.tsx';
import { askPasskey, PasskeyCancelled } from '../vault/key/passkey.ts';
import { passkeysSupported } from '../vault/key/passkeys-supported.ts';
import { derivePassphraseSecret } from '../vault/key/passphrase-secret.ts';
import { readWords, WordsField } from '../vault/key/words-field.tsx';
import { SignInName } from '../vault/session/sign-in-name.tsx';
import { signNonce } from '../vault/session/words-sign-in.ts';
import { type Asked, proofReason } from './proof-reasons.ts';

type Way = 'passkey' | 'passphrase' | 'words';

interface AskProofProps {
  user: User;
  /** What is about to be done. */
  call: Asked;
  onSettled: (proved: boolean) => void;
}

export default function AskProof({ user, call, onSettled }: AskProofProps) {
  const api = useApi();
  const { send } = api;
  const byPasskey = passkeysSupported() && user.passkeyCount > 0;
  const [way, setWay] = useState<Way>(byPasskey ? 'passkey' : user.name ? 'passphrase' : 'words');
  const [typed, setTyped] = useState('');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  async function prove() {
    setBusy(true);
    setProblem(null);
    try {
      if (way === 'passkey') {
        const { options } = await send(proof.passkeyOptions, {});
        const { response } = await askPasskey(options);
        await send(proof.passkey, { body: { response } });
      } else if (way === 'passphrase') {
        const name = user.name ?? '';
        const stretching = await send(gate.passphraseSalt, { body: { name } });
        const { authKey } = await derivePassphraseSecret(typed, name, stretching);
        await send(proof.passphrase, { body: { authKey } });
      } else {
        const read = await readWords(typed);
        if ('problem' in read) return setProblem(read.problem);
        const { nonce, signature } = await signNonce(api, read.key, proof.wordsNonce);
        await send(proof.words, { body: { nonce, signature } });
      }
      onSettled(true);
    } catch (error) {
      setProblem(error instanceof PasskeyCancelled ? error.message : sentenceOf(error));
    } finally {
      setBusy(false);
    }
  }

  const others = (
    [
      ['passkey', 'A passkey', byPasskey],
      ['passphrase', 'My passphrase', user.name !== null],
      ['words', 'The twenty-four words', true],
    ] as const
  ).filter(([name, , offered]) => offered && name !== way);

  return (
    <FormDialog
      open
      onClose={() => onSettled(false)}
      size="narrow"
      title="Is it still you?"
      description={`${proofReason(call)} Prove once more that it is you; it counts for ten minutes.`}
      busy={busy}
      onSubmit={() => void prove()}
      submitLabel={way === 'passkey' ? 'Touch the passkey' : 'Prove it'}
      ready={way === 'passkey' || typed.trim() !== ''}
      onCancel={() => onSettled(false)}
    >
      <Problem>{problem}</Problem>
      {way === 'passphrase' && (
        <>
          <SignInName name={user.name ?? ''} />
          <SecretField
            label="Passphrase"
            autoComplete="current-password"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        </>
      )}
      {way === 'words' && <WordsField value={typed} onChange={setTyped} />}
      <div className="flex flex-wrap gap-x-8 gap-y-1">
        {others.map(([name, label]) => (
          <Button
            key={name}
            tone="caps"
            onClick={() => {
              setWay(name);
              setTyped('');
              setProblem(null);
            }}
          >
            {label}
          </Button>
        ))}
        {user.signedInBy === 'oidc' && (
          <a
            className="caps py-2 text-dust underline-offset-8 hover:text-bone hover:underline"
            href={`${proof.oidc.path}?return=${encodeURIComponent(window.location.pathname)}`}
          >
            My sign-in provider
          </a>
        )}
      </div>
    </FormDialog>
  );
}
