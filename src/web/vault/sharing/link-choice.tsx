// Whether a one-time link is made as soon as a new entry is sealed, and how it opens.
import { Checkbox } from '../../ui/choice-fields.tsx';
import { later } from '../../ui/later.tsx';
import type { FilesAlong } from './use-files-along.ts';
import type { LinkForm } from './use-link-options.ts';

const LinkFields = later(async () => ({ default: (await import('./link-fields.tsx')).LinkFields }));

interface ChoiceProps {
  wanted: boolean;
  onChange: (wanted: boolean) => void;
  options: LinkForm;
  /** Why no link can be made of what is written; null when one can. */
  obstacle: string | null;
  files: FilesAlong;
}

export function LinkChoice({ wanted, onChange, options, obstacle, files }: ChoiceProps) {
  return (
    <>
      <Checkbox
        label="Make a one-time link to it as well"
        checked={wanted && obstacle === null}
        disabled={obstacle !== null}
        onChange={(event) => onChange(event.target.checked)}
        hint={obstacle ?? (wanted ? 'Its words go along.' : undefined)}
      />
      {wanted && obstacle === null && files.count > 0 && <FilesAlongChoice {...files} />}
      {wanted && obstacle === null && <LinkFields options={options} />}
    </>
  );
}

function FilesAlongChoice({ count, placed, unsure, along, choose }: FilesAlong) {
  const say = unsure ? 'may say' : placed.length === 1 ? 'says' : 'say';
  const says = placed.length === 1 ? `“${placed[0]}” ${say}` : `${placed.length} of them ${say}`;
  const were = placed.length === 1 ? 'it was' : 'they were';
  const hint =
    placed.length === 0
      ? undefined
      : along
        ? `${says} where ${were} taken, and whoever opens the link can read it.`
        : `Not by itself: ${says} where ${were} taken. ${unsure ? 'This page cannot remove it.' : 'Remove the place above, or let them go as they are.'}`;
  return (
    <Checkbox
      label={count === 1 ? 'Its file goes along' : `Its ${count} files go along`}
      checked={along}
      onChange={({ target }) => choose(target.checked)}
      hint={hint}
    />
  );
}
