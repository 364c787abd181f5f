// The administrator's word that this server's dead man's switch may go on, and that its date is right.
import { type SwitchState, theSwitch } from '../../../shared/nouns/switch-state.ts';
import type { Services } from '../../api/services.tsx';
import { SWITCH_KEY } from './the-switch.ts';

/** Says that this database is the one that counts; a fresh proof is asked for on the way. */
export async function confirmSwitch({ api, queryClient }: Services): Promise<SwitchState> {
  const state = await api.send(theSwitch.confirm, {});
  queryClient.setQueryData(SWITCH_KEY, state);
  return state;
}

/**
 * Says that the server's date is right; a fresh proof is asked for on the way. Refused where it has changed meanwhile.
 * @param says the date that was shown
 */
export async function confirmDate({ api, queryClient }: Services, says: string): Promise<SwitchState> {
  const state = await api.send(theSwitch.vouch, { body: { says } });
  queryClient.setQueryData(SWITCH_KEY, state);
  return state;
}
