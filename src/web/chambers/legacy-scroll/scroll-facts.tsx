// What is known of a scroll of the list, a line for each fact: whom it waits for, and what became of it.
import type { ReactNode } from 'react';
import { type ScrollState, scrollState } from '../../../shared/nouns/legacy.ts';
import { canRehearse } from '../../../shared/nouns/rehearsals.ts';
import type { ScrollRecipient } from '../../../shared/nouns/scroll-recipients.ts';
import { isTroubled, namesSisters, type OpenedScroll } from '../../../vault/legacy/scroll-list.ts';
import { useNow } from '../../hooks/use-now.ts';
import { classes } from '../../ui/classes.ts';
import { formatMoment } from '../../ui/moments.ts';
import { RecipientAddress } from './recipient-address.tsx';
import { RehearsalLine } from './rehearsal-line.tsx';
import { isRehearsalDue } from './rehearsal-words.ts';
import {
  deliveryWords,
  isNearItsEnd,
  laterWords,
  recipientName,
  remainingWords,
  triggerWords,
  warnedByWords,
  warningWords,
  wayWords,
} from './scroll-words.ts';
import { SistersLine } from './sisters-part.tsx';

/** @param since how long ago the scroll was fetched, in milliseconds */
export function ScrollFacts({ scroll, since }: { scroll: OpenedScroll; since: number }) {
  const state = scrollState(scroll);
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
