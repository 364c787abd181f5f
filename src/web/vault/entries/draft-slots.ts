// Which form writes to which slot for drafts: a slot belongs to one form in all tabs for as long as that stands open, so that
// two forms never overwrite each other's words. A tab that ends, in whatever way, gives its slots back.

import {
  draftNames,
  draftsOf,
  dropDraft,
  formOf,
  keepDraft,
  lastSlot,
  noteSlot,
  slotName,
} from '../session/drafts.ts';
import type { OpenVault } from '../session/vault-context.ts';

/** Begins the names of the locks. Where a browser has none, the forms of one tab are kept apart, as before. */
const LOCK = 'latebra.form:';
const lockOf = (uid: string, slot: string) => `${LOCK}${uid}:${slot}`;

/** The locks of this page. Those that were given back a moment ago have a promise of that. */
const ours = new Map<string, 'held' | Promise<unknown>>();

/** Takes a lock that nobody holds, or answers null. @returns gives it back once the last words are kept */
async function take(lock: string): Promise<((last: Promise<unknown>) => void) | null> {
  const before = ours.get(lock);
  if (before === 'held') return null;
  await before;
  ours.set(lock, 'held');
  let giveBack: (last: Promise<unknown>) => void = () => {};
  const until = new Promise<unknown>((resolve) => {
    giveBack = resolve;
  });
  let gone: Promise<unknown> = until;
  const isTaken = await new Promise<boolean>((resolve) => {
    if (!navigator.locks) return resolve(true);
    gone = navigator.locks
      .request(lock, { ifAvailable: true }, (free) => {
        resolve(free !== null);
        return free && until;
      })
      .catch(() => resolve(true));
  });
  if (!isTaken) {
    ours.delete(lock);
    return null;
  }
  return (last) => {
    giveBack(last.catch(() => {}));
    const ended = gone.then(() => void (ours.get(lock) === ended && ours.delete(lock)));
    ours.set(lock, ended);
  };
}

/** The slots of all forms that stand open, in any tab. */
export async function slotsInUse(
  uid: string,
): Promise<{ here: ReadonlySet<string>; elsewhere: ReadonlySet<string> }> {
  const start = lockOf(uid, '');
  const slots = (locks: readonly (string | undefined)[]) =>
    new Set(locks.flatMap((lock) => (lock?.startsWith(start) ? [lock.slice(start.length)] : [])));
  const here = slots([...ours].flatMap(([lock, state]) => (state === 'held' ? [lock] : [])));
  const locks = await navigator.locks?.query().catch(() => null);
  const all = slots(locks?.held?.map(({ name }) => name) ?? []);
  return { here, elsewhere: new Set([...all].filter((slot) => !here.has(slot))) };
}

/** The draft that the next form is to take, as somebody has chosen it. */
let asked: { uid: string; slot: string } | null = null;
/** How often a draft of each form was asked for. */
const turns = new Map<string, number>();
const listeners = new Set<() => void>();

/** Has the next form of its kind bring back this draft. Forms that stand open in their page begin anew with it. */
export function askForDraft(uid: string, slot: string): void {
  turns.set(formOf(slot), timesAsked(formOf(slot)) + 1);
  setAsked({ uid, slot });
}

/** Nothing is asked for any more: there is no form that could take it. */
export const forgetAsked = () => setAsked(null);

function setAsked(next: typeof asked): void {
  asked = next;
  for (const changed of listeners) changed();
}

/** How often a draft of a form was asked for: one that stands open in its page begins anew with each time. */
export const timesAsked = (form: string): number => turns.get(form) ?? 0;

/** The draft that was asked for and that no form has taken yet. */
export const draftAsked = (uid: string): string | null => (asked?.uid === uid ? asked.slot : null);

export function watchAsked(changed: () => void): () => void {
  listeners.add(changed);
  return () => listeners.delete(changed);
}

function takeAsked(uid: string, form: string): string[] {
  if (asked?.uid !== uid || formOf(asked.slot) !== form) return [];
  const { slot } = asked;
  setAsked(null);
  return [slot];
}

/** A slot that one form has, with the draft that stands in it. */
export interface ClaimedSlot<T> {
  name: string;
  /** Null where it is empty. */
  draft: T | null;
  /** Gives it back once the last words are kept. */
  release: (last: Promise<unknown>) => void;
}

interface Claim<T> {
  /** Opens a draft; null where no key opens it, and it is then left as it is. */
  load: (slot: string) => Promise<T | null>;
  /** Whether an empty slot is wanted: somebody has begun to write. */
  wantsEmpty: () => boolean;
  /** Ends the wait for a draft that is being opened: somebody has begun to write, or the form is gone. */
  interrupted: Promise<null>;
  /** Whether the form is gone by now. */
  isOver: () => boolean;
}

/** Claims of this page, one after another: a form that is gone gives its slot back before the next one looks. */
let queue: Promise<unknown> = Promise.resolve();

/**
 * Claims a slot for a form: the one that was asked for, or the one that this tab had, or the first with words that no other form
 * holds, or else an empty one.
 * @returns null where the form is gone meanwhile
 */
export function claimSlot<T>(uid: string, form: string, claim: Claim<T>): Promise<ClaimedSlot<T> | null> {
  const claimed = queue.then(() => claimNow(uid, form, claim));
  queue = claimed.catch(() => {});
  return claimed;
}

async function claimNow<T>(uid: string, form: string, claim: Claim<T>): Promise<ClaimedSlot<T> | null> {
  const { load, wantsEmpty, interrupted, isOver } = claim;
  if (isOver()) return null;
  const done = Promise.resolve();
  const kept = draftsOf(uid, form);
  const first = kept.filter((slot) => slot === lastSlot(uid, form));
  const chosen = takeAsked(uid, form).filter((slot) => kept.includes(slot));
  for (const slot of new Set([...chosen, ...first, ...kept])) {
    if (wantsEmpty()) break;
    const release = await take(lockOf(uid, slot));
    if (!release) continue;
    const draft = await Promise.race([load(slot), interrupted]);
    if (draft !== null && !wantsEmpty() && !isOver()) {
      noteSlot(uid, form, slot);
      return { name: slot, draft, release };
    }
    release(done);
    if (isOver()) return null;
  }
  for (let n = 1; ; n += 1) {
    const name = slotName(form, n);
    const release = draftNames(uid).includes(name) ? null : await take(lockOf(uid, name));
    if (!release) continue;
    // Its tab may have ended after it was looked at.
    if (!isOver() && !draftNames(uid).includes(name)) {
      noteSlot(uid, form, name);
      return { name, draft: null, release };
    }
    release(done);
    if (isOver()) return null;
  }
}

/** Keeps something as a draft of its own. @returns its slot; null where this browser keeps nothing */
export async function keepAsDraft(
  { user, contentKey }: Pick<OpenVault, 'user' | 'contentKey'>,
  form: string,
  draft: unknown,
): Promise<string | null> {
  const slot = await claimSlot(user.id, form, {
    load: async () => null,
    wantsEmpty: () => true,
    interrupted: Promise.resolve(null),
    isOver: () => false,
  });
  if (!slot) return null;
  const kept = keepDraft(user.id, slot.name, contentKey, draft);
  slot.release(kept);
  return (await kept) ? slot.name : null;
}

/** Drops a draft that no form holds. @returns whether it did */
export async function dropFreeDraft(uid: string, slot: string): Promise<boolean> {
  const release = await take(lockOf(uid, slot));
  if (release) dropDraft(uid, slot);
  release?.(Promise.resolve());
  return release !== null;
}
