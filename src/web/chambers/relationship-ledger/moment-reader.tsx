// One recorded moment, opened for reading.

import { kindOf } from '../../../vault/entries/sealed-moment.ts';
import { Button } from '../../ui/button.tsx';
import type { ReaderActions } from '../../vault/entries/entry-dialogs.tsx';
import { EntryReader } from '../../vault/entries/entry-reader.tsx';
import type { OpenedRelationship } from '../../vault/entries/relationships.ts';
import type { Looking } from '../../vault/entries/use-finding.ts';
import { WeightMark } from './weight.tsx';

interface ReaderProps extends ReaderActions {
  moment: OpenedRelationship;
  looking: Looking;
  /** Leads to everything with the same person; absent where the reader came from there. */
  onTimeline?: (() => void) | undefined;
}

export function MomentReader({ moment, onTimeline, ...actions }: ReaderProps) {
  const kind = kindOf(moment);
  return (
    <EntryReader
      entry={moment}
      eyebrow="Relationship Ledger"
      title={<bdi>{moment.name ?? 'Somebody whose name cannot be read'}</bdi>}
      facts={kind === null ? [] : [kind, <WeightMark key="weight" weight={moment.weight} />]}
      keptWord="Recorded"
      actions={
        onTimeline && (
          <Button tone="caps" onClick={onTimeline}>
            Timeline
          </Button>
        )
      }
      {...actions}
    />
  );
}
