// The dead man's switch of this server, as a page shows it: whether it works, and in words why it does not.
import { useQuery } from '@tanstack/react-query';
import { switchState } from '../../../vault/api/first-calls.ts';
import { useApi } from '../../api/services.tsx';

/** What the switch's state is kept by. */
export const SWITCH_KEY = [switchState.path];

/** @param wanted asks nothing while it is false */
export function useSwitch(wanted = true) {
  const { send } = useApi();
  return useQuery({
    queryKey: SWITCH_KEY,
    queryFn: () => send(switchState, {}),
    enabled: wanted,
    refetchOnMount: 'always',
  });
}
