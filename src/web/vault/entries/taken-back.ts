// What somebody takes back from waiting, to go on writing it: it becomes a draft of its form. Browsers write drafts to the disk within
// seconds, and what waited is there at once: so it is set aside beside its draft until that is dropped, and becomes a draft again where
// a browser was killed before it had written the first.
import { newSealId } from '../../../crypto/seal.ts';
import {
  changeAside,
  loadAside,
  loadWaiting,
  setAside,
  type WaitingEntry,
  type WaitingStore,
} from '../../../vault/outbox/waiting.ts';
import { draftNames, formOf, watchDrafts } from '../session/drafts.ts';
import type { OpenVault } from '../session/vault-context.ts';
import { keepAsDraft } from './draft-slots.ts';

/** What a form keeps of an entry that has waited: it may have arrived once, and gone on since (use-entry-form.ts). */
const hasWaited = (value: unknown): object => ({ ...(value as object), waited: true });

/** The same as a new entry, where the one that it was to change is gone. */
const asNew = (value: unknown): object => ({ ...(value as object), sealId: newSealId(), base: null });

/** Keeps it as a draft of its own form, or of a form for a new one. @returns its slot; null where there is no room */
const keepDraftOf = (
  vault: OpenVault,
  { noun, form }: WaitingEntry,
  isNew: boolean,
): Promise<string | null> =>
  isNew ? keepAsDraft(vault, noun, asNew(form.value)) : keepAsDraft(vault, form.name, hasWaited(form.value));

/**
 * Makes drafts of entries that wait. Whoever calls it sees to it that no tab sends them meanwhile.
 * @param isMeant which of them
 * @param isGone whether the entry that one was to change is gone: it becomes a draft of a new one, which a form can show
 * @returns the slots that they are drafts in now
 */
export async function takeBackFrom(
  vault: OpenVault,
  store: WaitingStore,
  isMeant: (waiting: WaitingEntry) => boolean,
  isGone: boolean,
): Promise<string[]> {
  const slots: string[] = [];
  for (const kept of await loadWaiting(vault, store)) {
    if (!isMeant(kept.waiting)) continue;
    const slot = await keepDraftOf(vault, kept.waiting, isGone);
    // Where there is no room for a draft it stays where it is.
    if (slot === null) break;
    await setAside(store, kept, slot);
    slots.push(slot);
  }
  if (slots.length > 0) followDrafts(vault, store);
  return slots;
}

/**
 * Makes drafts once more of what is set aside and whose draft is not there: a browser was ended before it had written it. One that was
 * sealed just before its page went may come back so, and is known by its number when it is sealed again.
 */
export async function bringBackLost(vault: OpenVault, store: WaitingStore): Promise<void> {
  const aside = await loadAside(vault, store);
  if (aside.length === 0) return;
  const there = new Set(draftNames(vault.user.id));
  for (const one of aside) {
    if (there.has(one.slot) || !one.waiting) continue;
    const isNew = formOf(one.slot) !== one.waiting.form.name;
    const slot = await keepDraftOf(vault, one.waiting, isNew);
    if (slot !== null && slot !== one.slot) await changeAside(store, one, slot);
  }
  followDrafts(vault, store);
}

/** Whose drafts are followed in this page. */
const followed = new Set<string>();

/** From now on, what is set aside goes with its draft. */
function followDrafts(vault: OpenVault, store: WaitingStore): void {
  const uid = vault.user.id;
  if (followed.has(uid)) return;
  followed.add(uid);
  let there = new Set(draftNames(uid));
  watchDrafts(uid, () => {
    const now = new Set(draftNames(uid));
    const dropped = [...there].filter((slot) => !now.has(slot));
    there = now;
    if (dropped.length > 0) void forgetAside(vault, store, dropped).catch(() => {});
  });
}

async function forgetAside(vault: OpenVault, store: WaitingStore, slots: readonly string[]): Promise<void> {
  for (const one of await loadAside(vault, store))
    if (slots.includes(one.slot)) await changeAside(store, one, null);
}
