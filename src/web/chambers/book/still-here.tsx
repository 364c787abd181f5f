// Entries that stand open in this page and that the server does not have any more: they can be written again.

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { counted } from '../../../shared/counted.ts';
import { sentenceOf } from '../../../vault/api/api-error.ts';
import type { BookState } from '../../../vault/book/book-state.ts';
import { deletedListOf, listOf } from '../../../vault/book/shown-lists.ts';
import {
  chosenOf,
  type EntryDraft,
  type EntryKind,
  type EntryType,
  isWhole,
} from '../../../vault/kinds/entry-kind.ts';
import { everyEntryKind } from '../../../vault/kinds/entry-kinds.ts';
import { writeAgain } from '../../../vault/outbox/brought-rows.ts';
import { entryListOf } from '../../../vault/replica/entry-list.ts';
import { Button } from '../../ui/button.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Section } from '../../ui/section.tsx';
import { bookKey } from '../../vault/session/book-key.ts';
import { type OpenVault, useVault } from '../../vault/session/vault-context.ts';

interface Kept {
  sealId: string;
  name: string;
  write(): Promise<void>;
}

/** How many are named. */
const NAMED = 20;

/** The entries of a noun that are whole in this page and in no list of the server. @throws ApiError, TypeError */
async function keptOf<N extends EntryType>(kind: EntryKind<N>, vault: OpenVault): Promise<Kept[]> {
  const opened = vault.lists.rows(entryListOf(kind)) ?? [];
  if (opened.length === 0) return [];
  const { noun } = kind;
  const shown = await Promise.all(
    [listOf(noun, vault.api), deletedListOf(noun, vault.api)].map((list) => list?.fetch() ?? []),
  );
  const known = new Set(shown.flat().map(({ sealId }) => sealId));
  return opened.flatMap((entry) => {
    const { sealId, name } = entry;
    if (sealId === null || name === null || !isWhole(entry) || known.has(sealId)) return [];
    return [{ sealId, name, write: () => writeAgain(kind, vault, draftOfEntry(kind, entry), sealId) }];
  });
}

/** What an entry was written with. */
function draftOfEntry<N extends EntryType>(
  kind: EntryKind<N>,
  entry: N['entry'],
): Omit<EntryDraft<N>, 'choice'> {
  const [name, content] = kind.fields;
  return {
    texts: {
      [name]: entry.name,
      [content]: entry.content,
      details: entry.detailsText,
    } as EntryDraft<N>['texts'],
    clear: { ...chosenOf(kind, entry), createdAt: entry.createdAt },
  };
}

export function StillHere({ state }: { state: BookState }) {
  const vault = useVault();
  const isMissing = state.chain !== null || state.rows.some(({ what }) => what === 'missing');
  const kept = useQuery({
    queryKey: [...bookKey(vault), 'kept', state.chain?.kind, state.rows.length],
    queryFn: async () => (await Promise.all(everyEntryKind.map((kind) => keptOf(kind, vault)))).flat(),
    enabled: isMissing,
    structuralSharing: false,
    gcTime: 0,
    staleTime: 0,
  });
  const [done, setDone] = useState<number | null>(null);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  async function writeAll(all: readonly Kept[]) {
    setBusy(true);
    setProblem(null);
    let written = 0;
    try {
      for (const one of all) {
        await one.write();
        written += 1;
      }
    } catch (error) {
      setProblem(sentenceOf(error));
    } finally {
      setDone(written);
      // What could not be written stands in these lists alone: they are fetched anew once nothing is left.
      if (written === all.length) await Promise.all(everyEntryKind.map((kind) => vault.lists.refresh(kind)));
      await kept.refetch();
      setBusy(false);
    }
  }

  const all = (isMissing && kept.data) || [];
  if (all.length === 0 && done === null && problem === null) return null;
  return (
    <Section
      title="What this page still has"
      says="Entries that you opened before, and that the server does not have any more. They are lost when this page is closed or the vault is locked."
    >
      <Problem>{problem}</Problem>
      {done !== null && <p role="status">{counted(done, 'entry was', 'entries were')} written again.</p>}
      {all.length > 0 && (
        <>
          <p>{counted(all.length, 'entry stands', 'entries stand')} open here:</p>
          <ul className="grid gap-1 border-l border-ember/55 pl-5" aria-label="What this page still has">
            {all.slice(0, NAMED).map(({ sealId, name }) => (
              <li key={sealId} className="wrap-anywhere">
                {name}
              </li>
            ))}
            {all.length > NAMED && (
              <li className="text-dust">{counted(all.length - NAMED, 'other', 'others')}</li>
            )}
          </ul>
          <div>
            <Button tone="primary" busy={busy} busyLabel="Writing" onClick={() => void writeAll(all)}>
              {all.length === 1 ? 'Write it again' : 'Write them again'}
            </Button>
          </div>
        </>
      )}
    </Section>
  );
}
