// Which dialog is open over a list of entries: the form for a new one, or one entry that is read, changed or deleted. The address
// says which entry; whether it is changed or deleted is state of the page alone.
import { useEffect, useState } from 'react';
import { lockState } from '../../../shared/nouns/memory.ts';
import { ApiError, sentenceOf } from '../../../vault/api/api-error.ts';
import type { EntryType, OpenedEntry } from '../../../vault/kinds/entry-kind.ts';
import { formatMoment, formatUntil } from '../../ui/moments.ts';
import type { ToastWords } from '../../ui/toast-store.ts';
import { toast } from '../../ui/toaster.tsx';
import type { HandedLink } from '../sharing/hand-over-link.ts';
import { useEntryAddress } from './addresses.ts';
import type { Collection } from './collection.ts';
import { forgetAsked } from './draft-slots.ts';
import { useChangeAsked } from './use-draft.ts';
import type { AfterSealing } from './use-entry-form.ts';

/** What an entry of a list is called. */
export interface EntryNames {
  /** In a sentence, such as "memory". */
  noun: string;
  /** At the beginning of one. */
  Noun: string;
  /** What cannot be decrypted of it, such as "story". */
  words: string;
}

/** What is done with an entry, or has been made of it. `as-sealed`: it is read although the server shows it otherwise. */
type Doing<E> =
  | { view: 'edit' | 'delete' | 'share' | 'as-sealed'; entry: E }
  | { view: 'link'; made: HandedLink };
/** `changed`: the server shows it otherwise than it was sealed, and that is said before it is read. */
export type OpenDialog<E> = { view: 'new' } | { view: 'read' | 'changed'; entry: E } | Doing<E> | null;

/** Which dialog is open over a list, and how it is changed. */
export interface EntryDialogs<E> {
  dialog: OpenDialog<E>;
  /** Why the address shows no entry; null where it does, and while that is not known. */
  hindrance: ToastWords | null;
  showNew: () => void;
  /** Shows an entry that was made just now. */
  show: (entry: E) => void;
  /** Opens an entry of the list, or says in a toast why it does not open. */
  read: (entry: E) => Promise<void>;
  edit: (entry: E) => void;
  remove: (entry: E) => void;
  share: (entry: E) => void;
  /** Reads an entry as it was sealed, or answers why that cannot be. @throws ApiError, TypeError */
  readAsSealed: (entry: E) => Promise<string | null>;
  /** Shows what follows a new entry that was sealed: its link, if there is one, or else the list. */
  showSealed: AfterSealing<E>;
  /** Leaves what is done with an entry, back to where that began. */
  goBack: () => void;
  /** Somebody else has deleted it before. */
  drop: (entry: E) => void;
  close: () => void;
  /** As `close`, but to the list also where somebody came from elsewhere. */
  showList: () => void;
  /** The address of what stands beneath the dialog. */
  beneath: string;
}

/** Until when an entry is locked, in epoch milliseconds; null for those that never were. */
const lockOf = (entry: OpenedEntry & { timeLockUntil?: string | null }): number | null =>
  typeof entry.timeLockUntil === 'string' ? Date.parse(entry.timeLockUntil) : null;

const isLocked = (entry: OpenedEntry) => lockState(lockOf(entry), Date.now()) === 'locked';

const NOT_GIVEN_OUT = 'The server does not give its text out. There is nothing to open.';
const isWithoutWords = ({ withheld, leftOut }: OpenedEntry) => withheld || leftOut;

const locked = (entry: OpenedEntry): ToastWords => ({
  title: 'Memory is Time-Locked',
  description: `This memory will unlock on ${formatUntil(new Date(lockOf(entry) ?? 0).toISOString(), Date.now())}`,
});

