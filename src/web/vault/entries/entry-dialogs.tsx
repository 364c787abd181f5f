// The dialogs over a list of entries, one shape for every noun: what is new, read, changed or deleted.
import type { ReactNode } from 'react';
import { type EntryType, sharedEntry } from '../../../vault/kinds/entry-kind.ts';
import { Button } from '../../ui/button.tsx';
import { later } from '../../ui/later.tsx';
import { asQuestion } from '../../ui/question.ts';
import type { ToastWords } from '../../ui/toast-store.ts';
import { countFiles } from '../files/files-mark.tsx';
import { ChangedDialog } from './changed.tsx';
import type { Collection } from './collection.ts';
import { DeleteEntry, RESTORABLE } from './delete-entry.tsx';
import type { EntryNames } from './entry-hindrance.ts';
import type { EntryDialogs } from './use-entry-dialogs.ts';

const ShareDialog = later(() => import('../sharing/share-dialog.tsx'));
const LinkDialog = later(async () => ({
  default: (await import('../sharing/link-dialog.tsx')).LinkDialog,
}));

/** What the reader of an entry can do about it. */
export interface ReaderActions {
  onClose: () => void;
  /** Closes it and shows its list. */
  onList: () => void;
  onEdit: () => void;
  onDelete: () => void;
  /** Null where it cannot be shared. */
  onShare: (() => void) | null;
  onAdopt: () => Promise<void>;
}

interface LayersProps<N extends EntryType> {
  dialogs: EntryDialogs<N['entry']>;
  names: EntryNames;
  collection: Collection<N>;
  /** The form for a new entry. */
  create: () => ReactNode;
  edit: (entry: N['entry']) => ReactNode;
  read: (entry: N['entry'], actions: ReaderActions) => ReactNode;
  /** What is asked before an entry is deleted. */
  question: (entry: N['entry']) => string;
}

export function EntryDialogsShown<N extends EntryType>(props: LayersProps<N>): ReactNode {
  const { dialogs, names, collection, create, edit, read, question } = props;
  const { dialog, close } = dialogs;
  switch (dialog?.view) {
    case 'new':
      return create();
    case 'edit':
      return edit(dialog.entry);
    case 'read':
      return read(dialog.entry, {
        onClose: close,
        onList: dialogs.showList,
        onEdit: () => dialogs.edit(dialog.entry),
        onDelete: () => dialogs.remove(dialog.entry),
        onShare: () => dialogs.share(dialog.entry),
        onAdopt: async () => void (await collection.adopt(dialog.entry)),
      });
    case 'changed':
      return (
        <ChangedDialog
          noun={names.noun}
          changed={dialog.entry.changed ?? []}
          onOpen={() => dialogs.readAsSealed(dialog.entry)}
          onDelete={() => dialogs.remove(dialog.entry)}
          onClose={close}
        />
      );
    case 'as-sealed':
      return read(dialog.entry, {
        onClose: dialogs.goBack,
        onList: dialogs.showList,
        onEdit: () => dialogs.edit(dialog.entry),
        onDelete: () => dialogs.remove(dialog.entry),
        onShare: null,
        onAdopt: async () => {},
      });
    case 'delete':
      return (
        <DeleteEntry
          title={question(dialog.entry)}
          description={RESTORABLE}
          deleted={`${names.Noun} Deleted`}
          remove={() => collection.remove(dialog.entry)}
          restore={() => collection.restore(dialog.entry)}
          onGone={() => dialogs.drop(dialog.entry)}
          onClose={close}
        />
      );
    case 'share':
      return (
        <ShareDialog
          name={dialog.entry.name ?? ''}
          entryId={dialog.entry.id}
          fileCount={countFiles(dialog.entry)}
          words={async () => sharedEntry(collection.kind, await collection.refetch(dialog.entry.id))}
          onClose={dialogs.goBack}
        />
      );
    case 'link':
      return <LinkDialog {...dialog.made} onClose={close} />;
    default:
      return null;
  }
}

/** The question about an entry that is known by its title. */
export const deletionOf = ({ noun }: EntryNames, name: string | null): string =>
  asQuestion(`Delete ${name ? `“${name}”` : `this ${noun}`}`);

/** Why the address shows no entry, above the list that it shows instead. */
export function Hindrance({ says, onClose }: { says: ToastWords | null; onClose: () => void }) {
  return (
    <div role="status">
      {says && (
        <div className="mb-8 flex flex-wrap items-baseline justify-between gap-x-8 gap-y-2 border border-ember/55 px-5 py-4">
          <p className="min-w-0 wrap-anywhere">
            <strong className="block font-display text-name/[1.3] font-medium">{says.title}.</strong>
            {says.description && ` ${says.description}${says.description.endsWith('.') ? '' : '.'}`}
          </p>
          <Button tone="caps" onClick={onClose}>
            Show the list
          </Button>
        </div>
      )}
    </div>
  );
}
