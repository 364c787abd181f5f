// The row of a myth: when, what, and which kind of story.
import { storyLabel } from '../../../shared/nouns/story-types.ts';
import { type RowActions, TitledRow } from '../../vault/entries/entry-rows.tsx';
import type { OpenedMyth } from '../../vault/entries/myths.ts';
import { toneLabel } from './story-words.ts';

export function MythRow({ myth, ...row }: { myth: OpenedMyth } & RowActions<OpenedMyth>) {
  const { made } = myth.details;
  return (
    <TitledRow
      entry={myth}
      deleteLabel={`Delete ${myth.name ?? 'an unreadable myth'}`}
      facts={
        !myth.changed && (
          <span>
            {storyLabel(myth.storyType)}
            {made?.tone && <span className="text-shade"> · {toneLabel(made.tone)}</span>}
          </span>
        )
      }
      {...row}
    />
  );
}
