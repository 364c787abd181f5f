// Steps that are taken within the app. The browser's history keeps with each from which address it was taken, so that closing
// what it shows goes back there. An address of ours has no words of anybody in it (docs/interface.md).
import { useCallback } from 'react';
import { useLocation } from 'wouter';

/** The state to navigate with, for a step from the address that is shown. */
export const fromHere = (): { from: string } => ({ from: window.location.pathname });

/** From where somebody came to the address that is shown; null where no step of this app led there. */
export function cameFrom(): string | null {
  const from: unknown = (history.state as { from?: unknown } | null)?.from;
  return typeof from === 'string' ? from : null;
}

/** Navigates so that closing what is shown there leads back. */
export function useStep(): (to: string) => void {
  const [, navigate] = useLocation();
  return useCallback((to) => navigate(to, { state: fromHere() }), [navigate]);
}
