// One myth, opened for reading.
import { storyLabel } from '../../../shared/nouns/myth.ts';
import { Button } from '../../ui/button.tsx';
import { formatDay } from '../../ui/moments.ts';
import { ReadingOverlay } from '../../ui/reading-overlay.tsx';
import { formatHappened, Tags } from '../../vault/entries/details-shown.tsx';
import type { OpenedMyth } from '../../vault/entries/myths.ts';
import { OutsideNote } from '../../vault/entries/outside.tsx';
import { madeWords, toneLabel } from './story-words.ts';

interface ReaderProps {
  myth: OpenedMyth;
  onClose: () => void;
  onEdit: () => void;
  onDelete: () => void;
  onAdopt: () => Promise<void>;
}

export function MythReader({ myth, onClose, onEdit, onDelete, onAdopt }: ReaderProps) {
  const { made, happenedOn, tags } = myth.details;
  return (
    <ReadingOverlay
      open
      onClose={onClose}
      eyebrow="Myth Builder"
      title={<bdi>{myth.name ?? 'A myth without a title'}</bdi>}
      meta={[
        storyLabel(myth.storyType),
        made?.tone && toneLabel(made.tone),
        made?.person && <bdi key="person">Of {made.person}</bdi>,
        made?.duration && <bdi key="duration">{made.duration}</bdi>,
        made && (
          <span key="made" className="wrap-anywhere">
            {madeWords(made)}
          </span>
        ),
        happenedOn && `Happened ${formatHappened(happenedOn)}`,
        `Sealed ${formatDay(myth.createdAt)}`,
        myth.version > 1 && `Changed ${formatDay(myth.updatedAt)}`,
        tags.length > 0 && <Tags key="tags" tags={tags} />,
      ]}
      notice={myth.outside && <OutsideNote onAdopt={onAdopt} />}
      text={myth.content}
      actions={
        <>
          <Button tone="caps" onClick={onEdit}>
            Edit
          </Button>
          <Button tone="caps" onClick={onDelete}>
            Delete
          </Button>
        </>
      }
    />
  );
}
