// What becomes of scrolls that watch, or that were released, when their vault is destroyed. Their author chooses; nothing
// is chosen for them.
import { useId } from 'react';
import { counted } from '../../../shared/counted.ts';
import type { FoundScrolls } from './found-scrolls.ts';

export type ScrollsEnd = 'disarm' | 'release';

const scrolls = (count: number) => (count === 1 ? 'One letter' : `${count} letters`);

function whatThereIs(found: Exclude<FoundScrolls, 'asking'>): string {
  if (found === 'unknown')
    return 'Whether letters of yours watch could not be asked just now. If any do, this happens to them.';
  const { watching, released, unseen } = found;
  const parts = [
    watching > 0 && `${scrolls(watching)} of yours ${watching === 1 ? 'watches' : 'watch'}.`,
    released > 0 && `${scrolls(released)} of yours ${released === 1 ? 'was' : 'were'} sent already.`,
    unseen === null &&
      'Whether this server shows all of your letters could not be compared with your vault’s book. If there are others, this happens to them too.',
    unseen !== null &&
      unseen > 0 &&
      `This server does not show ${counted(unseen, 'letter', 'letters')} that your vault’s book knows. If it has ${unseen === 1 ? 'it' : 'them'} all the same, this happens to ${unseen === 1 ? 'it' : 'them'} too.`,
  ];
  return parts.filter(Boolean).join(' ');
}

interface ScrollsChoiceProps {
  found: Exclude<FoundScrolls, 'asking'>;
  value: ScrollsEnd | null;
  onChange: (end: ScrollsEnd) => void;
  disabled: boolean;
}

export function ScrollsChoice({ found, value, onChange, disabled }: ScrollsChoiceProps) {
  const name = useId();
  // What is not shown may watch.
  const watching = found === 'unknown' || found.unseen !== 0 ? 1 : found.watching;
  const ends: { end: ScrollsEnd; title: string; words: string }[] = [
    {
      end: 'disarm',
      title: watching > 0 ? 'Disarm them' : 'Let them go too',
      words: `They are deleted with the vault. ${watching > 0 ? 'Nobody is ever told of those that watch, and those' : 'Those'} sent before open for nobody any more.`,
    },
    {
      end: 'release',
      title: watching > 0 ? 'Release them' : 'Leave them',
      words: `${watching > 0 ? 'Those that watch are sent now, all of them, and their recipients told. ' : ''}This server keeps every sent letter for a year, for its recipients alone, and then deletes it. Nobody can take it back meanwhile: you will have no vault to do it from.`,
    },
  ];
  return (
    <fieldset className="grid min-w-0 gap-3" disabled={disabled}>
      <legend className="label mb-3 text-dust">Your legacy scrolls</legend>
      <p>{whatThereIs(found)}</p>
      {ends.map(({ end, title, words }) => (
        <label
          key={end}
          className="group relative flex cursor-pointer items-start gap-3.5 border border-line px-4 py-4 transition-colors hover:border-edge has-checked:border-ember has-focus-visible:outline has-focus-visible:outline-offset-2 has-focus-visible:outline-ember"
        >
          <input
            type="radio"
            name={name}
            value={end}
            checked={value === end}
            onChange={() => onChange(end)}
            className="mt-[0.25em] size-4.5 shrink-0 cursor-pointer appearance-none rounded-full border border-edge bg-ink-1 transition-colors checked:border-5 checked:border-ember focus-visible:shadow-none focus-visible:outline-hidden forced-colors:appearance-auto"
          />
          <span className="min-w-0">
            <span className="font-display text-[1.25rem]/[1.2] font-medium">{title}</span>{' '}
            <span className="mt-1 block text-note text-dust">{words}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
