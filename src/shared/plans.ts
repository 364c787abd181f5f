// What each plan allows, as data. Where no payments are configured there are no plans, and everything is open. A limit
// stops what is new: whatever is stored or watches already stays readable, exportable and watching, also beyond it.
import { ENTRY_CONTENT_MAX } from './sealed-kinds.ts';

export const paidPlans = ['free', 'enhanced'] as const;
/** `open`: this server has no plans, and every feature is open. */
export type Plan = (typeof paidPlans)[number] | 'open';

export interface PlanLimits {
  /** How many bytes an account may store. Null: as many as the server allows anybody (`QUOTA_BYTES`). */
  bytes: number | null;
  /** The same of rows (`QUOTA_ROWS`). */
  rows: number | null;
  /** The largest entry, in bytes of its ciphertext. */
  entryBytes: number;
  /** How many scrolls watch at a time. Null: any number. */
  scrollsWatching: number | null;
  /** How many stories are made by this server in one calendar month (UTC). Null: any number. */
  storiesPerMonth: number | null;
}

const MEBIBYTE = 1024 * 1024;

const everything: PlanLimits = {
  bytes: null,
  rows: null,
  entryBytes: ENTRY_CONTENT_MAX,
  scrollsWatching: null,
  storiesPerMonth: null,
};

export const planLimits: Readonly<Record<Plan, PlanLimits>> = {
  open: everything,
  free: {
    bytes: 100 * MEBIBYTE,
    rows: 5000,
    entryBytes: MEBIBYTE / 4,
    scrollsWatching: 3,
    storiesPerMonth: 5,
  },
  enhanced: { ...everything, storiesPerMonth: 300 },
};

/** The limits that are asked where something new begins. Bytes and rows are kept by the database's triggers. */
export type AskedLimit = 'entryBytes' | 'scrollsWatching' | 'storiesPerMonth';
