// What can be expected of the switch of this server, for whoever is about to rely on it.
import { useQuery } from '@tanstack/react-query';
import { switchOutlook } from '../../../shared/nouns/switch.ts';
import { useApi } from '../../api/services.tsx';

export function useSwitchOutlook() {
  const { send } = useApi();
  return useQuery({ queryKey: [switchOutlook.get.path], queryFn: () => send(switchOutlook.get, {}) });
}
