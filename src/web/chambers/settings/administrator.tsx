// The set-up token that the server printed at its first start is entered here, and makes its owner an administrator.
import { type FormEvent, useState } from 'react';
import { admin, type User } from '../../../shared/nouns/account.ts';
import { sentenceOf } from '../../../vault/api/api-error.ts';
import { useServices } from '../../api/services.tsx';
import { setUser } from '../../hooks/use-user.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Section } from '../../ui/section.tsx';
import { SecretField } from '../../ui/text-fields.tsx';
import { toast } from '../../ui/toaster.tsx';
import { ProxyNotice } from './proxy-notice.tsx';
import { SignUpSettings } from './sign-up-settings.tsx';

export function Administrator({ user }: { user: User }) {
  const services = useServices();
  const [token, setToken] = useState('');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();

  async function submit(event: FormEvent) {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    try {
      setUser(services, await services.api.send(admin.claim, { body: { token } }));
      toast({ title: 'You are an administrator' });
    } catch (error) {
      setProblem(sentenceOf(error));
    } finally {
      setBusy(false);
    }
  }

  if (user.isAdmin) {
    return (
      <>
        <Section
          title="Administrator"
          says="Administrators look after the server. That opens nobody’s vault to them."
        >
          <p>You are an administrator.</p>
          <div>
            <ButtonLink to="/outbox">The outbox and the switch</ButtonLink>
          </div>
        </Section>
        <ProxyNotice />
        <SignUpSettings />
      </>
    );
  }
  return (
    <Section
      title="Administrator"
      says="The server showed a token when it was set up. Enter it here, once, to become its administrator."
    >
      <form className="grid gap-5" onSubmit={(event) => void submit(event)}>
        <SecretField
          label="Set-up token"
          autoComplete="off"
          value={token}
          onChange={(event) => setToken(event.target.value)}
          error={problem}
        />
        <div>
          <Button type="submit" busy={busy} disabled={token.trim() === ''}>
            Become administrator
          </Button>
        </div>
      </form>
    </Section>
  );
}
