// Reads a vault's book from its server: on from where this browser is, or anew, with whatever keys the vault has had. It
// judges what is shown, and keeps nothing.
import {
  type Book,
  type Followed,
  followBook,
  type Keys,
  readBook,
  type ShownEntry,
} from '../../crypto/book.ts';
import { book as calls } from '../../shared/nouns/book.ts';
import { vaultKey } from '../../shared/nouns/vault-key.ts';
import { keyInHand } from '../keys/key-in-hand.ts';
import { keysOfTheRing } from '../keys/key-ring.ts';
import { follows, judgeEnvelope } from '../keys/succession.ts';
import type { Vault } from '../vault.ts';
import type { BookMemory, BookPin } from './book-memory.ts';

/** More pages than any book has: a server that says for ever that there is more is not read for ever. */
const PAGES_MAX = 1_000;

/** The vault has another key by now, which this page does not have: what is sealed under it says nothing. */
export class KeyChanged extends Error {}

/** @param accepted hashes of what was lost, as far as its owner has accepted that before */
export function createReader(
  vault: Pick<Vault, 'api' | 'contentKey' | 'fingerprint' | 'knownRing' | 'loadKey'>,
  memory: Pick<BookMemory, 'loadKeyPin'>,
  accepted: ReadonlySet<string>,
) {
  const { api, fingerprint } = vault;

  /** Entries from a number on, or from the last checkpoint. */
  async function fetchEntries(from?: number): Promise<ShownEntry[]> {
    const shown: ShownEntry[] = [];
    let next = from;
    for (let pages = 1; ; pages += 1) {
      const query = { from: next };
      const { reply, hasNext } = await api.sendForPage(calls.list, { query });
      shown.push(...reply);
      const last = reply.at(-1)?.n;
      // A page that leads nowhere ends the book, whatever the server says.
      const isEnd = !hasNext || last === undefined || last < (next ?? 0);
      if (isEnd || pages === PAGES_MAX) return shown;
      next = last + 1;
    }
  }

  /** The vault's keys before the present one, the newest first; none where they cannot be had. */
  async function olderKeys(): Promise<Keys> {
    const ring = await keysOfTheRing(vault).catch(() => []);
    return ring.map(({ key }) => key).reverse();
  }

  /**
   * Another device may have changed the key: the page learns that where it opens the vault. That the present key vouches for
   * the next one is seen here, so that no server can say so to hide what is wrong.
   * @throws KeyChanged
   */
  async function assertSameKey(): Promise<void> {
    const kept = await api.send(vaultKey.get, {});
    if (!kept || kept.clientKey.fingerprint === fingerprint) return;
    if (follows(await judgeEnvelope(memory.loadKeyPin(), kept.clientKey))) throw new KeyChanged();
  }

  /** Reads with the present key, and where that opens not everything, with those that came before as well. */
  async function withKeys(read: (keys: Keys) => Promise<Followed>): Promise<Followed> {
    const key = await keyInHand(vault);
    const followed = await read([key]);
    if (followed.finding?.kind !== 'unreadable') return followed;
    await assertSameKey();
    return read([key, ...(await olderKeys())]);
  }

  /**
   * Reads what leads from an entry that was seen before the last checkpoint to the end. It is kept until two checkpoints have
   * followed, so that no checkpoint hides another history.
   * @returns null where nobody can read it: the key that sealed it was given up, or two checkpoints have followed. A server has
   * them written when it likes, by saying that the book is full, so that they prove nothing
   */
  async function readFromPin(pin: BookPin): Promise<Followed | null> {
    const shown = await fetchEntries(pin.n);
    const followed = await withKeys((keys) => readBook(shown, pin, keys));
    const { finding, book } = followed;
    const begins = shown[0]?.n;
    if (begins === pin.n) return finding?.kind === 'unreadable' && finding.n === pin.n ? null : followed;
    const isForgotten = finding === null && book.since?.n !== begins;
    return isForgotten ? null : { ...followed, finding: finding ?? { kind: 'unreadable', n: pin.n } };
  }

  /** The book as it is shown, where an owner has written into it that what this browser had seen is lost. */
  async function acceptedElsewhere(pin: BookPin): Promise<Followed | null> {
    const shown = await fetchEntries(1);
    const followed = await withKeys((keys) => readBook(shown, null, keys));
    // One that this browser has followed already is about what was lost before: not about this. Nor is one that was written
    // before what this browser began to read from.
    const { since = Number.NEGATIVE_INFINITY } = pin;
    const isAccepted = followed.acceptances.some(
      ({ abandons, at }) => abandons.n >= pin.n && at >= since && !accepted.has(abandons.hash),
    );
    return isAccepted ? followed : null;
  }

  return {
    fetchEntries,
    olderKeys,

    /** Reads on from `kept`. Null where that does not lead to what is shown. @throws ApiError, TypeError, KeyChanged */
    async readOn(kept: Book, pin: BookPin | null): Promise<Followed | null> {
      const shown = await fetchEntries(kept.head.n);
      const followed = await withKeys((keys) => followBook(kept, shown, keys, pin));
      return followed.finding ? null : followed;
    },

    /** Reads all that is needed, with what is wrong, if anything. @throws ApiError, TypeError, KeyChanged */
    async readAnew(pin: BookPin | null): Promise<Followed & { isCutOff?: boolean }> {
      const shown = await fetchEntries();
      let followed: Followed & { isCutOff?: boolean } = await withKeys((keys) => readBook(shown, pin, keys));
      const [first] = shown;
      if (pin && pin.n > 0 && first && pin.n < first.n)
        followed = (await readFromPin(pin)) ?? { ...followed, isCutOff: true };
      return followed.finding && pin ? ((await acceptedElsewhere(pin)) ?? followed) : followed;
    },
  };
}
