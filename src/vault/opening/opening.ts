// Opening the rows of a list, thousands of them, without holding the page up.
import { OpenError } from '../../crypto/errors.ts';
import { openSealedBox } from '../../crypto/sealed-box.ts';
import { ageIdentityUnder } from '../keys/age-identity.ts';
import { AnotherKey } from '../keys/key-in-hand.ts';
import { arrivalsUnder, openingKey } from '../keys/key-ring.ts';
import type { EntryType } from '../kinds/entry-kind.ts';
import type { Vault } from '../vault.ts';
import { type Boxed, type OpenedBox, openRowsWith, type RowCodec, type RowKeys } from './row-opening.ts';

/** A new task, so that the page can draw and answer between two chunks. */
export function yieldTask(): Promise<void> {
  return new Promise((resolve) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => resolve();
    channel.port2.postMessage(null);
  });
}
const PACE = { yieldTask, now: () => performance.now() };
/** After how many milliseconds of opening boxes the page has its turn. */
const FRAME = 8;

/** The vault's keys for the rows that name one; null where it has none. @throws ApiError, TypeError */
async function keysOf(fingerprint: string | null, vault: Vault): Promise<RowKeys | null> {
  const key = await openingKey(vault, fingerprint).catch((error: unknown) => {
    if (error instanceof OpenError) return null;
    throw error;
  });
  return (
    key && {
      key,
      isOutside: await arrivalsUnder(vault, fingerprint),
      openBoxes: (boxes) => openBoxes(boxes, fingerprint, vault),
    }
  );
}

/** One after the other: each takes some milliseconds of the page's own thread. */
async function openBoxes(
  boxes: readonly Boxed[],
  fingerprint: string | null,
  vault: Vault,
): Promise<OpenedBox[]> {
  const identity = await ageIdentityUnder(vault, fingerprint).catch((error: unknown) => {
    // What is in the slot is another key than the one that opened the vault: a reload sorts that out.
    if (error instanceof OpenError || error instanceof AnotherKey) return null;
    throw error;
  });
  const outcomes: OpenedBox[] = [];
  let frameBegan = PACE.now();
  for (const { sealed, context } of boxes) {
    const opening =
      identity === null ? Promise.reject(new OpenError()) : openSealedBox(identity, sealed, context);
    outcomes.push(
      await opening.then(
        (text): OpenedBox => ({ ok: true, text }),
        (): OpenedBox => ({ ok: false }),
      ),
    );
    if (PACE.now() - frameBegan >= FRAME) {
      await PACE.yieldTask();
      frameBegan = PACE.now();
    }
  }
  return outcomes;
}

/** Opens rows in order; a row that cannot be opened is kept, with nulls. */
export const openRows = <N extends EntryType>(
  codec: RowCodec<N>,
  rows: readonly N['row'][],
  vault: Vault,
): Promise<N['entry'][]> => openRowsWith(codec, rows, (fingerprint) => keysOf(fingerprint, vault), PACE);

/** Opens one row whatever facts the server shows of it: with those that it was sealed with. */
export async function openRowAsSealed<N extends EntryType>(
  codec: RowCodec<N>,
  row: N['row'],
  vault: Vault,
): Promise<N['entry']> {
  const keys = (fingerprint: string | null) => keysOf(fingerprint, vault);
  const [entry] = await openRowsWith(codec, [row], keys, PACE, { asSealed: true });
  if (!entry) throw new Error('one row opens to one entry');
  return entry;
}
