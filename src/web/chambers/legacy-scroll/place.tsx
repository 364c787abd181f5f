// What stands in one place of the page and may be set, changed and removed: an address that warnings go to, and the trusted
// contact.
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { sentenceOf } from '../../../vault/api/api-error.ts';
import { useAttempt } from '../../hooks/use-attempt.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { toast } from '../../ui/toaster.tsx';

/** The question before it is removed. */
export interface Removal {
  remove(): Promise<void>;
  /** The button that asks, as "Remove". */
  label: string;
  title: string;
  description: string;
  confirmLabel: string;
  /** What is said once it is done. */
  done: string;
  onRemoved?: () => void;
}

interface PlaceProps<Data> {
  /** As in "Looking for your warning address". */
  noun: string;
  query: UseQueryResult<Data>;
  isSet: (data: Data) => boolean;
  /** What is known of it. */
  facts: (data: Data) => ReactNode;
  /** The fields for another one. They leave when that is done. */
  fields: (data: Data, leave: () => void) => ReactNode;
  changeLabel: (data: Data) => string;
  /** Whether something may have changed elsewhere, so that one may look again. */
  mayChange?: (data: Data) => boolean;
  /** Whether the fields stand there already while nothing is set. */
  asking?: boolean;
  /** Left out where it is not removed, as within another dialog. */
  removal?: Removal;
}

/** Stands within other forms too, so it is none itself. */
export function Place<Data>(props: PlaceProps<Data>) {
  const { noun, query, isSet, facts, fields, changeLabel, mayChange, asking = false, removal } = props;
  const { data, isPending, isError, error, isFetching, refetch } = query;
  const [changing, setChanging] = useState(false);
  const state = useRef<HTMLDivElement>(null);
  if (isPending) return <p className="text-note text-shade">Looking for your {noun}.</p>;
  if (isError && !data) {
    return (
      <p role="alert" className="text-note text-blood">
        Your {noun} could not be fetched. {sentenceOf(error)}{' '}
        <Button tone="caps" onClick={() => void refetch()}>
          Try again
        </Button>
      </p>
    );
  }
  const known = data as Data;
  const asksFirst = asking && !isSet(known);
  const leave = () => {
    setChanging(false);
    state.current?.focus({ preventScroll: true });
  };
  return (
    <div ref={state} tabIndex={-1} className="grid gap-3">
      {facts(known)}
      {(changing || asksFirst) && fields(known, leave)}
      <div className="flex flex-wrap gap-x-6">
        {mayChange?.(known) && (
          <Button tone="caps" busy={isFetching} onClick={() => void refetch()}>
            Look again
          </Button>
        )}
        {!asksFirst && (
          <Button tone="caps" className="text-start" onClick={() => setChanging(!changing)}>
            {changing ? 'Leave it as it is' : changeLabel(known)}
          </Button>
        )}
        {removal && <Remove removal={removal} offered={isSet(known)} />}
      </div>
    </div>
  );
}

function Remove({ removal, offered }: { removal: Removal; offered: boolean }) {
  const [asked, setAsked] = useState(false);
  const { busy, problem, run } = useAttempt();
  const remove = () =>
    run(async () => {
      await removal.remove();
      toast({ title: removal.done });
      setAsked(false);
      removal.onRemoved?.();
    });

  return (
    <>
      {offered && (
        <Button tone="caps" onClick={() => setAsked(true)}>
          {removal.label}
        </Button>
      )}
      <ConfirmDialog
        open={asked}
        onClose={() => setAsked(false)}
        onConfirm={() => void remove()}
        title={removal.title}
        description={removal.description}
        confirmLabel={removal.confirmLabel}
        busy={busy}
        busyLabel="Removing"
        error={problem}
      />
    </>
  );
}
