// What stands where a part of the app should be that could not be fetched.
import { Button } from './button.tsx';
import { Shell } from './page.tsx';
import { ErrorState } from './states.tsx';

const WORDS =
  'A part of this page could not be fetched. The server may be out of reach, or may have been updated.';

const reload = () => window.location.reload();

/** @property whole it was to fill the window; otherwise it was to stand over a page, which stays as it is */
export function PartProblem({ whole, onRetry }: { whole: boolean; onRetry: () => void }) {
  if (whole) {
    return (
      <Shell>
        <ErrorState title="This page could not be loaded" onRetry={onRetry}>
          <p>{WORDS}</p>
          <Button tone="caps" className="mt-5" onClick={reload}>
            Reload the page
          </Button>
        </ErrorState>
      </Shell>
    );
  }
  return (
    <div
      role="alert"
      className="fixed inset-x-0 bottom-0 z-50 flex flex-wrap items-center justify-center gap-x-6 gap-y-3 border-t border-blood bg-ink-2 px-5 py-4"
    >
      <p className="max-w-prose">{WORDS}</p>
      <Button size="small" onClick={onRetry}>
        Try again
      </Button>
      {/* What is written on the page would be lost: drafts are kept, other fields are not. */}
      <Button tone="caps" onClick={reload}>
        Reload the page
      </Button>
    </div>
  );
}
