// The one address of an account that warnings go to. Nothing counts before somebody who reads its mail has pressed.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { warningAddress } from '../../../shared/nouns/switch.ts';
import { useApi } from '../../api/services.tsx';

export function useWarningAddress() {
  const { send } = useApi();
  const queryClient = useQueryClient();
  const queryKey = [warningAddress.get.path];
  const query = useQuery({
    queryKey,
    queryFn: () => send(warningAddress.get, {}),
    // The press happens in another tab, or on another device; "Look again" asks for it.
    refetchOnMount: 'always',
  });
  return {
    query,
    /** Whether a mail would reach somebody. */
    proved: query.data?.address != null && query.data.provedAt !== null,
    async ask(address: string): Promise<void> {
      queryClient.setQueryData(
        queryKey,
        await send(warningAddress.put, { body: { address: address.trim() } }),
      );
    },
    async remove(): Promise<void> {
      await send(warningAddress.remove, {});
      await query.refetch();
    },
  };
}

export type WarningAddressHook = ReturnType<typeof useWarningAddress>;
