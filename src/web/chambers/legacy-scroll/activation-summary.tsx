// What activating a watch comes to, in plain words: when the letter is sent and to whom, how they open it, who is warned before,
// and what can still be changed.
import type { ReactNode } from 'react';
import type { OpenedScroll } from '../../../vault/legacy/scroll-list.ts';
import { thingsOf, type Warning } from './activation.ts';
import { RecipientAddresses } from './recipient-address.tsx';
import { named, triggerWords } from './scroll-words.ts';

export function ActivationSummary({ scroll, warning }: { scroll: OpenedScroll; warning: Warning | null }) {
  const several = scroll.recipients.length > 1;
  const sentences: [string, ReactNode][] = [
    [
      'when',
      <>
        {triggerWords(scroll)}, {named(scroll)} is sent to <RecipientAddresses scroll={scroll} />.
      </>,
    ],
    ['key', keyWords(scroll, several)],
    ['warning', warningWords(scroll, warning)],
    [
      'change',
      'Until then you can disarm it or send it yourself at any time. While it watches, when and to whom it is sent stay as they are.',
    ],
  ];
  return (
    <ul className="grid gap-2 border-l border-ember/55 pl-4">
      {sentences.map(([about, says]) => says && <li key={about}>{says}</li>)}
    </ul>
  );
}

function keyWords(scroll: OpenedScroll, several: boolean): string | null {
  const [thing, another] = thingsOf(scroll);
  if (thing === undefined) return null;
  if (another !== undefined || several)
    return 'Each of them opens it by their own card or passphrase; without it nobody but you can.';
  return thing === 'card'
    ? 'They open it by their key card; without it nobody but you can.'
    : 'They open it by the passphrase; without it nobody but you can.';
}

function warningWords({ triggerType }: OpenedScroll, warning: Warning | null): string | null {
  if (triggerType !== 'inactivity' || warning === null) return null;
  return warning === 'mail'
    ? 'Before that you are warned by mail, seven, three and one day ahead, and never in the first half of the time.'
    : 'No mail warns you before that. When you sign in you see a warning on the dashboard, and the countdown starts again.';
}
