// The open vault, for every screen behind the gate. Only what seals and opens is in it; the raw key stays in its slot.
import { createContext, useContext } from 'react';
import type { User } from '../../../shared/nouns/user.ts';
import type { Services } from '../../api/services.tsx';

export interface OpenVault extends Services {
  user: User;
  /** AES-256-GCM, not extractable. */
  contentKey: CryptoKey;
  /** First 16 hex characters of SHA-256 of the vault key. */
  fingerprint: string;
}

export const VaultContext = createContext<OpenVault | null>(null);

/** The open vault. Only for screens that VaultGate stands around. */
export function useVault(): OpenVault {
  const vault = useContext(VaultContext);
  if (!vault) throw new Error('useVault is used outside VaultGate');
  return vault;
}
