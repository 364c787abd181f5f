// What a page does once its vault is open and it has come to rest: it keeps what this device is to keep, and nothing else, sends what waits on it, says
// on the picture of the installed app how much that is, and tells the sisters of letters that their author lives.
import { hashKey } from '@tanstack/react-query';
import { MINUTE } from '../../shared/time.ts';
import { FILES_DATABASE, WAITING_DATABASE } from '../vault/device/databases.ts';
import { hasDatabase } from '../vault/device/has-database.ts';
import { countWaiting, watchWaiting } from '../vault/device/waiting-count.ts';
import { bookKey } from '../vault/session/book-key.ts';
import type { OpenVault } from '../vault/session/vault-context.ts';
import { keepHere } from './keep-here.ts';

/** @returns ends it */
export function beAtRest(vault: OpenVault): () => void {
  // What cannot be kept now is kept at the next visit.
  void keepHere(vault, vault.user).catch(() => {});
  fetchLastWords();
  void giveSigns(vault).catch(() => {});
  const ends = [keepDroppingFiles(vault), keepSending(vault), keepBadge(vault.user.id)];
  return () => {
    for (const end of ends) end();
  };
}

/** What this device keeps of files that are gone, or locked: now, and whenever a list has changed. */
function keepDroppingFiles(vault: OpenVault): () => void {
  let isUnderway = false;
  let isWanted = false;
  async function drop(): Promise<void> {
    isWanted = true;
    if (isUnderway) return;
    isUnderway = true;
    while (isWanted) {
      isWanted = false;
      await dropGoneFiles(vault).catch(() => {});
    }
    isUnderway = false;
  }
  void drop();
  const book = hashKey(bookKey(vault));
  return vault.queryClient.getQueryCache().subscribe(({ type, query, ...event }) => {
    const isChanged = type === 'updated' && 'action' in event && event.action.type === 'success';
    // What is shown while a list is still on its way is not all of it.
    if (
      isChanged &&
      query.queryKey[0] === 'opened' &&
      query.queryHash !== book &&
      query.state.fetchStatus === 'idle'
    )
      void drop();
  });
}

async function dropGoneFiles(vault: OpenVault): Promise<void> {
  if (vault.keepsLists() && (await hasDatabase(FILES_DATABASE)))
    await (await import('../vault/files/drop-gone-files.ts')).dropGoneFiles(vault);
}

/** What was not given now is given at the next visit; a letter's author sees which of its sisters was not reached. */
async function giveSigns(vault: OpenVault): Promise<void> {
  await (await import('../vault/legacy/give-signs.ts')).giveSignsOfLife(vault);
}

/**
 * Fetches what an app says that has become too old, while its own server is still there: the newer one that it hears it from has
 * these files no more.
 */
function fetchLastWords(): void {
  void import('./app-words.tsx').catch(() => {});
  void import('../api/too-old.ts').catch(() => {});
}

/** The picture of the installed app says how many wait. */
function keepBadge(uid: string): () => void {
  const show = () => void navigator.setAppBadge?.(countWaiting(uid)).catch(() => {});
  show();
  return watchWaiting(uid, show);
}

/** Sends what waits on this device: now, when the connection is back, and every minute until it is gone. */
function keepSending(vault: OpenVault): () => void {
  async function send(): Promise<void> {
    if (countWaiting(vault.user.id) === 0 && !(await hasDatabase(`${WAITING_DATABASE}:${vault.user.id}`)))
      return;
    await (await import('../vault/entries/send-waiting.ts')).findAndSend(vault);
  }
  const again = () => void send().catch(() => {});
  again();
  window.addEventListener('online', again);
  const timer = setInterval(again, MINUTE);
  return () => {
    window.removeEventListener('online', again);
    clearInterval(timer);
  };
}
