// A copy of what waits on a device, as a file (docs/formats.md, "What waits"): sealed as it lies there, for a browser that may erase
// it. It comes back as what waits, so that it is sent as anything else that does, and arrives once.
import * as z from 'zod/mini';
import type { ListedVault } from '../replica/row-list.ts';
import { isAside, openWaiting, type WaitingStore } from './waiting.ts';

const FORMAT = 'latebra/waiting';

/** How every such file begins, and no other. */
const BEGINNING = `{"format":"${FORMAT}"`;

const schema = z.object({
  format: z.literal(FORMAT),
  v: z.literal(1),
  waiting: z.array(z.string()),
});

/** What waits on a device, as the text of a file. What is set aside for a draft is that draft's. */
export async function waitingToText(store: WaitingStore): Promise<string> {
  const waiting = (await store.load()).flatMap(({ name, sealed }) => (isAside(name) ? [] : sealed));
  return `${JSON.stringify({ format: FORMAT, v: 1, waiting } satisfies z.output<typeof schema>)}\n`;
}

/** What lies in such a file; null for any other, which is not read, and for a damaged one. */
export async function readWaitingFile(file: Blob): Promise<string[] | null> {
  if ((await file.slice(0, BEGINNING.length).text()) !== BEGINNING) return null;
  try {
    return z.parse(schema, JSON.parse(await file.text())).waiting;
  } catch {
    return null;
  }
}

/** What became of what lies in a file. */
export interface TakenIn {
  /** They wait here now. */
  taken: number;
  /** Something waits here under their numbers already, and stays. */
  here: number;
  /** No key of this vault opens them. */
  unopened: number;
}

/**
 * Has what lies in a file wait on this device. What has arrived meanwhile is known by its number when it is sent, and kept once.
 * Whoever calls it sees to it that no other tab sends at the same time.
 */
export async function takeInWaiting(
  vault: ListedVault,
  store: WaitingStore,
  kept: readonly string[],
): Promise<TakenIn> {
  const here = new Set((await store.load()).map(({ name }) => name));
  const result: TakenIn = { taken: 0, here: 0, unopened: 0 };
  for (const sealed of kept) {
    const waiting = await openWaiting(vault, sealed);
    if (!waiting) result.unopened += 1;
    else if (here.has(waiting.sealId)) result.here += 1;
    else {
      await store.put(waiting.sealId, sealed);
      here.add(waiting.sealId);
      result.taken += 1;
    }
  }
  return result;
}
