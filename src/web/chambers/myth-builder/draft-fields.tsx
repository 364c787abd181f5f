// The last step of a myth: the story as it was made, to be changed before it is sealed.
import { Button } from '../../ui/button.tsx';
import { DetailsFields, type DetailsForm, type DetailsProblem } from '../../vault/entries/details-fields.tsx';
import { TitledFields } from '../../vault/entries/titled-fields.tsx';
import type { StoryDraft } from './story-form.ts';
import { madeWords } from './story-words.ts';

const taken = {
  woven: null,
  plain: 'Your words are plain, and the Loom has kept them so: it puts no images where there were none.',
  verbatim:
    'The Loom reads English alone. It has kept your words as they are, in the order in which they stand.',
} as const;

interface FieldsProps {
  form: DetailsForm;
  story: StoryDraft;
  problem: DetailsProblem | null;
  /** Whether it was to be sealed with something missing. */
  tried: boolean;
  onChange: (part: Partial<StoryDraft>) => void;
  onDetails: (part: DetailsForm) => void;
  /** Back to what it is made from. */
  onSource: () => void;
}

export function DraftFields({ form, story, problem, tried, onChange, onDetails, onSource }: FieldsProps) {
  const note = story.form && taken[story.form];
  return (
    <>
      <div className="grid gap-2 text-note text-dust">
        <p className="flex flex-wrap items-baseline justify-between gap-x-6">
          <span className="min-w-0 wrap-anywhere">
            {madeWords(story.made)}
            {story.edited && ', and changed by you'}
            {story.unfinished && '. It is not finished'}.
          </span>
          <Button tone="caps" onClick={onSource}>
            Change what it is made from
          </Button>
        </p>
        {note && <p>{note}</p>}
      </div>
      <TitledFields
        title={story.title}
        words={story.text}
        label="Story"
        rows={12}
        tried={tried}
        onTitle={(title) => onChange({ title })}
        onWords={(text) => onChange({ text })}
      />
      <DetailsFields form={form} entry={undefined} isHidden={false} problem={problem} onChange={onDetails} />
    </>
  );
}
