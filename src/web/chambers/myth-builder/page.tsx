// The Myth Builder: the list, the search, and which of its dialogs stands open.
import { useDeferredValue, useMemo, useState } from 'react';
import { Listed } from '../../api/listed.tsx';
import { useNow } from '../../hooks/use-now.ts';
import { Button } from '../../ui/button.tsx';
import { useLetterHint } from '../../ui/letter-keys.ts';
import { SearchField } from '../../ui/search-field.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { deletionOf, EntryLayersShown, Hindrance } from '../../vault/entries/entry-layers.tsx';
import { useMyths } from '../../vault/entries/myths.ts';
import { search } from '../../vault/entries/search.ts';
import { type EntryNames, useEntryLayers } from '../../vault/entries/use-entry-layers.ts';
import { Chamber } from '../../vault/session/chamber.tsx';
import { CreateDialog } from './create-dialog.tsx';
import { EditDialog } from './edit-dialog.tsx';
import { MythReader } from './myth-reader.tsx';
import { MythRows } from './myth-rows.tsx';

const names: EntryNames = { noun: 'myth', Noun: 'Myth', words: 'story' };

export default function MythBuilderPage() {
  const myths = useMyths();
  const now = useNow();
  const hint = useLetterHint('n');
  const layers = useEntryLayers(myths, names);
  const [query, setQuery] = useState('');
  const wanted = useDeferredValue(query);
  const all = myths.list.data;
  const found = useMemo(() => search(all ?? [], wanted), [all, wanted]);
  const kept = `${(all?.length ?? 0).toLocaleString('en-GB')} ${all?.length === 1 ? 'myth' : 'myths'}`;

  return (
    <Chamber
      eyebrow="Chamber four"
      title="Myth Builder"
      action={
        <Button tone="primary" onClick={layers.showNew} {...hint}>
          Create Sacred Myth
        </Button>
      }
      dialogs={
        <EntryLayersShown
          layers={layers}
          names={names}
          collection={myths}
          create={() => <CreateDialog myths={myths} onCreated={layers.show} onClose={layers.close} />}
          edit={(myth) => <EditDialog myths={myths} myth={myth} onClose={layers.close} />}
          read={(myth, actions) => <MythReader myth={myth} {...actions} />}
          question={(myth) => deletionOf(names, myth.name)}
        />
      }
    >
      <Hindrance says={layers.hindrance} onClose={layers.close} />
      <Listed
        query={myths.list}
        items={all}
        loading="Fetching and opening your myths"
        empty={
          <EmptyState sigil="myth" title="No myth has been made yet">
            A story of your own words: a life, a love, an ending, a farewell. The Loom weaves it in this
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
              onOpen={(myth) => void layers.read(myth)}
              onDelete={layers.remove}
            />
          </>
        )}
      </Listed>
    </Chamber>
  );
}
