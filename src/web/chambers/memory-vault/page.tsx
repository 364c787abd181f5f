// The Memory Vault: the list, the search, and which of its dialogs stands open.

import { useMemo } from 'react';
import { counted } from '../../../shared/counted.ts';
import { useNow } from '../../hooks/use-now.ts';
import { Chamber } from '../../shell/chamber.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { useLetterHint } from '../../ui/letter-keys.ts';
import { EmptyState } from '../../ui/states.tsx';
import { VaultList } from '../../vault/book/vault-list.tsx';
import { deletionOf, EntryDialogsShown, Hindrance } from '../../vault/entries/entry-dialogs.tsx';
import type { EntryNames } from '../../vault/entries/entry-hindrance.ts';
import { EntryFinder, EntryRows } from '../../vault/entries/entry-rows.tsx';
import { useMemories } from '../../vault/entries/memories.ts';
import { RecentlyDeletedLink } from '../../vault/entries/recently-deleted-link.tsx';
import { SeveralDrafts } from '../../vault/entries/several-drafts.tsx';
import { useEntryDialogs } from '../../vault/entries/use-entry-dialogs.ts';
import { useFinding } from '../../vault/entries/use-finding.ts';
import { MemoryDialog } from './memory-dialog.tsx';
import { MemoryReader } from './memory-reader.tsx';
import { MemoryRow } from './memory-row.tsx';

const names: EntryNames = { noun: 'memory', Noun: 'Memory', words: 'memory' };

export default function MemoryVaultPage() {
  const memories = useMemories();
  const now = useNow();
  const hint = useLetterHint('n');
  const dialogs = useEntryDialogs(memories, names);
  const all = memories.list.data;
  const finding = useFinding(all);

  const hasLocks = useMemo(() => all?.some(({ timeLockUntil }) => timeLockUntil !== null) ?? false, [all]);
  const looking = { words: finding.words, onTag: finding.setTag };

  return (
    <Chamber
      eyebrow="Chamber one"
      title="Memory Vault"
      action={
        <Button tone="primary" onClick={dialogs.showNew} {...hint}>
          New Memory
        </Button>
      }
      dialogs={
        <EntryDialogsShown
          dialogs={dialogs}
          names={names}
          collection={memories}
          create={() => (
            <MemoryDialog memories={memories} onSealed={dialogs.showSealed} onClose={dialogs.close} />
          )}
          edit={(memory) => (
            <MemoryDialog
              memories={memories}
              memory={memory}
              onSealed={dialogs.showSealed}
              onClose={dialogs.close}
            />
          )}
          read={(memory, actions) => <MemoryReader memory={memory} looking={looking} {...actions} />}
          question={(memory) => deletionOf(names, memory.name)}
        />
      }
    >
      <Hindrance says={dialogs.hindrance} onClose={dialogs.showList} />
      <SeveralDrafts list="/memory-vault" />
      <VaultList
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
        {(all) => (
          <>
            <EntryFinder
              collection={memories}
              finding={finding}
              title="Memory Vault"
              label="Search your memories"
              kept={counted(all.length, 'memory', 'memories')}
            />
            <EntryRows
              entries={finding.found}
              arrangement={finding.arrangement}
              none="No memory holds these words."
              row={(memory, year) => (
                <MemoryRow
                  memory={memory}
                  hasLocks={hasLocks}
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
