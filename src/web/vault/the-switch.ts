// The dead man's switch of this house, as a page shows it: whether it works, and in words why it does not.
import { useQuery } from '@tanstack/react-query';
import { type PauseReason, type SwitchState, theSwitch } from '../../shared/switch.ts';
import { send } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';

const KEY = [theSwitch.get.path];

/** @param wanted asks nothing while it is false */
export function useSwitch(wanted = true) {
  return useQuery({
    queryKey: KEY,
    queryFn: () => send(theSwitch.get, {}),
    enabled: wanted,
    refetchOnMount: 'always',
  });
}

/** The keeper's word that this database is the one that counts; a fresh proof is asked for on the way. */
export async function confirmSwitch(): Promise<SwitchState> {
  const state = await send(theSwitch.confirm, {});
  queryClient.setQueryData(KEY, state);
  return state;
}

/** What has happened, and what its keeper should look at before confirming. */
export const pauseWords: Record<PauseReason, { what: string; check: string }> = {
  restored: {
    what: 'The database is older than the journal that lies beside it. It was brought back from a backup.',
    check:
      'Make sure that this is the newest backup there is, and that no other copy of this house is running. Signs of life that were given after the backup are not known here, so people may be warned who have been here since; and a scroll that was released after it may be released once more, in the same message.',
  },
  'another-key': {
    what: 'The database was written by a house with another key file. It was copied here, or the key file was replaced.',
    check:
      'If the house that it came from still runs, do not confirm: both would warn and release the same scrolls. Confirm only where this is the one that goes on.',
  },
  'journal-missing': {
    what: 'The journal that lies outside the database is gone. Without it the house cannot tell whether the database is the newest.',
    check:
      'Make sure that the data folder is whole, and that no backup stands in the place of a newer database. When you confirm, a new journal is begun.',
  },
  'long-outage': {
    what: 'The house has been asleep for more than ninety days, or the clock of its machine says so.',
    check:
      'Make sure that the clock of this machine shows the right day. The sleep itself adds nothing to anybody’s silence; a day that was set and has passed is caught up with.',
  },
};
