// The list of legacy scrolls: what each waits for, what holds it, what became of it, and what can be done with it.
import type { ReactNode } from 'react';
import { type ScrollState, scrollState } from '../../../shared/nouns/legacy.ts';
import { canRehearse } from '../../../shared/nouns/rehearsals.ts';
import type { ScrollRecipient } from '../../../shared/nouns/scroll-recipients.ts';
import type { FailingTransports } from '../../../shared/nouns/switch-state.ts';
import { detailsOfLetter } from '../../../vault/legacy/letter-files.ts';
import {
  asItWasSealed,
  cardHolders,
  isDamaged,
  isReadable,
  isTroubled,
  namesSisters,
  type OpenedScroll,
  type ReadableScroll,
} from '../../../vault/legacy/scroll-list.ts';
import { useNow } from '../../hooks/use-now.ts';
import { Badge, type BadgeVariant } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { formatMoment } from '../../ui/moments.ts';
import { type MoreAction, MoreActions } from '../../ui/more-actions.tsx';
import { ChangedInList } from '../../vault/entries/changed.tsx';
import { OutsideBadge } from '../../vault/entries/outside.tsx';
import { countFiles, FilesCount } from '../../vault/files/files-mark.tsx';
import { failingWords } from '../../vault/legacy/failing-words.ts';
import { RecipientAddress } from './recipient-address.tsx';
import { RehearsalLine } from './rehearsal-line.tsx';
import { isRehearsalDue } from './rehearsal-words.ts';
import {
  deliveryWords,
  holdWords,
  isNearItsEnd,
  laterWords,
  needsPermission,
  PERMISSION_NEEDED,
  recipientName,
  remainingWords,
  triggerWords,
  waitsFor,
  warnedByWords,
  warningWords,
  wayWords,
} from './scroll-words.ts';
import { SistersLine } from './sisters-part.tsx';
import type { Scrolls } from './use-scrolls.ts';

/** What can be asked for from a row; the page answers. */
export type ScrollAction = 'activate' | 'disarm' | 'release' | 'delete';
export type ReadableScrollAction = 'read' | 'edit' | 'card' | 'new-key' | 'rehearse' | 'sisters';

interface RowsProps {
  scrolls: readonly OpenedScroll[];
  /** What this server sends by itself, and for whom. */
  transports: Scrolls['transports'];
  /** What this server cannot send just now; undefined while that is not known. */
  failing: FailingTransports | undefined;
  /** How long ago they were fetched, in milliseconds. */
  since: number;
  /** Whether this server is joined with other instances. */
  hasSisters: boolean;
  /** The scroll that is being disarmed, if one is. */
  disarming: number | null;
  onDo: (action: ScrollAction, scroll: OpenedScroll) => void;
  onDoReadable: (action: ReadableScrollAction, scroll: ReadableScroll) => void;
  onStillHere: () => void;
}

const badges: Record<ScrollState, [BadgeVariant, string]> = {
  dormant: ['plain', 'Draft'],
  watching: ['locked', 'Watching'],
  released: ['unlocked', 'Sent'],
};

export function ScrollRows({ scrolls, ...rest }: RowsProps) {
  return (
    <ul className="border-t border-line/60">
      {scrolls.map((scroll) => (
        <li
          key={scroll.id}
          className={classes(
            'border-b border-line/60 py-6',
            isNearItsEnd(scroll, rest.since) && 'border-l border-l-ember pl-5',
          )}
        >
          <Row scroll={scroll} {...rest} />
        </li>
      ))}
    </ul>
  );
}

/** How many files a letter has, as far as it can be read and is what was sealed. */
const filesOf = ({ letter, changed }: OpenedScroll): number =>
  letter === null || changed ? 0 : countFiles({ detailsText: detailsOfLetter(letter) });

/** Where the focus goes when the button that had it is gone. */
export const rowId = ({ id }: OpenedScroll) => `scroll-${id}`;

type RowProps = { scroll: OpenedScroll } & Omit<RowsProps, 'scrolls'>;

function Row(props: RowProps) {
  const { scroll, since, onDoReadable } = props;
  const state = scrollState(scroll);
  const [variant, word] = badges[state];
  const unsent = props.failing && failingWords(props.failing, waitsFor(scroll));
  return (
    <article id={rowId(scroll)} tabIndex={-1} className="grid gap-4">
      <header className="flex items-baseline justify-between gap-x-6">
        <h3 className="min-w-0 font-display text-name font-medium wrap-anywhere">
          {isReadable(scroll) ? (
            <button
              type="button"
              className="line-clamp-3 cursor-pointer text-left underline-offset-6 enabled-hover:underline"
              onClick={() => onDoReadable('read', scroll)}
            >
              {scroll.title}
            </button>
          ) : (
            <span className="text-shade italic">
              {scroll.title ?? (scroll.changed ? 'A letter that was changed' : 'Unreadable with this key')}
            </span>
          )}
        </h3>
        <span className="flex shrink-0 items-center gap-4 text-note">
          <FilesCount count={filesOf(scroll)} />
          <Badge variant={variant}>{word}</Badge>
        </span>
      </header>
      {scroll.outside && <OutsideBadge />}
      {scroll.changed && <ChangedInList changed={scroll.changed} />}
      {isDamaged(scroll) && (
        <p className="border-l border-blood pl-4 text-note text-blood">
          Its letter does not open, although its key does: what the server shows of it is not what was sealed.
          Whoever has a key to it could not read it.
        </p>
      )}
      <Facts scroll={scroll} state={state} since={since} />
      {state !== 'released' &&
        scroll.recipients.some((one) => needsPermission(one.recipientType, props.transports)) && (
          <p className="border-l border-ember pl-4 text-note text-ember">{PERMISSION_NEEDED}</p>
        )}
      {scroll.hold !== null && state === 'watching' && (
        <p className="border-l border-ember pl-4 text-note text-ember">{holdWords[scroll.hold]}</p>
      )}
      {unsent && <p className="border-l border-ember pl-4 text-note text-ember">{unsent.says}</p>}
      <Actions {...props} state={state} />
    </article>
  );
}

