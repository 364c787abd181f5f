// One recorded moment, opened for reading.
import { eventLabel } from '../../../shared/nouns/relationship.ts';
import { Button } from '../../ui/button.tsx';
import { formatDay } from '../../ui/moments.ts';
import { ReadingOverlay } from '../../ui/reading-overlay.tsx';
import { formatHappened, Tags } from '../../vault/entries/details-shown.tsx';
import { OutsideNote } from '../../vault/entries/outside.tsx';
import type { OpenedRelationship } from '../../vault/entries/relationships.ts';
import { WeightMark } from './weight.tsx';

interface ReaderProps {
  moment: OpenedRelationship;
  onClose: () => void;
  onEdit: () => void;
  onDelete: () => void;
  onAdopt: () => Promise<void>;
  /** Leads to everything with the same person; absent where the reader came from there. */
  onTimeline?: (() => void) | undefined;
}

export function MomentReader({ moment, onClose, onEdit, onDelete, onAdopt, onTimeline }: ReaderProps) {
  return (
    <ReadingOverlay
      open
      onClose={onClose}
      eyebrow="Relationship Ledger"
      title={<bdi>{moment.name ?? 'Somebody whose name cannot be read'}</bdi>}
      meta={[
        eventLabel(moment.eventType),
        <WeightMark key="weight" weight={moment.emotionalWeight} />,
        moment.details.happenedOn && `Happened ${formatHappened(moment.details.happenedOn)}`,
        `Recorded ${formatDay(moment.createdAt)}`,
        moment.version > 1 && `Changed ${formatDay(moment.updatedAt)}`,
        moment.details.tags.length > 0 && <Tags key="tags" tags={moment.details.tags} />,
      ]}
      notice={moment.outside && <OutsideNote onAdopt={onAdopt} />}
      text={moment.content}
      actions={
        <>
          <Button tone="caps" onClick={onEdit}>
            Edit
          </Button>
          <Button tone="caps" onClick={onDelete}>
            Delete
          </Button>
          {onTimeline && (
            <Button tone="caps" onClick={onTimeline}>
              Timeline
            </Button>
          )}
        </>
      }
    />
  );
}
