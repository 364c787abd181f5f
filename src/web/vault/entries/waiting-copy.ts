// Copies of what waits on this device: saved as a file, sealed as it lies here, and taken in from one.
import { type TakenIn, takeInWaiting, waitingToText } from '../../../vault/outbox/waiting-file.ts';
import { download } from '../../ui/download.ts';
import { waitingStoreOf } from '../device/waiting-store.ts';
import type { OpenVault } from '../session/vault-context.ts';
import { alone, sendNow } from './send-waiting.ts';

/** Saves what waits as a file, sealed as it lies here. @throws where this browser does not show its storage */
export async function saveWaiting(vault: OpenVault): Promise<void> {
  const text = await waitingToText(waitingStoreOf(vault.user.id));
  const day = new Date().toISOString().slice(0, 10);
  download(new TextEncoder().encode(text), `latebra-waiting-${day}.json`, 'application/json');
}

/** Has what such a file holds wait here again, and sends it. @param kept what `readWaitingFile` found */
export async function takeInFile(vault: OpenVault, kept: readonly string[]): Promise<TakenIn> {
  const work = () => takeInWaiting(vault, waitingStoreOf(vault.user.id), kept);
  const result = (await alone(vault.user.id, work)) ?? { taken: 0, here: 0, unopened: kept.length };
  void sendNow(vault).catch(() => {});
  return result;
}
