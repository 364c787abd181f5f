// The words of the line beneath the head about the app itself (app-notice.tsx).
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { type AppState, isTooOld } from '../api/app-state.ts';
import { keepContract } from '../api/kept-user.ts';
import { type Services, useServices } from '../api/services.tsx';
import { refreshUser } from '../hooks/use-user.ts';
import { Banner } from '../ui/banner.tsx';
import { Button } from '../ui/button.tsx';
import { formatMoment } from '../ui/moments.ts';
import { toast } from '../ui/toaster.tsx';
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
  if (state.newerContract) return <TooOld contract={state.newerContract} />;
  return Object.keys(state.asOf).length > 0 ? <Offline asOf={state.asOf} /> : <Update />;
}

/** Takes the newer app by a press. */
function TakeUpdate({ children }: { children: ReactNode }) {
  const [busy, setBusy] = useState(false);
  return (
    <Button
      size="small"
      busy={busy}
      busyLabel="Loading"
      onClick={() => {
        setBusy(true);
        void takeUpdate();
      }}
    >
      {children}
    </Button>
  );
}

type TextElement = HTMLInputElement | HTMLTextAreaElement;

/** Where words are written. What finds something, or answers a question, is not that, nor what no sentence begins in: secrets. */
const WORDS = 'form :is(textarea, input:not([type=search], [type=password])):not([autocapitalize=none])';

const TOO_OLD = {
  title: 'A newer Latebra is here',
  description: 'What you wrote is kept; reload to go on writing.',
};

const takesWords = (field: EventTarget | null): field is TextElement =>
  (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) &&
  !field.readOnly &&
  field.matches(WORDS) &&
  !field.closest('[role=alertdialog]');

/**
 * Has the fields that somebody reaches take no more words. What stands in them stays, and is kept as a draft.
 * @returns ends it; the fields take words again where that is told
 */
function shutFields(): (opens: boolean) => void {
  const shut = new Set<TextElement>();
  const toldIn = new WeakSet<Element>();
  function reach(field: EventTarget | null): void {
    if (!takesWords(field)) return;
    field.readOnly = true;
    shut.add(field);
    // It covers the line beneath the head.
    const dialog = field.closest('[role=dialog]');
    if (!dialog || toldIn.has(dialog)) return;
    toldIn.add(dialog);
    toast(TOO_OLD);
  }
  const whenReached = ({ target }: FocusEvent) => reach(target);
  reach(document.activeElement);
  document.addEventListener('focusin', whenReached);
  return (opens) => {
    document.removeEventListener('focusin', whenReached);
    if (opens) for (const field of shut) field.readOnly = false;
  };
}

function TooOld({ contract }: { contract: number }) {
  const { queryClient } = useServices();
  useEffect(() => {
    keepContract(contract);
    const end = shutFields();
    return () => {
      const opens = !isTooOld(queryClient);
      if (opens) keepContract();
      end(opens);
    };
  }, [contract, queryClient]);
  return (
    <Banner actions={<TakeUpdate>Reload</TakeUpdate>}>
      {TOO_OLD.title}.<span className="max-sm:hidden"> {TOO_OLD.description}</span>
    </Banner>
  );
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
  return (
    <Banner actions={<TakeUpdate>Use it now</TakeUpdate>}>
      A newer version is ready
      <span className="max-sm:hidden">. It is used from the next start on</span>.
    </Banner>
  );
}
