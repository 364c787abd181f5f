// What was written without a connection: kept on this device, sent by one tab once the server can be reached, and taken back
// into a form by whoever wants to go on writing it.
import {
  keepWaiting,
  loadWaiting,
  sendWaiting,
  type WaitingEntry,
  type WaitingStore,
} from '../../../vault/outbox/waiting.ts';
import { toast } from '../../ui/toaster.tsx';
import { waitingStoreOf } from '../device/waiting-store.ts';
import type { OpenVault } from '../session/vault-context.ts';
import { keepAsDraft } from './draft-slots.ts';

/** One tab at a time sends what waits, or takes some of it back: the same is never in a form and on its way. */
function alone<T>(uid: string, work: () => Promise<T>, ifFree = false): Promise<T | null> {
  if (!navigator.locks) return work();
  return navigator.locks.request(`latebra.waiting:${uid}`, { ifAvailable: ifFree }, (lock) =>
    lock === null ? null : work(),
  ) as Promise<T | null>;
}

/** What waits on this device, the oldest first. @throws where this browser does not show its storage */
export const waitingHere = (vault: OpenVault): Promise<WaitingEntry[]> =>
  loadWaiting(vault, waitingStoreOf(vault.user.id));

/** Keeps an entry on this device until its server can be reached. @throws where this browser cannot keep it */
export const waitHere = (vault: OpenVault, waiting: WaitingEntry): Promise<void> =>
  keepWaiting(vault, waitingStoreOf(vault.user.id), waiting);

let underWay: Promise<boolean> | null = null;

/**
 * Sends what waits, unless another tab does, and tells how many have arrived.
 * @returns whether nothing waits any more but for its author, or another tab is at it
 */
export function sendNow(vault: OpenVault): Promise<boolean> {
  underWay ??= send(vault).finally(() => {
    underWay = null;
  });
  return underWay;
}

async function send(vault: OpenVault): Promise<boolean> {
  const { id } = vault.user;
  let count = 0;
  const isReached = await alone(
    id,
    () =>
      sendWaiting(vault, waitingStoreOf(id), () => {
        count += 1;
      }),
    true,
  );
  if (count > 0)
    toast({
      title: 'Sealed in your vault',
      description:
        count === 1
          ? 'What waited on this device has arrived.'
          : `${count} entries that waited on this device have arrived.`,
    });
  return isReached ?? true;
}

/**
 * Takes entries back from waiting, each as a draft of its form.
 * @param isMeant which of them
 * @returns the slots that they are drafts in now
 */
export async function takeBack(
  vault: OpenVault,
  isMeant: (waiting: WaitingEntry) => boolean,
): Promise<string[]> {
  const store = waitingStoreOf(vault.user.id);
  const work = async () => takeBackFrom(vault, store, (await loadWaiting(vault, store)).filter(isMeant));
  return (await alone(vault.user.id, work)) ?? [];
}

async function takeBackFrom(
  vault: OpenVault,
  store: WaitingStore,
  wanted: WaitingEntry[],
): Promise<string[]> {
  const slots: string[] = [];
  for (const { form, sealId } of wanted) {
    const slot = await keepAsDraft(vault, form.name, form.value);
    // Where there is no room for a draft it stays where it is.
    if (slot === null) break;
    await store.drop(sealId);
    slots.push(slot);
  }
  return slots;
}

/** Discards an entry that waits. */
export async function discardWaiting(vault: OpenVault, sealId: string): Promise<void> {
  await alone(vault.user.id, () => waitingStoreOf(vault.user.id).drop(sealId));
}
