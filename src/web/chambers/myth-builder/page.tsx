// The Myth Builder: the list, the search, and which of its dialogs stands open.

import { counted } from '../../../shared/counted.ts';
import { useNow } from '../../hooks/use-now.ts';
import { Chamber } from '../../shell/chamber.tsx';
import { Button } from '../../ui/button.tsx';
import { useLetterHint } from '../../ui/letter-keys.ts';
import { EmptyState } from '../../ui/states.tsx';
import { VaultList } from '../../vault/book/vault-list.tsx';
import { deletionOf, EntryDialogsShown, Hindrance } from '../../vault/entries/entry-dialogs.tsx';
import type { EntryNames } from '../../vault/entries/entry-hindrance.ts';
import { EntryFinder, EntryRows } from '../../vault/entries/entry-rows.tsx';
import { useMyths } from '../../vault/entries/myths.ts';
import { RecentlyDeletedLink } from '../../vault/entries/recently-deleted-link.tsx';
import { SeveralDrafts } from '../../vault/entries/several-drafts.tsx';
import { useEntryDialogs } from '../../vault/entries/use-entry-dialogs.ts';
import { useFinding } from '../../vault/entries/use-finding.ts';
import { CreateDialog } from './create-dialog.tsx';
import { EditDialog } from './edit-dialog.tsx';
import { MythReader } from './myth-reader.tsx';
import { MythRow } from './myth-row.tsx';

const names: EntryNames = { noun: 'myth', Noun: 'Myth', words: 'story' };

export default function MythBuilderPage() {
  const myths = useMyths();
  const now = useNow();
  const hint = useLetterHint('n');
  const dialogs = useEntryDialogs(myths, names);
  const all = myths.list.data;
  const finding = useFinding(all);

  const looking = { words: finding.words, onTag: finding.setTag };

  return (
    <Chamber
      eyebrow="Chamber four"
      title="Myth Builder"
      action={
        <Button tone="primary" onClick={dialogs.showNew} {...hint}>
          Create Sacred Myth
        </Button>
      }
      dialogs={
        <EntryDialogsShown
          dialogs={dialogs}
          names={names}
          collection={myths}
          create={() => (
            <CreateDialog
              myths={myths}
              onCreated={(myth, link) =>
                link === undefined ? dialogs.show(myth) : dialogs.showSealed(myth, link)
              }
              onClose={dialogs.close}
            />
          )}
          edit={(myth) => <EditDialog myths={myths} myth={myth} onClose={dialogs.close} />}
          read={(myth, actions) => <MythReader myth={myth} looking={looking} {...actions} />}
          question={(myth) => deletionOf(names, myth.name)}
        />
      }
    >
      <Hindrance says={dialogs.hindrance} onClose={dialogs.showList} />
      <SeveralDrafts list="/myth-builder" />
      <VaultList
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
        {(all) => (
          <>
            <EntryFinder
              collection={myths}
              finding={finding}
              title="Myths"
              label="Search your myths"
              kept={counted(all.length, 'myth', 'myths')}
            />
            <EntryRows
              entries={finding.found}
              arrangement={finding.arrangement}
              none="No myth holds these words."
              row={(myth, year) => (
                <MythRow
                  myth={myth}
                  now={now}
                  year={year}
                  looking={looking}
                  onOpen={dialogs.read}
                  onDelete={dialogs.remove}
                />
              )}
            />
          </>
        )}
      </VaultList>
      <RecentlyDeletedLink />
    </Chamber>
  );
}
