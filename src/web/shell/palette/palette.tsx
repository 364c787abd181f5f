// The palette: one field from which every screen, every new entry and every opened text is reached. A combobox with its
// listbox, by the pattern of the ARIA authoring guide: the focus stays in the field, the arrows move through the list.
import * as Radix from '@radix-ui/react-dialog';
import { type KeyboardEvent, useContext, useDeferredValue, useEffect, useId, useMemo, useState } from 'react';
import { wordsOf } from '../../../vault/entries/search.ts';
import { everyEntryKind } from '../../../vault/kinds/entry-kinds.ts';
import { Button } from '../../ui/button.tsx';
import { useStep } from '../../ui/came-from.ts';
import { classes } from '../../ui/classes.ts';
import { Sigil } from '../../ui/sigil.tsx';
import { Veil } from '../../ui/veil.tsx';
import { useEveryList } from '../../vault/entries/collection.ts';
import { VaultContext } from '../../vault/session/vault-context.ts';
import { useCommands } from '../commands.ts';
import { findEntries } from './find-entries.ts';
import { optionId, Results } from './results.tsx';
import { type Entries, type Line, NOTHING, useLines } from './use-lines.ts';

export default function Palette({ onClose }: { onClose: () => void }) {
  const inVault = useContext(VaultContext) !== null;
  const [query, setQuery] = useState('');
  const field = { query, setQuery, onClose };
  return inVault ? <WithEntries {...field} /> : <View {...field} entries={NOTHING} />;
}

interface FieldProps {
  query: string;
  setQuery: (query: string) => void;
  onClose: () => void;
}

/** Fetches and opens what has not been, once something is searched for. */
function WithEntries(props: FieldProps) {
  const wanted = useDeferredValue(props.query);
  const asked = wanted.trim() !== '';
  const lists = useEveryList(asked);
  const opened = lists.map(({ data }) => data);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the lists are another array each time, of the same entries
  const groups = useMemo(() => {
    const byKind = Object.fromEntries(everyEntryKind.map(({ noun }, at) => [noun, opened[at]]));
    return findEntries(wanted, byKind, Date.now());
  }, [wanted, ...opened]);
  const failed = asked ? lists.filter(({ isError, isFetching }) => isError && !isFetching) : [];
  const entries: Entries = {
    groups,
    underway: asked && lists.some(({ isFetching }) => isFetching),
    failed: failed.map((list) => everyEntryKind[lists.indexOf(list)]?.words.found.toLowerCase() ?? ''),
    retry: () => {
      for (const list of failed) void list.refetch();
    },
  };
  return <View {...props} entries={entries} />;
}

/** Which line is chosen: the field keeps the focus, and the arrows move through the list. */
function useChoice(lines: readonly Line[], listId: string, onClose: () => void) {
  const commands = useCommands();
  const step = useStep();
  const [chosen, setChosen] = useState<string | null>(null);
  const active = lines.find(({ id }) => id === chosen) ?? lines[0];
  const activeId = active && optionId(listId, active.id);

  useEffect(() => {
    if (activeId) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' });
  }, [activeId]);

  function run({ action }: Line) {
    onClose();
    if (action === 'lock') void commands?.lock();
    else if ('show' in action) commands?.show(action.show);
    // Beside the app: leaving it would lock a vault whose key is in memory alone.
    else if ('document' in action) window.open(action.document, '_blank', 'noopener');
    else step(action.to);
  }

  function move(by: number) {
    if (lines.length === 0) return;
    const at = active ? lines.indexOf(active) : 0;
    setChosen(lines[(at + by + lines.length) % lines.length]?.id ?? null);
  }

  function hearKey(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'ArrowDown') move(1);
    else if (event.key === 'ArrowUp') move(-1);
    else if (event.key === 'Enter') {
      if (active) run(active);
    } else return;
    event.preventDefault();
  }

  return { active, setChosen, run, hearKey };
}

function statusOf(query: string, lines: readonly Line[], { underway }: Entries): string {
  if (underway) return 'Fetching and opening your entries';
  if (query.trim() === '') return '';
  if (lines.length === 1) return 'One result';
  return lines.length === 0 ? 'No results' : `${lines.length} results`;
}

function View({ query, setQuery, onClose, entries }: FieldProps & { entries: Entries }) {
  const groups = useLines(query, entries);
  const words = useMemo(() => wordsOf(query), [query]);
  const lines = groups.flatMap(({ lines }) => lines);
  const listId = useId();
  const { active, setChosen, run, hearKey } = useChoice(lines, listId, onClose);

  const status = statusOf(query, lines, entries);

  return (
    <Veil
      open
      onClose={onClose}
      veilClassName="grid grid-cols-1 items-start bg-ink-0/85 sm:px-8 sm:py-[12vh]"
      className="relative mx-auto flex h-dvh w-full min-w-0 flex-col border-line bg-ink-1 sm:h-auto sm:max-h-[76vh] sm:max-w-form sm:animate-appear sm:border"
    >
      <Radix.Title className="sr-only">Search or go to</Radix.Title>
      <div className="flex shrink-0 items-center gap-4 border-b border-line px-5 focus-within:border-ember sm:px-6">
        <Sigil name="search" className="size-5 shrink-0 text-dust" />
        <input
          type="text"
          role="combobox"
          aria-label="Search or go to"
          aria-expanded={lines.length > 0}
          aria-controls={listId}
          aria-activedescendant={active && optionId(listId, active.id)}
          aria-autocomplete="list"
          placeholder={entries === NOTHING ? 'Go to a screen' : 'Search your entries, or go to a screen'}
          className="min-w-0 flex-1 bg-transparent py-5 text-lead text-bone focus-visible:shadow-none focus-visible:outline-hidden"
          value={query}
          onChange={(event) => {
            setQuery(event.target.value);
            setChosen(null);
          }}
          onKeyDown={hearKey}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          enterKeyHint="go"
        />
        <button
          type="button"
          aria-label="Close"
          className="-mr-3 grid size-11 shrink-0 cursor-pointer place-items-center text-dust hover:text-bone"
          onClick={onClose}
        >
          <Sigil name="close" className="size-6" />
        </button>
      </div>
      <Results id={listId} groups={groups} words={words} active={active} onPoint={setChosen} onRun={run} />
      {lines.length === 0 && !entries.underway && (
        <p className="flex-1 px-5 py-10 text-center text-dust sm:px-6">
          Nothing here has these words. Locked and burned texts are not searched.
        </p>
      )}
      {entries.failed.length > 0 && (
        <p
          role="alert"
          className="flex shrink-0 flex-wrap items-baseline gap-x-6 px-5 py-2 text-note text-blood sm:px-6"
        >
          Your {entries.failed.join(' and ')} could not be fetched.
          <Button tone="caps" onClick={entries.retry}>
            Retry
          </Button>
        </p>
      )}
      <p
        role="status"
        className={classes(
          'mt-auto shrink-0 border-t border-line px-5 py-3 text-small text-shade sm:px-6',
          !status && 'sr-only',
        )}
      >
        {status}
      </p>
    </Veil>
  );
}
