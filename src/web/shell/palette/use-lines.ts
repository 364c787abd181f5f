// The lines of the palette: the commands and entries that a query finds.
import { useMemo } from 'react';
import { useUser } from '../../hooks/use-user.ts';
import type { SigilName } from '../../ui/sigil.tsx';
import { useSelling } from '../../vault/plan/use-billing.ts';
import { type Action, commandsFor, findCommands } from './commands-found.ts';
import type { FoundGroup } from './find-entries.ts';

/** What the lists of the vault have to say to a query. */
export interface Entries {
  groups: FoundGroup[];
  /** Some are still being fetched or opened. */
  underway: boolean;
  /** Names of lists that could not be fetched, and how they are tried again. */
  failed: string[];
  retry: () => void;
}

export const NOTHING: Entries = { groups: [], underway: false, failed: [], retry: () => {} };

export interface Line {
  id: string;
  sigil: SigilName | null;
  title: string;
  text: string | null;
  note: string | null;
  action: Action;
}

export interface LineGroup {
  label: string;
  lines: Line[];
  /** How many there are, where only some are shown. */
  count: number;
}

export function useLines(query: string, entries: Entries): LineGroup[] {
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
