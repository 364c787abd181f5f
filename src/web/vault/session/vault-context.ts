// The open vault, for every screen behind the gate. Only what seals and opens is in it; the raw key stays in its slot.
import { createContext, useContext } from 'react';
import type { ListedVault } from '../../../vault/replica/row-list.ts';
import type { Services } from '../../api/services.tsx';

/** What the engine is handed, and what its screens share. */
export interface OpenVault extends ListedVault, Services {}

export const VaultContext = createContext<OpenVault | null>(null);

/** The open vault. Only for screens that VaultGate stands around. */
export function useVault(): OpenVault {
  const vault = useContext(VaultContext);
  if (!vault) throw new Error('useVault is used outside VaultGate');
  return vault;
}
