// The dialog that stands open over Legacy Scroll, and where it leads on to.
import { scrollState } from '../../../shared/nouns/legacy.ts';
import type { ScrollRecipient } from '../../../shared/nouns/scroll-recipients.ts';
import {
  cardHolders,
  isReadable,
  type OpenedScroll,
  type ReadableScroll,
} from '../../../vault/legacy/scroll-list.ts';
import { ActivateDialog } from './activate-dialog.tsx';
import { EditDialog } from './edit-dialog.tsx';
import { KeyCard } from './key-card.tsx';
import { NewKeyDialog } from './new-key-dialog.tsx';
import { DeleteQuestion, DisarmQuestion, ReleaseQuestion } from './questions.tsx';
import { RehearseDialog } from './rehearse-dialog.tsx';
import type { ReadableScrollAction, ScrollAction } from './scroll-actions.tsx';
import { ScrollReader } from './scroll-reader.tsx';
import { SheetsDialog } from './sheets-dialog-part.tsx';
import { SistersDialog } from './sisters-part.tsx';
import type { Scrolls } from './use-scrolls.ts';

/** Which dialog stands open, about which scroll. */
export type OpenDialog =
  | { view: 'activate'; scroll: OpenedScroll; handedOver: boolean }
  | { view: 'disarm'; scroll: OpenedScroll; most: number }
  | { view: Exclude<ScrollAction, 'activate' | 'disarm'>; scroll: OpenedScroll }
  | { view: 'sheets'; scroll: ReadableScroll; recipient: ScrollRecipient }
  | { view: ReadableScrollAction; scroll: ReadableScroll };

/** What follows a scroll that was sealed: a key card that nobody has seen yet is shown at once. */
export const cardToShow = (scroll: OpenedScroll): OpenDialog | null =>
  cardHolders(scroll).length > 0 && isReadable(scroll) ? { view: 'card', scroll } : null;

interface Props {
  open: OpenDialog;
  /** Opens another one in its place, or none. */
  onOpen: (next: OpenDialog | null) => void;
  scrolls: Scrolls;
  disarm: (scroll: OpenedScroll) => Promise<void>;
}

export function ScrollDialog({ open, onOpen, scrolls, disarm }: Props) {
  const all = scrolls.list.data;
  const shared = { scrolls, onClose: () => onOpen(null) };
  /** The scroll as the list has it by now. */
  const fresh = all?.find(({ id }) => id === open.scroll.id) ?? open.scroll;
  const readable = (known: ReadableScroll) => (isReadable(fresh) ? fresh : known);
  const showCard = (scroll: OpenedScroll) => onOpen(cardToShow(scroll));
  /** Leads on to the watch of a draft. */
  const onHandedOver =
    scrollState(fresh) === 'dormant'
      ? () => onOpen({ view: 'activate', scroll: fresh, handedOver: true })
      : undefined;

  switch (open.view) {
    case 'card':
      return (
        <KeyCard
          scroll={readable(open.scroll)}
          gone={all !== undefined && !all.some(({ id }) => id === open.scroll.id)}
          transports={scrolls.transports}
          look={() => void scrolls.list.refetch()}
          onHandedOver={onHandedOver}
          onSplit={
            scrollState(fresh) === 'released'
              ? undefined
              : (recipient) => onOpen({ view: 'sheets', scroll: readable(open.scroll), recipient })
          }
          onClose={shared.onClose}
        />
      );
    case 'sheets':
      return <SheetsDialog {...open} {...shared} onHandedOver={onHandedOver} />;
    case 'activate':
      return <ActivateDialog {...open} {...shared} scroll={fresh} />;
    case 'new-key':
      return <NewKeyDialog {...shared} scroll={readable(open.scroll)} onMade={showCard} />;
    case 'edit':
      return (
        <EditDialog
          {...open}
          {...shared}
          onChanged={(scroll, newCard) => (newCard ? showCard(scroll) : onOpen(null))}
        />
      );
    case 'rehearse':
      return <RehearseDialog {...shared} scroll={readable(open.scroll)} />;
    case 'sisters':
      return <SistersDialog scroll={readable(open.scroll)} onClose={shared.onClose} />;
    case 'read':
      return (
        <ScrollReader
          scroll={readable(open.scroll)}
          onAdopt={() => scrolls.adopt(readable(open.scroll))}
          onClose={shared.onClose}
        />
      );
    case 'release':
      return <ReleaseQuestion {...open} {...shared} />;
    case 'disarm':
      return (
        <DisarmQuestion
          {...open}
          disarm={async () => {
            onOpen(null);
            await disarm(open.scroll);
          }}
          onClose={shared.onClose}
        />
      );
    case 'delete':
      return <DeleteQuestion {...open} {...shared} />;
  }
}
