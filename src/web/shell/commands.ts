// What can be done from every signed-in page. Handed down by context: the head offers it, the palette and the keys do it.
import { createContext, useContext } from 'react';

/** What stands over the page. */
export type Overlay = 'palette' | 'keys' | 'leave';

export interface Commands {
  show(overlay: Overlay): void;
  /** Locks the vault in this browser, or explains why that would lose it. */
  lock(): Promise<void>;
  /** Whether the vault did not lock although it was left alone. */
  stayedOpen: boolean;
  /** Whether single letters are keys, and the switch. */
  letters: boolean;
  setLetters(on: boolean): void;
}

export const CommandsContext = createContext<Commands | null>(null);

/** Null where nobody is signed in, or the vault is locked. */
export const useCommands = (): Commands | null => useContext(CommandsContext);
