// The way out: with the key left in this browser, or taken along.
import { useState } from 'react';
import { endsElsewhere } from '../../shell/ends-elsewhere.ts';
import LeaveDialog from '../../shell/leave-dialog.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Section } from '../../ui/section.tsx';
import { SIGN_OUT } from '../../vault/session/leaving.ts';
import { useVault } from '../../vault/session/vault-context.ts';

export function SignOut() {
  const { user } = useVault();
  const [leaving, setLeaving] = useState(false);
  return (
    <Section
      title="Sign out"
      says={`Your session ends. ${endsElsewhere(user)}Your key stays in this browser unless you remove it.`}
    >
      <div className="flex flex-wrap gap-4">
        <ButtonLink href={SIGN_OUT}>Sign Out</ButtonLink>
        <Button onClick={() => setLeaving(true)}>Sign out and remove the key from this browser</Button>
      </div>
      {leaving && <LeaveDialog taking onClose={() => setLeaving(false)} />}
    </Section>
  );
}
