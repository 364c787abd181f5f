// What becomes of scrolls that watch, or that were released, when their vault is destroyed. Their author chooses; nothing
// is chosen for them.
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { PAGE_MAX } from '../../../shared/http/wire.ts';
import { legacyScrolls, scrollState } from '../../../shared/nouns/legacy.ts';
import { listWhispers } from '../../../vault/legacy/list-whispers.ts';
import { useApi } from '../../api/services.tsx';

export type ScrollsEnd = 'disarm' | 'release';

/** `unknown`: they could not be counted, so that the choice is asked for anyway. */
export type FoundScrolls =
  | 'asking'
  | 'unknown'
  | {
      watching: number;
      released: number;
      /** Neither of the two. */
      dormant: number;
      /** What other vaults have left for this one. */
      whispers: number;
    };

/** Whether something is to be chosen. */
export const hasScrollsToEnd = (found: FoundScrolls): found is Exclude<FoundScrolls, 'asking'> =>
  found === 'unknown' || (found !== 'asking' && found.watching + found.released > 0);

/** Counts the letters that go with a vault, its own and those that were left for it. */
export function useFoundScrolls(wanted: boolean): FoundScrolls {
  const api = useApi();
  const list = useQuery({
    queryKey: ['scrolls-to-end', legacyScrolls.list.path],
    queryFn: async () => {
      const [own, left] = await Promise.all([
        api.send(legacyScrolls.list, { query: { limit: PAGE_MAX } }),
        listWhispers(api),
      ]);
      const states = own.map(scrollState);
      const count = (wantedState: string) => states.filter((state) => state === wantedState).length;
      return {
        watching: count('watching'),
        released: count('released'),
        dormant: count('dormant'),
        whispers: left.length,
      };
    },
    enabled: wanted,
    refetchOnMount: 'always',
    gcTime: 0,
    staleTime: 0,
  });
  if (list.isError) return 'unknown';
  if (!list.data) return 'asking';
  return list.data;
}

const scrolls = (count: number) => (count === 1 ? 'One letter' : `${count} letters`);

function whatThereIs(found: Exclude<FoundScrolls, 'asking'>): string {
  if (found === 'unknown')
    return 'Whether letters of yours watch could not be asked just now. If any do, this happens to them.';
  const { watching, released } = found;
  const parts = [
    watching > 0 && `${scrolls(watching)} of yours ${watching === 1 ? 'watches' : 'watch'}.`,
    released > 0 && `${scrolls(released)} of yours ${released === 1 ? 'was' : 'were'} released already.`,
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
  const watching = found === 'unknown' ? 1 : found.watching;
  const ends: { end: ScrollsEnd; title: string; words: string }[] = [
    {
      end: 'disarm',
      title: watching > 0 ? 'Disarm them' : 'Let them go too',
      words: `They are deleted with the vault. ${watching > 0 ? 'Nobody is ever told of those that watch, and those' : 'Those'} released before open for nobody any more.`,
    },
    {
      end: 'release',
      title: watching > 0 ? 'Release them' : 'Leave them',
      words: `${watching > 0 ? 'Those that watch are released now, all of them, and their recipients told. ' : ''}This server keeps every released letter for a year, for its recipients alone, and then deletes it. Nobody can take it back meanwhile: you will have no vault to do it from.`,
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