function Facts({ scroll, state, since }: { scroll: OpenedScroll; state: ScrollState; since: number }) {
  const left = state === 'watching' ? remainingWords(scroll, since) : null;
  const warned = state === 'watching' ? warnedByWords(scroll) : null;
  const only = scroll.recipients.length === 1 ? scroll.recipients[0] : undefined;
  return (
    <dl className="grid grid-cols-[7.5rem_minmax(0,1fr)] gap-x-4 gap-y-2 text-note">
      <Fact term="State">{states[state]}</Fact>
      <Fact term="When">{triggerWords(scroll)}</Fact>
      <Fact term={scroll.recipients.length === 1 ? 'Recipient' : 'Recipients'}>
        <Recipients scroll={scroll} state={state} />
      </Fact>
      {scroll.signedAs && <Fact term="Your name">{scroll.signedAs}</Fact>}
      {scroll.label && <Fact term="Label">{scroll.label}</Fact>}
      {state === 'watching' && scroll.activatedAt && (
        <Fact term="Activated">{formatMoment(scroll.activatedAt)}</Fact>
      )}
      {state !== 'released' && <Fact term="Last activity">{formatMoment(scroll.lastActivity)}</Fact>}
      {left && (
        <Fact term="Remaining" tone={isNearItsEnd(scroll, since) ? 'ember' : 'dust'}>
          {left}
        </Fact>
      )}
      {warned && <Fact term="Warnings">{warned}</Fact>}
      {state === 'watching' && scroll.warned && (
        <Fact term="Last warning" tone={scroll.warned.state === 'failed' ? 'blood' : 'dust'}>
          {warningWords(scroll.warned)}
        </Fact>
      )}
      {namesSisters(scroll) && (
        <Fact term="Sisters">
          <SistersLine scroll={scroll} />
        </Fact>
      )}
      {state !== 'released' && <Rehearsals scroll={scroll} watching={state === 'watching'} />}
      {scroll.releasedAt && <Fact term="Released">{formatMoment(scroll.releasedAt)}</Fact>}
      {state === 'released' && only && (
        <Fact term="Delivery" tone={isTroubled(only) ? 'blood' : 'dust'}>
          {deliveryWords(only)}
        </Fact>
      )}
    </dl>
  );
}

/** How far each recipient came, and that it is time for another one. */
function Rehearsals({ scroll, watching }: { scroll: OpenedScroll; watching: boolean }) {
  const now = useNow();
  const { recipients, names } = scroll;
  const rehearsed = recipients.filter(
    ({ rehearsal, rehearsalsStoppedAt, releasedAt }) =>
      rehearsal !== null || (rehearsalsStoppedAt !== null && releasedAt === null),
  );
  const isDue = watching && recipients.some(canRehearse) && isRehearsalDue(scroll, now);
  if (rehearsed.length === 0 && !isDue) return null;
  return (
    <Fact term="Rehearsal">
      <div className="grid gap-3">
        {rehearsed.map((recipient) => (
          <RehearsalLine
            key={recipient.id}
            recipient={recipient}
            name={
              names.get(recipient.publicId) ??
              (recipients.length > 1
                ? recipientName(recipient, recipients.indexOf(recipient), names)
                : undefined)
            }
          />
        ))}
        {isDue && (
          <p className="text-ember">For a year nobody has tried whether they could open it. Rehearse it.</p>
        )}
      </div>
    </Fact>
  );
}

/** As the specification calls it, and what that means. */
const states: Record<ScrollState, string> = {
  dormant: 'Dormant: it is sent to nobody before you activate it',
  watching: 'Watching: the server says so',
  released: 'Released: the server says so',
};

/** Each with their way to the letter, and, once it is released and there are several, with what became of it. */
function Recipients({ scroll: { recipients, names }, state }: { scroll: OpenedScroll; state: ScrollState }) {
  const several = recipients.length > 1;
  const one = (recipient: ScrollRecipient) => (
    <>
      <RecipientAddress recipient={recipient} name={names.get(recipient.publicId)} />
      <span className="block text-shade">{wayWords(recipient)}</span>
      {state !== 'released' && laterWords(recipient) && (
        <span className="block text-shade">{laterWords(recipient)}</span>
      )}
      {several && state === 'released' && (
        <span className={classes('block', isTroubled(recipient) ? tones.blood : tones.dust)}>
          {deliveryWords(recipient)}
        </span>
      )}
    </>
  );
  const [first] = recipients;
  if (!several) return first ? one(first) : null;
  return (
    <ul className="grid gap-3">
      {recipients.map((recipient) => (
        <li key={recipient.id}>{one(recipient)}</li>
      ))}
    </ul>
  );
}

const tones = { dust: 'text-dust', ember: 'text-ember', blood: 'text-blood' };

function Fact({
  term,
  tone = 'dust',
  children,
}: {
  term: string;
  tone?: keyof typeof tones;
  children: ReactNode;
}) {
  return (
    <>
      <dt className="label pt-1 text-shade">{term}</dt>
      <dd className={classes('min-w-0 wrap-anywhere', tones[tone])}>{children}</dd>
    </>
  );
}

function Actions({
  scroll,
  state,
  disarming,
  hasSisters,
  onDo,
  onDoReadable,
  onStillHere,
}: RowProps & { state: ScrollState }) {
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
