// Making an Ark: what is asked of its worker, and what that answers.
import { arkContents } from '../../../../ark/contents.ts';
import { type ArkWays, writeArk } from '../../../../ark/write-ark.ts';
import type { EntriesFile } from '../../../../vault/archive/entries-file.ts';

export interface ArkRequest {
  entries: EntriesFile;
  /** What is not in it, a sentence each. */
  leftOut: readonly string[];
  key: Uint8Array;
  /** What it opens with beside the words, which are the key. */
  ways: ArkWays;
}

export type ArkReply = { ok: true; page: Blob } | { ok: false };

export const ARK_TYPE = 'text/html';

/** What goes wrong is the worker's own: a vault that can be exported can be written so. */
export async function workAtArk({ entries, leftOut, key, ways }: ArkRequest): Promise<ArkReply> {
  try {
    const page = await writeArk(arkContents(entries, leftOut), key, ways);
    return { ok: true, page: new Blob([page], { type: ARK_TYPE }) };
  } catch {
    return { ok: false };
  }
}
