// A text that is packed with gzip, unpacked within the limits of an import.
import { Refused } from './imported-entry.ts';
import type { ImportLimits, Used } from './zip-files.ts';

/** @throws Refused `too-large` or `damaged` */
export async function gunzip(file: Blob, used: Used, limits: ImportLimits): Promise<Uint8Array> {
  const reader = file.stream().pipeThrough(new DecompressionStream('gzip')).getReader();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw new Refused('damaged');
    });
    if (done) break;
    size += value.length;
    used.textBytes += value.length;
    if (size > limits.fileBytes || used.textBytes > limits.textBytes) {
      await reader.cancel();
      throw new Refused('too-large');
    }
    parts.push(new Uint8Array(value));
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}
