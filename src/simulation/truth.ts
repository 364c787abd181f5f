// What is true of a scroll, whatever the switch believes: the oracle's own account of it.
import type { ScrollSpec } from './people-store.ts';

/** What is true of a scroll. Times are true time. */
export interface Truth {
  id: number;
  /** The numbers of its recipients' pages, in their order. */
  publicIds: string[];
  wish: ScrollSpec;
  /** The author's last sign of life, and the one before. */
  provenAt: number;
  provenBefore: number;
  released: boolean;
  /** What its recipients were told, by the numbers of their pages. */
  told: Map<string, Told>;
  /** Server times at which mail servers have accepted warnings of this silence, and whether these arrived. */
  accepted: { at: number; arrives: boolean }[];
}

/** What one recipient was told. Times are counted time of the history that there is now. */
export interface Told {
  /** The number of the release's message, in whichever history. */
  messageId: string;
  /** When the release or the last reminder was written; null where the present history knows of neither. */
  last: number | null;
  /** When the release was written, and when a transport accepted it first; null for not yet. */
  releasedAt: number;
  acceptedAt: number | null;
  /** How many reminders were written. */
  reminders: number;
  opened: boolean;
}
