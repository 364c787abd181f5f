// Which entry a key leads to. What cannot be shared (locked, or unreadable with this key) is counted, not offered.
import { type ReactNode, useMemo, useState } from 'react';
import { lockState } from '../../../shared/nouns/memory.ts';
import { storyLabel } from '../../../shared/nouns/myth.ts';
import type { ShareEntryType } from '../../../shared/nouns/sacred-key.ts';
import { sentenceOf } from '../../api/api-error.ts';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/choice-fields.tsx';
import { formatDay } from '../../ui/moments.ts';
import { Problem } from '../../ui/problem.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { TextField } from '../../ui/text-fields.tsx';
import type { Collection } from '../../vault/entries/collection.ts';
import { type EntryType, sharedEntry } from '../../vault/entries/entry-codec.ts';
import { type OpenedMemory, useMemories } from '../../vault/entries/memories.ts';
import { type OpenedMyth, useMyths } from '../../vault/entries/myths.ts';
import { type OpenedRelationship, useRelationships } from '../../vault/entries/relationships.ts';
import { kindOf } from '../../vault/entries/sealed-moment.ts';
import { search } from '../../vault/entries/search.ts';
import type { LinkRequest } from '../../vault/sharing/make-link.ts';

/** A chosen entry, and how to get its words as they are now. */
export type Chosen = Pick<LinkRequest, 'entryId' | 'words'>;

interface ChoiceProps {
  chosen: Chosen | null;
  onChoose: (chosen: Chosen) => void;
}

export function EntryChoice({ type, ...props }: ChoiceProps & { type: ShareEntryType }) {
  const ChoiceOf = choices[type];
  return <ChoiceOf {...props} />;
}

const isLocked = ({ timeLockUntil }: OpenedMemory) =>
  timeLockUntil !== null && lockState(Date.parse(timeLockUntil), Date.now()) === 'locked';
const never = () => false;

function MemoryChoice(props: ChoiceProps) {
  return (
    <Choice
      {...props}
      collection={useMemories()}
      noun={['memory', 'memories']}
      isLocked={isLocked}
      labelOf={({ name, at }) => `${name} · ${formatDay(at)}`}
    />
  );
}

function RelationshipChoice(props: ChoiceProps) {
  return (
    <Choice
      {...props}
      collection={useRelationships()}
      noun={['recorded moment', 'recorded moments']}
      isLocked={never}
      labelOf={(moment: OpenedRelationship) =>
        [moment.name, kindOf(moment) ?? 'A moment', formatDay(moment.at)].join(' · ')
      }
    />
  );
}

function MythChoice(props: ChoiceProps) {
  return (
    <Choice
      {...props}
      collection={useMyths()}
      noun={['myth', 'myths']}
      isLocked={never}
      labelOf={({ name, storyType, at }: OpenedMyth) =>
        `${name} · ${storyLabel(storyType)} · ${formatDay(at)}`
      }
    />
  );
}

/** What the kinds are called where links are made and listed. */
export const entryTypeLabels: Record<ShareEntryType, string> = {
  memory: 'Memory',
  relationship: 'Relationship',
  myth: 'Myth',
};

const choices: Record<ShareEntryType, (props: ChoiceProps) => ReactNode> = {
  memory: MemoryChoice,
  relationship: RelationshipChoice,
  myth: MythChoice,
};

/** From how many on a list wants a search, and how many a native list shows at once. */
const MANY = 12;
const SHOWN = 200;

interface GenericProps<N extends EntryType> extends ChoiceProps {
  collection: Collection<N>;
  noun: [one: string, many: string];
  isLocked: (entry: N['entry']) => boolean;
  labelOf: (entry: N['entry']) => string;
}

function Choice<N extends EntryType>(props: GenericProps<N>) {
  const { collection, noun, isLocked, labelOf, chosen, onChoose } = props;
  const { data: all, isError, error, isFetching, refetch } = collection.list;
  const [query, setQuery] = useState('');
  const { offered, locked, unreadable } = useMemo(() => {
    const entries: N['entry'][] = all ?? [];
    const open = entries.filter((entry) => !isLocked(entry));
    const readable = open.filter(
      (entry) => entry.name !== null && (entry.content !== null || entry.withheld),
    );
    return {
      offered: readable,
      locked: entries.length - open.length,
      unreadable: open.length - readable.length,
    };
  }, [all, isLocked]);
  if (!all) {
    if (!isError) return <Spinner label={`Opening your ${noun[1]}`} />;
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
      <p role="status" className="text-dust">
        There is no {noun[0]} that could be shared yet. {left}
      </p>
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
        placeholder={`Choose a ${noun[0]}`}
        choices={shown.map((entry) => ({ value: String(entry.id), label: labelOf(entry) }))}
        value={chosen ? String(chosen.entryId) : ''}
        hint={`${cut}${left}` || undefined}
        onChange={(event) => {
          const id = Number(event.target.value);
          const words = async () => sharedEntry(collection.kind, await collection.refetch(id));
          onChoose({ entryId: id, words });
        }}
      />
    </>
  );
}

function leftOut(locked: number, unreadable: number): string {
  const parts = [
    locked > 0 && `${locked} ${locked === 1 ? 'is' : 'are'} time-locked`,
    unreadable > 0 && `${unreadable} cannot be read with this key`,
  ].filter(Boolean);
  return parts.length === 0 ? '' : `Not offered: ${parts.join(', ')}.`;
}
