// The Unlock screen: a signed-in browser without the key. Every way back to it, and what to do when none is left.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { OpenError } from '../../crypto/errors.ts';
import { proof, type User } from '../../shared/account.ts';
import { type ClientKeyRecord, vaultKey } from '../../shared/vault-key.ts';
import { ApiError, send, sentenceOf } from '../api/client.ts';
import { Button } from '../ui/button.tsx';
import { Room, Shell } from '../ui/page.tsx';
import { Problem } from '../ui/problem.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { ErrorState } from '../ui/states.tsx';
import { SecretField } from '../ui/text-fields.tsx';
import { HouseNav } from './house-nav.tsx';
import { explainOpening, findWrap, isKeyOf, keepOpenedKey, openByWrap } from './open-envelope.ts';
import { askPasskey, PasskeyCancelled } from './passkey.ts';
import { passkeysSupported } from './passkeys-supported.ts';
import { derivePassphraseSecret } from './passphrase-secret.ts';
import { StartAnew } from './start-anew.tsx';
import { readWords, WordsField } from './words-field.tsx';

interface UnlockProps {
  user: User;
  onUnlocked: () => void;
}

/** What a person reads when an attempt did not open the vault. */
function whyNot(error: unknown, wrongSecret: string): string | null {
  if (error instanceof PasskeyCancelled) return null;
  if (error instanceof OpenError) return wrongSecret;
  return explainOpening(error);
}

export default function Unlock({ user, onUnlocked }: UnlockProps) {
  const envelope = useQuery({
    queryKey: [vaultKey.get.path, user.id, user.keyFingerprint],
    staleTime: 0,
    queryFn: () => send(vaultKey.get, {}),
  });
  return (
    <Shell nav={<HouseNav />}>
      <title>Unlock · Latebra</title>
      {envelope.isPending && <Spinner screen />}
      {envelope.isError && (
        <ErrorState onRetry={() => void envelope.refetch()}>{sentenceOf(envelope.error)}</ErrorState>
      )}
      {envelope.data && <Ways user={user} envelope={envelope.data.clientKey} onUnlocked={onUnlocked} />}
    </Shell>
  );
}

type Way = 'passkey' | 'passphrase' | 'words';

function Ways({ user, envelope, onUnlocked }: UnlockProps & { envelope: ClientKeyRecord }) {
  const hasPasskey = passkeysSupported() && envelope.wraps.some(({ method }) => method === 'passkey');
  const hasPassphrase = findWrap(envelope, 'passphrase') !== undefined;
  const [way, setWay] = useState<Way | null>(hasPasskey ? null : hasPassphrase ? 'passphrase' : 'words');
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [anew, setAnew] = useState(false);

  async function attempt(open: () => Promise<void>, wrongSecret: string) {
    setBusy(true);
    setProblem(null);
    try {
      await open();
      onUnlocked();
    } catch (error) {
      setProblem(whyNot(error, wrongSecret));
    } finally {
      setBusy(false);
    }
  }

  const touch = () =>
    attempt(async () => {
      const { options } = await send(proof.passkeyOptions, {});
      const answer = await askPasskey(options);
      // The touch also counts as a fresh proof; that it does not must not keep the vault closed.
      await send(proof.passkey, { body: { response: answer.response } }).catch((error: unknown) => {
        if (!(error instanceof ApiError)) throw error;
      });
      const wrap = findWrap(envelope, { credentialId: answer.credentialId });
      if (!wrap || !answer.secret) throw new OpenError();
      await openByWrap(user.id, envelope, wrap, answer.secret);
    }, 'This passkey signs you in, but it does not open the vault. Use another way.');

  return (
    <Room
      sigil="mark"
      title="Unlock the vault"
      lead="You are signed in. This browser does not hold the key that opens your words; bring it back by one of your ways."
    >
      <Problem>{problem}</Problem>
      {hasPasskey && (
        <Button
          tone={way ? 'quiet' : 'primary'}
          wide
          busy={busy && way === null}
          onClick={() => void touch()}
        >
          Unlock with a passkey
        </Button>
      )}
      {way === 'passphrase' && <ByPassphrase {...{ user, envelope, busy, attempt }} />}
      {way === 'words' && <ByWords {...{ user, envelope, busy, attempt, setProblem }} />}
      <div className="grid w-full justify-items-center gap-2">
        {hasPassphrase && way !== 'passphrase' && (
          <Button tone="caps" onClick={() => setWay('passphrase')}>
            My passphrase
          </Button>
        )}
        {way !== 'words' && (
          <Button tone="caps" onClick={() => setWay('words')}>
            The twenty-four words
          </Button>
        )}
        <Button tone="caps" onClick={() => setAnew(true)}>
          I have none of these
        </Button>
      </div>
      <StartAnew user={user} open={anew} onClose={() => setAnew(false)} />
    </Room>
  );
}

interface FormProps {
  user: User;
  envelope: ClientKeyRecord;
  busy: boolean;
  attempt: (open: () => Promise<void>, wrongSecret: string) => Promise<void>;
}

function ByPassphrase({ user, envelope, busy, attempt }: FormProps) {
  const [passphrase, setPassphrase] = useState('');
  const unlock = () =>
    attempt(async () => {
      const wrap = findWrap(envelope, 'passphrase');
      if (wrap?.method !== 'passphrase') throw new OpenError();
      const { wrapSecret } = await derivePassphraseSecret(passphrase, wrap.params.salt, wrap.params);
      await openByWrap(user.id, envelope, wrap, wrapSecret);
    }, 'That passphrase does not open this vault.');
  return (
    <form
      className="grid w-full gap-6"
      onSubmit={(event) => {
        event.preventDefault();
        void unlock();
      }}
    >
      {user.name && (
        <input hidden readOnly autoComplete="username" value={user.name} aria-hidden="true" tabIndex={-1} />
      )}
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

function ByWords({
  user,
  envelope,
  busy,
  attempt,
  setProblem,
}: FormProps & { setProblem: (problem: string) => void }) {
  const [text, setText] = useState('');
  async function unlock() {
    const read = await readWords(text);
    if ('problem' in read) return setProblem(read.problem);
    await attempt(async () => {
      if (!(await isKeyOf(envelope, read.key))) throw new OpenError();
      await keepOpenedKey(user.id, envelope, read.key);
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
