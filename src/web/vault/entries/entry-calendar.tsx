// A small calendar of the days that have entries: each leads to its place in the list.
import { useState } from 'react';
import { counted } from '../../../shared/counted.ts';
import type { OpenedEntry } from '../../../vault/kinds/entry-kind.ts';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/choice-fields.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { monthName } from '../../ui/moments.ts';
import { type CalendarMonth, calendarOf, weeksOf } from './arranged.ts';

interface CalendarProps {
  /** In the order of the list. */
  entries: readonly OpenedEntry[];
  onChoose: (entry: OpenedEntry) => void;
  onClose: () => void;
}

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const countOf = (entries: readonly unknown[]) => counted(entries.length, 'entry', 'entries');

export default function EntryCalendar({ entries, onChoose, onClose }: CalendarProps) {
  const years = calendarOf(entries);
  const [chosen, setChosen] = useState(years[0]?.year);
  const year = years.find((one) => one.year === chosen);
  const inMonths = year?.months.reduce((sum, { entries: all }) => sum + all.length, 0) ?? 0;
  const choose = ([first]: readonly OpenedEntry[]) => first && onChoose(first);
  return (
    <Dialog
      open
      onClose={onClose}
      title="Go to a day"
      description="The days that have entries. A month leads to its first."
      footer={<Button onClick={onClose}>Close</Button>}
    >
      <SelectField
        label="Year"
        value={chosen}
        onChange={({ target }) => setChosen(Number(target.value))}
        choices={years.map(({ year, entries: all }) => ({
          value: String(year),
          label: `${year}: ${countOf(all)}`,
        }))}
      />
      {year && inMonths < year.entries.length && (
        <Button tone="caps" className="justify-self-start" onClick={() => choose(year.entries)}>
          {year.year} as a whole
        </Button>
      )}
      <div className="grid gap-x-8 gap-y-7 sm:grid-cols-2">
        {year?.months.map((month) => (
          <Month key={month.month} year={year.year} {...month} onChoose={choose} />
        ))}
      </div>
    </Dialog>
  );
}

interface MonthProps extends CalendarMonth<OpenedEntry> {
  year: number;
  onChoose: (entries: readonly OpenedEntry[]) => void;
}

function Month({ year, month, entries, days, onChoose }: MonthProps) {
  const name = monthName(month);
  return (
    <section aria-label={`${name} ${year}`}>
      <h3 className="font-display text-name font-medium">
        <button
          type="button"
          aria-label={`${name} ${year}, ${countOf(entries)}`}
          className="cursor-pointer underline-offset-4 hover:text-ember hover:underline"
          onClick={() => onChoose(entries)}
        >
          {name}
        </button>
      </h3>
      <table className="mt-1 w-full table-fixed text-center text-note">
        <thead>
          <tr>
            {WEEKDAYS.map((day) => (
              <th key={day} scope="col" className="font-normal text-shade">
                <abbr title={day} className="no-underline">
                  {day.slice(0, 2)}
                </abbr>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOf(year, month).map((week) => (
            <tr key={week.join(' ')}>
              {week.map((day, i) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the places of a week have no other identity
                <td key={i} className="h-9 p-0 text-shade">
                  {day > 0 && <Day {...{ day, name, year, onChoose }} entries={days.get(day) ?? []} />}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface DayProps extends Pick<MonthProps, 'year' | 'entries' | 'onChoose'> {
  day: number;
  /** Of the month. */
  name: string;
}

function Day({ day, name, year, entries, onChoose }: DayProps) {
  if (entries.length === 0) return day;
  return (
    <button
      type="button"
      aria-label={`${day} ${name} ${year}, ${countOf(entries)}`}
      className="size-full cursor-pointer border border-ember/50 bg-ember/10 text-bone transition-colors hover:border-ember hover:bg-ember/25"
      onClick={() => onChoose(entries)}
    >
      {day}
    </button>
  );
}
