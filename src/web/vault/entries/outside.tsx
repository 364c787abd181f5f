// What is shown of an entry that opens under an older key although that key's ring has not noted it: somebody who has
// the older key may have put it there. It is sealed under the present key only when its owner says so.
import { useAttempt } from '../../hooks/use-attempt.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Problem } from '../../ui/problem.tsx';
import { toast } from '../../ui/toaster.tsx';

export function OutsideBadge() {
  return <Badge variant="danger">Arrived from outside</Badge>;
}

/** @param onAdopt seals it under the present key; absent where nothing is left to be sealed */
export function OutsideNote({ onAdopt }: { onAdopt?: (() => Promise<void>) | undefined }) {
  const { busy, problem, run } = useAttempt();
  const adopt = () =>
    run(async () => {
      await onAdopt?.();
      toast({ title: 'Sealed under your key', description: 'It counts as yours from now on.' });
    });
  return (
    <div className="grid gap-3 border-l border-blood/55 pl-4 text-note text-dust">
      <OutsideBadge />
      <p>
        This opens under an older key of yours, and was not there when that key was replaced. You may have
        written it on another device, or somebody who has the older key may have put it there.
      </p>
      {onAdopt && (
        <div>
          <Button tone="caps" onClick={() => void adopt()} busy={busy} busyLabel="Sealing">
            Seal it as mine
          </Button>
        </div>
      )}
      <Problem>{problem}</Problem>
    </div>
  );
}
