// Each memory that an import would make, with a box to leave it out.

import { counted } from '../../../shared/counted.ts';
import type { PreviewRow } from '../../imports/import-messages.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { capitalised } from '../../ui/capitalised.ts';
import { Checkbox } from '../../ui/choice-fields.tsx';
import { VirtualRows } from '../../ui/virtual-rows.tsx';
import { Tags } from '../../vault/entries/details-shown.tsx';
import { formatHappened } from '../../vault/entries/happened.ts';
import type { Preview } from './compare-with-vault.ts';

interface RowsProps {
  preview: Preview;
  off: ReadonlySet<number>;
  busy: boolean;
  toggle: (ids: readonly number[], on: boolean) => void;
}

export function PreviewRows({ preview: { rows, here, grown }, off, busy, toggle }: RowsProps) {
  const all = rows.filter(({ id }) => !here.has(id)).map(({ id }) => id);
  return (
    <div>
      {all.length > 1 && (
        <div className="flex gap-8 pb-2">
          <Button tone="caps" disabled={busy} onClick={() => toggle(all, true)}>
            Choose all
          </Button>
          <Button tone="caps" disabled={busy} onClick={() => toggle(all, false)}>
            Choose none
          </Button>
        </div>
      )}
      <VirtualRows
        items={rows}
        rowHeight={104}
        row={(row) => (
          <div className="py-4">
            <Checkbox
              label={<RowWords row={row} here={here.has(row.id)} grown={grown.has(row.id)} />}
              checked={!here.has(row.id) && !off.has(row.id)}
              disabled={busy || here.has(row.id)}
              onChange={(event) => toggle([row.id], event.target.checked)}
            />
          </div>
        )}
      />
    </div>
  );
}

function RowWords({ row, here, grown }: { row: PreviewRow; here: boolean; grown: boolean }) {
  return (
    <span className="grid grid-cols-1 gap-x-8 gap-y-0.5 sm:grid-cols-[10rem_minmax(0,1fr)_auto] sm:items-baseline">
      <span className="text-note text-shade">
        {row.happenedOn ? capitalised(formatHappened(row.happenedOn)) : 'No date'}
      </span>
      <span className="min-w-0">
        <span className="block truncate font-display text-name font-medium" dir="auto">
          {row.title}
        </span>
        <span className="block truncate text-note text-dust" dir="auto">
          {row.start}
        </span>
        <Tags tags={row.tags} className="text-note text-shade" />
      </span>
      <span className="flex flex-wrap gap-x-6">
        {row.files.length > 0 && <Badge variant="plain">{counted(row.files.length, 'file', 'files')}</Badge>}
        {here && <Badge variant="open">Already here</Badge>}
        {grown && <Badge variant="plain">Changed since</Badge>}
      </span>
    </span>
  );
}
