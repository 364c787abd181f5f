// The words of the line beneath the head about the app itself (app-notice.tsx).
import { useEffect, useEffectEvent, useState } from 'react';
import type { AppState } from '../api/app-state.ts';
import { type Services, useServices } from '../api/services.tsx';
import { refreshUser } from '../hooks/use-user.ts';
import { Banner } from '../ui/banner.tsx';
import { Button } from '../ui/button.tsx';
import { formatMoment } from '../ui/moments.ts';
import { takeUpdate } from '../vault/device/kept-app.ts';

/** Such as "No connection: what you see is from 14 June 2027, 09:05." Of several lists the oldest counts. */
export function offlineWords(asOf: AppState['asOf']): string {
  const at = Math.min(...Object.values(asOf));
  return `No connection: what you see is from ${at > 0 ? formatMoment(at) : 'an earlier visit'}.`;
}

/** Asks again for whatever could not be fetched, who is signed in first of all. */
async function askAgain(services: Services): Promise<void> {
  await refreshUser(services);
  await services.queryClient.refetchQueries({ predicate: ({ state }) => state.status === 'error' });
}

export default function AppWords({ state }: { state: AppState }) {
  return Object.keys(state.asOf).length > 0 ? <Offline asOf={state.asOf} /> : <Update />;
}

function Offline({ asOf }: { asOf: AppState['asOf'] }) {
  const services = useServices();
  const [busy, setBusy] = useState(false);
  async function ask() {
    setBusy(true);
    await askAgain(services).catch(() => {});
    setBusy(false);
  }
  const askNow = useEffectEvent(() => void ask());
  useEffect(() => {
    const whenShown = () => !document.hidden && askNow();
    window.addEventListener('online', askNow);
    document.addEventListener('visibilitychange', whenShown);
    return () => {
      window.removeEventListener('online', askNow);
      document.removeEventListener('visibilitychange', whenShown);
    };
  }, []);
  return (
    <Banner
      actions={
        <Button size="small" onClick={() => void ask()} busy={busy} busyLabel="Trying">
          Try again
        </Button>
      }
    >
      {offlineWords(asOf)}
    </Banner>
  );
}

function Update() {
  const [busy, setBusy] = useState(false);
  return (
    <Banner
      actions={
        <Button
          size="small"
          busy={busy}
          busyLabel="Loading"
          onClick={() => {
            setBusy(true);
            void takeUpdate();
          }}
        >
          Use it now
        </Button>
      }
    >
      A newer version is ready
      <span className="max-sm:hidden">. It is used from the next start on</span>.
    </Banner>
  );
}
