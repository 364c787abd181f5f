// The Unlock screen: a signed-in browser without the key. Every recovery method to it, and what to do when none is left.

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { OpenError } from '../../../crypto/errors.ts';
import { counted } from '../../../shared/counted.ts';
import { proof, type User } from '../../../shared/nouns/account.ts';
import type { VaultKeyRecord } from '../../../shared/nouns/vault-key.ts';
import { MINUTE } from '../../../shared/time.ts';
import { ApiError } from '../../../vault/api/api-error.ts';
import { useApi, useServices } from '../../api/services.tsx';
import { refreshUser } from '../../hooks/use-user.ts';
import { Button } from '../../ui/button.tsx';
import { Room } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { idleLock } from '../device/device.ts';
import { loadPin } from '../device/key-pin.ts';
import { listedIn } from '../device/methods-set-here.ts';
import { type Look, lookAtKey, notFollowing } from './look-at-key.ts';
import { explainOpening, findWrap, KeyNotFollowing, KeysDisagree, openByWrap } from './open-envelope.ts';
import { askPasskey, PasskeyCancelled } from './passkey.ts';
import { passkeysSupported } from './passkeys-supported.ts';
import MissingMethods from './recovery/missing-methods.tsx';
import { RefusedKey } from './refused-key.tsx';
import { StartAnew } from './start-anew.tsx';
import { ByPassphrase, ByWords } from './unlock-forms.tsx';

interface UnlockProps {
  user: User;
  onUnlocked: () => void;
}

/** What a person reads when an attempt did not open the vault. */
function whyNot(error: unknown, wrongSecret: string): string {
  if (error instanceof PasskeyCancelled) return error.message;
  if (error instanceof OpenError) return wrongSecret;
  return explainOpening(error);
}

export default function Unlock({ user, onUnlocked }: UnlockProps) {
  const services = useServices();
  const first = useQuery({
    queryKey: ['look-at-key', user.id, user.keyFingerprint],
    staleTime: 0,
    gcTime: 0,
    structuralSharing: false,
    queryFn: async () => {
      const look = await lookAtKey(services.api, user);
      if (look.state !== 'opened') return look;
      if (loadPin(user.id)?.fingerprint !== user.keyFingerprint) {
        // Replaced a moment ago, which is known then; or the server says two things.
        await refreshUser(services);
        throw new KeysDisagree();
      }
      onUnlocked();
      return look;
    },
  });
  /** What has come of it here since. */
  const [later, setLater] = useState<Look | null>(null);
  /** The owner has said that the key which the server shows is to be used, although it does not follow. */
  const [wanted, setWanted] = useState(false);
  const look = later ?? first.data;
  async function settled() {
    await refreshUser(services);
    onUnlocked();
  }
  async function lookAgain() {
    setLater(null);
    await refreshUser(services);
    await first.refetch();
  }
  return (
    <>
      <title>Unlock · Latebra</title>
      {(first.isPending || look?.state === 'opened') && <Spinner screen />}
      {first.isError && !look && (
        <ErrorState onRetry={() => void first.refetch()}>{explainOpening(first.error)}</ErrorState>
      )}
      {look?.state === 'refused' && (
        <RefusedKey
          user={user}
          refused={look.refused}
          onUse={() => {
            setWanted(true);
            if (look.refused.kept) setLater({ state: 'locked', kept: look.refused.kept });
          }}
          onSettled={() => void settled()}
          onLookAgain={() => void lookAgain()}
        />
      )}
      {look?.state === 'locked' && (
        <Ways
          user={user}
          kept={look.kept}
          wanted={wanted}
          onUnlocked={onUnlocked}
          onNotFollowing={(error) => setLater(notFollowing(look.kept, error))}
        />
      )}
    </>
  );
}

type Way = 'passkey' | 'passphrase' | 'words';

interface WaysProps extends UnlockProps {
  kept: VaultKeyRecord;
  wanted: boolean;
  onNotFollowing: (error: KeyNotFollowing) => void;
}

function Ways({ user, kept, wanted, onUnlocked, onNotFollowing }: WaysProps) {
  const { send } = useApi();
  const envelope = kept.clientKey;
  const hasPasskey = passkeysSupported() && envelope.wraps.some(({ method }) => method === 'passkey');
  const hasPassphrase = findWrap(envelope, 'passphrase') !== undefined;
  const [way, setWay] = useState<Way | null>(hasPasskey ? null : hasPassphrase ? 'passphrase' : 'words');
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [anew, setAnew] = useState(false);
  const [idle] = useState(() => idleLock(user.id));

  async function attempt(open: () => Promise<void>, wrongSecret: string) {
    setBusy(true);
    setProblem(null);
    try {
      await open().catch(async (error: unknown) => {
        if (!(error instanceof KeyNotFollowing) || !wanted) throw error;
        await error.accept();
      });
      onUnlocked();
    } catch (error) {
      if (error instanceof KeyNotFollowing) onNotFollowing(error);
      else setProblem(whyNot(error, wrongSecret));
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
      await openByWrap(user.id, kept, wrap, answer.secret);
    }, 'This passkey signs you in, but cannot open the vault. Use another way.');

  return (
    <Room
      sigil="mark"
      title="Unlock the vault"
      lead={
        idle === null
          ? 'You are signed in. This browser does not hold the key that opens your words; bring it back by one of your recovery methods.'
          : `The vault locked by itself, because nobody used it here for ${counted(idle / MINUTE, 'minute', 'minutes')}. You are still signed in. Unlock it by one of your recovery methods; Settings say when it locks.`
      }
    >
      <MissingMethods
        user={user}
        fingerprint={envelope.fingerprint}
        listed={listedIn(envelope, user.wordsKeptAt !== null)}
      />
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
      {way === 'passphrase' && <ByPassphrase {...{ user, kept, busy, attempt }} />}
      {way === 'words' && <ByWords {...{ user, kept, busy, attempt, setProblem }} />}
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
      <StartAnew user={user} previous={envelope} open={anew} onClose={() => setAnew(false)} />
    </Room>
  );
}
