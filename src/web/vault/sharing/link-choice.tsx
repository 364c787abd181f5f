// Whether a one-time link is made as soon as a new entry is sealed, and how it opens.
import { Checkbox } from '../../ui/choice-fields.tsx';
import { later } from '../../ui/later.tsx';
import type { LinkForm } from './use-link-options.ts';

const LinkFields = later(async () => ({ default: (await import('./link-fields.tsx')).LinkFields }));

interface ChoiceProps {
  wanted: boolean;
  onChange: (wanted: boolean) => void;
  options: LinkForm;
  /** Why no link can be made of what is written; null when one can. */
  obstacle: string | null;
}

export function LinkChoice({ wanted, onChange, options, obstacle }: ChoiceProps) {
  return (
    <>
      <Checkbox
        label="Make a one-time link to it as well"
        checked={wanted && obstacle === null}
        disabled={obstacle !== null}
        onChange={(event) => onChange(event.target.checked)}
        hint={obstacle ?? (wanted ? 'Its words and its files go along.' : undefined)}
      />
      {wanted && obstacle === null && <LinkFields options={options} />}
    </>
  );
}
