// Checks the signature in the page, and says what that proves.
import { useState } from 'react';
import { inFours } from '../../../shared/in-fours.ts';
import { useApi } from '../../api/services.tsx';
import { useAttempt } from '../../hooks/use-attempt.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { formatMoment } from '../../ui/moments.ts';
import { Problem } from '../../ui/problem.tsx';
import { verifyScroll } from './verify-scroll.ts';

type Judged = Awaited<ReturnType<typeof verifyScroll>>;

export function Verify() {
  const api = useApi();
  const { busy, problem, run } = useAttempt();
  const [judged, setJudged] = useState<Judged | null>(null);

  const check = () =>
    run(async () => {
      setJudged(null);
      setJudged(await verifyScroll(api, document));
    });

  return (
    <div className="grid gap-5 border border-line bg-ink-1 p-6 sm:p-9">
      <p className="text-dust">
        Your browser fetches the five files, checks the three signatures and the sums, and compares the words
        on this page with those that were signed. A key from the same server proves that the text is whole,
        not who wrote it.
      </p>
      <div>
        <Button size="small" busy={busy} busyLabel="Verifying" onClick={() => void check()}>
          Verify
        </Button>
      </div>
      <div role="status">{judged && <Outcome judged={judged} />}</div>
      <Problem>{problem}</Problem>
    </div>
  );
}

function Outcome({ judged }: { judged: Judged }) {
  if (judged.verdict === 'unchecked') {
    return (
      <p>
        This browser offers cryptography only behind https or on localhost, so nothing was checked. gpg can
        check the files.
      </p>
    );
  }
  if (judged.verdict === 'broken') {
    const { files, pageDiffers } = judged;
    return (
      <div className="grid gap-2">
        <Badge variant="danger">Broken</Badge>
        {files.length > 0 && (
          <>
            <p>What does not fit the rest. It was changed on the way or on the server:</p>
            <ul className="font-machine text-small text-blood wrap-anywhere">
              {files.map((name) => (
                <li key={name}>{name}</li>
              ))}
            </ul>
          </>
        )}
        {pageDiffers && (
          <p>
            The words on this page are not those that were signed. The page was changed on the way or on the
            server, or something in your browser translates or rewrites it.
          </p>
        )}
      </div>
    );
  }
  const { fingerprint, signedAt } = judged;
  return (
    <div className="grid gap-3">
      <Badge variant="open">Good signature</Badge>
      <p>
        All five files belong together, and this page says what they say. No letter was changed since it was
        signed on {formatMoment(signedAt.getTime())}, by this key:
      </p>
      <p className="font-machine text-small text-verdigris wrap-anywhere">{inFours(fingerprint)}</p>
      <p className="text-note text-dust">
        To know whose key it is, compare this fingerprint with one that you were told in another way.
      </p>
    </div>
  );
}
