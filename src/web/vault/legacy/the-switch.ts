// The dead man's switch of this server, as a page shows it: whether it works, and in words why it does not.
import { useQuery } from '@tanstack/react-query';
import { type SwitchState, theSwitch } from '../../../shared/nouns/switch-state.ts';
import type { Services } from '../../api/services.tsx';
import { useApi } from '../../api/services.tsx';

const KEY = [theSwitch.get.path];

/** @param wanted asks nothing while it is false */
export function useSwitch(wanted = true) {
  const { send } = useApi();
  return useQuery({
    queryKey: KEY,
    queryFn: () => send(theSwitch.get, {}),
    enabled: wanted,
    refetchOnMount: 'always',
  });
}

/** The administrator's word that this database is the one that counts; a fresh proof is asked for on the way. */
export async function confirmSwitch({ api, queryClient }: Services): Promise<SwitchState> {
  const state = await api.send(theSwitch.confirm, {});
  queryClient.setQueryData(KEY, state);
  return state;
}