export function useEntryDialogs<N extends EntryType>(
  collection: Collection<N>,
  names: EntryNames,
): EntryDialogs<N['entry']> {
  type Entry = N['entry'];
  const { data: all, isFetching } = collection.list;
  const { path, at, beneath, show, showNew, close, showList } = useEntryAddress(collection.kind.noun);
  const [side, setSide] = useState<{ doing: Doing<Entry>; path: string } | null>(null);
  // It is left with the address at which it began, and not before: what stands beneath would be seen for a moment.
  const doing = side?.path === path ? side.doing : null;
  if (side && !doing) setSide(null);
  const [asked, setAsked] = useState<{ sealId: string; outcome: ToastWords | null } | null>(null);
  const sealId = at === null || at === 'new' ? null : at.sealId;
  const addressed = sealId === null ? undefined : all?.find((entry) => entry.sealId === sealId);

  const gone: ToastWords = { title: `${names.Noun} is gone`, description: 'It was deleted elsewhere.' };

  /** Why what the list has of an entry cannot be read; null when it can. */
  function hindranceOf(entry: Entry): ToastWords | null {
    // Its own dialog says what was changed.
    if (entry.changed) return null;
    // Its lock may be over by this device's clock alone.
    if (entry.withheld || isLocked(entry) || (entry.leftOut && lockOf(entry) !== null)) return locked(entry);
    if (entry.content !== null) return null;
    if (entry.leftOut)
      return { title: `Failed to Open the ${names.noun}`, description: NOT_GIVEN_OUT, tone: 'destructive' };
    return {
      title: 'Failed to Decrypt',
      description: `Unable to decrypt this ${names.words}. Your encryption key may have changed.`,
      tone: 'destructive',
    };
  }

  /** The same, once what its lock has set free was fetched. */
  async function fetchHindrance(entry: Entry): Promise<ToastWords | null> {
    if (isLocked(entry) || !isWithoutWords(entry) || entry.changed) return hindranceOf(entry);
    try {
      // This device's clock may be ahead of the server's, and the server's counts.
      return hindranceOf(await collection.refetch(entry.id));
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 404)) {
        return { title: 'Failed to Open', description: sentenceOf(error), tone: 'destructive' };
      }
      collection.drop(entry.id);
      return gone;
    }
  }

  // Whoever came by the address has pressed nothing here.
  const waiting =
    addressed &&
    isWithoutWords(addressed) &&
    !addressed.changed &&
    !isLocked(addressed) &&
    asked?.sealId !== sealId
      ? addressed
      : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: fetched once for each address
  useEffect(() => {
    if (!waiting?.sealId) return;
    const { sealId } = waiting;
    let hasLeft = false;
    void fetchHindrance(waiting).then((outcome) => !hasLeft && setAsked({ sealId, outcome }));
    return () => {
      hasLeft = true;
    };
  }, [waiting?.sealId]);

  function hindranceHere(): ToastWords | null {
    if (sealId === null || waiting || doing) return null;
    if (addressed && isWithoutWords(addressed) && !addressed.changed && !isLocked(addressed))
      return asked?.outcome ?? null;
    if (addressed) return hindranceOf(addressed);
    if (all === undefined || isFetching) return null;
    return {
      title: `There is no ${names.noun} at this address`,
      description: 'It was deleted, or it belongs to another vault.',
    };
  }

  function dialogHere(): OpenDialog<Entry> {
    if (doing) return doing;
    if (at === 'new') return { view: 'new' };
    if (!addressed || waiting || hindrance) return null;
    return { view: addressed.changed ? 'changed' : 'read', entry: addressed };
  }

  const doThis = (doing: Doing<Entry>) => setSide({ doing, path });

  function leave(): void {
    if (at === null) setSide(null);
    else close();
  }

  const changeAsked = useChangeAsked(collection.kind.noun);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each draft, when its entry is known
  useEffect(() => {
    if (changeAsked === null || !all || isFetching) return;
    const entry = all.find((one) => one.sealId === changeAsked);
    const why = entry ? hindranceOf(entry) : gone;
    if (entry && !why) return doThis({ view: 'edit', entry });
    forgetAsked();
    if (why) toast(why);
  }, [changeAsked, all, isFetching]);

  const hindrance = hindranceHere();
  return {
    dialog: dialogHere(),
    hindrance,
    showNew,
    show,
    async read(entry: Entry): Promise<void> {
      const hindrance = await fetchHindrance(entry);
      if (hindrance) toast(hindrance);
      else show(entry);
    },
    edit: (entry: Entry) => doThis({ view: 'edit', entry }),
    remove: (entry: Entry) => doThis({ view: 'delete', entry }),
    share: (entry: Entry) => doThis({ view: 'share', entry }),
    async readAsSealed({ id }: Entry): Promise<string | null> {
      const entry = await collection.openAsSealed(id);
      if (isWithoutWords(entry)) return NOT_GIVEN_OUT;
      if (isLocked(entry)) return `You locked it. It opens on ${formatMoment(lockOf(entry) ?? 0)}.`;
      if (entry.content === null) return hindranceOf({ ...entry, changed: null })?.description ?? null;
      doThis({ view: 'as-sealed', entry });
      return null;
    },
    showSealed(entry: Entry, link?: HandedLink | null): void {
      if (link) doThis({ view: 'link', made: link });
      // It is sealed, and only its link has failed: that can be tried again.
      else if (link === null) doThis({ view: 'share', entry });
      else leave();
    },
    goBack(): void {
      if (at === 'new') leave();
      else setSide(null);
    },
    drop(entry: Entry): void {
      collection.drop(entry.id);
      toast(gone);
    },
    close: leave,
    showList,
    beneath,
  };
}
