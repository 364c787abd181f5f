// The Memory Vault: the list, the search, and which of its dialogs stands open.
import { useDeferredValue, useMemo, useState } from 'react';
import { Listed } from '../../api/listed.tsx';
import { useNow } from '../../hooks/use-now.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { useLetterHint } from '../../ui/letter-keys.ts';
import { SearchField } from '../../ui/search-field.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { deletionOf, EntryLayersShown, Hindrance } from '../../vault/entries/entry-layers.tsx';
import { useMemories } from '../../vault/entries/memories.ts';
import { search } from '../../vault/entries/search.ts';
import { type EntryNames, useEntryLayers } from '../../vault/entries/use-entry-layers.ts';
import { Chamber } from '../../vault/session/chamber.tsx';
import { MemoryDialog } from './memory-dialog.tsx';
import { MemoryReader } from './memory-reader.tsx';
import { MemoryRows } from './memory-rows.tsx';

const names: EntryNames = { noun: 'memory', Noun: 'Memory', words: 'memory' };

export default function MemoryVaultPage() {
  const memories = useMemories();
  const now = useNow();
  const hint = useLetterHint('n');
  const layers = useEntryLayers(memories, names);
  const [query, setQuery] = useState('');
  const wanted = useDeferredValue(query);
  const all = memories.list.data;
  const found = useMemo(() => search(all ?? [], wanted), [all, wanted]);
  const kept = `${(all?.length ?? 0).toLocaleString('en-GB')} ${all?.length === 1 ? 'memory' : 'memories'}`;

  return (
    <Chamber
      eyebrow="Chamber one"
      title="Memory Vault"
      action={
        <Button tone="primary" onClick={layers.showNew} {...hint}>
          New Memory
        </Button>
      }
      dialogs={
        <EntryLayersShown
          layers={layers}
          names={names}
          collection={memories}
          create={() => <MemoryDialog memories={memories} onClose={layers.close} />}
          edit={(memory) => <MemoryDialog memories={memories} memory={memory} onClose={layers.close} />}
          read={(memory, actions) => <MemoryReader memory={memory} {...actions} />}
          question={(memory) => deletionOf(names, memory.name)}
        />
      }
    >
      <Hindrance says={layers.hindrance} onClose={layers.close} />
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
              onOpen={(memory) => void layers.read(memory)}
              onDelete={layers.remove}
            />
          </>
        )}
      </Listed>
    </Chamber>
  );
}
