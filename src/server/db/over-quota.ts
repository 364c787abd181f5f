// Recognises what the triggers of usage-triggers.ts raise, on either engine.
import { OVER_QUOTA } from './usage-triggers.ts';

export type OverQuota =
  /** The vault's own limit: what was used before the statement, and the limit. */
  | { of: 'bytes' | 'rows'; used: number; max: number }
  /** A limit beside it: of keys and ways to sign in, or of a regeneration's copies. */
  | { of: 'beside' };

/** What was too much, or null when the error is another one. */
export function overQuota(error: unknown): OverQuota | null {
  const { code, message = '' } = (error ?? {}) as { code?: unknown; message?: string };
  if (code !== OVER_QUOTA && code !== 'SQLITE_CONSTRAINT_TRIGGER') return null;
  if (message === 'quota-beside') return { of: 'beside' };
  const [, of, used, max] = /^quota-(bytes|rows) (-?\d+) (\d+)$/.exec(message) ?? [];
  return of ? { of: of as 'bytes' | 'rows', used: Math.max(0, Number(used)), max: Number(max) } : null;
}
