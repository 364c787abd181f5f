// The place in the book at which an archive was made, which it carries: whoever has the archive can tell later that a server
// shows an older book, or another one.
import type { Pin } from '../../../crypto/book-entry.ts';
import { formatMoment } from '../../ui/moments.ts';
import type { OpenVault } from '../session/vault-context.ts';
import { bookOfVault } from './book-of-vault.ts';
import { changeNumber } from './finding-words.ts';

/** The last entry that this browser has followed; undefined where the vault has no book. */
export async function pinForArchive(vault: OpenVault): Promise<Pin | undefined> {
  const bookSync = bookOfVault(vault);
  // What it has seen before is worth something where nothing can be read now.
  const { head } = await bookSync.look().catch(() => bookSync.state());
  return head.n > 0 ? { n: head.n, hash: head.hash } : undefined;
}

/**
 * Compares the pin of an archive of this vault with its book.
 * @returns what is to be said where the book does not contain it; null where it does, or where that cannot be known
 * @throws ApiError, TypeError
 */
export async function missingFromBook(vault: OpenVault, pin: Pin): Promise<string | null> {
  const bookSync = bookOfVault(vault);
  const { head, chain } = await bookSync.look();
  // That is said on every page already.
  if (chain) return null;
  const past = await bookSync.history();
  const found = past.find(({ n }) => n === pin.n);
  if (found?.hash === pin.hash || (!found && pin.n <= head.n)) return null;
  const accepted = past.find(({ n, abandons }) => abandons && n <= pin.n && pin.n <= abandons.n);
  const change = changeNumber(pin.n);
  if (accepted)
    return `This archive was made at ${change}, which the server lost. That was accepted on ${formatMoment(accepted.at)}, on ${accepted.device}.`;
  return found
    ? `This archive was made at another ${change} than this server shows: the server has put another history of your vault in its place.`
    : `This archive was made at ${change}, and this server shows your vault’s book up to ${changeNumber(head.n)} only: what was written after that is missing here.`;
}
