// The way out: with the key left in this browser, or taken along.
import { useState } from 'react';
import { endsElsewhere } from '../../shell/ends-elsewhere.ts';
import LeaveDialog from '../../shell/leave-dialog.tsx';
import { Button } from '../../ui/button.tsx';
import { Section } from '../../ui/section.tsx';
import { LeavingProblem } from '../../vault/session/leaving-problem.tsx';
import { useLeaving } from '../../vault/session/use-leaving.ts';
import { useVault } from '../../vault/session/vault-context.ts';

export function SignOut() {
  const { user } = useVault();
  const [leaving, setLeaving] = useState(false);
  const signingOut = useLeaving();
  const { busy, go } = signingOut;
  return (
    <Section
      title="Sign out"
      says={`Your session ends. ${endsElsewhere(user)}Your key stays in this browser unless you remove it.`}
    >
      <div className="flex flex-wrap gap-4">
        <Button busy={busy} busyLabel="Signing out" onClick={() => void go(user, false)}>
          Sign Out
        </Button>
        <Button onClick={() => setLeaving(true)}>Sign out and remove the key from this browser</Button>
      </div>
      <LeavingProblem of={signingOut} />
      {leaving && <LeaveDialog taking onClose={() => setLeaving(false)} />}
    </Section>
  );
}
