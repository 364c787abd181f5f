// The address that warnings go to: set, proved by a press in a mail, changed, removed.
import { type KeyboardEvent, useRef, useState } from 'react';
import { addressProblem } from '../../../shared/nouns/scroll-recipients.ts';
import { sentenceOf } from '../../api/api-error.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { TextField } from '../../ui/text-fields.tsx';
import { toast } from '../../ui/toaster.tsx';
import type { WarningAddressHook } from './use-warning-address.ts';

interface StateProps {
  warnings: WarningAddressHook;
  /** Whether this server sends mail. */
  mails: boolean;
  /** The field stands there already while there is no address. */
  asking?: boolean;
  /** Offers to remove it. */
  onRemove?: () => void;
}

/** What is known of the address, and the field for another one. Stands within other forms too, so it is none itself. */
export function AddressState({ warnings, mails, asking = false, onRemove }: StateProps) {
  const { data, isPending, isError, error, isFetching, refetch } = warnings.query;
  const [changing, setChanging] = useState(false);
  const state = useRef<HTMLDivElement>(null);
  if (isPending) return <p className="text-note text-shade">Looking for your warning address.</p>;
  if (isError && !data) {
    return (
      <p role="alert" className="text-note text-blood">
        Your warning address could not be fetched. {sentenceOf(error)}{' '}
        <Button tone="caps" onClick={() => void refetch()}>
          Try again
        </Button>
      </p>
    );
  }
  const { address, provedAt, request } = data;
  const asks = changing || (asking && address === null);
  return (
    <div ref={state} tabIndex={-1} className="grid gap-3">
      {address !== null && (
        <div className="flex flex-wrap items-baseline gap-x-6 gap-y-1">
          <span className="min-w-0 wrap-anywhere">{address}</span>
          {provedAt ? (
            <Badge variant="open">Confirmed</Badge>
          ) : (
            <Badge variant="locked">Not confirmed yet</Badge>
          )}
        </div>
      )}
      <div role="status" className="grid gap-3 empty:hidden">
        {request && request.state !== 'cancelled' && (
          <p className={request.state === 'failed' ? 'text-note text-blood' : 'text-note text-dust'}>
            {requestWords(request, mails, provedAt !== null)}
          </p>
        )}
      </div>
      {asks && (
        <AddressField
          warnings={warnings}
          initial={provedAt === null ? (address ?? '') : ''}
          onDone={() => {
            setChanging(false);
            state.current?.focus({ preventScroll: true });
          }}
          mails={mails}
        />
      )}
      <div className="flex flex-wrap gap-x-6">
        {request && request.state !== 'cancelled' && (
          <Button tone="caps" busy={isFetching} onClick={() => void refetch()}>
            Look again
          </Button>
        )}
        {!(asking && address === null) && (
          <Button tone="caps" className="text-start" onClick={() => setChanging(!changing)}>
            {changing ? 'Leave it as it is' : changeLabel(address, provedAt)}
          </Button>
        )}
        {address !== null && onRemove && (
          <Button tone="caps" onClick={onRemove}>
            Remove
          </Button>
        )}
      </div>
    </div>
  );
}

function changeLabel(address: string | null, provedAt: string | null): string {
  if (address === null) return 'Set a warning address';
  return provedAt === null ? 'Send it again, or to another address' : 'Change the address';
}

type Request = NonNullable<NonNullable<WarningAddressHook['query']['data']>['request']>;

function requestWords({ state, why }: Request, mails: boolean, proved: boolean): string {
  const until = proved ? ' Until then the address that was confirmed before stays in use.' : '';
  if (state === 'failed') return `The confirmation link could not be sent. ${why ?? ''}`.trim();
  if (state === 'sent')
    return `A confirmation link was sent there by mail. Open it to confirm the address.${until}`;
  if (why) return `${why}${until}`;
  return mails
    ? `A confirmation link is on its way by mail.${until}`
    : `This server sends no mail: the confirmation link waits in the outbox, for its administrator to pass on.${until}`;
}

interface FieldProps {
  warnings: WarningAddressHook;
  mails: boolean;
  /** What was asked for before. */
  initial: string;
  onDone: () => void;
}

function AddressField({ warnings, mails, initial, onDone }: FieldProps) {
  const [typed, setTyped] = useState(initial);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  async function ask() {
    const wrong = addressProblem('email', typed);
    setProblem(wrong);
    if (wrong || busy) return;
    setBusy(true);
    try {
      await warnings.ask(typed);
      setTyped('');
      onDone();
    } catch (error) {
      setProblem(sentenceOf(error));
    } finally {
      setBusy(false);
    }
  }

  function askOnEnter(event: KeyboardEvent) {
    if (event.key !== 'Enter') return;
    // The form around it asks for something else.
    event.preventDefault();
    void ask();
  }

  return (
    <div className="grid gap-3">
      <TextField
        label="Warning address"
        type="email"
        autoComplete="email"
        maxLength={254}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={askOnEnter}
        error={problem}
        hint={
          mails
            ? 'You get a mail with a confirmation link there, so that it is certain that warnings reach you. The server can read this address.'
            : 'This server sends no mail. What it would send waits in the outbox, for its administrator to pass on by hand.'
        }
        readOnly={busy}
      />
      <div>
        <Button size="small" busy={busy} busyLabel="Sending" onClick={() => void ask()}>
          Send confirmation link
        </Button>
      </div>
    </div>
  );
}

/** The address on the page, with the question before it is removed. */
export function WarningAddress({
  warnings,
  mails,
  onRemoved,
}: Omit<StateProps, 'onRemove' | 'asking'> & { onRemoved: () => void }) {
  const [removing, setRemoving] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  async function remove() {
    setBusy(true);
    setProblem(null);
    try {
      await warnings.remove();
      toast({ title: 'Warning Address Removed' });
      setRemoving(false);
      onRemoved();
    } catch (error) {
      setProblem(sentenceOf(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <>
      <AddressState warnings={warnings} mails={mails} onRemove={() => setRemoving(true)} />
      <ConfirmDialog
        open={removing}
        onClose={() => setRemoving(false)}
        onConfirm={() => void remove()}
        title="Remove the warning address?"
        description="No mail warns you any more. Active scrolls stay active: you see warnings on the dashboard when you sign in, and no scroll waits for a mail."
        confirmLabel="Remove it"
        busy={busy}
        busyLabel="Removing"
        error={problem}
      />
    </>
  );
}
