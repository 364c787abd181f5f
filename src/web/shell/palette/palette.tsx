// The palette: one field from which every screen, every new entry and every opened text is reached. A combobox with its
// listbox, by the pattern of the ARIA authoring guide: the focus stays in the field, the arrows move through the list.
import * as Radix from '@radix-ui/react-dialog';
import { type KeyboardEvent, useContext, useDeferredValue, useEffect, useId, useMemo, useState } from 'react';
import { wordsOf } from '../../../vault/entries/search.ts';
import { everyEntryKind } from '../../../vault/kinds/entry-kinds.ts';
import { useUser } from '../../hooks/use-user.ts';
import { Button } from '../../ui/button.tsx';
import { useStep } from '../../ui/came-from.ts';
import { classes } from '../../ui/classes.ts';
import { Sigil, type SigilName } from '../../ui/sigil.tsx';
import { Veil } from '../../ui/veil.tsx';
import { useEveryList } from '../../vault/entries/collection.ts';
import { Excerpt, Marked } from '../../vault/entries/found.tsx';
import { useSelling } from '../../vault/plan/use-billing.ts';
import { VaultContext } from '../../vault/session/vault-context.ts';
import { useCommands } from '../commands.ts';
import { type Action, commandsFor, findCommands } from './commands-found.ts';
import { type FoundGroup, findEntries } from './find-entries.ts';

/** What the lists of the vault have to say to a query. */
interface Entries {
  groups: FoundGroup[];
  /** Some are still being fetched or opened. */
  underway: boolean;
  /** Names of lists that could not be fetched, and how they are tried again. */
  failed: string[];
  retry: () => void;
}

/** Commands are found by the beginnings of words that they do not all show. */
const NO_WORDS: readonly string[] = [];

const NOTHING: Entries = { groups: [], underway: false, failed: [], retry: () => {} };

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

interface Line {
  id: string;
  sigil: SigilName | null;
  title: string;
  text: string | null;
  note: string | null;
  action: Action;
}

interface LineGroup {
  label: string;
  lines: Line[];
  /** How many there are, where only some are shown. */
  count: number;
}

function useLines(query: string, entries: Entries): LineGroup[] {
  const isAdmin = useUser().data?.isAdmin ?? false;
  const isSelling = useSelling();
  const commands = useMemo(() => commandsFor({ isAdmin, isSelling }), [isAdmin, isSelling]);
  return useMemo(() => {
    const offered = findCommands(query, commands).map(({ label, commands }) => ({
      label,
      count: commands.length,
      lines: commands.map(({ id, label, sigil, action }) => ({
        id,
        sigil,
        title: label,
        text: null,
        note: null,
        action,
      })),
    }));
    const found = entries.groups.map(({ label, found, count }) => ({
      label,
      count,
      lines: found.map(({ id, title, text, note, to }) => ({
        id,
        sigil: null,
        title,
        text,
        note,
        action: { to },
      })),
    }));
    return [...offered, ...found];
  }, [query, commands, entries.groups]);
}

function View({ query, setQuery, onClose, entries }: FieldProps & { entries: Entries }) {
  const commands = useCommands();
  const step = useStep();
  const base = useId();
  const groups = useLines(query, entries);
  const words = useMemo(() => wordsOf(query), [query]);
  const lines = groups.flatMap(({ lines }) => lines);
  const [chosen, setChosen] = useState<string | null>(null);
  const active = lines.find(({ id }) => id === chosen) ?? lines[0];
  const optionId = (id: string) => `${base}-${id.replaceAll('/', '-')}`;
  const activeId = active && optionId(active.id);

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

  const status = entries.underway
    ? 'Fetching and opening your entries'
    : query.trim() === ''
      ? ''
      : lines.length === 1
        ? 'One result'
        : lines.length === 0
          ? 'No results'
          : `${lines.length} results`;

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
          aria-controls={`${base}-list`}
          aria-activedescendant={activeId}
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
      <div
        id={`${base}-list`}
        role="listbox"
        aria-label="Results"
        className={classes(
          'min-h-0 flex-1 overflow-y-auto overscroll-contain pb-3',
          lines.length === 0 && 'hidden',
        )}
      >
        {groups.map(({ label, lines, count }) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of options is no fieldset
          <div key={label} role="group" aria-labelledby={optionId(`group-${label.replaceAll(' ', '-')}`)}>
            <p
              id={optionId(`group-${label.replaceAll(' ', '-')}`)}
              role="presentation"
              className="caps px-5 pt-5 pb-2 text-shade sm:px-6"
            >
              {label}
              {count > lines.length && ` · ${lines.length} of ${count.toLocaleString('en-GB')}`}
            </p>
            {lines.map((line) => (
              <Option
                key={line.id}
                id={optionId(line.id)}
                line={line}
                words={line.sigil ? NO_WORDS : words}
                active={line === active}
                onPoint={() => setChosen(line.id)}
                onRun={() => run(line)}
              />
            ))}
          </div>
        ))}
      </div>
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

interface OptionProps {
  id: string;
  line: Line;
  /** To be marked in it. */
  words: readonly string[];
  active: boolean;
  onPoint: () => void;
  onRun: () => void;
}

function Option({ id, line, words, active, onPoint, onRun }: OptionProps) {
  const { sigil, title, text, note } = line;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field, which has the focus, hears the keys
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={active}
      className={classes(
        'flex min-h-11 cursor-pointer items-center gap-4 border-l-2 px-5 py-2 sm:px-6',
        active ? 'border-ember bg-ember/10 forced-colors:bg-[Highlight]' : 'border-transparent',
      )}
      onPointerMove={active ? undefined : onPoint}
      // The field keeps the focus.
      onPointerDown={(event) => event.preventDefault()}
      onClick={onRun}
    >
      {sigil && (
        <Sigil name={sigil} className={classes('size-6 shrink-0', active ? 'text-ember' : 'text-dust')} />
      )}
      <div className="grid min-w-0 flex-1 gap-0.5">
        <span className="flex items-baseline justify-between gap-4">
          <span className="min-w-0 font-display text-[1.25rem]/[1.3] font-medium wrap-anywhere" dir="auto">
            <Marked text={title} words={words} />
          </span>
          {note && <span className="caps shrink-0 text-shade">{note}</span>}
        </span>
        <Excerpt text={text} words={words} />
      </div>
    </div>
  );
}
