// The Memory Vault: the list, the search, and which of its dialogs stands open.
import { useDeferredValue, useMemo, useState } from 'react';
import { lockState } from '../../../shared/nouns/memory.ts';
import { ApiError, sentenceOf } from '../../api/api-error.ts';
import { Listed } from '../../api/listed.tsx';
import { useNow } from '../../hooks/use-now.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { formatUntil } from '../../ui/moments.ts';
import { SearchField } from '../../ui/search-field.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { toast } from '../../ui/toaster.tsx';
import { DeleteEntry, RESTORABLE } from '../../vault/entries/delete-entry.tsx';
import { type OpenedMemory, useMemories } from '../../vault/entries/memories.ts';
import { RecentlyDeletedLink } from '../../vault/entries/recently-deleted-link.tsx';
import { search } from '../../vault/entries/search.ts';
import { Chamber } from '../../vault/session/chamber.tsx';
import { MemoryDialog } from './memory-dialog.tsx';
import { MemoryReader } from './memory-reader.tsx';
import { MemoryRows } from './memory-rows.tsx';

type Open = { view: 'new' } | { view: 'read' | 'edit' | 'delete'; memory: OpenedMemory };

export default function MemoryVaultPage() {
  const memories = useMemories();
  const now = useNow();
  const [open, setOpen] = useState<Open | null>(null);
  const [query, setQuery] = useState('');
  const wanted = useDeferredValue(query);
  const all = memories.list.data;
  const found = useMemo(() => search(all ?? [], wanted), [all, wanted]);
  const close = () => setOpen(null);
  const kept = `${(all?.length ?? 0).toLocaleString('en-GB')} ${all?.length === 1 ? 'memory' : 'memories'}`;

  function timeLocked(memory: OpenedMemory) {
    toast({
      title: 'Memory is Time-Locked',
      description: `This memory will unlock on ${formatUntil(memory.timeLockUntil ?? '', Date.now())}`,
    });
  }

  async function read(memory: OpenedMemory) {
    const until = memory.timeLockUntil === null ? null : Date.parse(memory.timeLockUntil);
    if (lockState(until, Date.now()) === 'locked') return timeLocked(memory);
    let fresh = memory;
    if (memory.withheld) {
      try {
        fresh = await memories.refetch(memory.id);
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return gone(memory);
        return toast({ title: 'Failed to Open', description: sentenceOf(error), tone: 'destructive' });
      }
      // This device's clock is ahead of the server's, and the server's counts.
      if (fresh.withheld) return timeLocked(fresh);
    }
    if (fresh.content === null) {
      return toast({
        title: 'Failed to Decrypt',
        description: 'Unable to decrypt this memory. Your encryption key may have changed.',
        tone: 'destructive',
      });
    }
    setOpen({ view: 'read', memory: fresh });
  }

  function gone(memory: OpenedMemory) {
    memories.drop(memory.id);
    toast({ title: 'Memory is gone', description: 'It was deleted elsewhere.' });
  }

  return (
    <Chamber
      eyebrow="Chamber one"
      title="Memory Vault"
      action={
        <Button tone="primary" onClick={() => setOpen({ view: 'new' })}>
          New Memory
        </Button>
      }
      dialogs={
        <>
          {open?.view === 'new' && <MemoryDialog memories={memories} onClose={close} />}
          {open?.view === 'edit' && <MemoryDialog memories={memories} memory={open.memory} onClose={close} />}
          {open?.view === 'read' && (
            <MemoryReader
              memory={open.memory}
              onClose={close}
              onEdit={() => setOpen({ view: 'edit', memory: open.memory })}
              onDelete={() => setOpen({ view: 'delete', memory: open.memory })}
              onAdopt={async () => setOpen({ view: 'read', memory: await memories.adopt(open.memory) })}
            />
          )}
          {open?.view === 'delete' && (
            <DeleteEntry
              title={`Delete ${open.memory.name ? `“${open.memory.name}”` : 'this memory'}?`}
              description={RESTORABLE}
              deleted="Memory Deleted"
              remove={() => memories.remove(open.memory.id)}
              restore={() => memories.restore(open.memory.id)}
              onGone={() => gone(open.memory)}
              onClose={close}
            />
          )}
        </>
      }
    >
      <Listed
        query={memories.list}
        items={all}
        loading="Fetching and opening your memories"
        empty={
          <EmptyState
            sigil="memory"
            title="Nothing is kept here yet"
            action={
              <ButtonLink to="/imports" tone="caps">
                Bring in what you wrote elsewhere
              </ButtonLink>
            }
          >
            What you write is sealed in this browser before it leaves. You may lock it until a day of your
            choosing.
          </EmptyState>
        }
      >
        {() => (
          <>
            <SearchField
              label="Search your memories"
              placeholder={
                memories.list.isFetching ? `Opening, ${kept} so far` : `Search ${kept}, in this browser only`
              }
              value={query}
              onChange={setQuery}
              found={wanted.trim() === '' ? null : found.length}
            />
            <MemoryRows
              memories={found}
              now={now}
              onOpen={(memory) => void read(memory)}
              onDelete={(memory) => setOpen({ view: 'delete', memory })}
            />
          </>
        )}
      </Listed>
      <RecentlyDeletedLink />
    </Chamber>
  );
}
