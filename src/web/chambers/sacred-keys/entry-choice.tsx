// Which entry a key leads to. What cannot be shared (locked, or unreadable with this key) is counted, not offered.

import { useMemo, useState } from 'react';
import { lockState } from '../../../shared/nouns/memory.ts';
import type { ShareEntryType } from '../../../shared/nouns/sacred-key.ts';
import { sentenceOf } from '../../../vault/api/api-error.ts';
import { search } from '../../../vault/entries/search.ts';
import { type EntryKind, type EntryType, sharedEntry } from '../../../vault/kinds/entry-kind.ts';
import { entryKinds, everyEntryKind } from '../../../vault/kinds/entry-kinds.ts';
import type { LinkRequest } from '../../../vault/outbox/link-writer.ts';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/choice-fields.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { TextField } from '../../ui/text-fields.tsx';
import { NothingHere } from '../../vault/book/vault-list.tsx';
import { useCollection } from '../../vault/entries/collection.ts';
import { formatEntryDay } from '../../vault/entries/happened.ts';
import { countFiles } from '../../vault/files/files-mark.tsx';

/** A chosen entry, how to get its words as they are now, and how many files it has. */
export interface Chosen extends Pick<LinkRequest, 'entryId' | 'words'> {
  fileCount: number;
}

interface ChoiceProps {
  chosen: Chosen | null;
  onChoose: (chosen: Chosen) => void;
}

/** What the kinds are called where links are made and listed. */
export const entryTypeLabels = Object.fromEntries(
  everyEntryKind.map(({ noun, words }) => [noun, words.linked.title]),
) as Record<ShareEntryType, string>;

/** @param type the same for as long as it is shown */
export function EntryChoice({ type, ...props }: ChoiceProps & { type: ShareEntryType }) {
  return <Choice {...props} kind={entryKinds[type] as unknown as EntryKind<EntryType>} />;
}

/** From how many on a list wants a search, and how many a native list shows at once. */
const MANY = 12;
const SHOWN = 200;

function Choice<N extends EntryType>({ kind, chosen, onChoose }: ChoiceProps & { kind: EntryKind<N> }) {
  const collection = useCollection(kind);
  const noun = kind.words.linked;
  const { data: all, isError, error, isFetching, refetch } = collection.list;
  const [query, setQuery] = useState('');
  const { offered, locked, unreadable } = useMemo(() => {
    const entries: readonly N['entry'][] = all ?? [];
    const open = entries.filter((entry) => {
      const until = kind.lockedUntil(entry);
      return lockState(until === null ? null : Date.parse(until), Date.now()) !== 'locked';
    });
    const readable = open.filter(
      (entry) => entry.name !== null && (entry.content !== null || entry.withheld),
    );
    return {
      offered: readable,
      locked: entries.length - open.length,
      unreadable: open.length - readable.length,
    };
  }, [all, kind]);
  if (!all) {
    if (!isError) return <Spinner label={`Opening your ${noun.many}`} />;
    return (
      <div className="grid justify-items-start gap-3">
        <Problem>{sentenceOf(error)}</Problem>
        <Button size="small" onClick={() => void refetch()} busy={isFetching} busyLabel="Trying">
          Try again
        </Button>
      </div>
    );
  }
  const left = leftOut(locked, unreadable);
  if (offered.length === 0) {
    return (
      <NothingHere>
        <p role="status" className="text-dust">
          There is no {noun.one} that could be shared yet. {left}
        </p>
      </NothingHere>
    );
  }

  const found = search(offered, query);
  // What was chosen stays in the list, whatever is searched for next.
  const shown = found.slice(0, SHOWN);
  const kept = offered.find(({ id }) => id === chosen?.entryId);
  if (kept && !shown.includes(kept)) shown.unshift(kept);
  const cut = found.length > SHOWN ? `The newest ${SHOWN} of ${found.length} are listed. ` : '';
  return (
    <>
      {offered.length > MANY && (
        <TextField
          label="Search"
          type="search"
          hint={query.trim() === '' ? undefined : `${found.length.toLocaleString('en-GB')} found.`}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          autoComplete="off"
          spellCheck={false}
        />
      )}
      <SelectField
        label="Specific entry"
        placeholder={`Choose a ${noun.one}`}
        choices={shown.map((entry) => ({ value: String(entry.id), label: labelOf(kind, entry) }))}
        value={chosen ? String(chosen.entryId) : ''}
        hint={`${cut}${left}` || undefined}
        onChange={(event) => {
          const id = Number(event.target.value);
          const words = async () => sharedEntry(kind, await collection.refetch(id));
          const entry = offered.find((one) => one.id === id);
          onChoose({ entryId: id, words, fileCount: entry ? countFiles(entry) : 0 });
        }}
      />
    </>
  );
}

const labelOf = <N extends EntryType>(kind: EntryKind<N>, entry: N['entry']): string =>
  [entry.name, kind.note(entry), formatEntryDay(entry)].filter((part) => part !== null).join(' · ');

function leftOut(locked: number, unreadable: number): string {
  const parts = [
    locked > 0 && `${locked} ${locked === 1 ? 'is' : 'are'} time-locked`,
    unreadable > 0 && `${unreadable} cannot be read with this key`,
  ].filter(Boolean);
  return parts.length === 0 ? '' : `Not offered: ${parts.join(', ')}.`;
}
