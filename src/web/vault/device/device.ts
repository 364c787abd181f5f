// What is asked once in a browser, about the browser: whether others use it, and whether single letters are keys. And
// when it was used last, by which an idle vault is known also after its page was closed, and what its user need not read again. Nothing here is secret.
import { MINUTE } from '../../../shared/time.ts';

/** After how long without a touch a vault locks on a device that others use, in milliseconds. */
export const IDLE_LOCK = 30 * MINUTE;

const OWNER = 'latebra.device';
const USED = 'latebra.last-used';
const IDLE_LOCKED = 'latebra.idle-locked';
const STAYED_OPEN = 'latebra.stayed-open';
const LETTERS = 'latebra.letter-keys';
const NOTICE_READ = 'latebra.notice-read';

/** `own`: nobody else uses this device. */
export type DeviceOwner = 'own' | 'shared';

/** For browsers that keep nothing. */
const inMemory = new Map<string, string>();

function read(slot: string): string | null {
  try {
    const kept = localStorage.getItem(slot);
    if (kept !== null) return kept;
  } catch {
    // What memory has is all there is.
  }
  return inMemory.get(slot) ?? null;
}

function write(slot: string, text: string): void {
  try {
    localStorage.setItem(slot, text);
    inMemory.delete(slot);
  } catch {
    inMemory.set(slot, text);
  }
}

function forget(slot: string): void {
  inMemory.delete(slot);
  try {
    localStorage.removeItem(slot);
  } catch {
    // It was in memory alone.
  }
}

/** What somebody has answered; null before they were asked, which counts as `shared`. */
export function deviceOwner(uid: string): DeviceOwner | null {
  const answer = read(`${OWNER}:${uid}`);
  return answer === 'own' || answer === 'shared' ? answer : null;
}

export function setDeviceOwner(uid: string, owner: DeviceOwner): void {
  write(`${OWNER}:${uid}`, owner);
}

/** Whether the vault locks by itself in this browser. */
export const locksWhenIdle = (uid: string): boolean => deviceOwner(uid) !== 'own';

/** Notes that somebody is here, for every tab. @param at epoch milliseconds */
export function noteUse(uid: string, at: number): void {
  write(`${USED}:${uid}`, String(at));
}

/** When somebody was here last, in any tab, in epoch milliseconds; null when that was never noted. */
export function lastUse(uid: string): number | null {
  const at = Number(read(`${USED}:${uid}`) ?? Number.NaN);
  return Number.isFinite(at) ? at : null;
}

/** Whether this browser was left alone for so long that the vault has to be locked. */
export function hasBeenIdle(uid: string, now: number): boolean {
  const at = lastUse(uid);
  return locksWhenIdle(uid) && at !== null && now - at >= IDLE_LOCK;
}

/** Notes that the vault locked by itself, after so many milliseconds without a touch; null once that is over. */
export function noteIdleLock(uid: string, after: number | null): void {
  if (after === null) forget(`${IDLE_LOCKED}:${uid}`);
  else write(`${IDLE_LOCKED}:${uid}`, String(after));
}

/** After how many milliseconds without a touch the vault locked by itself; null where it did not. */
export function idleLock(uid: string): number | null {
  const after = Number(read(`${IDLE_LOCKED}:${uid}`) ?? Number.NaN);
  return Number.isFinite(after) ? after : null;
}

/** Notes that the vault did not lock although it was left alone, as no way back to its key is known here; or that this is over. */
export function noteStayedOpen(uid: string, stayed: boolean): void {
  if (stayed) write(`${STAYED_OPEN}:${uid}`, 'yes');
  else forget(`${STAYED_OPEN}:${uid}`);
}

/** Whether it did not. */
export const hasStayedOpen = (uid: string): boolean => read(`${STAYED_OPEN}:${uid}`) !== null;

/** Notes that the administrator's notice of this moment was read, and need not be shown again. */
export function noteNoticeRead(uid: string, since: string): void {
  write(`${NOTICE_READ}:${uid}`, since);
}

/** Whether it was. */
export const isNoticeRead = (uid: string, since: string): boolean => read(`${NOTICE_READ}:${uid}`) === since;

/** Whether single letters are keys in this browser. */
export const letterKeys = (): boolean => read(LETTERS) !== 'off';

export function setLetterKeys(on: boolean): void {
  write(LETTERS, on ? 'on' : 'off');
}
