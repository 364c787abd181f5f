// Leaving a vault that was destroyed.
import { forgetAccount, forgetKeptApp } from '../device/forgetting.ts';
import { type Ending, endingAt, noteLeftForGood, tabs } from './leaving.ts';

/** Leaves a vault that was destroyed: nothing of it stays in this browser. */
export async function leaveForGood(uid: string): Promise<void> {
  noteLeftForGood(uid);
  await forgetAccount(uid);
  await forgetKeptApp();
  tabs()?.postMessage('vault-destroyed-elsewhere' satisfies Ending);
  window.location.assign(endingAt('/', 'vault-destroyed'));
}
