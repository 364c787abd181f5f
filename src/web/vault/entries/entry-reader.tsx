// One entry, opened for reading: what every noun says of itself, and what can be done about it.
import type { ReactNode } from 'react';
import type { OpenedEntry } from '../../../vault/kinds/entry-kind.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { later } from '../../ui/later.tsx';
import { formatDay } from '../../ui/moments.ts';
import { ReadingOverlay } from '../../ui/reading-overlay.tsx';
import { useGalleryForPrinter } from '../files/gallery-for-printer.ts';
import { ArrivedFrom } from './arrived.tsx';
import { ChangedNote } from './changed.tsx';
import { TagButtons } from './details-shown.tsx';
import type { ReaderActions } from './entry-dialogs.tsx';
import { formatHappened } from './happened.ts';
import { OutsideNote } from './outside.tsx';
import type { Looking } from './use-finding.ts';

const Gallery = later(() => import('../files/own-gallery.tsx'));

interface ReaderProps extends ReaderActions {
  entry: OpenedEntry;
  /** The list behind it, to which its tags lead. */
  looking: Looking;
  /** The chamber, in small capitals. */
  eyebrow: string;
  title: ReactNode;
  /** What this noun says of itself, before what all say. */
  facts?: ReactNode[];
  /** What was done on the day on which it was kept. */
  keptWord?: string;
  /** Further ways on, after those that all have. */
  actions?: ReactNode;
}

export function EntryReader(props: ReaderProps) {
  const { entry, looking, eyebrow, title, facts = [], keptWord = 'Sealed', actions } = props;
  const { onClose, onList, onEdit, onDelete, onShare, onAdopt } = props;
  const hasFiles = entry.detailsText?.includes('"files":') === true;
  const { opening, beforePrint } = useGalleryForPrinter(Gallery, hasFiles);
  const { happenedOn, tags } = entry.details;
  const list = {
    words: [],
    onTag(tag: string) {
      onList();
      looking.onTag(tag);
    },
  };
  return (
    <ReadingOverlay
      open
      onClose={onClose}
      eyebrow={eyebrow}
      title={title}
      meta={[
        ...facts,
        entry.arrived && <ArrivedFrom key="arrived" arrived={entry.arrived} />,
        happenedOn && `Happened ${formatHappened(happenedOn)}`,
        `${keptWord} ${formatDay(entry.createdAt)}`,
        entry.version > 1 && !entry.changed && `Changed ${formatDay(entry.updatedAt)}`,
        tags.length > 0 && <TagButtons key="tags" tags={tags} looking={list} className="" />,
      ]}
      notice={
        entry.changed ? (
          <ChangedNote changed={entry.changed} />
        ) : (
          entry.outside && <OutsideNote onAdopt={onAdopt} />
        )
      }
      text={entry.content}
      beneath={hasFiles && <Gallery details={entry.detailsText} opening={opening} keepable />}
      beforePrint={beforePrint}
      actions={
        <>
          <Button tone="caps" onClick={onEdit}>
            Edit
          </Button>
          <Button tone="caps" onClick={onDelete}>
            Delete
          </Button>
          {onShare && (
            <Button tone="caps" onClick={onShare}>
              Share
            </Button>
          )}
          {entry.content !== null && (
            <CopyButton tone="caps" value={entry.content}>
              Copy text
            </CopyButton>
          )}
          {actions}
        </>
      }
    />
  );
}
