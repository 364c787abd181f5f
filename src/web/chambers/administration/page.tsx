// Administration: who may come, who is here, and whether mail works. For the administrator alone; while there is none, the
// set-up token is entered here. Nothing on it opens anybody's vault.

import { signUp } from '../../../shared/nouns/sign-up.ts';
import { sentenceOf } from '../../../vault/api/api-error.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { Chamber } from '../../shell/chamber.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { later } from '../../ui/later.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../../ui/states.tsx';
import { useVault } from '../../vault/session/vault-context.ts';
import { Accounts } from './accounts.tsx';
import { Claim } from './claim.tsx';
import { MemberNotice } from './member-notice.tsx';
import { ProxyNotice } from './proxy-notice.tsx';
import { SignUpSettings } from './sign-up-settings.tsx';
import { TestMail } from './test-mail.tsx';

/** Few servers keep letters for others. */
const Sisters = later(async () => ({ default: (await import('./sisters.tsx')).Sisters }));

export default function AdministrationPage() {
  const { user } = useVault();
  return (
    <Chamber
      title="Administration"
      lead="For whoever looks after this server. It opens nobody’s vault."
      {...(user.isAdmin && { action: <ButtonLink to="/outbox">The outbox and the switch</ButtonLink> })}
    >
      {user.isAdmin ? (
        <>
          <ProxyNotice />
          <SignUpSettings />
          <Accounts />
          <TestMail />
          <MemberNotice />
          <Sisters />
        </>
      ) : (
        <Unclaimed />
      )}
    </Chamber>
  );
}

/** For somebody who is no administrator: the token, while it counts. */
function Unclaimed() {
  const here = useAnswer(signUp.get, { refetchOnMount: 'always' });
  if (here.isError && !here.data)
    return <ErrorState onRetry={() => void here.refetch()}>{sentenceOf(here.error)}</ErrorState>;
  if (!here.data) return <LoadingRows rows={1} label="Asking who looks after this server" />;
  if (!here.data.hasAdmin) return <Claim />;
  return (
    <EmptyState sigil="wall" title="This page is the administrator’s">
      What is yours is in your settings.
    </EmptyState>
  );
}
