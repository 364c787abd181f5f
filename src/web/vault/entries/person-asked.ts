// Leading to a person of the ledger. Neither the address nor the browser's history may have a name: it is the number of
// one of their moments that is handed on.
import { useHistoryState } from 'wouter/use-browser-location';

interface Asked {
  personOf: number;
  /** Another one for each time that somebody is asked for. */
  nonce: string;
}

/** The state to navigate to the ledger with. @param personOf the number of a moment of theirs */
export const askForPerson = (personOf: number): Asked => ({ personOf, nonce: crypto.randomUUID() });

/** Whom the ledger is asked to show, or null. */
export function usePersonAsked(): Asked | null {
  const state = useHistoryState<Partial<Asked> | null>();
  return typeof state?.personOf === 'number' && typeof state.nonce === 'string' ? (state as Asked) : null;
}
