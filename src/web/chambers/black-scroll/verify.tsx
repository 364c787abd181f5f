// Checks the signature in the page, and says what that proves.
import { useState } from 'react';
import { useApi } from '../../api/services.tsx';
import { useAttempt } from '../../hooks/use-attempt.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { inFours } from '../../ui/in-fours.ts';
import { formatMoment } from '../../ui/moments.ts';
import { Problem } from '../../ui/problem.tsx';
import { type Verdict, verifyScroll } from './verify-scroll.ts';

export function Verify() {
  const api = useApi();
  const { busy, problem, run } = useAttempt();
  const [verdict, setVerdict] = useState<Verdict | null>(null);

  const check = () =>
    run(async () => {
      setVerdict(null);
      setVerdict(await verifyScroll(api));
    });

  return (
    <div className="grid gap-5 border border-line bg-ink-1 p-6 sm:p-9">
      <p className="text-dust">
        Your browser fetches the text, its signature and the public key, and compares them. A key from the
        same server proves that the text is whole, not who wrote it.
      </p>
      <div>
        <Button size="small" busy={busy} busyLabel="Verifying" onClick={() => void check()}>
          Verify
        </Button>
      </div>
      <div role="status">{verdict && <Outcome verdict={verdict} />}</div>
      <Problem>{problem}</Problem>
    </div>
  );
}

function Outcome({ verdict }: { verdict: Verdict }) {
  if (verdict.verdict === 'broken') {
    return (
      <div className="grid gap-2">
        <Badge variant="danger">Broken</Badge>
        <p>
          The text, the signature and the key do not belong together. Something changed on the way or on the
          server.
        </p>
      </div>
    );
  }
  return (
    <div className="grid gap-3">
      <Badge variant="open">Good signature</Badge>
      <p>
        No letter was changed since it was signed on {formatMoment(verdict.signedAt.getTime())}, by this key:
      </p>
      <p className="font-machine text-small text-verdigris wrap-anywhere">{inFours(verdict.fingerprint)}</p>
      <p className="text-note text-dust">
        To know whose key it is, compare this fingerprint with one that you were told in another way.
      </p>
    </div>
  );
}
