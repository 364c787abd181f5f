// Recently deleted: what was deleted from the lists in the last thirty days, to be restored or deleted for good.
import { useState } from 'react';
import { counted } from '../../../shared/counted.ts';
import { DELETED_DAYS } from '../../../shared/nouns/entry-calls.ts';
import { sentenceOf } from '../../../vault/api/api-error.ts';
import { BringingStopped } from '../../../vault/outbox/bringing.ts';
import { useNow } from '../../hooks/use-now.ts';
import { Chamber } from '../../shell/chamber.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { toast } from '../../ui/toaster.tsx';
import { VaultList } from '../../vault/book/vault-list.tsx';
import { DeletedRows } from './deleted-rows.tsx';
import { type DeletedItem, useDeleted } from './use-deleted.ts';

const FOR_GOOD =
  'This server erases it, and it cannot be brought back. Copies in the administrator’s backups are out of its reach.';
const ALL_FOR_GOOD =
  'This server erases all of them, and they cannot be brought back. Copies in the administrator’s backups are out of its reach.';

const nameOf = ({ name, kind }: DeletedItem) => (name === null ? `this ${kind.toLowerCase()}` : `“${name}”`);

function goneElsewhere() {
  toast({ title: 'Gone Already', description: 'It was restored or deleted for good elsewhere.' });
}

export default function RecentlyDeletedPage() {
  const deleted = useDeleted();
  const now = useNow();
  const [asked, setAsked] = useState<readonly DeletedItem[] | null>(null);
  const [restoring, setRestoring] = useState<number | null>(null);
  const all = deleted.list.data;

  async function restore(item: DeletedItem) {
    setRestoring(item.id);
    try {
      const restored = await deleted.restore(item);
      if (!restored) return goneElsewhere();
      toast({ title: `${item.kind} Restored`, description: 'It is back where it was.' });
    } catch (error) {
      toast({ title: 'Not Restored', description: sentenceOf(error), tone: 'destructive' });
    } finally {
      setRestoring(null);
    }
  }

  return (
    <Chamber
      title="Recently deleted"
      lead={`Memories, moments and myths that you delete wait here, sealed, for ${DELETED_DAYS} days. You can restore them for that long, and they count towards your storage. One-time links, ghost thoughts, final breaths and legacy scrolls are not kept here: they are erased at once.`}
      action={
        all &&
        all.length > 0 && (
          <Button tone="destructive" onClick={() => setAsked(all)}>
            Delete all now
          </Button>
        )
      }
      dialogs={asked && <DeleteNow items={asked} deleted={deleted} onClose={() => setAsked(null)} />}
    >
      <VaultList
        query={deleted.list}
        items={all}
        loading="Fetching and opening what was deleted"
        tellsStale
        empty={
          <EmptyState sigil="bin" title="Nothing is deleted">
            What you delete from a list can be brought back here.
          </EmptyState>
        }
      >
        {(items) => (
          <DeletedRows
            items={items}
            now={now}
            restoring={restoring}
            onRestore={(item) => void restore(item)}
            onErase={(item) => setAsked([item])}
          />
        )}
      </VaultList>
    </Chamber>
  );
}

interface DeleteNowProps {
  items: readonly DeletedItem[];
  deleted: ReturnType<typeof useDeleted>;
  onClose: () => void;
}

function DeleteNow({ items, deleted, onClose }: DeleteNowProps) {
  const [done, setDone] = useState<number | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [only] = items;
  const single = items.length === 1;

  async function erase() {
    setDone(0);
    setProblem(null);
    try {
      if (single && only) {
        if (await deleted.erase(only)) toast({ title: `${only.kind} Deleted for Good` });
        else goneElsewhere();
      } else {
        await deleted.eraseAll(items, setDone);
        toast({ title: 'All Deleted for Good' });
      }
      onClose();
    } catch (error) {
      setProblem(sentenceOf(error instanceof BringingStopped ? error.cause : error));
    } finally {
      setDone(null);
    }
  }

  return (
    <ConfirmDialog
      open
      onClose={onClose}
      onConfirm={() => void erase()}
      title={
        single && only
          ? `Delete ${nameOf(only)} now?`
          : `Delete all ${counted(items.length, 'entry', 'entries')} now?`
      }
      description={single ? FOR_GOOD : ALL_FOR_GOOD}
      confirmLabel={single ? 'Delete now' : 'Delete all now'}
      busy={done !== null}
      busyLabel={done ? `Deleting, ${done.toLocaleString('en-GB')} so far` : 'Deleting'}
      error={problem}
    />
  );
}
