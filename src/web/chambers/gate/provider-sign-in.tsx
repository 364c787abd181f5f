// The gate where a sign-in provider says who people are: it takes an invitation along, and tells why somebody was
// turned back. The invitation goes in a body, so that the provider never sees it.
import { type FormEvent, useState } from 'react';
import { type ErrorCode, errorCodes } from '../../../shared/http/error-codes.ts';
import { account } from '../../../shared/nouns/account.ts';
import type { SignUp } from '../../../shared/nouns/sign-up.ts';
import { sentenceOf } from '../../../vault/api/api-error.ts';
import { pageAddress } from '../../../vault/api/page-address.ts';
import { useApi } from '../../api/services.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Room } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { asBody } from './invitation.ts';
import { InvitationField, invitationHelps } from './invitation-field.tsx';

interface SignInProps {
  /** The code of what went wrong on the way; null for somebody who has not been there yet. */
  told: string | null;
  signUp: SignUp | undefined;
  invitation: string;
  onInvitation: (text: string) => void;
  returnTo: string | null;
}

/** What an invitation, or another one, could mend. */
const ABOUT_SIGN_UP: string[] = [
  'sign-up-closed',
  'invitation-needed',
  'invitation-spent',
] satisfies ErrorCode[];

function leadOf(told: string | null, signUp: SignUp | undefined): string {
  if (told !== null && ABOUT_SIGN_UP.includes(told))
    return 'Your sign-in provider accepted you, but this server did not.';
  if (told !== null) return 'Your sign-in provider could not sign you in.';
  if (signUp?.mode === 'open') return 'Your sign-in provider says who you are.';
  return 'Your sign-in provider says who you are. A new account needs an invitation as well.';
}

export function ProviderSignIn({ told, signUp, invitation, onInvitation, returnTo }: SignInProps) {
  const { send } = useApi();
  const [problem, setProblem] = useState<string | null>(
    told && Object.hasOwn(errorCodes, told) ? errorCodes[told as ErrorCode][1] : null,
  );
  const [busy, setBusy] = useState(false);
  const asked = told === null || ABOUT_SIGN_UP.includes(told);
  const field = asked && signUp !== undefined && signUp.mode !== 'open' && invitationHelps(signUp);
  const { invitation: brought } = asBody(invitation);

  async function proceed(event: FormEvent) {
    event.preventDefault();
    if (!field || brought === undefined) {
      const back = returnTo === null ? '' : `?${new URLSearchParams({ return: returnTo })}`;
      return window.location.assign(`${account.login.path}${back}`);
    }
    setBusy(true);
    setProblem(null);
    try {
      const body = { invitation: brought, ...(returnTo ? { return: returnTo } : {}) };
      const { url } = await send(account.loginInvited, { body });
      window.location.assign(pageAddress(url));
    } catch (error) {
      setProblem(sentenceOf(error));
      setBusy(false);
    }
  }

  return (
    <Room sigil="mark" title="The gate" lead={leadOf(told, signUp)}>
      <form className="grid w-full gap-6" noValidate onSubmit={(event) => void proceed(event)}>
        <Problem>{problem}</Problem>
        {field && <InvitationField signUp={signUp} value={invitation} onChange={onInvitation} />}
        <Button type="submit" tone="primary" wide busy={busy}>
          {told === null ? 'Go on' : 'Try again'}
        </Button>
      </form>
      <ButtonLink href="/" tone="caps">
        To the start page
      </ButtonLink>
    </Room>
  );
}
