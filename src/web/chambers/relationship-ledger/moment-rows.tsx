// The list of recorded moments: when, with whom, what kind, how heavy.

import { kindOf } from '../../../vault/entries/sealed-moment.ts';
import { capitalised } from '../../ui/capitalised.ts';
import { classes } from '../../ui/classes.ts';
import { ArrivedBadge } from '../../vault/entries/arrived.tsx';
import { ChangedBadge, unreadName } from '../../vault/entries/changed.tsx';
import { EntryRow, EntryRows, FirstLine, type RowActions } from '../../vault/entries/entry-rows.tsx';
import { Marked } from '../../vault/entries/found.tsx';
import { formatEntryDay, thisYear } from '../../vault/entries/happened.ts';
import { OutsideBadge } from '../../vault/entries/outside.tsx';
import type { OpenedRelationship } from '../../vault/entries/relationships.ts';
import type { Arrangement } from '../../vault/entries/use-finding.ts';
import { FilesMark } from '../../vault/files/files-mark.tsx';
import { WeightMark } from './weight.tsx';

interface RowsProps extends RowActions<OpenedRelationship> {
  moments: readonly OpenedRelationship[];
  /** Under a person's own heading their name is not said again. */
  nameless?: boolean;
  arrangement?: Arrangement;
}

export function MomentRows({ moments, arrangement, ...rest }: RowsProps) {
  return (
    <EntryRows
      entries={moments}
      none="No moment holds these words."
      arrangement={arrangement}
      row={(moment, year) => <Row moment={moment} {...rest} year={year} />}
    />
  );
}

function Row(props: { moment: OpenedRelationship } & Omit<RowsProps, 'moments' | 'arrangement'>) {
  const { moment, nameless = false, ...row } = props;
  const { name, weight } = moment;
  const { words } = row.looking;
  const kind = kindOf(moment);
  return (
    <EntryRow
      entry={moment}
      columns={classes(
        'grid-cols-[1fr_auto] items-baseline gap-x-3 sm:gap-x-8',
        nameless ? 'sm:grid-cols-[9rem_1fr_11rem]' : 'sm:grid-cols-[9rem_1fr_10rem_11rem]',
      )}
      beneath={
        <span className="flex min-w-0 items-baseline gap-x-4">
          <FirstLine entry={moment} />
          <FilesMark entry={moment} />
        </span>
      }
      deleteLabel={
        moment.changed
          ? 'Delete a moment that was changed'
          : `Delete ${kind ?? 'a moment'} with ${name ?? 'an unreadable person'}`
      }
      {...row}
    >
      <span className="min-w-0 text-note text-shade">
        {moment.changed ? '' : capitalised(formatEntryDay(moment, row.year ?? thisYear(row.now)))}
      </span>
      {!nameless && (
        <span
          dir="auto"
          className={classes(
            'line-clamp-2 min-w-0 text-left font-display wrap-anywhere text-name font-medium max-sm:col-span-2 max-sm:row-start-2',
            name === null && 'text-shade italic',
          )}
        >
          {name === null ? unreadName(moment) : <Marked text={name} words={words} />}
        </span>
      )}
      <span
        className={classes(
          'min-w-0',
          nameless
            ? 'font-display text-name font-medium max-sm:col-span-2 max-sm:row-start-2'
            : 'text-note text-dust max-sm:col-span-2 max-sm:row-start-3',
        )}
      >
        {kind !== null && <Marked text={kind} words={words} />}
        {(moment.changed || moment.outside || moment.arrived) && (
          <span className="block font-machine text-tiny">
            {moment.changed ? (
              <ChangedBadge />
            ) : moment.outside ? (
              <OutsideBadge />
            ) : (
              <ArrivedBadge arrived={moment.arrived} />
            )}
          </span>
        )}
      </span>
      {kind !== null && (
        <WeightMark weight={weight} className="text-note text-dust max-sm:col-start-2 max-sm:row-start-1" />
      )}
    </EntryRow>
  );
}
