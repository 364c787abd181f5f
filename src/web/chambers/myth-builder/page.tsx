// The Myth Builder: the list, the search, and which of its dialogs stands open.
import { useDeferredValue, useMemo, useState } from 'react';
import { Listed } from '../../api/listed.tsx';
import { useNow } from '../../hooks/use-now.ts';
import { Button } from '../../ui/button.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { toast } from '../../ui/toaster.tsx';
import { DeleteEntry, RESTORABLE } from '../../vault/entries/delete-entry.tsx';
import { type OpenedMyth, useMyths } from '../../vault/entries/myths.ts';
import { RecentlyDeletedLink } from '../../vault/entries/recently-deleted-link.tsx';
import { search } from '../../vault/entries/search.ts';
import { Chamber } from '../../vault/session/chamber.tsx';
import { CreateDialog } from './create-dialog.tsx';
import { EditDialog } from './edit-dialog.tsx';
import { MythReader } from './myth-reader.tsx';
import { MythRows } from './myth-rows.tsx';

type Open = { view: 'new' } | { view: 'read' | 'edit' | 'delete'; myth: OpenedMyth };

export default function MythBuilderPage() {
  const myths = useMyths();
  const now = useNow();
  const [open, setOpen] = useState<Open | null>(null);
  const [query, setQuery] = useState('');
  const wanted = useDeferredValue(query);
  const all = myths.list.data;
  const found = useMemo(() => search(all ?? [], wanted), [all, wanted]);
  const close = () => setOpen(null);
  const kept = `${(all?.length ?? 0).toLocaleString('en-GB')} ${all?.length === 1 ? 'myth' : 'myths'}`;

  function read(myth: OpenedMyth) {
    if (myth.content !== null) return setOpen({ view: 'read', myth });
    toast({
      title: 'Failed to Decrypt',
      description: 'Unable to decrypt this story. Your encryption key may have changed.',
      tone: 'destructive',
    });
  }

  function gone(myth: OpenedMyth) {
    myths.drop(myth.id);
    toast({ title: 'Myth is gone', description: 'It was deleted elsewhere.' });
  }

  return (
    <Chamber
      eyebrow="Chamber four"
      title="Myth Builder"
      action={
        <Button tone="primary" onClick={() => setOpen({ view: 'new' })}>
          Create Sacred Myth
        </Button>
      }
      dialogs={
        <>
          {open?.view === 'new' && (
            <CreateDialog
              myths={myths}
              onCreated={(myth) => setOpen({ view: 'read', myth })}
              onClose={close}
            />
          )}
          {open?.view === 'edit' && <EditDialog myths={myths} myth={open.myth} onClose={close} />}
          {open?.view === 'read' && (
            <MythReader
              myth={open.myth}
              onClose={close}
              onEdit={() => setOpen({ view: 'edit', myth: open.myth })}
              onDelete={() => setOpen({ view: 'delete', myth: open.myth })}
              onAdopt={async () => setOpen({ view: 'read', myth: await myths.adopt(open.myth) })}
            />
          )}
          {open?.view === 'delete' && (
            <DeleteEntry
              title={`Delete ${open.myth.name ? `“${open.myth.name}”` : 'this myth'}?`}
              description={RESTORABLE}
              deleted="Myth Deleted"
              remove={() => myths.remove(open.myth.id)}
              restore={() => myths.restore(open.myth.id)}
              onGone={() => gone(open.myth)}
              onClose={close}
            />
          )}
        </>
      }
    >
      <Listed
        query={myths.list}
        items={all}
        loading="Fetching and opening your myths"
        empty={
          <EmptyState sigil="myth" title="No myth has been made yet">
            A story of your own words: a life, a love, an ending, a farewell. The Loom makes it in this
            browser, and you may change it before it is sealed.
          </EmptyState>
        }
      >
        {() => (
          <>
            <SearchField
              label="Search your myths"
              placeholder={
                myths.list.isFetching ? `Opening, ${kept} so far` : `Search ${kept}, in this browser only`
              }
              value={query}
              onChange={setQuery}
              found={wanted.trim() === '' ? null : found.length}
            />
            <MythRows
              myths={found}
              now={now}
              onOpen={read}
              onDelete={(myth) => setOpen({ view: 'delete', myth })}
            />
          </>
        )}
      </Listed>
      <RecentlyDeletedLink />
    </Chamber>
  );
}
