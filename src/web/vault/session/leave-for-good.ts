// Leaving a vault that was destroyed.
import { forgetAccount, forgetKeptApp } from '../device/forgetting.ts';
import { noteLeftForGood } from '../device/left-for-good.ts';
import { type Ending, endingAt, tabs } from './leaving.ts';

/** Leaves a vault that was destroyed: nothing of it stays in this browser. */
export async function leaveForGood(uid: string): Promise<void> {
  noteLeftForGood(uid);
  // Other tabs do not wait for databases: they go as soon as they would not come back to the kept app.
  const tellTabs = () => tabs()?.postMessage('vault-destroyed-elsewhere' satisfies Ending);
  await Promise.all([forgetAccount(uid), forgetKeptApp().then(tellTabs)]);
  // A tab that had not heard of it may have made some of it anew.
  await forgetAccount(uid);
  window.location.assign(endingAt('/', 'vault-destroyed'));
}
