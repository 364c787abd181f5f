// What can be done with a scroll of the list: the one thing that stands alone, and all others behind a button.
import { scrollState } from '../../../shared/nouns/legacy.ts';
import { canRehearse } from '../../../shared/nouns/rehearsals.ts';
import {
  asItWasSealed,
  cardHolders,
  isDamaged,
  isReadable,
  type OpenedScroll,
  type ReadableScroll,
} from '../../../vault/legacy/scroll-list.ts';
import { Button } from '../../ui/button.tsx';
import { type MoreAction, MoreActions } from '../../ui/more-actions.tsx';

/** What can be asked for from a row; the page answers. */
export type ScrollAction = 'activate' | 'disarm' | 'release' | 'delete';
export type ReadableScrollAction = 'read' | 'edit' | 'card' | 'new-key' | 'rehearse' | 'sisters';

export interface ActionsProps {
  scroll: OpenedScroll;
  /** Whether this server is joined with other instances. */
  hasSisters: boolean;
  /** The scroll that is being disarmed, if one is. */
  disarming: number | null;
  onDo: (action: ScrollAction, scroll: OpenedScroll) => void;
  onDoReadable: (action: ReadableScrollAction, scroll: ReadableScroll) => void;
  onStillHere: () => void;
}

export function ScrollActions(props: ActionsProps) {
  const { scroll, disarming, hasSisters, onDo, onDoReadable, onStillHere } = props;
  const state = scrollState(scroll);
  const name = scroll.title ?? 'an unreadable letter';
  const about = <span className="sr-only"> “{name.slice(0, 80)}”</span>;
  const readable = isReadable(scroll) ? scroll : null;
  const watching = state === 'watching';
  const forLife = watching && scroll.triggerType === 'inactivity';
  const sealed = scroll.changed && asItWasSealed(scroll);
  const disarm = { label: 'Disarm', onDo: () => onDo('disarm', scroll) };
  const others: (MoreAction | false | null)[] = [
    forLife && disarm,
    ...(readable && state !== 'released'
      ? [
          { label: watching ? 'Edit words' : 'Edit', onDo: () => onDoReadable('edit', readable) },
          { label: newKeyLabel(scroll), onDo: () => onDoReadable('new-key', readable) },
        ]
      : []),
    readable &&
      cardHolders(scroll).length > 0 && {
        label: cardsLabel(scroll),
        onDo: () => onDoReadable('card', readable),
      },
    readable &&
      state !== 'released' &&
      scroll.recipients.some(canRehearse) && {
        label: 'Rehearse',
        onDo: () => onDoReadable('rehearse', readable),
      },
    readable &&
      ((hasSisters && forLife) || scroll.sisters != null) && {
        label: 'Sisters',
        onDo: () => onDoReadable('sisters', readable),
      },
    watching && sealed && { label: 'Open as it was sealed', onDo: () => onDoReadable('read', sealed) },
    watching &&
      !scroll.changed && { label: 'Release now', onDo: () => onDo('release', scroll), danger: true },
    { label: 'Delete', onDo: () => onDo('delete', scroll), danger: true },
  ];
  const main = mainAction();

  /** The one that stands alone. */
  function mainAction() {
    // Nothing is set going that is not what was sealed.
    if (scroll.changed && !watching) {
      return sealed && { label: 'Open as it was sealed', onDo: () => onDoReadable('read', sealed) };
    }
    if (state === 'dormant' && isDamaged(scroll)) return null;
    if (state === 'dormant') return { label: 'Activate Watch', onDo: () => onDo('activate', scroll) };
    if (forLife) return { label: 'Still here', onDo: onStillHere };
    if (watching) return disarm;
    return readable && { label: 'Read', onDo: () => onDoReadable('read', readable) };
  }

  return (
    <MoreActions
      actions={others.filter((action) => action !== false && action !== null)}
      about={about}
      busy={forLife && disarming === scroll.id}
    >
      {main && (
        <Button
          size="small"
          tone={state === 'dormant' && !scroll.changed ? 'primary' : 'quiet'}
          busy={main === disarm && disarming === scroll.id}
          onClick={main.onDo}
        >
          {main.label}
          {about}
        </Button>
      )}
    </MoreActions>
  );
}

function cardsLabel(scroll: OpenedScroll): string {
  const [holder, ...others] = cardHolders(scroll);
  if (others.length > 0) return 'Key cards';
  return holder?.sheetsNeeded != null ? 'Sheets' : 'Key card';
}

function newKeyLabel({ recipients }: OpenedScroll): string {
  const [first, ...others] = recipients;
  if (others.length > 0) return 'New key';
  return first?.access === 'card'
    ? 'New card'
    : first?.access === 'passphrase'
      ? 'New passphrase'
      : 'New key';
}
