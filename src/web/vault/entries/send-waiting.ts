// What was written without a connection: kept on this device, sent by one tab once the server can be reached, and taken back
// into a form by whoever wants to go on writing it.
import { newSealId } from '../../../crypto/seal.ts';
import { keepWaiting, loadWaiting, sendWaiting, type WaitingEntry } from '../../../vault/outbox/waiting.ts';
import { toast } from '../../ui/toaster.tsx';
import { countWaiting } from '../device/waiting-count.ts';
import { findWaiting, waitingStoreOf } from '../device/waiting-store.ts';
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
export const waitingHere = async (vault: OpenVault): Promise<WaitingEntry[]> =>
  (await loadWaiting(vault, waitingStoreOf(vault.user.id))).map(({ waiting }) => waiting);

/** Keeps an entry on this device until its server can be reached. @throws where this browser cannot keep it */
export const waitHere = (vault: OpenVault, waiting: WaitingEntry): Promise<void> =>
  keepWaiting(vault, waitingStoreOf(vault.user.id), waiting);

/** Counts what waits where that was not noted, as by a browser that was ended, and sends it. */
export async function findAndSend(vault: OpenVault): Promise<void> {
  await findWaiting(vault.user.id);
  if (countWaiting(vault.user.id) > 0) await sendNow(vault);
}

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

/** What a form keeps of an entry that has waited: it may have arrived once, and gone on since (use-entry-form.ts). */
const hasWaited = (value: unknown): object => ({ ...(value as object), waited: true });

/** The same as a new entry, where the one that it was to change is gone. */
const asNew = (value: unknown): object => ({ ...(value as object), sealId: newSealId(), base: null });

/**
 * Takes entries back from waiting, each as a draft of its form.
 * @param isMeant which of them
 * @param isGone whether the entry that one was to change is gone: it becomes a draft of a new one, which a form can show
 * @returns the slots that they are drafts in now
 */
export async function takeBack(
  vault: OpenVault,
  isMeant: (waiting: WaitingEntry) => boolean,
  isGone = false,
): Promise<string[]> {
  const store = waitingStoreOf(vault.user.id);
  const work = async () => {
    const slots: string[] = [];
    for (const { waiting, sealed } of await loadWaiting(vault, store)) {
      if (!isMeant(waiting)) continue;
      const { noun, form, sealId } = waiting;
      const slot = isGone
        ? await keepAsDraft(vault, noun, asNew(form.value))
        : await keepAsDraft(vault, form.name, hasWaited(form.value));
      // Where there is no room for a draft it stays where it is.
      if (slot === null) break;
      await store.replace(sealId, sealed, null);
      slots.push(slot);
    }
    return slots;
  };
  return (await alone(vault.user.id, work)) ?? [];
}

/** Discards an entry that waits. */
export async function discardWaiting(vault: OpenVault, sealId: string): Promise<void> {
  const store = waitingStoreOf(vault.user.id);
  await alone(vault.user.id, async () => {
    for (const { waiting, sealed } of await loadWaiting(vault, store))
      if (waiting.sealId === sealId) await store.replace(sealId, sealed, null);
  });
}
