// What a device of one owner keeps for a start without a network is seen to here, once a page has come to rest: who is signed in,
// and the app itself. On any other device nothing is kept.
import type { User } from '../../shared/nouns/user.ts';
import { currentUser } from '../../vault/api/first-calls.ts';
import { APP_STATE, type AppState } from '../api/app-state.ts';
import { keepUser, othersKept } from '../api/kept-user.ts';
import type { Services } from '../api/services.tsx';
import { deviceOwner } from '../vault/device/device.ts';
import { forgetKeptApp } from '../vault/device/forgetting.ts';
import { keepApp } from '../vault/device/kept-app.ts';
import { forgetBlocks } from '../vault/device/kept-blocks.ts';
import { forgetFiles } from '../vault/device/kept-files.ts';

/** @param user as this page knows them */
export async function keepHere({ queryClient }: Services, user: User): Promise<void> {
  const stateNow = () => queryClient.getQueryData<AppState>(APP_STATE) ?? { asOf: {} };
  if (deviceOwner(user.id) !== 'own') return forgetKeptApp();
  await Promise.all(othersKept(user.id).flatMap((other) => [forgetBlocks(other), forgetFiles(other)]));
  // What comes from this device is there already, and is no newer.
  const { asOf, newerContract } = stateNow();
  if (!(currentUser.path in asOf)) keepUser(user, Date.now(), newerContract);
  await keepApp(() => queryClient.setQueryData<AppState>(APP_STATE, { ...stateNow(), hasUpdate: true }));
}
