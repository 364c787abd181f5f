// Changing a scroll. A change made elsewhere meanwhile is shown beside it, so that neither letter is lost; while it
// watches, only its words can be changed.
import { scrollState } from '../../../shared/nouns/legacy.ts';
import { Problem } from '../../ui/problem.tsx';
import { EntryDialog } from '../../vault/entries/entry-dialog.tsx';
import { ScrollFields } from './scroll-fields.tsx';
import { type ChangeOptions, useScrollChange } from './use-scroll-change.ts';

export function EditDialog({ onClose, ...change }: ChangeOptions & { onClose: () => void }) {
  const { current, entry, fields, waits } = useScrollChange(change);
  const watching = scrollState(current) === 'watching';
  return (
    <EntryDialog
      title={watching ? 'Edit the words' : 'Edit Legacy Scroll'}
      noun="scroll"
      saveLabel="Seal the change"
      busyLabel="Sealing..."
      editing
      entry={entry}
      removePlaceByDefault
      onClose={onClose}
    >
      <ScrollFields {...fields} locked={watching} />
      {watching && (
        <p className="border-l border-ember/55 pl-4 text-note text-dust">
          It is watching: disarm it first to change when or to whom it goes. Its words can be changed now, and
          its keys stay.
        </p>
      )}
      <Problem>{waits}</Problem>
    </EntryDialog>
  );
}
