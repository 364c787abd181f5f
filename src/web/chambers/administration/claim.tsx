// The set-up token that the server printed at its first start is entered here, and makes its owner an administrator.
import { type FormEvent, useState } from 'react';
import { admin } from '../../../shared/nouns/account.ts';
import { useServices } from '../../api/services.tsx';
import { useAttempt } from '../../hooks/use-attempt.ts';
import { setUser } from '../../hooks/use-user.ts';
import { Button } from '../../ui/button.tsx';
import { Section } from '../../ui/section.tsx';
import { SecretField } from '../../ui/text-fields.tsx';
import { toast } from '../../ui/toaster.tsx';

export function Claim() {
  const services = useServices();
  const [token, setToken] = useState('');
  const { busy, problem, run } = useAttempt();

  function submit(event: FormEvent) {
    event.preventDefault();
    void run(async () => {
      setUser(services, await services.api.send(admin.claim, { body: { token } }));
      toast({ title: 'You are an administrator' });
    });
  }

  return (
    <Section
      title="Nobody looks after it yet"
      says="This server printed a token when it was started. Whoever enters it here, once, becomes its administrator."
    >
      <form className="grid gap-5" onSubmit={submit}>
        <SecretField
          label="Set-up token"
          autoComplete="off"
          value={token}
          onChange={(event) => setToken(event.target.value)}
          error={problem ?? undefined}
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
