// The Memory Vault: the list, the search, and which of its dialogs stands open.
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { lockState } from '../../../shared/entry.ts';
import { ApiError, sentenceOf } from '../../api/client.ts';
import { useNow } from '../../hooks/use-now.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { formatUntil } from '../../ui/moments.ts';
import { Page, Shell } from '../../ui/page.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../../ui/states.tsx';
import { toast } from '../../ui/toaster.tsx';
import { HouseNav } from '../../vault/house-nav.tsx';
import { MemoryDialog } from './memory-dialog.tsx';
import { MemoryReader } from './memory-reader.tsx';
import { MemoryRows } from './memory-rows.tsx';
import { search } from './search.ts';
import { type OpenedMemory, useMemories } from './use-memories.ts';

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
      // This device's clock is ahead of the house's, and the house's counts.
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
    <Shell nav={<HouseNav />}>
      <title>Memory Vault · Latebra</title>
      <Page
        eyebrow="Chamber one"
        title="Memory Vault"
        action={
          <Button tone="primary" onClick={() => setOpen({ view: 'new' })}>
            New Memory
          </Button>
        }
      >
        {memories.list.isPending && <LoadingRows label="Fetching and opening your memories" />}
        {memories.list.isError && !all && (
          <ErrorState onRetry={() => void memories.list.refetch()} retrying={memories.list.isFetching}>
            {sentenceOf(memories.list.error)}
          </ErrorState>
        )}
        {all?.length === 0 && (
          <EmptyState sigil="memory" title="Nothing is kept here yet">
            What you write is sealed in this browser before it leaves. You may lock it until a day of your
            choosing.
          </EmptyState>
        )}
        {all && all.length > 0 && (
          <>
            <SearchField
              value={query}
              onChange={setQuery}
              total={all.length}
              found={wanted.trim() === '' ? null : found.length}
              loading={memories.list.isFetching}
            />
            <MemoryRows
              memories={found}
              now={now}
              onOpen={(memory) => void read(memory)}
              onDelete={(memory) => setOpen({ view: 'delete', memory })}
            />
          </>
        )}
      </Page>
      {open?.view === 'new' && <MemoryDialog memories={memories} onClose={close} />}
      {open?.view === 'edit' && <MemoryDialog memories={memories} memory={open.memory} onClose={close} />}
      {open?.view === 'read' && (
        <MemoryReader
          memory={open.memory}
          onClose={close}
          onEdit={() => setOpen({ view: 'edit', memory: open.memory })}
          onDelete={() => setOpen({ view: 'delete', memory: open.memory })}
        />
      )}
      {open?.view === 'delete' && (
        <DeleteMemory {...open} remove={memories.remove} onClose={close} onGone={gone} />
      )}
    </Shell>
  );
}

interface SearchProps {
  value: string;
  onChange: (value: string) => void;
  total: number;
  /** How many were found, or null while nothing is searched for. */
  found: number | null;
  loading: boolean;
}

function SearchField({ value, onChange, total, found, loading }: SearchProps) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      const writing = target.closest('input, textarea, select, [role="dialog"], [role="alertdialog"]');
      if (event.key !== '/' || writing || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      field.current?.focus();
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
  const kept = `${total.toLocaleString('en-GB')} ${total === 1 ? 'memory' : 'memories'}`;
  return (
    <search className="flex items-center gap-4 border-y border-line focus-within:border-ember">
      <input
        ref={field}
        type="search"
        aria-label="Search your memories"
        aria-keyshortcuts="/"
        placeholder={loading ? `Opening, ${kept} so far` : `Search ${kept}, in this browser only`}
        className="min-w-0 flex-1 appearance-none bg-transparent py-4 text-bone focus-visible:shadow-none focus-visible:outline-hidden placeholder:text-shade placeholder:opacity-100 [&::-webkit-search-cancel-button]:hidden"
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onChange('');
        }}
        autoComplete="off"
        spellCheck={false}
      />
      <span role="status" className="caps shrink-0 text-dust">
        {found === null ? '' : `${found.toLocaleString('en-GB')} found`}
      </span>
      {found === null && (
        <span aria-hidden="true" className="caps shrink-0 text-dust max-sm:hidden">
          /
        </span>
      )}
    </search>
  );
}

interface DeleteProps {
  memory: OpenedMemory;
  remove: (id: number) => Promise<void>;
  onClose: () => void;
  onGone: (memory: OpenedMemory) => void;
}

function DeleteMemory({ memory, remove, onClose, onGone }: DeleteProps) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  async function confirm() {
    setBusy(true);
    setProblem(null);
    try {
      await remove(memory.id);
      toast({ title: 'Memory Deleted' });
      onClose();
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) {
        onGone(memory);
        onClose();
      } else setProblem(sentenceOf(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <ConfirmDialog
      open
      onClose={onClose}
      onConfirm={() => void confirm()}
      title={`Delete ${memory.title ? `“${memory.title}”` : 'this memory'}?`}
      description="It is erased from this server and cannot be brought back. Copies in the keeper’s backups are out of its reach."
      confirmLabel="Delete it"
      busy={busy}
      busyLabel="Deleting"
      error={problem}
    />
  );
}
