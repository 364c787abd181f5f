// Guardians: people who have sheets, some of which together open the vault after a wait. Their kits are made, printed again
// and removed here.
import { useState } from 'react';
import { KITS_MAX } from '../../../../shared/nouns/guardian-kits.ts';
import { sentenceOf } from '../../../../vault/api/api-error.ts';
import { isWholeKit, kitList, type OpenedKit, type WholeKit } from '../../../../vault/outbox/kit-writer.ts';
import { useServices } from '../../../api/services.tsx';
import { asToast, useAttempt } from '../../../hooks/use-attempt.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { formatDay } from '../../../ui/moments.ts';
import { Section } from '../../../ui/section.tsx';
import { ErrorState, LoadingRows } from '../../../ui/states.tsx';
import { toast } from '../../../ui/toaster.tsx';
import { sayStillHere } from '../../../vault/legacy/proof-of-life.ts';
import { useRows } from '../../../vault/session/use-rows.ts';
import { useVault } from '../../../vault/session/vault-context.ts';
import { KitSheetsDialog } from './kit-sheets-dialog.tsx';
import { kitPast, kitRule, kitState } from './kit-words.ts';
import { NewKitDialog } from './new-kit-dialog.tsx';
import { RemoveKitDialog } from './remove-kit-dialog.tsx';

type Asking =
  | { new: OpenedKit | null }
  | { sheets: WholeKit; isNew: boolean; before: OpenedKit | null }
  | { remove: OpenedKit };

export default function Guardians() {
  const list = useRows(kitList, { refetchOnMount: 'always' });
  const [asking, setAsking] = useState<Asking | null>(null);
  const close = () => setAsking(null);
  const kits = list.data ?? [];
  return (
    <Section
      title="Guardians"
      says="People to whom you give sheets of paper. Some of them together open your vault, after a wait that you can stop. One alone opens nothing, and neither does this server."
    >
      {list.isPending && <LoadingRows rows={1} label="Fetching the kits" />}
      {list.isError && (
        <ErrorState onRetry={() => void list.refetch()} retrying={list.isFetching}>
          {sentenceOf(list.error)}
        </ErrorState>
      )}
      {kits.length > 0 && (
        <ul className="border-t border-line" aria-label="Guardians’ kits">
          {kits.map((kit) => (
            <Row key={kit.id} kit={kit} onAsk={setAsking} />
          ))}
        </ul>
      )}
      {list.data && (
        <div className="grid justify-items-start gap-3">
          <Button onClick={() => setAsking({ new: null })} disabled={kits.length >= KITS_MAX}>
            Make a kit
          </Button>
          {kits.length >= KITS_MAX && (
            <p className="text-note text-dust">There can be no more than {KITS_MAX}. Remove one first.</p>
          )}
        </div>
      )}
      {asking && 'new' in asking && (
        <NewKitDialog
          before={asking.new}
          onClose={close}
          onMade={(sheets) => setAsking({ sheets, isNew: true, before: asking.new })}
        />
      )}
      {asking && 'sheets' in asking && (
        <KitSheetsDialog
          kit={asking.sheets}
          isNew={asking.isNew}
          onClose={() => setAsking(asking.before && { remove: asking.before })}
          onNewSheets={() => setAsking({ new: asking.sheets })}
        />
      )}
      {asking && 'remove' in asking && <RemoveKitDialog kit={asking.remove} onClose={close} />}
    </Section>
  );
}

function Row({ kit, onAsk }: { kit: OpenedKit; onAsk: (asking: Asking) => void }) {
  const { fingerprint } = useVault();
  const { busy, stop } = useStop();
  const { details, createdAt } = kit;
  const state = kitState(kit, fingerprint);
  const past = kitPast(kit);
  const called = details ? `“${details.name}”` : 'an unreadable kit';
  return (
    <li className="grid gap-4 border-b border-line/60 py-6">
      <div className="min-w-0">
        <p
          dir="auto"
          className={`font-display text-name font-medium wrap-anywhere ${details ? '' : 'text-shade italic'}`}
        >
          {details?.name ?? 'Unreadable with this key'}
        </p>
        <p className="mt-1 text-note text-shade">
          {kitRule(kit)} Made {formatDay(createdAt)}.
        </p>
        {details && (
          <p dir="auto" className="mt-1 text-note text-dust wrap-anywhere">
            {details.guardians.map(({ name }) => name).join(', ')}
          </p>
        )}
        <p className="mt-2">
          <Badge variant={state.variant}>{state.says}</Badge>
        </p>
        {past && <p className="mt-2 text-note text-dust">{past}</p>}
      </div>
      <div className="flex flex-wrap gap-3">
        {kit.asked && (
          <Button size="small" tone="primary" onClick={stop} busy={busy} busyLabel="Stopping it">
            Stop it
          </Button>
        )}
        {isWholeKit(kit) && (
          <Button
            size="small"
            onClick={() => onAsk({ sheets: kit, isNew: false, before: null })}
            aria-label={`Print the sheets of ${called}`}
          >
            Print the sheets
          </Button>
        )}
        <Button size="small" onClick={() => onAsk({ remove: kit })} aria-label={`Remove ${called}`}>
          Remove
        </Button>
      </div>
    </li>
  );
}

/** Says that the author is here, which stops every kit that was asked for. */
function useStop() {
  const services = useServices();
  const { lists } = useVault();
  const { busy, run } = useAttempt();
  const stop = () =>
    run(async () => {
      await sayStillHere(services);
      await lists.refresh(kitList);
      toast({ title: 'It is stopped', description: 'Your guardians open nothing now.' });
    }, asToast('This did not reach the server'));
  return { busy, stop: () => void stop() };
}
