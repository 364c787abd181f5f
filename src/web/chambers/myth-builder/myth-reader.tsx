// One myth, opened for reading.
import { storyLabel } from '../../../shared/nouns/story-types.ts';
import type { ReaderActions } from '../../vault/entries/entry-dialogs.tsx';
import { EntryReader } from '../../vault/entries/entry-reader.tsx';
import type { OpenedMyth } from '../../vault/entries/myths.ts';
import type { Looking } from '../../vault/entries/use-finding.ts';
import { madeWords, toneLabel } from './story-words.ts';

export function MythReader({ myth, ...actions }: { myth: OpenedMyth; looking: Looking } & ReaderActions) {
  const { made } = myth.details;
  return (
    <EntryReader
      entry={myth}
      eyebrow="Myth Builder"
      title={<bdi>{myth.name ?? 'A myth without a title'}</bdi>}
      facts={[
        storyLabel(myth.storyType),
        made?.tone && toneLabel(made.tone),
        made?.person && <bdi key="person">Of {made.person}</bdi>,
        made?.duration && <bdi key="duration">{made.duration}</bdi>,
        made && (
          <span key="made" className="wrap-anywhere">
            {madeWords(made)}
          </span>
        ),
      ]}
      {...actions}
    />
  );
}
