// "First time here": who may create an account on this server, and by which way.
import { useState } from 'react';
import { signUp as calls, type SignUp } from '../../../shared/nouns/sign-up.ts';
import { sentenceOf } from '../../../vault/api/api-error.ts';
import { useApi } from '../../api/services.tsx';
import { Button } from '../../ui/button.tsx';
import { Room } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { passkeysSupported } from '../../vault/key/passkeys-supported.ts';
import { asBody } from './invitation.ts';
import { InvitationField, invitationHelps } from './invitation-field.tsx';
import { useSignUp } from './use-sign-up.ts';

interface FirstTimeProps {
  /** An account was made here by passkey, and its key has not arrived: the same press goes on, and nothing else is offered. */
  begun: boolean;
  passkey: { busy: boolean; begin: () => Promise<void> };
  invitation: string;
  onInvitation: (text: string) => void;
  problem: string | null;
  onProblem: (problem: string | null) => void;
  onPassphrase: () => void;
  onBack: () => void;
}

const HAVE_ONE = 'If you have a vault already, go back and enter it.';

function leadOf(signUp: SignUp | undefined): string {
  if (signUp?.mode === 'closed' && !signUp.hasAdmin)
    return `This server has no administrator yet. Until it has one, a new vault needs its set-up token. ${HAVE_ONE}`;
  if (signUp?.mode === 'closed') return `This server takes no new accounts. ${HAVE_ONE}`;
  if (signUp?.mode === 'invitation')
    return `This makes a new vault. On this server you need an invitation for it. ${HAVE_ONE}`;
  return 'This makes a new vault. If you have one already, go back and enter it.';
}

export function FirstTime(props: FirstTimeProps) {
  const { send } = useApi();
  const { begun, passkey, invitation, problem, onBack } = props;
  const signUp = useSignUp();
  const [checking, setChecking] = useState(false);

  /** Asks before anybody chooses a passphrase for nothing. */
  async function proceed() {
    setChecking(true);
    props.onProblem(null);
    try {
      await send(calls.check, { body: asBody(invitation) });
      props.onPassphrase();
    } catch (error) {
      props.onProblem(sentenceOf(error));
    } finally {
      setChecking(false);
    }
  }

  const needed = signUp.data !== undefined && signUp.data.mode !== 'open';
  const field = needed && invitationHelps(signUp.data);
  const possible = signUp.data !== undefined && (!needed || field);
  const missing = needed && asBody(invitation).invitation === undefined;
  return (
    <Room sigil="mark" title="First time here" lead={leadOf(signUp.data)}>
      <Problem>{problem}</Problem>
      {signUp.isPending && <Spinner label="Checking who may create an account" />}
      {signUp.isError && (
        <>
          <Problem>{sentenceOf(signUp.error)}</Problem>
          <Button wide busy={signUp.isFetching} onClick={() => void signUp.refetch()}>
            Try again
          </Button>
        </>
      )}
      {field && !begun && (
        <div className="w-full">
          <InvitationField signUp={signUp.data} value={invitation} onChange={props.onInvitation} />
        </div>
      )}
      {possible && passkeysSupported() && (
        <Button
          tone="primary"
          wide
          busy={passkey.busy}
          disabled={(missing && !begun) || checking}
          onClick={() => void passkey.begin()}
        >
          Begin with a passkey
        </Button>
      )}
      {possible && !begun && (
        <Button
          tone={passkeysSupported() ? 'quiet' : 'primary'}
          wide
          busy={checking}
          disabled={missing || passkey.busy}
          onClick={() => void (needed ? proceed() : props.onPassphrase())}
        >
          Begin with a name and a passphrase
        </Button>
      )}
      {!begun && (
        <Button tone="caps" onClick={onBack}>
          Back to signing in
        </Button>
      )}
    </Room>
  );
}
