// Which memories of a preview are to be brought in. Everything is, unless it was left off.
import { useRef, useState } from 'react';
import type { PreviewRow } from '../../imports/import-messages.ts';

export function useRowChoice() {
  const [off, setOff] = useState<ReadonlySet<number>>(new Set());
  /** The rows of the last preview, by which is known what was left off. */
  const rows = useRef<readonly PreviewRow[]>([]);

  return {
    off,

    toggle(ids: readonly number[], on: boolean) {
      setOff((before) => {
        const next = new Set(before);
        for (const id of ids) {
          if (on) next.delete(id);
          else next.add(id);
        }
        return next;
      });
    },

    /** Another preview of the same files: what was left off stays so. */
    keepFor(next: readonly PreviewRow[]) {
      const before = rows.current;
      rows.current = next;
      setOff((off) => {
        const stay = new Set(before.filter(({ id }) => off.has(id)).map(({ sealId }) => sealId));
        return new Set(next.filter(({ sealId }) => stay.has(sealId)).map(({ id }) => id));
      });
    },

    clear() {
      rows.current = [];
      setOff(new Set());
    },
  };
}
