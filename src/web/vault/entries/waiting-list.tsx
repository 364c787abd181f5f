// What waits on this device for its server: it is sent by itself, and can be opened again until then. What the server has
// refused waits for its author.
import { useEffect, useEffectEvent, useId, useState } from 'react';
import { useLocation } from 'wouter';
import { everyEntryKind } from '../../../vault/kinds/entry-kinds.ts';
import type { WaitingEntry } from '../../../vault/outbox/waiting.ts';
import { entryListOf } from '../../../vault/replica/entry-list.ts';
import { Button } from '../../ui/button.tsx';
import { formatMoment } from '../../ui/moments.ts';
import { toast } from '../../ui/toaster.tsx';
import { watchWaiting } from '../device/waiting-count.ts';
import { useVault } from '../session/vault-context.ts';
import { draftKind, draftWords } from './draft-kinds.ts';
import { askForDraft } from './draft-slots.ts';
import { discardWaiting, sendNow, takeBack, waitingHere } from './send-waiting.ts';

/** What waits, as it is now. */
function useWaiting(isListed: (form: string) => boolean): WaitingEntry[] {
  const vault = useVault();
  const [waiting, setWaiting] = useState<WaitingEntry[]>([]);
  const look = useEffectEvent(async () => {
    const all = await waitingHere(vault).catch(() => []);
    setWaiting(all.filter(({ form }) => isListed(form.name)));
  });
  useEffect(() => {
    const again = () => void look();
    again();
    return watchWaiting(vault.user.id, again);
  }, [vault.user.id]);
  return waiting;
}

/** Whether this browser may erase what it keeps while nobody visits; false where it does not say. */
function useMayBeErased(): boolean {
  const [may, setMay] = useState(false);
  useEffect(() => {
    void navigator.storage?.persisted?.().then(
      (persisted) => setMay(!persisted),
      () => {},
    );
  }, []);
  return may;
}

export default function WaitingList({ isListed }: { isListed: (form: string) => boolean }) {
  const vault = useVault();
  const [, navigate] = useLocation();
  const waiting = useWaiting(isListed);
  const mayBeErased = useMayBeErased();
  const id = useId();
  if (waiting.length === 0) return null;

  /** Whether the entry that is to be changed is there, so that its form can show both texts. */
  async function isThere({ noun, sealId, over }: WaitingEntry): Promise<boolean> {
    const kind = everyEntryKind.find((one) => one.noun === noun);
    if (!over || !kind) return true;
    return (await vault.lists.load(entryListOf(kind), 0)).some((row) => row.sealId === sealId);
  }

  async function open(waiting: WaitingEntry) {
    const { noun, form, sealId } = waiting;
    const isMeant = (one: WaitingEntry) => one.sealId === sealId;
    const there = await isThere(waiting).catch(() => null);
    const [slot] = there === null ? [] : await takeBack(vault, isMeant, !there).catch(() => []);
    if (slot === undefined) {
      return toast({
        title: 'Not opened',
        description:
          there === null
            ? 'What it changes cannot be shown just now. It goes on waiting.'
            : 'It has been sent meanwhile, or this browser has no room to open it.',
      });
    }
    toast({
      title: 'It waits no longer',
      description: 'It is a draft on this device now. Seal it again, and it is sent.',
    });
    const kind = draftKind(there ? form.name : noun);
    askForDraft(vault.user.id, slot);
    if (kind) navigate(kind.isChange ? kind.list : `${kind.list}/new`);
  }

  async function send() {
    if (await sendNow(vault).catch(() => false)) return;
    toast({
      title: 'Still out of reach',
      description: 'The server does not answer. What waits here stays, and is tried again every minute.',
    });
  }

  async function save() {
    const saved = import('./waiting-copy.ts').then(({ saveWaiting }) => saveWaiting(vault));
    const description = await saved.then(
      () => 'It opens with the key of this vault alone. Settings, Your data, Import takes it back.',
      () => 'This browser does not show what it keeps.',
    );
    toast({ title: 'A sealed copy', description });
  }

  const count = waiting.length === 1 ? 'One entry waits' : `${waiting.length} entries wait`;
  return (
    <section aria-labelledby={id} className="mb-10 border border-ember/55 bg-ink-1 px-5 py-4">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6">
        <h2 id={id} className="caps text-dust">
          {count} on this device
        </h2>
        <div className="flex flex-wrap items-baseline gap-x-6">
          <Button tone="caps" onClick={() => void save()}>
            Save a sealed copy
          </Button>
          <Button tone="caps-lit" onClick={() => void send()}>
            Send now
          </Button>
        </div>
      </div>
      <p className="mt-2 text-note text-dust">
        Sealed here, and sent by itself once the server can be reached.
        {mayBeErased &&
          ' Your browser may erase it if you do not come back for a week, as Safari does: open Latebra before that.'}
      </p>
      <ul className="mt-2">
        {waiting.map((one) => (
          <WaitingRow
            key={one.sealId}
            waiting={one}
            onOpen={() => void open(one)}
            onDiscard={() => void discardWaiting(vault, one.sealId).catch(() => {})}
          />
        ))}
      </ul>
    </section>
  );
}

function WaitingRow(props: { waiting: WaitingEntry; onOpen: () => void; onDiscard: () => void }) {
  const { waiting, onOpen, onDiscard } = props;
  const [asks, setAsks] = useState(false);
  const [name = 'Without a title'] = draftWords(waiting.form.value);
  return (
    <li className="flex flex-wrap items-baseline gap-x-6 gap-y-1 border-t border-line/60 py-2 first:border-t-0">
      <div className="min-w-0 flex-1 basis-64">
        <p dir="auto" className="truncate font-display text-[1.25rem]/[1.3] font-medium">
          {name}
        </p>
        <p className="text-note text-dust">
          {draftKind(waiting.form.name)?.label} · {formatMoment(new Date(waiting.at).toISOString())}
        </p>
        {waiting.refused !== null && <p className="text-note text-blood">Not sent. {waiting.refused}</p>}
      </div>
      <div className="flex flex-wrap items-baseline gap-x-6">
        <Button tone="caps-lit" onClick={onOpen} aria-label={`Open ${name}, which waits`}>
          Open
        </Button>
        {asks ? (
          <Button tone="caps" onClick={onDiscard} aria-label={`Discard ${name} for good`}>
            Discard for good
          </Button>
        ) : (
          <Button tone="caps" onClick={() => setAsks(true)} aria-label={`Discard ${name}, which waits`}>
            Discard
          </Button>
        )}
      </div>
    </li>
  );
}
