// Recognises what the triggers of usage-triggers.ts raise, on either engine.
import { OVER_QUOTA, refusals } from './usage-triggers.ts';

/**
 * Of what there was too much: the vault's own limit of bytes or rows, or one beside it, of keys and ways to sign in or of a
 * regeneration's copies.
 */
export type OverQuota = keyof typeof refusals;

/** What was too much, or null when the error is another one. */
export function overQuota(error: unknown): OverQuota | null {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  if (code !== OVER_QUOTA && code !== 'SQLITE_CONSTRAINT_TRIGGER') return null;
  const names = Object.keys(refusals) as OverQuota[];
  return names.find((of) => refusals[of] === message) ?? null;
}
