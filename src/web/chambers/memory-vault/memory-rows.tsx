// The list itself: only the rows near the window stand in the page, so ten thousand scroll like ten.
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef, useState } from 'react';
import { lockState } from '../../../shared/entry.ts';
import { Badge } from '../../ui/badge.tsx';
import { classes } from '../../ui/classes.ts';
import { formatRecentDay, formatUntil } from '../../ui/moments.ts';
import { Sigil } from '../../ui/sigil.tsx';
import { Tooltip, TooltipProvider } from '../../ui/tooltip.tsx';
import type { OpenedMemory } from './use-memories.ts';

interface RowsProps {
  memories: readonly OpenedMemory[];
  now: number;
  onOpen: (memory: OpenedMemory) => void;
  onDelete: (memory: OpenedMemory) => void;
}

const ROW_HEIGHT = 81;

export function MemoryRows({ memories, now, onOpen, onDelete }: RowsProps) {
  const list = useRef<HTMLUListElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    setTop(list.current?.offsetTop ?? 0);
  }, []);
  const rows = useWindowVirtualizer({
    count: memories.length,
    estimateSize: () => ROW_HEIGHT,
    overscan: 8,
    scrollMargin: top,
    getItemKey: (index) => memories[index]?.id ?? index,
  });
  if (memories.length === 0) {
    return <p className="py-16 text-center text-dust">No memory holds these words.</p>;
  }
  return (
    <TooltipProvider>
      <ul ref={list} className="relative" style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ key, index, start }) => {
          const memory = memories[index];
          if (!memory) return null;
          return (
            <li
              key={key}
              ref={rows.measureElement}
              data-index={index}
              aria-setsize={memories.length}
              aria-posinset={index + 1}
              className="absolute inset-x-0 top-0 border-b border-line/60"
              style={{ transform: `translateY(${start - top}px)` }}
            >
              <Row memory={memory} now={now} onOpen={onOpen} onDelete={onDelete} />
            </li>
          );
        })}
      </ul>
    </TooltipProvider>
  );
}

function Row({ memory, now, onOpen, onDelete }: { memory: OpenedMemory } & Omit<RowsProps, 'memories'>) {
  const until = memory.timeLockUntil === null ? null : Date.parse(memory.timeLockUntil);
  const lock = lockState(until, now);
  const readable = memory.title !== null;
  return (
    <div className="group relative flex items-center">
      <button
        type="button"
        onClick={() => onOpen(memory)}
        className="grid min-w-0 flex-1 cursor-pointer grid-cols-1 gap-x-8 gap-y-1 py-5 text-left transition-colors hover:bg-ink-1 focus-visible:bg-ink-1 sm:grid-cols-[9rem_1fr_auto] sm:items-baseline"
      >
        <span className="text-note text-shade">{formatRecentDay(memory.createdAt, now)}</span>
        <span
          className={classes(
            'min-w-0 truncate font-display text-name font-medium',
            (lock === 'locked' || !readable) && 'text-shade',
            !readable && 'italic',
          )}
        >
          {memory.title ?? 'Unreadable with this key'}
        </span>
        <span className="min-w-0 sm:pr-2">
          {lock === 'locked' && <Badge variant="locked">Locked until {formatUntil(until ?? 0, now)}</Badge>}
          {lock === 'unlocked' && <Badge variant="unlocked">Unlocked</Badge>}
          {lock === 'always' && <Badge variant="open">Always accessible</Badge>}
        </span>
      </button>
      <Tooltip label="Delete">
        <button
          type="button"
          aria-label={`Delete ${memory.title ?? 'an unreadable memory'}`}
          onClick={() => onDelete(memory)}
          className="grid size-11 shrink-0 cursor-pointer place-items-center text-shade opacity-60 transition hover:text-blood hover:opacity-100 focus-visible:opacity-100"
        >
          <Sigil name="ash" className="size-6" />
        </button>
      </Tooltip>
    </div>
  );
}
