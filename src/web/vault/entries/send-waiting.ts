// What was written without a connection: kept on this device, sent by one tab once the server can be reached, and taken back
// into a form by whoever wants to go on writing it.
import { keepWaiting, loadWaiting, sendWaiting, type WaitingEntry } from '../../../vault/outbox/waiting.ts';
import { isTooOld } from '../../api/app-state.ts';
import { toast } from '../../ui/toaster.tsx';
import { countWaiting, noteWaiting } from '../device/waiting-count.ts';
import { findWaiting, waitingStoreOf } from '../device/waiting-store.ts';
import type { OpenVault } from '../session/vault-context.ts';
import { bringBackLost, followDrafts, takeBackFrom } from './taken-back.ts';

/** One tab at a time sends what waits, or takes some of it back: the same is never in a form and on its way. */
export function alone<T>(uid: string, work: () => Promise<T>, ifFree = false): Promise<T | null> {
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

/** Of whom this page has looked for drafts that were lost. */
const looked = new Set<string>();

/** Has what is set aside go with its draft, also where another tab has taken it back, and looks once for drafts that were lost. */
async function lookAfterDrafts(vault: OpenVault): Promise<void> {
  const { id } = vault.user;
  const store = waitingStoreOf(id);
  await followDrafts(vault, store);
  if (looked.has(id)) return;
  await alone(id, () => bringBackLost(vault, store));
  looked.add(id);
}

/** How long another tab may take to open the store of what waits for the first time, in milliseconds. */
const OPENING = 100;

/** Whether something has ever waited here. It is noted before its store is there, so what is missing is looked for twice. */
async function hasEverWaited(uid: string): Promise<boolean> {
  if (await findWaiting(uid)) return true;
  if (countWaiting(uid) === 0) return false;
  await new Promise((resolve) => setTimeout(resolve, OPENING));
  return findWaiting(uid);
}

/** Counts what waits where that was not noted, as by a browser that was ended, and sends it. */
export async function findAndSend(vault: OpenVault): Promise<void> {
  const { id } = vault.user;
  const hasWaited = await hasEverWaited(id);
  // What fails is tried again with the next minute, and holds up nothing.
  if (hasWaited) await lookAfterDrafts(vault).catch(() => {});
  if (!hasWaited && countWaiting(id) > 0) {
    noteWaiting(id, 0);
    toast({
      title: 'This browser has cleared what was kept here',
      description:
        'What waited on this device to be sent is gone with it. Your vault has all that had arrived.',
      tone: 'destructive',
    });
  }
  if (countWaiting(id) > 0) await sendNow(vault);
}

let underWay: Promise<boolean> | null = null;

/**
 * Sends what waits, unless another tab does, and tells how many have arrived.
 * @returns whether nothing waits any more but for its author, or another tab or a newer app is to send it
 */
export async function sendNow(vault: OpenVault): Promise<boolean> {
  // An app that is too old to write would only be refused: what waits is the newer one's to send.
  if (isTooOld(vault.queryClient)) return true;
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

/** Takes entries back from waiting, as `takeBackFrom` has it. */
export async function takeBack(
  vault: OpenVault,
  isMeant: (waiting: WaitingEntry) => boolean,
  isGone = false,
): Promise<string[]> {
  const work = () => takeBackFrom(vault, waitingStoreOf(vault.user.id), isMeant, isGone);
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
