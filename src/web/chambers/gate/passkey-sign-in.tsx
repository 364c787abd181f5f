// Through the gate by passkey: one touch signs in and, where the authenticator can, unwraps the vault key.
import { useState } from 'react';
import { account, gate, proof, type User } from '../../../shared/nouns/account.ts';
import { useServices } from '../../api/services.tsx';
import { setUser } from '../../hooks/use-user.ts';
import { Button } from '../../ui/button.tsx';
import { Room } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { explainOpening } from '../../vault/key/open-envelope.ts';
import { askPasskey, createPasskey, PasskeyCancelled } from '../../vault/key/passkey.ts';
import { asBody } from './invitation.ts';
import type { FirstKey } from './use-first-key.ts';
import { afterEntering } from './vault-after-entering.ts';

export interface TouchAgain {
  busy: boolean;
  /** The touch came, and nothing that could open a vault with it. */
  yieldsNothing: boolean;
  touch: () => Promise<void>;
  skip: () => Promise<void>;
}

interface SignInProps {
  firstKey: FirstKey;
  /** What a new account may be created by; empty for nothing. */
  invitation: string;
  onEntered: (user: User) => void;
  onProblem: (problem: string | null) => void;
}

export function usePasskeySignIn({ firstKey, invitation, onEntered, onProblem }: SignInProps) {
  const services = useServices();
  const { send } = services.api;
  const [busy, setBusy] = useState(false);
  /** Whether the browser gave no passkey: the other ways are offered beside the explanation then. */
  const [missed, setMissed] = useState(false);
  /** Whether the new passkey has yielded no secret when it was touched again. */
  const [yieldsNothing, setYieldsNothing] = useState(false);
  /** An account whose new passkey has signed in but not yet yielded a secret. */
  const [waiting, setWaiting] = useState<{ user: User; credentialId: string } | null>(null);

  async function attempt(work: () => Promise<void>) {
    setBusy(true);
    onProblem(null);
    try {
      await work();
    } catch (error) {
      setMissed(error instanceof PasskeyCancelled);
      onProblem(error instanceof PasskeyCancelled ? error.message : explainOpening(error));
    } finally {
      setBusy(false);
    }
  }

  const begin = () =>
    attempt(async () => {
      // The account exists already: a second one would be another vault.
      if (firstKey.begun) return firstKey.finish(firstKey.begun);
      const { options } = await send(gate.passkeyBeginOptions, { body: asBody(invitation) });
      const { response, credentialId, secret } = await createPasskey(options);
      const user = await send(gate.passkeyBegin, { body: { response } });
      setUser(services, user);
      if (secret)
        await firstKey.finish({ user, way: { method: 'passkey', params: { credentialId }, secret } });
      else setWaiting({ user, credentialId });
    });

  const enter = () =>
    attempt(async () => {
      const { options } = await send(gate.passkeyEnterOptions, {});
      const { response, credentialId, secret } = await askPasskey(options);
      const user = await send(gate.passkeyEnter, { body: { response } });
      setUser(services, user);
      await afterEntering(
        services.api,
        user,
        secret && { method: 'passkey', params: { credentialId }, secret },
      );
      // The vault key may just have been made: what the user's record says of it is asked again.
      onEntered(user.keyFingerprint ? user : await send(account.user, {}));
    });

  const secondTouch: TouchAgain | null = waiting && {
    busy,
    touch: () =>
      attempt(async () => {
        if (firstKey.begun?.way) return firstKey.finish(firstKey.begun);
        const { options } = await send(proof.passkeyOptions, {});
        const { user, credentialId } = waiting;
        const { response, secret } = await askPasskey(options, credentialId);
        await send(proof.passkey, { body: { response } });
        if (!secret) return setYieldsNothing(true);
        await firstKey.finish({ user, way: { method: 'passkey', params: { credentialId }, secret } });
      }),
    yieldsNothing,
    skip: () => attempt(() => firstKey.finish({ user: waiting.user, way: null })),
  };

  return { busy, missed, begin, enter, secondTouch };
}

export function SecondTouch({ door, problem }: { door: TouchAgain; problem: string | null }) {
  if (door.yieldsNothing) {
    return (
      <Room
        sigil="touch"
        title="This passkey signs you in, but cannot open the vault"
        lead="Its authenticator keeps no secret for the vault. Until you set up another recovery method, the key stands in this browser alone. Do that first, in the chambers."
      >
        <Problem>{problem}</Problem>
        <Button tone="primary" wide busy={door.busy} onClick={() => void door.skip()}>
          Go on
        </Button>
      </Room>
    );
  }
  return (
    <Room
      sigil="touch"
      title="One more touch"
      lead="Your passkey signs you in. Touch it once more, so that it can also open the vault on another day and in another browser."
    >
      <Problem>{problem}</Problem>
      <Button tone="primary" wide busy={door.busy} onClick={() => void door.touch()}>
        Touch it again
      </Button>
      <Button tone="caps" onClick={() => void door.skip()}>
        Go on without
      </Button>
    </Room>
  );
}
