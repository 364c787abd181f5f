// What somebody takes back from waiting, to go on writing it: it becomes a draft of its form. Browsers write drafts to the disk within
// seconds, and what waited is there at once: so it is set aside beside its draft until that is dropped, and becomes a draft again where
// a browser was killed before it had written the first.
import { numberBeside } from '../../../crypto/number-beside.ts';
import { olderKeys } from '../../../vault/keys/key-ring.ts';
import {
  type Aside,
  forgetAside,
  loadAside,
  loadWaiting,
  newAsideName,
  setAside,
  type WaitingEntry,
  type WaitingStore,
} from '../../../vault/outbox/waiting.ts';
import { draftNames, loadDraft, watchDrafts } from '../session/drafts.ts';
import type { OpenVault } from '../session/vault-context.ts';
import { keepAsDraft } from './draft-slots.ts';

/**
 * What a form keeps of an entry that has waited. It may have arrived once, and gone on since (use-entry-form.ts). `aside` stays with the
 * draft whatever becomes of its words and its number: by that it is known which draft stands for what is set aside.
 */
interface TakenBack {
  waited: true;
  aside: string;
}

/** The name of what a draft stands for, if anything. */
const asideOf = (draft: unknown): string | undefined => (draft as Partial<TakenBack> | null)?.aside;

/** The draft of what is taken back; of a new entry where the one that it was to change is gone. */
async function draftOf({ form, sealId }: WaitingEntry, isNew: boolean, aside: string): Promise<TakenBack> {
  const kept = { ...(form.value as object), waited: true, aside } as const;
  // The same number each time: one that was sealed already is known by it.
  return isNew ? Object.assign(kept, { sealId: await numberBeside(sealId), base: null }) : kept;
}

/** Keeps it as a draft that stands for what is set aside. @returns its slot; null where there is no room */
async function keepDraftOf(vault: OpenVault, { name, form, waiting }: Aside): Promise<string | null> {
  const draft = await draftOf(waiting, form !== waiting.form.name, name);
  const slot = await keepAsDraft(vault, form, draft);
  if (slot !== null) followed.get(vault.user.id)?.slots.set(slot, name);
  return slot;
}

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
  const meant = (await loadWaiting(vault, store)).filter(({ waiting }) => isMeant(waiting));
  // What is there already is read meanwhile, which may take a server.
  if (meant.length > 0) void followDrafts(vault, store);
  const slots: string[] = [];
  for (const kept of meant) {
    const { waiting } = kept;
    const form = isGone ? waiting.noun : waiting.form.name;
    const name = newAsideName(form);
    const slot = await keepDraftOf(vault, { name, form, waiting });
    // Where there is no room for a draft it stays where it is.
    if (slot === null) break;
    await setAside(store, kept, name);
    slots.push(slot);
  }
  return slots;
}

/**
 * Makes drafts once more of what is set aside and whose draft is nowhere: a browser was ended before it had written it. One that was
 * sealed just before its page went may come back so, and is known by its number when it is sealed again.
 */
export async function bringBackLost(vault: OpenVault, store: WaitingStore): Promise<void> {
  const aside = await loadAside(vault, store);
  if (aside.length === 0) return;
  // Where it was written on and waits again, a page has gone before it could forget the first.
  const again = new Set((await loadWaiting(vault, store)).map(({ waiting }) => asideOf(waiting.form.value)));
  await forgetAside(store, again);
  const there = new Set((await followDrafts(vault, store)).values());
  for (const one of aside) if (!there.has(one.name) && !again.has(one.name)) await keepDraftOf(vault, one);
}

/** The drafts of an account as this page knows them. */
interface Followed {
  /** With its key of now. */
  vault: OpenVault;
  /** The slots whose drafts stand for something that is set aside, with the name of that. */
  slots: Map<string, string>;
}

const followed = new Map<string, Followed>();

/**
 * From now on, what is set aside goes with its draft, whichever tab has taken it back.
 * @returns the slots whose drafts stand for something that is set aside, with the name of that
 */
export async function followDrafts(
  vault: OpenVault,
  store: WaitingStore,
): Promise<ReadonlyMap<string, string>> {
  const uid = vault.user.id;
  const own = followed.get(uid) ?? { vault, slots: new Map<string, string>() };
  own.vault = vault;
  if (!followed.has(uid)) {
    followed.set(uid, own);
    let known = new Set(draftNames(uid));
    watchDrafts(uid, () => {
      const now = new Set(draftNames(uid));
      const added = [...now].filter((slot) => !known.has(slot));
      known = now;
      forgetDropped(own, store, now);
      for (const slot of added) void read(own, slot);
    });
  }
  await Promise.all(draftNames(uid).map((slot) => read(own, slot)));
  // Dropped while it was read.
  forgetDropped(own, store, new Set(draftNames(uid)));
  return own.slots;
}

/** Notes whether a draft stands for something that is set aside. */
async function read({ vault, slots }: Followed, slot: string): Promise<void> {
  const { user, contentKey } = vault;
  const name = asideOf(await loadDraft(user.id, slot, contentKey, () => olderKeys(vault)));
  if (name !== undefined) slots.set(slot, name);
}

/** Forgets what is set aside whose draft was dropped. A draft of other words may have stood in the same slot before. */
function forgetDropped({ slots }: Followed, store: WaitingStore, there: ReadonlySet<string>): void {
  const dropped = [...slots].filter(([slot]) => !there.has(slot));
  for (const [slot] of dropped) slots.delete(slot);
  const still = new Set(slots.values());
  const names = new Set(dropped.flatMap(([, name]) => (still.has(name) ? [] : name)));
  if (names.size > 0) void forgetAside(store, names).catch(() => {});
}
