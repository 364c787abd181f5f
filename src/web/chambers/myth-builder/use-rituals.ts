// Whether this account may choose the further tones of a eulogy: all may where no token is watched. The server decides the same for what its model writes.
import { useQuery } from '@tanstack/react-query';
import { linkedWallet } from '../../../shared/nouns/holders.ts';
import { useWatchesToken } from '../../hooks/use-watches-token.ts';
import { useVault } from '../../vault/session/vault-context.ts';

/** @param wanted false while nobody asks */
export function useRituals(wanted: boolean): boolean {
  const { api } = useVault();
  const watchesToken = useWatchesToken();
  const wallet = useQuery({
    queryKey: [linkedWallet.get.path],
    queryFn: () => api.send(linkedWallet.get, {}),
    enabled: wanted && watchesToken !== false,
    refetchOnMount: 'always',
  });
  return watchesToken === false || (wallet.data?.holding?.hasRituals ?? false);
}
