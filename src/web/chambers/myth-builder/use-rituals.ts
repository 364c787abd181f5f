// Whether this account may choose the further tones of a eulogy. The server decides the same for what its model writes.
import { useQuery } from '@tanstack/react-query';
import { linkedWallet } from '../../../shared/nouns/holders.ts';
import { useVault } from '../../vault/session/vault-context.ts';

/** @param wanted false while nobody asks */
export function useRituals(wanted: boolean): boolean {
  const { api } = useVault();
  const wallet = useQuery({
    queryKey: [linkedWallet.get.path],
    queryFn: () => api.send(linkedWallet.get, {}),
    enabled: wanted,
    refetchOnMount: 'always',
  });
  return wallet.data?.holding?.hasRituals ?? false;
}
