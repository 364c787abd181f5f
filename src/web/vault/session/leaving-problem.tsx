// Why somebody could not leave and, where a key that waits is what keeps them, how they leave without it.
import { Button } from '../../ui/button.tsx';
import { Problem } from '../../ui/problem.tsx';
import type { Leaving } from './use-leaving.ts';

export function LeavingProblem({ of: { problem, lose, busy } }: { of: Leaving }) {
  return (
    <>
      <Problem>{problem}</Problem>
      {lose && (
        <div className="grid w-full gap-4 text-left">
          <p>
            You can leave all the same. The key that was set aside is then gone from this browser: what was
            written under it alone cannot be opened again, unless you have a recovery method to that very key.
          </p>
          <Button tone="destructive" busy={busy} onClick={lose}>
            Sign out and lose that key
          </Button>
        </div>
      )}
    </>
  );
}
