// An account whose vault has no key yet, although its owner has a passkey or a passphrase: something went wrong right
// after First time here. The key is made once one of them has been given again, so that it is wrapped from the start. An account
// of a sign-in provider has neither: its key is made once somebody has said that this vault is new.
import { type FormEvent, useState } from 'react';
import { gate, proof, type User } from '../../../shared/nouns/account.ts';
import { sentenceOf } from '../../../vault/api/api-error.ts';
import { useServices } from '../../api/services.tsx';
import { refreshUser } from '../../hooks/use-user.ts';
import { Button } from '../../ui/button.tsx';
import { Room } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { SecretField } from '../../ui/text-fields.tsx';
import { toast } from '../../ui/toaster.tsx';
import { LeavingProblem } from '../session/leaving-problem.tsx';
import { SignInName } from '../session/sign-in-name.tsx';
import { useLeaving } from '../session/use-leaving.ts';
import { establishKey, type WrappingWay } from './establish-key.ts';
import { explainOpening } from './open-envelope.ts';
import { askPasskey, PasskeyCancelled } from './passkey.ts';
import { passkeysSupported } from './passkeys-supported.ts';
import { derivePassphraseSecret } from './passphrase-secret.ts';

/** The key is made once a passkey or the passphrase has been given again. */
function useMakingKey(user: User) {
  const services = useServices();
  const { send } = services.api;
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState<'passkey' | 'passphrase' | 'without' | null>(null);
  /** A passkey of this account was touched, and it yields no secret that could wrap a key. */
  const [yieldsNothing, setYieldsNothing] = useState(false);

  async function attempt(by: NonNullable<typeof busy>, work: () => Promise<void>) {
    setBusy(by);
    setProblem(null);
    try {
      await work();
    } catch (error) {
      setProblem(error instanceof PasskeyCancelled ? error.message : explainOpening(error));
    } finally {
      setBusy(null);
    }
  }

  async function makeKey(way: WrappingWay | null) {
    try {
      await establishKey(services.api, user, way, null);
    } catch (error) {
      toast({ title: 'Failed to Generate Key', description: sentenceOf(error), tone: 'destructive' });
      throw error;
    }
    // The vault's door looks again as soon as the user's record names a key.
    await refreshUser(services);
  }

  const touch = () =>
    attempt('passkey', async () => {
      const { options } = await send(proof.passkeyOptions, {});
      const { response, credentialId, secret } = await askPasskey(options);
      await send(proof.passkey, { body: { response } });
      if (secret) await makeKey({ method: 'passkey', params: { credentialId }, secret });
      else setYieldsNothing(true);
    });

  const stretchAndMake = (passphrase: string) =>
    attempt('passphrase', async () => {
      const name = user.name ?? '';
      const stretching = await send(gate.passphraseSalt, { body: { name } });
      const { authKey, wrapSecret } = await derivePassphraseSecret(passphrase, name, stretching);
      // The server says whether it is the account's passphrase: a key wrapped under a slip of the hand would be lost.
      await send(proof.passphrase, { body: { authKey } });
      await makeKey({ method: 'passphrase', params: stretching, secret: wrapSecret });
    });

  const makeWithout = () => attempt('without', () => makeKey(null));
  return { busy, problem, yieldsNothing, touch, stretchAndMake, makeWithout };
}

type Making = ReturnType<typeof useMakingKey>;

export default function UnfinishedVault({ user }: { user: User }) {
  const making = useMakingKey(user);
  const isWayless = user.name === null && user.passkeyCount === 0;
  return isWayless ? <NewVault user={user} {...making} /> : <OneStepLeft user={user} {...making} />;
}

/** Who has been here before, and is told that there is no key, is told what that means instead. */
function NewVault({ user, busy, problem, makeWithout }: Making & { user: User }) {
  const leaving = useLeaving();
  const [wasHere, setWasHere] = useState(false);
  if (wasHere) {
    return (
      <Room
        sigil="ash"
        title="Then this vault has a key"
        lead="The server says that it has none. Nothing was made or changed. Do not go on here until you know why: what you would write now would lie under another key, and bring back nothing of what you wrote before."
      >
        <p>
          Perhaps you came in by another account than last time. If not, ask the administrator whether a
          backup was restored. A browser in which you have opened this vault can put its key back.
        </p>
        <LeavingProblem of={leaving} />
        <Button tone="primary" wide onClick={() => void leaving.go(user, false)}>
          Sign out
        </Button>
        <Button tone="caps" onClick={() => setWasHere(false)}>
          I was not here before
        </Button>
      </Room>
    );
  }
  return (
    <>
      <title>A new vault · Latebra</title>
      <Room
        sigil="key"
        title="A new vault"
        lead="The server says that your account has no vault yet. If that is so, its key is made now, in this browser."
      >
        <Problem>{problem}</Problem>
        <Button
          tone="primary"
          wide
          busy={busy === 'without'}
          busyLabel="Making the key"
          disabled={busy !== null}
          onClick={() => void makeWithout()}
        >
          Make my vault
        </Button>
        <Button tone="caps" disabled={busy !== null} onClick={() => setWasHere(true)}>
          I have been here before
        </Button>
      </Room>
    </>
  );
}

function OneStepLeft({ user, ...making }: Making & { user: User }) {
  const [passphrase, setPassphrase] = useState('');
  const { busy, problem, yieldsNothing, touch, stretchAndMake, makeWithout } = making;
  const byPasskey = passkeysSupported() && user.passkeyCount > 0;

  return (
    <>
      <title>One step is left · Latebra</title>
      <Room
        sigil="key"
        title="One step is left"
        lead="Your account is there, but its vault has no key yet: the last step did not reach the server. Give what you chose once more, and the key is made so that it can open the vault on another day too."
      >
        <p>
          If you have opened this vault before, on any device, stop here: then it has a key, and this server
          denies it. What you write under a new key does not bring back what you wrote under the other one.
        </p>
        <Problem>{problem}</Problem>
        {byPasskey && !yieldsNothing && (
          <Button
            tone="primary"
            wide
            busy={busy === 'passkey'}
            disabled={busy !== null}
            onClick={() => void touch()}
          >
            Touch the passkey
          </Button>
        )}
        {yieldsNothing && (
          <>
            <p className="w-full text-left" role="status">
              This passkey signs you in, but cannot open the vault. You can make the key without it; it then
              stands in this browser alone until you have added another way.
            </p>
            <Button
              wide
              busy={busy === 'without'}
              disabled={busy !== null}
              onClick={() => void makeWithout()}
            >
              Make the key without it
            </Button>
          </>
        )}
        {user.name !== null && (
          <form
            className="grid w-full gap-6"
            onSubmit={(event: FormEvent) => {
              event.preventDefault();
              void stretchAndMake(passphrase);
            }}
          >
            <SignInName name={user.name} />
            <SecretField
              label="Passphrase"
              autoComplete="current-password"
              value={passphrase}
              onChange={(event) => setPassphrase(event.target.value)}
            />
            <Button
              type="submit"
              tone={byPasskey ? 'quiet' : 'primary'}
              wide
              busy={busy === 'passphrase'}
              busyLabel="Making the key"
              disabled={passphrase === '' || busy !== null}
            >
              Make the key
            </Button>
          </form>
        )}
      </Room>
    </>
  );
}
