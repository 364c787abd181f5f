// What stands where a part of the app should be that could not be fetched.
import { useEffect, useEffectEvent, useState } from 'react';
import { Button } from './button.tsx';
import { Room, Shell } from './page.tsx';

const TITLE = 'This page could not be loaded';
const WORDS =
  'A part of this page could not be fetched. The server may be out of reach, or may have been updated.';
const OFFLINE =
  'A part of this page could not be fetched, because this browser is offline. It is fetched as soon as the connection is back.';

const reload = () => window.location.reload();

/** Whether the browser knows that it has no connection. @param onBack called once it has one again */
function useOffline(onBack: () => void): boolean {
  const [offline, setOffline] = useState(() => !navigator.onLine);
  const look = useEffectEvent(() => {
    setOffline(!navigator.onLine);
    if (navigator.onLine) onBack();
  });
  useEffect(() => {
    window.addEventListener('online', look);
    window.addEventListener('offline', look);
    return () => {
      window.removeEventListener('online', look);
      window.removeEventListener('offline', look);
    };
  }, []);
  return offline;
}

/** @property whole it was to fill the window; otherwise it was to stand over a page, which stays as it is */
export function PartProblem({ whole, onRetry }: { whole: boolean; onRetry: () => void }) {
  const offline = useOffline(onRetry);
  const words = offline ? OFFLINE : WORDS;
  // Offline, a browser replaces the page by one of its own.
  const anew = !offline && (
    <Button tone="caps" onClick={reload}>
      Reload the page
    </Button>
  );
  if (whole) {
    return (
      <Shell>
        <title>{`${TITLE} · Latebra`}</title>
        <Room sigil="ash" title={TITLE} lead={<p role="alert">{words}</p>}>
          <div className="flex flex-wrap justify-center gap-4">
            {window.history.length > 1 && <Button onClick={() => window.history.back()}>Go back</Button>}
            <Button onClick={onRetry}>Try again</Button>
          </div>
          {anew}
        </Room>
      </Shell>
    );
  }
  return (
    <div
      role="alert"
      className="fixed inset-x-0 bottom-0 z-50 flex flex-wrap items-center justify-center gap-x-6 gap-y-3 border-t border-blood bg-ink-2 px-5 pt-4 pb-[calc(1rem+env(safe-area-inset-bottom))]"
    >
      <p className="max-w-prose">{words}</p>
      <Button size="small" onClick={onRetry}>
        Try again
      </Button>
      {/* What is written on the page would be lost: drafts are kept, other fields are not. */}
      {anew}
    </div>
  );
}
