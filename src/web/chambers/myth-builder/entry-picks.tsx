// Which entries a eulogy is made from. They are opened in this browser; nothing of them leaves it here.
import { useDeferredValue, useMemo, useState } from 'react';
import { search } from '../../../vault/entries/search.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/choice-fields.tsx';
import { formatDay } from '../../ui/moments.ts';
import { TextField } from '../../ui/text-fields.tsx';
import { offeredFor, type Source, type Sources } from './eulogy.ts';

interface PicksProps {
  sources: Sources;
  person: string;
  /** The keys of the chosen entries. */
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
}

/** As many lines as a list in a form can hold; a search reaches the others. */
const SHOWN = 200;

export function EntryPicks({ sources, person, chosen, onChange }: PicksProps) {
  const [query, setQuery] = useState('');
  const { all } = sources;
  // Thousands of entries are read through for a name: letters are shown as they are typed meanwhile.
  const wanted = useDeferredValue(person);
  const offered = useMemo(() => new Set(offeredFor(all, wanted)), [all, wanted]);
  const isChosen = new Set(chosen);
  const searching = query.trim() !== '';
  // A search reaches every entry; without one stand those about the person, and what was chosen besides.
  const found = searching
    ? search(all, query)
    : all.filter((source) => offered.has(source) || isChosen.has(source.key));
  const shown = found.slice(0, SHOWN);
  const allChosen = found.length > 0 && found.every(({ key }) => isChosen.has(key));

  function toggle({ key }: Source, on: boolean) {
    onChange(on ? [...chosen, key] : chosen.filter((other) => other !== key));
  }

  function toggleAll() {
    const keys = found.map(({ key }) => key);
    const without = new Set(keys);
    onChange(allChosen ? chosen.filter((key) => !without.has(key)) : [...new Set([...chosen, ...keys])]);
  }

  return (
    <fieldset className="grid min-w-0 gap-4">
      <legend className="label mb-2.5 text-dust">Entries to make it from</legend>
      {all.length > 0 && (
        <TextField
          label="Search your memories and moments"
          labelHidden
          placeholder="Search your memories and moments"
          type="search"
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          autoComplete="off"
          spellCheck={false}
        />
      )}
      {found.length > 0 ? (
        <ul className="max-h-72 overflow-y-auto border border-line">
          {shown.map((source) => (
            <li key={source.key} className="border-line/60 px-4 py-3 not-first:border-t">
              <Checkbox
                label={<Line source={source} />}
                checked={isChosen.has(source.key)}
                onChange={(event) => toggle(source, event.target.checked)}
              />
            </li>
          ))}
        </ul>
      ) : (
        <p role="status" className="text-note text-dust">
          {searching
            ? 'No entry holds these words.'
            : person.trim() === ''
              ? 'Say whom it is for, and what you have written of them is offered here.'
              : 'Nothing in your ledger or your memories names this person. Search for something else, or write below.'}
        </p>
      )}
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 text-small text-shade">
        <p role="status">
          {chosen.length.toLocaleString('en-GB')} chosen
          {searching && `, ${found.length.toLocaleString('en-GB')} found`}
          {found.length > SHOWN && `, the newest ${SHOWN} of them listed`}.{leftOut(sources)}
        </p>
        {found.length > 0 && (
          <Button tone="caps" onClick={toggleAll}>
            {chooseLabel(found.length, allChosen)}
          </Button>
        )}
      </div>
    </fieldset>
  );
}

function chooseLabel(count: number, allChosen: boolean): string {
  if (count === 1) return allChosen ? 'Leave it out' : 'Choose it';
  return allChosen ? 'Choose none of these' : `Choose all ${count.toLocaleString('en-GB')}`;
}

const EXCERPT = 140;

function Line({ source: { label, kind, at, content } }: { source: Source }) {
  const excerpt = content
    .slice(0, EXCERPT * 2)
    .replace(/\s+/g, ' ')
    .trim();
  const letters = [...excerpt];
  return (
    <span className="grid min-w-0 gap-0.5">
      <span dir="auto" className="truncate">
        {label}
      </span>
      <span className="text-small text-shade">
        {kind === 'memory' ? 'Memory' : 'Moment'} · {formatDay(at)}
      </span>
      <span dir="auto" className="truncate text-small text-dust">
        {letters.slice(0, EXCERPT).join('')}
        {letters.length > EXCERPT && '…'}
      </span>
    </span>
  );
}

function leftOut({ locked, unreadable }: Sources): string {
  const parts = [
    locked > 0 && `${locked.toLocaleString('en-GB')} ${locked === 1 ? 'is' : 'are'} time-locked`,
    unreadable > 0 && `${unreadable.toLocaleString('en-GB')} cannot be read with this key`,
  ].filter(Boolean);
  return parts.length === 0 ? '' : ` Not offered: ${parts.join(', ')}.`;
}
