// Which dialog is open over a list of entries: the form for a new one, or one entry that is read, changed or deleted. The address
// says which entry; whether it is changed or deleted is state of the page alone.
import { useEffect, useState } from 'react';
import type { EntryType } from '../../../vault/kinds/entry-kind.ts';
import { formatMoment } from '../../ui/moments.ts';
import type { ToastWords } from '../../ui/toast-store.ts';
import { toast } from '../../ui/toaster.tsx';
import type { HandedLink } from '../sharing/hand-over-link.ts';
import { useEntryAddress } from './addresses.ts';
import type { Collection } from './collection.ts';
import { forgetAsked } from './draft-slots.ts';
import {
  type EntryNames,
  fetchHindrance,
  goneOf,
  hindranceOf,
  isLocked,
  isWithoutWords,
  lockOf,
  NOT_GIVEN_OUT,
  useAddressedHindrance,
} from './entry-hindrance.ts';
import { useChangeAsked } from './use-draft.ts';
import type { AfterSealing } from './use-entry-form.ts';

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
  const sealId = at === null || at === 'new' ? null : at.sealId;
  const addressed = sealId === null ? undefined : all?.find((entry) => entry.sealId === sealId);
  const found = useAddressedHindrance(collection, names, addressed);

  function hindranceHere(): ToastWords | null {
    if (sealId === null || found.isWaiting || doing) return null;
    if (addressed) return found.hindrance;
    if (all === undefined || isFetching) return null;
    return {
      title: `There is no ${names.noun} at this address`,
      description: 'It was deleted, or it belongs to another vault.',
    };
  }

  function dialogHere(): OpenDialog<Entry> {
    if (doing) return doing;
    if (at === 'new') return { view: 'new' };
    if (!addressed || found.isWaiting || hindrance) return null;
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
    const why = entry ? hindranceOf(names, entry) : goneOf(names);
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
      const hindrance = await fetchHindrance(collection, names, entry);
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
      if (entry.content === null) return hindranceOf(names, { ...entry, changed: null })?.description ?? null;
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
      toast(goneOf(names));
    },
    close: leave,
    showList,
    beneath,
  };
}
